"""What the façade asks of a game: the contract that `board.py` and `stones.py` fulfil.

All that differs between the two games above their rules is in these two rooms, under the same
names. Only what draws a game asks which of them it is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from keltis.game import tokens
from keltis.game.errors import quoted
from keltis.game.reasons import Reason
from keltis.game.setups import States

if TYPE_CHECKING:
    from keltis.game.positions import Fields, Placement, Seat

_REASONS = (None, *tokens.ENDS)  # by the rules' number for why a game ended

Effect = dict[str, Any]  # what a decision did beyond what its token says: see docs/views.md
Outcome = tuple[str | None, Effect | None]  # the card or tile that came into sight; the effect
NOTHING_MORE: Outcome = (None, None)

Event = tuple[int, str, str | None]  # of a view's history: seat, move, card or tile shown


class Kind(Protocol):
    """One of the two games."""

    name: Literal["board", "stones"]
    rules: Any  # the module of compiled functions
    tokens: tuple[str, ...]  # by action
    actions: Mapping[str, int]  # by token
    options: Mapping[str, tuple[str, ...]]  # the values of each, the default first
    editions: Mapping[str, Mapping[str, str]]  # options by the rule book that has them
    phases: tuple[str, ...]  # by the rules' number; the last is "over"
    public_keys: tuple[str, ...]  # of a view: what `public` can tell
    private_keys: tuple[str, ...]  # and what `private` does
    secret_draw: str | None  # the token that shows what it brought to its player only

    # --- Setting up ------------------------------------------------------------------------

    @abstractmethod
    def deal(self, players: int, seed: int, options: Mapping[str, str]) -> States:
        """The start of a game that chance deals; the seed is 64 bits."""

    @abstractmethod
    def begin(self, setup: object, players: int, options: Mapping[str, str]) -> States:
        """The start of a game from a setup as a record has it, which is checked."""

    @abstractmethod
    def setup(self, start: States) -> dict[str, Any]:
        """The start of a game as a record has it."""

    @abstractmethod
    def is_start(self, states: States) -> bool:
        """Whether a game stands as it does when it is dealt."""

    @abstractmethod
    def position(self, states: States, seat: Seat) -> Fields:
        """A game as it stands, as far as a seat knows it, as the fields of a position's text."""

    @abstractmethod
    def placement(self, fields: Fields) -> Placement:
        """What the fields of a position's text say, checked."""

    @abstractmethod
    def imagine(
        self,
        seen: dict[str, Any],
        history: Sequence[Event],
        players: int,
        you: int | None,
        chance: Random,
    ) -> dict[str, Any]:
        """A setup that agrees with what a seat saw of it and with a history, dealt by chance.

        A game that began with a position has it in `seen`, as far as the seat knew it. Raises
        ValueError for what no game can look like.
        """

    @abstractmethod
    def playouts(
        self,
        states: States,
        players: int,
        options: Mapping[str, str],
        cap: int,
        results: States,
    ) -> None:
        """Play a random game for each of the results; see the rules' own `playouts`."""

    # --- What is seen: `views.py` decides by whom ------------------------------------------

    @abstractmethod
    def public_setup(self, start: States) -> dict[str, Any]:
        """What everybody saw of the start."""

    @abstractmethod
    def public(self, states: States, phase: str, keys: Collection[str]) -> dict[str, Any]:
        """What everybody sees on the table in a phase: what any decision changes, and some keys."""

    @abstractmethod
    def private(self, states: States, seat: int) -> dict[str, Any]:
        """What only this seat sees, at the start as later."""

    @abstractmethod
    def changed(self, token: str) -> tuple[str, ...]:
        """The public keys that a decision may change, beside those that any decision changes."""

    # --- Decisions -------------------------------------------------------------------------

    @abstractmethod
    def play(self, states: States, action: int) -> Outcome | None:
        """Carry out an action if it is legal; return what came of it, or None if it is not legal.

        Everybody may see an effect, so nothing that is hidden from anybody may be in it.
        """

    @abstractmethod
    def why_not(self, states: States, action: int) -> Reason:
        """Why an action is not legal, for one that is not, in a game that runs."""

    # --- The same for both -----------------------------------------------------------------

    def legal_moves(self, states: States) -> list[str]:
        out = np.empty(len(self.tokens), np.int64)
        count = self.rules.legal_actions(states, 0, out)
        return [self.tokens[action] for action in out[:count].tolist()]

    def why(self, states: States, token: object) -> Reason | None:
        """Why a move may not be played now; None if it may."""
        if self.is_over(states):
            return Reason("over")
        action = self.actions.get(token) if isinstance(token, str) else None
        if action is None:
            return Reason(f"move.{self.name}", move=quoted(token))
        return None if token in self.legal_moves(states) else self.why_not(states, action)

    def is_over(self, states: States) -> bool:
        over: bool = states["phase"].item() == self.rules.OVER
        return over

    def reason(self, states: States) -> str | None:
        """Why the game is over; None while it runs."""
        return _REASONS[states["reason"].item()]

    def seat(self, states: States) -> int:
        """Whose decision it is, or was last."""
        seat: int = states["seat"].item()
        return seat

    def scores(self, states: States) -> list[int]:
        out = np.empty(states["players"].item(), np.int64)
        self.rules.scores(states, 0, out)
        scores: list[int] = out.tolist()
        return scores

    def copied(self, states: States) -> States:
        """A copy through the bytes: numpy's own goes field by field, ten times slower."""
        return np.frombuffer(bytearray(states.tobytes()), states.dtype)

    def replayed(self, start: States, moves: Sequence[str]) -> States:
        """The state that some legal moves lead to."""
        states = self.copied(start)
        self.rules.replay(states, 0, np.array([self.actions[m] for m in moves], np.int64))
        return states


@cache
def _kinds() -> dict[str, Kind]:
    from keltis.game.board import Board
    from keltis.game.stones import Stones

    both: tuple[Kind, ...] = (Board(), Stones())
    return {kind.name: kind for kind in both}


def kind(name: object) -> Kind:
    """A game by its name, which is checked."""
    if not isinstance(name, str):
        raise TypeError(f"game: expected a name, not {quoted(name)}")
    if name not in tokens.GAMES:
        choices = " or ".join(map(quoted, tokens.GAMES))
        raise ValueError(f"game: expected {choices}, not {quoted(name)}")
    return _kinds()[name]
