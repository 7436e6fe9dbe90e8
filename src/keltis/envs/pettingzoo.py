"""Both games as PettingZoo environments: agents in turn, as in its classic games.

    from keltis.envs import pettingzoo
    env = pettingzoo.env("board", players=3)

or, once it is imported, PettingZoo's own `pettingzoo.make("aec", "keltis/Board-v1", players=3)`.

An observation is `{"observation": ..., "action_mask": ...}`; the mask is in `infos` too. An illegal
action ends the game with a reward of -1 for the one who played it, as in the classics.
"""

# mypy: disable-error-code="misc"

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from keltis.envs import checks, render
from keltis.envs.registration import register_pettingzoo
from keltis.envs.table import Table
from keltis.game.checks import check_whole
from keltis.game.game import DECISION_CAP, spread

if TYPE_CHECKING:
    from keltis.rules.shrunken import BoardShape, StonesShape


def env(game: str = "board", **settings: Any) -> AECEnv:
    """An environment with the usual wrappers: illegal actions end it, misuse is told."""
    wrapped = raw_env(game, **settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # noqa: N801 (PettingZoo's name for it)
    """The environment without wrappers.

    `max_cycles` times the number of agents is the number of decisions after which a game is cut
    off, by default `keltis.DECISION_CAP`; it is then truncated and pays nothing. `information`
    gives observations all that an agent could remember, with the last `history` decisions,
    instead of what it sees now.
    """

    metadata = {  # noqa: RUF012 (as PettingZoo has it)
        "render_modes": list(render.MODES),
        "name": "keltis_v1",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str = "board",
        players: int = 2,
        options: Mapping[str, str] | None = None,
        shape: BoardShape | StonesShape | None = None,
        reward: str = "win",
        margin_weight: float = 0.01,
        max_cycles: int | None = None,
        information: bool = False,
        history: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        players = checks.player_count(players)
        cap = DECISION_CAP
        if max_cycles is not None:
            cap = players * checks.at_least(max_cycles, 1, "max_cycles")
        self.table = Table(game, players, options=options, shape=shape, cap=cap, history=history)
        self._reward = checks.reward_weights(reward, margin_weight)
        self._information = information
        self._screen = render.Screen(render_mode)
        self.render_mode = render_mode
        self._chance = np.random.default_rng()
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents = self.possible_agents[:]
        parts = self.table.information_layout if information else self.table.layout
        self.action_spaces = {
            agent: spaces.Discrete(self.table.actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(parts.low, parts.high, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (self.table.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew; a seed deals as `keltis.new_game` does, and what follows hangs on it too."""
        if seed is not None:
            self._chance = np.random.default_rng(spread(seed))
            self.table.deal(spread(seed))
        else:
            self.table.deal(int(self._chance.integers(2**64, dtype=np.uint64)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[self.table.seat]
        self._inform()
        self._screen.update(self.table, self.table.seat)

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        see = self.table.information if self._information else self.table.observation
        return {"observation": see(seat), "action_mask": self.table.mask(seat)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.table.play(check_whole(action, "action"))
        if self.table.ended:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self.table.rewards(*self._reward), strict=True))
        elif self.table.cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[self.table.seat]
        self._inform()
        self._accumulate_rewards()
        self._screen.update(self.table, self.table.seat)

    def _inform(self) -> None:
        nothing = np.zeros(self.table.actions, np.int8)
        self.infos = {agent: {"action_mask": nothing} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self.table.mask(self.table.seat)}

    def render(self) -> Any:
        """The table as the agent sees it whose turn it is."""
        return self._screen.render(self.table, self.table.seat)

    def close(self) -> None:
        self._screen.close()


register_pettingzoo()
