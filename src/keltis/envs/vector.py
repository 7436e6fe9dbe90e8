"""The vector environment: thousands of games stepped by one call of compiled code."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs import layout
from keltis.envs.kernels import vector as kernels
from keltis.envs.opponents import opponent
from keltis.envs.team import Team
from keltis.game.errors import IllegalMove
from keltis.game.game import DECISION_CAP, spread
from keltis.game.kinds import kind
from keltis.game.setups import END_STONE_STEP, check_count, check_options

if TYPE_CHECKING:
    from keltis.rules.shrunken import BoardShape, StonesShape

RUNNING, ENDED, CUT_OFF, ILLEGAL = range(4)
"""What `Buffers.ends` tells of each game's last step."""

REWARDS = {"win": (1.0, 0.0), "margin": (0.0, 1.0), "both": (1.0, 1.0)}

_NOTHING = np.zeros(0, np.int8)
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass
class Buffers:
    """The arrays that `reset` and `step` write, a row a game. None is not written."""

    observations: NDArray[np.int8] | None  # of the seat that is to decide
    masks: NDArray[np.int8] | None  # its legal actions
    informations: NDArray[np.int8] | None  # all that it could remember
    finals: NDArray[np.int8] | None  # last observations of games that ended in this step
    rewards: NDArray[np.float32]  # by seat; 0 but for games that ended in this step
    scores: NDArray[np.int16]  # by seat; written for games that ended in this step
    seats: NDArray[np.int8]  # who is to decide
    ends: NDArray[np.int8]  # RUNNING, ENDED, CUT_OFF or ILLEGAL
    deals: NDArray[np.uint64]  # the seed of the deal that the step was played with


class Vector:
    """Many games of one kind at once, restarted as they end.

    game, players, options
        as for `keltis.new_game`; `shape` shrinks the game (`keltis.rules.shrunken`).
    games, seed
        how many at once, and what makes them all the same again.
    opponents
        None: every seat's decisions come from outside. "random" or "heuristic": only one seat's
        do, in game i the seat i modulo players or the one given as `seat`, and a bot inside the
        compiled code plays the others. `temperature` and `sight` weaken the heuristic as they
        do for the bots of that name: the bot "fawn" is 6 and 0, "hare" is 3 and 0.4.
    reward
        "win": 1 for winning, -1 / (players - 1) for losing, shared in a tie; "margin": points
        more than the mean of the others; "both": win plus margin times `margin_weight`. Paid when
        a game ends; always sums to zero. A game that is cut off pays nothing.
    duplicate
        games come in groups of as many as there are players, with the same deals in the same
        order, so that by rotation every seat of a deal is played from outside.
    cap
        decisions after which a game is cut off (B22).
    history
        how many decisions the information states hold.
    illegal
        "raise": an illegal action raises IllegalMove and nothing has changed. "end": it ends
        its game, and costs the one who played it `illegal_reward`.
    """

    def __init__(
        self,
        game: str = "board",
        players: int = 2,
        games: int = 1024,
        seed: int | None = None,
        *,
        options: Mapping[str, str] | None = None,
        shape: BoardShape | StonesShape | None = None,
        opponents: str | None = None,
        temperature: float = 0.0,
        sight: float = 1.0,
        seat: int | None = None,
        reward: str = "win",
        margin_weight: float = 0.01,
        duplicate: bool = False,
        cap: int = DECISION_CAP,
        history: int = 0,
        illegal: str = "raise",
        illegal_reward: float = -1.0,
        threads: int = 1,
    ) -> None:
        self.kind = kind(game)
        self.players = check_count(operator.index(players), "players")
        self.games = _at_least(games, 1, "games")
        self.layout = layout.observation(game, players)
        self.information_layout = layout.information(
            game, players, _at_least(history, 0, "history")
        )
        self.actions = layout.actions(game)
        self.cap = _at_least(cap, 1, "cap")
        if reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, not {reward!r}")
        if illegal not in ("raise", "end"):
            raise ValueError(f'illegal: expected "raise" or "end", not {illegal!r}')
        if duplicate and games % players:
            raise ValueError(f"games: {games} cannot be grouped by {players} players")
        if temperature < 0 or not 0 <= sight <= 1:
            raise ValueError("temperature is 0 or more, sight from 0 to 1")
        chosen = check_options(self.kind.options, options or {})
        who, self._weights = opponent(game, players, opponents, sight, shrunken=shape is not None)
        self._raise = illegal == "raise"
        self._duplicate = duplicate

        settings = np.zeros(1, kernels.SETTINGS)
        settings["players"] = players
        settings["end_stone_may"] = chosen.get(END_STONE_STEP) == "may"
        settings["shrunken"] = shape is not None
        settings["cap"] = cap
        settings["opponent"] = who
        settings["temperature"] = temperature
        win, margin = REWARDS[reward]
        settings["win"] = win
        settings["margin"] = margin * (margin_weight if reward == "both" else 1)
        settings["illegal_reward"] = illegal_reward
        self._settings = settings
        self._shape = np.zeros(0, np.int64) if shape is None else shape.array(players)
        self._history = np.zeros((games, 3, history), np.int8)
        self.states = np.zeros(games, self.kind.rules.STATE)
        self.slots = np.zeros(games, kernels.SLOT)
        if opponents is None:
            self.slots["me"] = -1
        elif seat is None:
            self.slots["me"] = np.arange(games) % players
        elif 0 <= seat < players:
            self.slots["me"] = seat
        else:
            raise ValueError(f"seat: {seat} is not one of {players} seats")
        self._team = Team(_at_least(threads, 1, "threads"), self.states)
        self._team.prepare(
            kernels.SLOTS, self.slots, self._settings, self._shape, self._weights, self._history
        )
        weakref.finalize(self, self._team.close)
        self._chosen = np.zeros(games, np.int64)
        self._actions: NDArray[Any] = _NOTHING
        self._arrays: tuple[NDArray[Any] | None, ...] = (_NOTHING,) * 9
        self._scratch = self.buffers(observations=False, masks=False)
        self.reset(seed=seed)

    def buffers(
        self,
        *,
        observations: bool = True,
        masks: bool = True,
        informations: bool = False,
        finals: bool = False,
    ) -> Buffers:
        """Arrays of the right shapes; a caller's own do as well."""
        games, players = self.games, self.players
        width, wide = self.layout.size, self.information_layout.size
        return Buffers(
            observations=np.zeros((games, width), np.int8) if observations else None,
            masks=np.zeros((games, self.actions), np.int8) if masks else None,
            informations=np.zeros((games, wide), np.int8) if informations else None,
            finals=np.zeros((games, width), np.int8) if finals else None,
            rewards=np.zeros((games, players), np.float32),
            scores=np.zeros((games, players), np.int16),
            seats=np.zeros(games, np.int8),
            ends=np.zeros(games, np.int8),
            deals=np.zeros(games, np.uint64),
        )

    def reset(self, buffers: Buffers | None = None, seed: int | None = None) -> None:
        """Begin new games everywhere; without a seed, chance decides."""
        first = np.uint64(spread(seed))
        places = np.arange(self.games, dtype=np.uint64)
        groups = places // np.uint64(self.players) if self._duplicate else places
        # Streams far apart: the generator's own step is the same odd number, times one each.
        self.slots["stream"] = _scattered(first + groups * _ODD, 1)
        self.slots["sampler"] = _scattered(first + places * _ODD, 2)
        self.states["rng"] = _scattered(first + places * _ODD, 3)
        self.states["players"] = self.players
        self.states["phase"] = self.kind.rules.OVER
        self._take(np.full(self.games, -1))
        self._step(self._scratch if buffers is None else buffers)
        if buffers is not None:
            buffers.rewards[:] = 0
            buffers.scores[:] = 0
            buffers.ends[:] = RUNNING
            buffers.deals[:] = self.slots["deal"]

    def step(self, actions: NDArray[np.int64] | None, buffers: Buffers) -> None:
        """Carry out an action in every game, write the buffers, restart the games that ended.

        None plays at random: what `sample` would have chosen, without a second call.
        """
        if actions is None:
            self._take(self._chosen)
            self._step(buffers, kernels.RANDOM_STEP)
            return
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.games,):
            raise ValueError(f"actions: expected {self.games}, not the shape {actions.shape}")
        self._take(actions)
        if self._step(buffers, kernels.CHECK if self._raise else kernels.STEP):
            i = kernels.first_illegal(self.states, actions)
            raise IllegalMove(f"game {i}: action {actions[i]} is illegal")

    def _take(self, actions: NDArray[np.int64]) -> None:
        if actions is not self._actions:
            self._actions = actions
            self._team.prepare(kernels.ACTIONS, actions)

    def _step(self, b: Buffers, what: int = kernels.STEP) -> int:
        arrays = (b.observations, b.masks, b.informations, b.finals, b.rewards, b.scores, b.seats,
                  b.ends, b.deals)  # fmt: skip
        if any(map(operator.is_not, arrays, self._arrays)):  # checking them costs as much as a step
            self._prepare(b)
            self._arrays = arrays
        return self._team.work(what)

    def _prepare(self, b: Buffers) -> None:
        games, players = self.games, self.players
        width, wide = self.layout.size, self.information_layout.size
        self._team.prepare(
            kernels.OBSERVATIONS,
            _flat(b.observations, (games, width), "observations"),
            _flat(b.masks, (games, self.actions), "masks"),
            _flat(b.informations, (games, wide), "informations"),
            _flat(b.finals, (games, width), "finals"),
            _checked(b.rewards, (games, players), np.float32, "rewards"),
            _checked(b.scores, (games, players), np.int16, "scores"),
            _checked(b.seats, (games,), np.int8, "seats"),
            _checked(b.ends, (games,), np.int8, "ends"),
            _checked(b.deals, (games,), np.uint64, "deals"),
        )

    def sample(self, actions: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """A random legal action for every game."""
        if actions is None:
            actions = np.zeros(self.games, np.int64)
        if actions is not self._actions:
            self._take(_checked(actions, (self.games,), np.int64, "actions"))
        self._team.work(kernels.SAMPLE)
        return actions

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat that is played from outside in each game; -1 for all of them."""
        seats: NDArray[np.int8] = self.slots["me"].copy()
        return seats

    def close(self) -> None:
        """Let the threads go; the games can no longer be stepped."""
        self._team.close()


def _at_least(value: int, least: int, what: str) -> int:
    value = operator.index(value)
    if value < least:
        raise ValueError(f"{what}: expected at least {least}, not {value}")
    return value


def _scattered(seeds: NDArray[np.uint64], lane: int) -> NDArray[np.uint64]:
    """64 bits that depend on every bit of a seed, different in each lane."""
    z = seeds + np.uint64(lane * 0xD1342543DE82EF95 % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _flat(array: NDArray[np.int8] | None, shape: tuple[int, ...], what: str) -> NDArray[np.int8]:
    if array is None:
        return _NOTHING
    return _checked(array, shape, np.int8, what).reshape(-1)


def _checked(array: NDArray[Any], shape: tuple[int, ...], kind: type, what: str) -> NDArray[Any]:
    if array.shape != shape or array.dtype != kind or not array.flags.c_contiguous:
        raise ValueError(
            f"{what}: expected a contiguous array of {kind.__name__} and shape {shape}, "
            f"not {array.dtype} and {array.shape}"
        )
    return array
