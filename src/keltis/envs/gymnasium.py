"""Both games as Gymnasium environments: one seat, against bots.

    import gymnasium, keltis.envs.gymnasium
    env = gymnasium.make("keltis/Board-v1", players=3, opponents=["hare", "heuristic"])

An observation is `{"observation": ..., "action_mask": ...}`; the mask is in `info` too, and
`action_masks()` returns it for libraries that ask so. An illegal action ends the game.
"""

# mypy: disable-error-code="misc"

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from keltis.bots.entrants import Entrant, Given, entrants
from keltis.envs import checks, render
from keltis.envs.registration import register_gymnasium
from keltis.envs.table import Table
from keltis.game.checks import check_whole
from keltis.game.errors import IllegalMove, quoted
from keltis.game.game import DECISION_CAP, spread

if TYPE_CHECKING:
    from keltis.rules.shrunken import BoardShape, StonesShape


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; bots play the others.

    opponents
        a name of `keltis.bots`, a bot of one's own or what makes one, as for `keltis.arena.arena`;
        or a list with one for each other seat, in turn order after one's own.
    seat
        one's own; None: another at every reset, by chance.
    reward, margin_weight, options, shape
        as for `keltis.envs.vector.Vector`; a shrunken game knows only "random" opponents.
    cap
        decisions, of all players, after which the game is cut off: truncated, without reward.
    illegal_reward
        what an illegal action costs; it ends the game.
    """

    metadata = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": list(render.MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str = "board",
        players: int = 2,
        opponents: Given | Sequence[Given] = "random",
        seat: int | None = None,
        reward: str = "win",
        margin_weight: float = 0.01,
        options: Mapping[str, str] | None = None,
        shape: BoardShape | StonesShape | None = None,
        cap: int = DECISION_CAP,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.table = Table(game, players, options=options, shape=shape, cap=cap)
        named = isinstance(opponents, tuple) and all(isinstance(one, str) for one in opponents)
        several = isinstance(opponents, list) or named
        each: list[Any] = list(opponents) if several else [opponents] * (players - 1)  # type: ignore[arg-type]
        if len(each) != players - 1:
            raise ValueError(f"opponents: {len(each)} for {players - 1} seats")
        try:
            self._opponents = entrants(each)
        except (TypeError, ValueError) as fault:
            raise type(fault)(f"opponents: {fault}") from None
        if shape is not None and any(one != Entrant("random") for one in self._opponents):
            raise ValueError('opponents: a shrunken game is played by "random" alone')
        self._seat = None if seat is None else checks.one_seat(seat, players)
        self._reward = checks.reward_weights(reward, margin_weight)
        self._illegal_reward = checks.number(illegal_reward, "illegal_reward")
        self._screen = render.Screen(render_mode)
        self._bots: list[Any] = []
        self._done = True
        self.seat = 0
        self.render_mode = render_mode
        parts = self.table.layout
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(parts.low, parts.high, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (self.table.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.table.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.int8]], dict[str, Any]]:
        """Deal anew; a seed deals as `keltis.new_game` does, and all that follows hangs on it."""
        super().reset(seed=seed)
        deal = (
            int(self.np_random.integers(2**64, dtype=np.uint64)) if seed is None else spread(seed)
        )
        chosen = int(self.np_random.integers(self.table.players))
        self.seat = chosen if self._seat is None else self._seat
        self._bots = [
            opponent.seated(int(self.np_random.integers(2**32))) for opponent in self._opponents
        ]
        self._done = False
        while True:  # a shrunken game may end before there is anything to decide
            self.table.deal(deal)
            self._reply()
            if not self.table.is_over:
                break
            deal = int(self.np_random.integers(2**64, dtype=np.uint64))
        self._screen.update(self.table, self.seat)
        return self._observation(), self._info()

    def step(
        self, action: int
    ) -> tuple[dict[str, NDArray[np.int8]], float, bool, bool, dict[str, Any]]:
        if self._done:
            raise gymnasium.error.ResetNeeded("the game is over: reset it")
        action = check_whole(action, "action")
        if action not in self.table.legal_actions():
            self._done = True
            info = {**self._info(), "illegal": True}
            return self._observation(), self._illegal_reward, True, False, info
        self.table.play(action)
        self._reply()
        ended, cut_off = self.table.ended, self.table.cut_off
        self._done = ended or cut_off
        self._screen.update(self.table, self.seat)
        reward = self.table.rewards(*self._reward)[self.seat]
        return self._observation(), reward, ended, cut_off, self._info()

    def _reply(self) -> None:
        """Let the bots play until it is one's own turn."""
        table = self.table
        while not table.is_over and table.seat != self.seat:
            if table.shape is not None:
                table.play(int(self.np_random.choice(table.legal_actions())))
                continue
            place = (table.seat - self.seat) % table.players - 1
            game = table.game()
            token = self._bots[place].choose(game.view(table.seat))
            if (reason := game.why(token)) is not None:
                name = self._opponents[place].name
                raise IllegalMove(f"opponents: {name} answered {quoted(token)}: {reason}")
            table.play(table.kind.actions[token])

    def _observation(self) -> dict[str, NDArray[np.int8]]:
        return {
            "observation": self.table.observation(self.seat),
            "action_mask": self.action_masks(),
        }

    def action_masks(self) -> NDArray[np.int8]:
        """Which actions are legal now."""
        return self.table.mask(self.seat)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks(), "seat": self.seat}
        if self.table.is_over:
            info["scores"] = np.array(self.table.scores())
        return info

    def render(self) -> Any:
        """The table as one's own seat sees it."""
        return self._screen.render(self.table, self.seat)

    def close(self) -> None:
        self._screen.close()


register_gymnasium()
