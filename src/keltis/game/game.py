"""The public face of both games: make one, play it, look at it, save it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from keltis.game.checks import check_seat, check_whole
from keltis.game.errors import IllegalMove, IllegalRecord, RecordError, quoted
from keltis.game.reasons import Reason
from keltis.game.tokens import CUT_OFF, RECORD_FORMAT

if TYPE_CHECKING:
    import os

    from keltis.game.kinds import Kind
    from keltis.game.setups import States
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

    def result(self) -> dict[str, Any] | None:
        """How the game ended, as a record has it; None while it runs."""
        if not self.is_over:
            return None
        return {"scores": self.scores(), "winners": self.winners(), "reason": self.reason}

    def view(self, seat: int | None) -> dict[str, Any]:
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

    def record(self) -> dict[str, Any]:
        """The whole game, hidden cards included, as `load` takes it."""
        return {
            "format": RECORD_FORMAT,
            "game": self.game,
            "options": self.options,
            "players": self.players,
            "setup": self._kind.setup(self._start),
            "moves": self.moves,
            "result": self.result(),
        }

    def restarted(self) -> Game:
        """The same deal before its first decision, as a game of its own."""
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

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[dict[str, Any]]]:
        return load, (self.record(),)

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
    if names is None:
        names = [f"Player {seat + 1}" for seat in range(count)]
    called = setups.check_names(names, "names")
    if len(called) != count:
        raise ValueError(f"names: expected {count} names, not {len(called)}")
    chosen = setups.check_options(kind.options, {} if options is None else options)
    return Game(kind, called, chosen, kind.deal(count, spread(seed), chosen))


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
    return Game(kind, players, chosen, kind.begin(setup, count, chosen))


def load(record: dict[str, Any] | str | bytes | os.PathLike[str]) -> Game:
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
