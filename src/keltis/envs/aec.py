"""Both games as PettingZoo environments: agents in turn, as in its classic games.

    from keltis.envs import aec
    env = aec.env("board", players=3)

or, once it is imported, `pettingzoo.make("aec", "keltis/Board-v1", players=3)`.

An observation is `{"observation": ..., "action_mask": ...}`; the mask is in `infos` too. An illegal
action ends the game with a reward of -1 for the one who played it, as in the classics.
"""

# mypy: disable-error-code="misc"

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from keltis.envs import render
from keltis.envs.registration import register_pettingzoo
from keltis.envs.table import Table
from keltis.envs.vector import REWARDS
from keltis.game.game import DECISION_CAP, spread

if TYPE_CHECKING:
    from keltis.rules.shrunken import BoardShape, StonesShape


def env(game: str = "board", **settings: Any) -> AECEnv:
    """An environment with the usual wrappers: illegal actions end it, misuse is told."""
    wrapped = raw_env(game, **settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):  # noqa: N801 (PettingZoo's name for it)
    """The environment without wrappers.

    `max_cycles` times the number of agents is the number of decisions after which a game is cut
    off, by default `keltis.DECISION_CAP`; it is then truncated and pays nothing. `information`
    gives observations all that an agent could remember, with the last `history` decisions,
    instead of what it sees now.
    """

    metadata = {  # noqa: RUF012 (as PettingZoo has it)
        "render_modes": ["human", "rgb_array", "ansi"],
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
        EzPickle.__init__(
            self, game, players, options, shape, reward, margin_weight, max_cycles, information,
            history, render_mode,
        )  # fmt: skip
        super().__init__()
        if reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, not {reward!r}")
        cap = DECISION_CAP if max_cycles is None else max_cycles * players
        self.table = Table(game, players, options=options, shape=shape, cap=cap, history=history)
        win, margin = REWARDS[reward]
        self._reward = win, margin * (margin_weight if reward == "both" else 1)
        self._information = information
        self.render_mode = render_mode
        self._window: render.Window | None = None
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
            self._chance = np.random.default_rng(seed)
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
        if self.render_mode == "human":
            self.render()

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
        self.table.play(-1 if action is None else int(action))
        if self.table.ended:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self.table.rewards(*self._reward), strict=True))
        elif self.table.cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[self.table.seat]
        self._inform()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _inform(self) -> None:
        nothing = np.zeros(self.table.actions, np.int8)
        self.infos = {agent: {"action_mask": nothing} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self.table.mask(self.table.seat)}

    def render(self) -> Any:
        """The table as the agent sees it whose turn it is."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs a render_mode")
            return None
        if self.render_mode == "ansi":
            return self.table.observation_text(self.table.seat)
        picture = render.svg(self.table)
        if self.render_mode == "rgb_array":
            return render.pixels(picture)
        if self._window is None:
            self._window = render.Window()
        self._window.show(picture)
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None


register_pettingzoo()
