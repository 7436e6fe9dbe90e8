"""The public face of both games: make one, play it, look at it, save it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from keltis.game.checks import check_seat, check_whole
from keltis.game.errors import IllegalMove, IllegalRecord, RecordError, quoted
from keltis.game.reasons import Reason
from keltis.game.tokens import CUT_OFF, RECORD_FORMAT

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray

    from keltis.game.kinds import Kind
    from keltis.game.setups import States
    from keltis.game.types import AnyView, PublicView, Record, Result, View
    from keltis.game.views import History

DECISION_CAP = 10_000
"""Decisions after which our own callers cut a game off.

The rules set no limit (B22); bots, simulations, environments and servers need one. Random
games of `board` take a few hundred decisions, so one that comes here is going round in circles.
"""


class Game:
    """One game of either kind: its setup and the decisions taken so far.

    Made by `new_game`, `load` or `resample`. Everything is checked: what is not legal raises
    `IllegalMove` and changes nothing. Not safe to change from two threads at once.
    """

    def __init__(
        self, kind: Kind, players: Sequence[str], options: Mapping[str, str], start: States
    ) -> None:
        """Take over a game that begins with `start`; for this package's own use."""
        # Copies share the kind, the names, the options and the start: these never change.
        self._kind = kind
        self._players = list(players)
        self._options = dict(options)
        self._start = start
        self._states = kind.copied(start)
        self._history: History = []
        self._cut_off = False

    @property
    def game(self) -> str:
        """Which game it is: "board" or "stones"."""
        return self._kind.name

    @property
    def players(self) -> list[str]:
        """The players' names, by seat."""
        return self._players.copy()

    @property
    def options(self) -> dict[str, str]:
        """The options that differ from the default."""
        return self._options.copy()

    @property
    def moves(self) -> list[str]:
        """The decisions so far, as tokens."""
        return [token for _, token, _, _ in self._history]

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return None if self.is_over else self._kind.seat(self._states)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to decide, by the rules or because it was cut off."""
        return self._cut_off or self._kind.is_over(self._states)

    @property
    def reason(self) -> str | None:
        """Why the game is over: "goal", "deck" or "cut off"; None while it runs."""
        return CUT_OFF if self._cut_off else self._kind.reason(self._states)

    def legal_moves(self) -> list[str]:
        """All tokens that may be played now; none when the game is over."""
        return [] if self._cut_off else self._kind.legal_moves(self._states)

    def is_legal(self, token: str) -> bool:
        """Whether a move may be played now; changes nothing."""
        kind = self._kind
        action = kind.actions.get(token) if isinstance(token, str) else None
        return (
            action is not None
            and not self._cut_off
            and kind.play(kind.copied(self._states), action) is not None
        )

    def play(self, token: str) -> None:
        """Take a decision; raises `IllegalMove`, saying why, and then changes nothing."""
        kind, states = self._kind, self._states
        action = kind.actions.get(token) if isinstance(token, str) else None
        seat = kind.seat(states)
        if action is None or self._cut_off or (done := kind.play(states, action)) is None:
            raise IllegalMove(self.why(token))
        self._history.append((seat, kind.tokens[action], *done))

    def why(self, token: str) -> str | None:
        """Why a move may not be played now, in words; None if it may."""
        refusal = self.refusal(token)
        return None if refusal is None else str(refusal)

    def refusal(self, token: str) -> Reason | None:
        """The same as a key with its values, to be said in any language."""
        if self._cut_off:
            return Reason("cut")
        return self._kind.why(self._states, token)

    def undo(self) -> str:
        """Take the last decision back and return it, also after the end of the game."""
        if not self._history:
            raise IllegalMove("there is no decision to take back")
        self._cut_off = False
        _, token, _, _ = self._history.pop()
        self._states = self._kind.replayed(self._start, self.moves)
        return token

    def cut_off(self) -> None:
        """End the game without a winner, as a caller does whose cap was reached (B22)."""
        if self.is_over:
            raise IllegalMove("the game is over")
        self._cut_off = True

    def scores(self) -> list[int]:
        """What each player scores, or would score if the game ended now."""
        return self._kind.scores(self._states)

    def winners(self) -> list[int]:
        """The seats that won: several after a tie, none while the game runs or if cut off."""
        if self._cut_off or not self.is_over:
            return []
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    def result(self) -> Result | None:
        """How the game ended, as a record has it; None while it runs."""
        if not self.is_over:
            return None
        reason = cast(Literal["goal", "deck", "cut off"], self.reason)
        return {"scores": self.scores(), "winners": self.winners(), "reason": reason}

    @overload
    def view(self, seat: int) -> View: ...

    @overload
    def view(self, seat: None) -> PublicView: ...  # type: ignore[overload-overlap]

    # For a seat that may be None it has the type of a seat's view: what is asked of either is
    # mostly the same, and who asks knows best.
    @overload
    def view(self, seat: int | None) -> View: ...

    def view(self, seat: int | None) -> AnyView:
        """All that a seat may know, ready for JSON, and nothing else; None is a spectator."""
        if seat is not None:
            seat = check_seat(seat, len(self._players), "seat")
        from keltis.game import views

        return views.view(self, self._kind, self._start, self._states, self._history, seat)

    def changes(self, seats: Sequence[int | None]) -> list[dict[str, Any]]:
        """What the last decision may have changed in the views of some seats; for servers.

        Each is a view less the keys that have not changed, and with `step` instead of `history`,
        whose last entry it is. Costs little more for several seats than for one.
        """
        if not self._history:
            raise IllegalMove("nothing has been decided yet")
        count = len(self._players)
        checked = [None if seat is None else check_seat(seat, count, "seats") for seat in seats]
        from keltis.game import views

        return views.changes(self, self._kind, self._states, self._history, checked)

    # --- As numbers: docs/environments.md says what stands where ----------------------------

    def observation(self, seat: int) -> NDArray[np.int8]:
        """What a seat sees now, as the environments' tensor; nothing hidden is in it."""
        from keltis.game import tensors

        seat = check_seat(seat, len(self._players), "seat")
        return tensors.observation(self._kind, self._states, seat)

    def mask(self) -> NDArray[np.int8]:
        """A 1 for each action that is legal now; only zeros when the game is over."""
        from keltis.game import tensors

        return tensors.mask(self._kind, self._states, over=self.is_over)

    def action(self, token: str) -> int:
        """The number of a move, legal now or not; raises ValueError for what is no move."""
        action = self._kind.actions.get(token) if isinstance(token, str) else None
        if action is None:
            raise ValueError(f"token: {quoted(token)} is not a move of {self.game}")
        return action

    def token(self, action: int) -> str:
        """The move with a number, legal now or not; raises ValueError for what is no action."""
        number, tokens = check_whole(action, "action"), self._kind.tokens
        if not 0 <= number < len(tokens):
            raise ValueError(f"action: expected 0 to {len(tokens) - 1}, not {quoted(number)}")
        return tokens[number]

    # --- Saving and copying -----------------------------------------------------------------

    def record(self) -> Record:
        """The whole game, hidden cards included, as `load` takes it."""
        return {
            "format": RECORD_FORMAT,
            "game": self._kind.name,
            "options": self.options,
            "players": self.players,
            "setup": self._setup(),
            "moves": self.moves,
            "result": self.result(),
        }

    def _setup(self) -> dict[str, Any]:
        from keltis.game import positions

        kind, start = self._kind, self._start
        if kind.is_start(start):
            return kind.setup(start)
        return {"position": positions.write(kind, start, positions.ALL)}

    def position(self, seat: int | Literal["all"] | None = "all") -> str:
        """The game as it stands in one line of text, as `keltis.position` takes it.

        For a seat it has what the seat may know, and `?` for what is hidden from it; None is a
        spectator. Without a seat it has everything, hidden cards too. Names and history are not in
        it, nor that a game was cut off. Texts of equal positions are equal.
        """
        from keltis.game import positions

        if seat is not None and seat != positions.ALL:
            seat = check_seat(seat, len(self._players), "seat")
        return positions.write(self._kind, self._states, seat)

    def restarted(self) -> Game:
        """The same deal or position before its first decision, as a game of its own."""
        return Game(self._kind, self._players, self._options, self._start)

    def copy(self) -> Game:
        """A game of its own in the same state."""
        twin = object.__new__(Game)
        twin._kind = self._kind
        twin._players = self._players
        twin._options = self._options
        twin._start = self._start
        twin._states = self._kind.copied(self._states)
        twin._history = self._history.copy()
        twin._cut_off = self._cut_off
        return twin

    def __eq__(self, other: object) -> bool:
        """Whether the other is the same game, decision by decision: both have the same record.

        Games change, so they have no hash; `position()` is the key of where a game stands.
        """
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memory: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Record]]:
        return load, (self.record(),)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: as the seat sees it whose decision it is."""
        from keltis.game import picture

        return picture.svg(self.view(self.seat))

    def __repr__(self) -> str:
        state = self.reason or f"seat {self.seat} to decide"
        count = len(self._players)
        return f"<Game {self.game}, {count} players, {len(self._history)} decisions, {state}>"


def new_game(
    game: str = "board",
    players: int = 2,
    seed: int | None = None,
    names: Sequence[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> Game:
    """Deal a new game of "board" or "stones" for two to four players.

    The same seed, any whole number, gives the same deal on every machine; without one, chance
    decides. `names` are by seat, and seat 0 starts. Raises ValueError or TypeError.
    """
    from keltis.game import kinds, setups

    kind = kinds.kind(game)
    count = setups.check_count(check_whole(players, "players"), "players")
    called = _called(names, count)
    chosen = setups.check_options(kind.options, {} if options is None else options)
    return Game(kind, called, chosen, kind.deal(count, spread(seed), chosen))


def position(text: str, seed: int | None = None, names: Sequence[str] | None = None) -> Game:
    """A game that begins in the middle, as a text says; docs/positions.md describes it.

    What the text leaves open is dealt by the seed, every deal as likely as any other; without a
    seed, chance decides. Every fault of the text raises `PositionError`, its place first.
    """
    from keltis.game import positions

    kind, placement = positions.read(text)
    states = positions.dealt(placement, Random(spread(seed)))
    return Game(kind, _called(names, placement.players), placement.options, states)


def _called(names: Sequence[str] | None, count: int) -> list[str]:
    """The players' names, checked; without any they are numbered."""
    from keltis.game import setups

    if names is None:
        names = [f"Player {seat + 1}" for seat in range(count)]
    called = setups.check_names(names, "names")
    if len(called) != count:
        raise ValueError(f"names: expected {count} names, not {len(called)}")
    return called


def begin(
    game: str, names: Sequence[str], setup: object, options: Mapping[str, str] | None = None
) -> Game:
    """A game that begins as a setup says, written as in a record.

    Everything is checked; a fault raises ValueError or TypeError, its place first.
    """
    from keltis.game import kinds, setups

    kind = kinds.kind(game)
    chosen = setups.check_options(kind.options, {} if options is None else options)
    players = setups.check_names(names, "players")
    count = setups.check_count(len(players), "players")
    if isinstance(setup, dict) and "position" in setup:
        from keltis.game import positions

        start = positions.start(kind, setup["position"], count, chosen)
    else:
        start = kind.begin(setup, count, chosen)
    return Game(kind, players, chosen, start)


def load(record: Mapping[str, Any] | str | bytes | os.PathLike[str]) -> Game:
    """Replay a record: a dict, JSON text, or the path of a file.

    Every fault raises `RecordError`. Moves that stop before the end give a running game.
    """
    from keltis.game import records

    game, moves, claimed = records.read(record)
    play_all(game, moves)
    if claimed is None:
        return game
    if not game.is_over:
        if claimed == {"scores": game.scores(), "winners": [], "reason": CUT_OFF}:
            game.cut_off()
        return game
    for key, value in (game.result() or {}).items():
        if claimed[key] != value:
            raise RecordError(f"result.{key}: the moves lead to {value}")
    return game


def play_all(game: Game, moves: Sequence[str]) -> None:
    """Take decisions one after the other; the first that is illegal raises RecordError."""
    for place, token in enumerate(moves):
        try:
            game.play(token)
        except IllegalMove as fault:
            name, reason = quoted(token), game.refusal(token)
            assert reason is not None
            words = str(fault) if str(fault).startswith(name) else f"{name} is illegal: {fault}"
            message = f"moves[{place}]: {words}"
            raise IllegalRecord(message, place, game.view(None), reason) from None


def spread(seed: int | None) -> int:
    """A seed as the 64 bits that the generators start from.

    They are the first eight bytes, big-endian, of the SHA-256 of the seed in decimal, so that
    any whole number will do and neighbouring seeds have nothing in common.
    """
    if seed is None:
        return SystemRandom().getrandbits(64)
    from decimal import Decimal

    # Decimal writes out even numbers that str() finds too long.
    text = str(Decimal(check_whole(seed, "seed")))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")
