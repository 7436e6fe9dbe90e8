"""The vector environment: thousands of games stepped by one call of compiled code."""

from __future__ import annotations

import copy
import math
import operator
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray

from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.envs import checks, layout
from keltis.envs.buffers import Buffers as Buffers
from keltis.envs.buffers import InformedBuffers as InformedBuffers
from keltis.envs.buffers import Saved as Saved
from keltis.envs.buffers import SeenBuffers as SeenBuffers
from keltis.envs.kernels import vector as kernels
from keltis.envs.opponents import opponent
from keltis.envs.threads import ThreadPool, granted_processors
from keltis.game.board import option_bits
from keltis.game.errors import IllegalMove
from keltis.game.game import DECISION_CAP, spread
from keltis.game.kinds import kind
from keltis.game.setups import check_options

if TYPE_CHECKING:
    from keltis.game.game import Game
    from keltis.rules.shrunken import BoardShape, StonesShape

RUNNING, ENDED = kernels.RUNNING, kernels.ENDED
CUT_OFF, ILLEGAL = kernels.CUT_OFF, kernels.ILLEGAL
"""What `Buffers.ends` says of each game's last step."""

STAY = kernels.STAY
"""An action, always allowed, that leaves a game as it is."""

Rows = int | Sequence[int] | NDArray[Any] | None
"""Which games a method is about: a number, or some; None is all."""

_LINE = 64  # bytes
_NOTHING = np.zeros(0, np.int8)
_ODD = np.uint64(0x9E3779B97F4A7C15)


class Vector:
    """Many games of one kind at once, restarted as they end.

    game, players, options
        as for `keltis.new_game`; `shape` shrinks the game (`keltis.rules.shrunken`).
    games, seed
        how many at once, and what makes them all the same again.
    opponents
        None: every seat's decisions come from outside. "random", "heuristic" or one of the
        levels that are weaker settings of it, such as "fawn" (`keltis.envs.opponents.names()`):
        only one seat's do, in game i the seat i modulo players or the one given as `seat`, and
        the bot plays the others inside the compiled code. `temperature` (0: never slips) and
        `sight` (1: all of it) change the heuristic's settings from those of its name.
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
    threads
        that share the games of a call; never more than there are games, or processors for this
        process. The attribute of this name tells how many there are.
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
        temperature: float | None = None,
        sight: float | None = None,
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
        self.players = players = checks.player_count(players)
        self.games = games = checks.at_least(games, 1, "games")
        self.threads = min(checks.at_least(threads, 1, "threads"), games, granted_processors())
        history = checks.at_least(history, 0, "history")
        self.layout = layout.observation(game, players)
        self.information_layout = layout.information(game, players, history)
        self.actions = layout.actions(game)
        self.cap = checks.at_least(cap, 1, "cap")
        if illegal not in ("raise", "end"):
            raise ValueError(f'illegal: expected "raise" or "end", not {illegal!r}')
        if duplicate and games % players:
            raise ValueError(f"games: {games} cannot be grouped by {players} players")
        chosen = check_options(self.kind.options, {} if options is None else options)
        shape = checks.shape_of(game, shape)
        bot = opponent(game, players, opponents, temperature, sight, shrunken=shape is not None)
        self._raise = illegal == "raise"
        self._duplicate = duplicate

        settings = np.zeros(1, kernels.SETTINGS)
        settings["players"] = players
        settings["options"] = option_bits(chosen)
        settings["shrunken"] = shape is not None
        settings["cap"] = self.cap
        settings["opponent"] = bot.number
        settings["temperature"] = bot.temperature
        settings["win"], settings["margin"] = checks.reward_weights(reward, margin_weight)
        settings["illegal_reward"] = checks.number(illegal_reward, "illegal_reward")
        self._settings = settings
        self._shape = np.zeros(0, np.int64) if shape is None else shape.array(players)
        self._heuristic = heuristic_scratch(*[bot.weights] * self.threads)
        self._history = np.zeros((games, 3, history), np.int8)
        self.states = np.zeros(games, self.kind.rules.STATE)
        self.slots = np.zeros(games, kernels.SLOT)
        if opponents is None:
            if seat is not None:
                raise ValueError("seat: without opponents all seats are played from outside")
            self.slots["me"] = -1
        elif seat is None:
            self.slots["me"] = np.arange(games) % players
        else:
            self.slots["me"] = checks.one_seat(seat, players)
        self._connect()
        self._scratch = self.buffers(observations=False, masks=False)
        self.reset(seed=seed)

    def _connect(self) -> None:
        """Tell the threads where everything is."""
        self._pool = ThreadPool(self.threads, self.states)
        self._pool.prepare(
            kernels.SLOTS, self.slots, self._settings, self._shape, self._heuristic, self._history
        )
        weakref.finalize(self, self._pool.close)
        self._chosen = np.zeros(self.games, np.int64)
        self._actions: NDArray[Any] = _NOTHING
        self._arrays: tuple[NDArray[Any] | None, ...] = (_NOTHING,) * 9

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # two that share their games would both go wrong

    def __getstate__(self) -> dict[str, Any]:
        made_anew = ("_pool", "_chosen", "_actions", "_arrays")
        state = {name: value for name, value in vars(self).items() if name not in made_anew}
        return {**state, "kind": self.kind.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, kind=kind(state["kind"]))
        self._connect()

    @overload
    def buffers(
        self,
        *,
        observations: Literal[True] = True,
        masks: Literal[True] = True,
        informations: Literal[True],
        finals: bool = False,
    ) -> InformedBuffers: ...

    @overload
    def buffers(
        self,
        *,
        observations: Literal[True] = True,
        masks: Literal[True] = True,
        informations: bool = False,
        finals: bool = False,
    ) -> SeenBuffers: ...

    @overload
    def buffers(
        self,
        *,
        observations: bool = True,
        masks: bool = True,
        informations: bool = False,
        finals: bool = False,
    ) -> Buffers: ...

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
        kind = InformedBuffers if informations else SeenBuffers
        return (kind if observations and masks else Buffers)(
            observations=_aligned((games, width), np.int8) if observations else None,
            masks=_aligned((games, self.actions), np.int8) if masks else None,
            informations=_aligned((games, wide), np.int8) if informations else None,
            finals=_aligned((games, width), np.int8) if finals else None,
            rewards=_aligned((games, players), np.float32),
            scores=_aligned((games, players), np.int16),
            seats=_aligned((games,), np.int8),
            ends=_aligned((games,), np.int8),
            deals=_aligned((games,), np.uint64),
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

    def step(self, actions: NDArray[np.int64] | None, buffers: Buffers | None = None) -> None:
        """Carry out an action in every game, write the buffers, restart the games that ended.

        None plays at random: what `sample` would have chosen, without a second call. Without
        buffers nothing is told.
        """
        buffers = self._scratch if buffers is None else buffers
        if actions is None:
            self._take(self._chosen)
            self._step(buffers, kernels.RANDOM_STEP)
            return
        if actions is not self._actions:
            given = np.asarray(actions)
            if given.shape != (self.games,) or given.dtype.kind not in "iu":
                raise ValueError(
                    f"actions: expected {self.games} whole numbers, "
                    f"not {given.dtype} of shape {given.shape}"
                )
            actions = np.ascontiguousarray(given, np.int64)
            self._take(actions)
        if self._step(buffers, kernels.CHECK if self._raise else kernels.STEP):
            i = kernels.first_illegal(self.states, actions)
            raise IllegalMove(f"game {i}: action {actions[i]} is illegal")

    def _take(self, actions: NDArray[np.int64]) -> None:
        if actions is not self._actions:
            self._actions = actions
            self._pool.prepare(kernels.ACTIONS, actions)

    def _step(self, b: Buffers, what: int = kernels.STEP) -> int:
        arrays = (b.observations, b.masks, b.informations, b.finals, b.rewards, b.scores, b.seats,
                  b.ends, b.deals)  # fmt: skip
        if any(map(operator.is_not, arrays, self._arrays)):  # checking them costs as much as a step
            self._prepare(b)
            self._arrays = arrays
        return self._pool.work(what)

    def _prepare(self, b: Buffers) -> None:
        games, players = self.games, self.players
        width, wide = self.layout.size, self.information_layout.size
        self._pool.prepare(
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
        self._pool.work(kernels.SAMPLE)
        return actions

    # --- For planning: single games set back, copied, begun anywhere ------------------------

    def save(self, rows: Rows = None) -> Saved:
        """Some games as they stand, or all; `restore` goes on from there."""
        where = self._rows(rows)
        return Saved(
            self.kind.name,
            self.players,
            _picked(self.states, where),
            _picked(self.slots, where),
            self._history[where],
        )

    def restore(self, saved: Saved, rows: Rows = None) -> None:
        """Put saved games back, into the same rows or others; a single one into any number.

        They go on as they would have: with the same random numbers, next deals and seat played from
        outside. `reseed` and `resample` part copies of one game from each other.
        """
        where = self._rows(rows)
        if (saved.game, saved.players) != (self.kind.name, self.players):
            raise ValueError(f"saved: games of {saved.game} for {saved.players} players")
        if saved.history.shape[1:] != self._history.shape[1:]:
            raise ValueError(f"saved: a history of {saved.history.shape[2]} decisions")
        if len(saved) not in (1, len(where)):
            raise ValueError(f"saved: {len(saved)} games do not fit {len(where)} rows")
        for mine, theirs in ((self.states, saved.states), (self.slots, saved.slots)):
            _bytes(mine)[where] = _bytes(np.ascontiguousarray(theirs))
        self._history[where] = saved.history

    def place(self, game: Game, rows: Rows = None) -> None:
        """Let rows go on from where a game stands: one that was loaded, resampled, or set up.

        What is played does not change the game. Its random numbers are those of the row.
        """
        from keltis.envs.table import Table

        if self._settings["shrunken"].item():
            raise ValueError("game: a shrunken environment takes no whole game")
        room = self._history.shape[2]
        table = Table.from_game(game, cap=self.cap, history=room)
        if (table.kind.name, table.players) != (self.kind.name, self.players):
            raise ValueError(f"game: {game.game} for {table.players} players")
        if table.is_over:
            raise ValueError("game: it is over")
        where = self._rows(rows)
        chance = self.states["rng"][where]
        _bytes(self.states)[where] = _bytes(table.states)
        self.states["rng"][where] = chance
        self.slots["decisions"][where] = len(table.moves)
        self.slots["deal"][where] = 0
        self._history[where] = table._history

    def reseed(self, rows: Rows = None, seed: int | None = None) -> None:
        """Give rows new random numbers: for opponents, `sample`, and the deals to come."""
        where = self._rows(rows)
        seeds = np.uint64(spread(seed)) + np.arange(len(where), dtype=np.uint64) * _ODD
        self.slots["stream"][where] = _scattered(seeds, 1)
        self.slots["sampler"][where] = _scattered(seeds, 2)
        self.states["rng"][where] = _scattered(seeds, 3)

    def resample(self, rows: Rows = None, seed: int | None = None) -> None:
        """Deal anew what the seat that is to decide does not know, as `keltis.resample` does.

        So that a planner does not see through the cards. It reseeds the rows, too.
        """
        self.reseed(rows, seed)
        for row in self._rows(rows).tolist():
            self.kind.rules.resample(self.states, row, self.kind.seat(self.states[row : row + 1]))

    def look(self, buffers: Buffers) -> None:
        """Write the buffers for the games as they stand; opponents who are to decide do so."""
        self.step(np.full(self.games, STAY), buffers)

    def _rows(self, rows: Rows) -> NDArray[np.int64]:
        """Rows as an array of their numbers, which are checked."""
        if rows is None:
            return np.arange(self.games)
        found = np.atleast_1d(np.asarray(rows))
        if found.ndim != 1 or (found.dtype.kind not in "iu" and found.size):
            raise ValueError("rows: expected a row's number, or some in a list")
        wrong = found[(found < 0) | (found >= self.games)]
        if wrong.size:
            raise ValueError(f"rows: expected 0 to {self.games - 1}, not {wrong[0]}")
        return found.astype(np.int64)

    def __repr__(self) -> str:
        name, games, players = self.kind.name, self.games, self.players
        return f"<Vector of {games} games of {name}, {players} players, {self.threads} threads>"

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat that is played from outside in each game; -1 for all of them."""
        seats: NDArray[np.int8] = self.slots["me"].copy()
        return seats

    def close(self) -> None:
        """Let the threads go; the games can no longer be stepped."""
        self._pool.close()


def _aligned(shape: tuple[int, ...], kind: type) -> NDArray[Any]:
    """Zeros that begin at a multiple of 64 bytes."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    room = np.zeros(size + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    return room[first : first + size].view(kind).reshape(shape)


def _bytes(records: NDArray[Any]) -> NDArray[np.uint8]:
    """Records as rows of bytes: numpy copies these ten times as fast."""
    return records.view(np.uint8).reshape(len(records), -1)


def _picked(records: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    return _bytes(records)[rows].view(records.dtype).reshape(-1)


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


def _checked(array: Any, shape: tuple[int, ...], kind: type, what: str) -> NDArray[Any]:
    """An array that compiled code may write to."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{what}: expected an array, not {type(array).__name__}")
    if array.shape != shape or array.dtype != kind:
        raise ValueError(
            f"{what}: expected {kind.__name__} of shape {shape}, "
            f"not {array.dtype} of shape {array.shape}"
        )
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError(f"{what}: expected a contiguous array that can be written to")
    return array
