"""What the façade knows of each of the two games: one object each, with the same parts."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keltis.game import explain, setups, tokens, views
from keltis.game.errors import quoted
from keltis.game.setups import States
from keltis.rules import board, stones

_REASONS = (None, *tokens.ENDS)  # by the rules' number for why a game ended


@dataclass(frozen=True, eq=False)
class Kind:
    """One of the two games."""

    name: str
    rules: Any  # the module of compiled functions
    tokens: tuple[str, ...]  # by action
    actions: Mapping[str, int]  # by token
    options: Mapping[str, tuple[str, ...]]  # the values of each, the default first
    phases: tuple[str, ...]  # by the rules' number; the last is "over"
    draws: frozenset[int]  # the actions that bring a card or tile into sight
    draws_are_secret: bool  # whether only the seat that plays `?` sees what comes
    deal: Callable[[int, int, Mapping[str, str]], States]  # players, seed, options
    begin: Callable[[object, int, Mapping[str, str]], States]  # from a record's setup; checks it
    setup: Callable[[States], dict[str, Any]]  # of a start, as a record has it
    setup_seen: Callable[[States, int | None], dict[str, Any]]  # what a seat saw of it
    table: Callable[[States, str, int | None], dict[str, Any]]  # what a seat sees in a phase
    changed: Callable[[str], tuple[str, ...]]  # the keys of that which a token may change
    changes: Callable[[States, str, Collection[str]], dict[str, Any]]  # some keys of the table
    own: Callable[[States, int | None], dict[str, Any]]  # of that, what nobody else sees
    drawn: Callable[[States, int], str]  # what the action just played brought into sight
    why_not: Callable[[States, int], explain.Reason]  # why an action is illegal, for one that is

    def is_over(self, states: States) -> bool:
        over: bool = states["phase"].item() == self.rules.OVER
        return over

    def reason(self, states: States) -> str | None:
        return _REASONS[states["reason"].item()]

    def seat(self, states: States) -> int:
        seat: int = states["seat"].item()
        return seat

    def play(self, states: States, action: int) -> bool:
        """Carry out an action if it is legal; tell whether it was."""
        done: bool = self.rules.play(states, 0, action)
        return done

    def legal_moves(self, states: States) -> list[str]:
        out = np.empty(len(self.tokens), np.int64)
        count = self.rules.legal_actions(states, 0, out)
        return [self.tokens[action] for action in out[:count].tolist()]

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


BOARD = Kind(
    name="board",
    rules=board,
    tokens=tokens.BOARD,
    actions={token: action for action, token in enumerate(tokens.BOARD)},
    options=setups.BOARD_OPTIONS,
    phases=("card", "figure", "clover", "end stone", "draw", "over"),
    draws=frozenset(range(board.DRAW_PILE, board.ACTIONS)),
    draws_are_secret=True,
    deal=setups.board_deal,
    begin=setups.board_begin,
    setup=setups.board_setup,
    setup_seen=views.board_setup,
    table=views.board_table,
    changed=views.board_changed,
    changes=views.board_changes,
    own=views.board_own,
    drawn=views.board_drawn,
    why_not=explain.board,
)

STONES = Kind(
    name="stones",
    rules=stones,
    tokens=tokens.STONES,
    actions={token: action for action, token in enumerate(tokens.STONES)},
    options=setups.STONES_OPTIONS,
    phases=("turn", "tile", "further", "over"),
    draws=frozenset([stones.TURN_OVER]),
    draws_are_secret=False,
    deal=setups.stones_deal,
    begin=setups.stones_begin,
    setup=setups.stones_setup,
    setup_seen=views.stones_setup,
    table=views.stones_table,
    changed=views.stones_changed,
    changes=views.stones_changes,
    own=views.stones_own,
    drawn=views.stones_drawn,
    why_not=explain.stones,
)

_KINDS = {kind.name: kind for kind in (BOARD, STONES)}


def kind(name: object) -> Kind:
    """A game by its name, which is checked."""
    if not isinstance(name, str):
        raise TypeError(f"game: expected a name, not {quoted(name)}")
    if name not in _KINDS:
        raise ValueError(f"game: expected {' or '.join(map(quoted, _KINDS))}, not {quoted(name)}")
    return _KINDS[name]
