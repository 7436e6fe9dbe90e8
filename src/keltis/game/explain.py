"""Why a move may not be played now, in words that a player understands.

A reason speaks to the seat whose decision it is, and rests only on what that seat can see.
It has a key and values, so that others can say it in another language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keltis.game.errors import quoted
from keltis.game.setups import States
from keltis.game.tokens import CARDS, COLOUR_WORDS, COLOURS, NUMBERS, in_words
from keltis.rules import board as board_rules
from keltis.rules import stones as stones_rules

if TYPE_CHECKING:
    from keltis.game.kinds import Kind

_ENGLISH = {
    "over": "the game is over",
    "cut": "the game is over: it was cut off",
    "move.board": "{move} is not a move; a move looks like R7 (lay red 7), xR7 (discard it), "
    "R (a figure on the red path), R* (the large one), - (decline), ? (draw from the draw pile) "
    "or <R (take from the red discard pile)",
    "move.stones": "{move} is not a move; a move looks like R7 (take red 7), "
    "? (turn a tile over) or - (leave the tile, or stop)",
    "figure": "first choose the figure that enters the {colour} path: "
    "{letter} is a small one, {letter}* the large one",
    "hold": "you do not hold {card}",
    "rising": "{card} does not fit: your {colour} row is rising and stands at {top}",
    "falling": "{card} does not fit: your {colour} row is falling and stands at {top}",
    "decline": "there is nothing to decline: lay or discard a card",
    "step": "no figure moves before a card is laid: lay or discard a card",
    "draw.yet": "you draw at the end of your turn: first lay or discard a card",
    "draw": "it is time to draw: ? from the draw pile, or < and a colour from a discard pile",
    "pile.empty": "the {colour} pile is empty",
    "pile.closed": "you discarded on the {colour} pile this turn, so you may not draw from it",
    "end.stone": "your figure on the {colour} path already stands on the end stone",
    "small": "you have no small figure left on the start; {letter}* brings the large one",
    "large": "your large figure is already on the {colour} path",
    "second": "you already have a figure on the {colour} path",
    "clover.may": "first the clover: move one of your figures, or decline with -",
    "other.may": "your figure on this path is on the end stone: move another one instead, "
    "or decline with -",
    "other.must": "your figure on this path is on the end stone: move another one instead",
    "tile.fits": "first the tile just turned over: take it with {token}, or leave it with -",
    "tile": "first the tile just turned over: leave it with -",
    "turn": "no tile is face down any more",
    "pass": "you cannot pass: turn a tile over with ?, or take an open one",
    "taken": "{card} is in a row already",
    "hidden": "{card} is still face down",
}


class Reason(NamedTuple):
    """Why a move may not be played: which of the reasons there are, and what it is about."""

    key: str
    colour: str = ""  # the letter of a path, a row or a pile
    card: str = ""  # a card, or the tile to be dealt with first
    top: int = 0  # the number at which a row stands
    move: str = ""  # what was typed, quoted

    def __str__(self) -> str:
        return _ENGLISH[self.key].format(
            letter=self.colour,
            colour=COLOUR_WORDS.get(self.colour, ""),
            token=self.card,
            card=in_words(self.card) if self.card else "",
            top=self.top,
            move=self.move,
        )


KEYS = frozenset(_ENGLISH)


def why(kind: Kind, states: States, token: object) -> Reason | None:
    """Why a move may not be played now; None if it may."""
    if kind.is_over(states):
        return Reason("over")
    action = kind.actions.get(token) if isinstance(token, str) else None
    if action is None:
        return Reason(f"move.{kind.name}", move=quoted(token))
    if token in kind.legal_moves(states):
        return None
    return kind.why_not(states, action)


# --- board: why an action that is not legal is not, in a game that runs ------------------


def board(states: States, action: int) -> Reason:
    phase = states["phase"].item()
    if phase == board_rules.CARD:
        return _card(states, action)
    if phase == board_rules.FIGURE:
        return Reason("figure", COLOURS[states["path"].item()])
    if phase == board_rules.DRAW:
        return _draw(states, action)
    return _step(states, action)


def _card(states: States, action: int) -> Reason:
    if action < board_rules.STEP:
        card = action % len(CARDS)
        if not states["held"][0, states["seat"].item()].item() >> card & 1:
            return Reason("hold", card=CARDS[card])
        return _misfit(states, card)
    if action == board_rules.DECLINE:
        return Reason("decline")
    if action < board_rules.DECLINE:
        return Reason("step")
    return Reason("draw.yet")


def _draw(states: States, action: int) -> Reason:
    if action < board_rules.TAKE:
        return Reason("draw")
    path = action - board_rules.TAKE
    empty = states["pile_size"][0, path] == 0
    return Reason("pile.empty" if empty else "pile.closed", COLOURS[path])


def _step(states: States, action: int) -> Reason:
    """In the phases of a clover and of a card laid on a path that is finished."""
    seat = states["seat"].item()
    if board_rules.STEP <= action < board_rules.LARGE:
        path = action - board_rules.STEP
        at_end = states["stone"][0, seat, path] == board_rules.STONES
        return Reason("end.stone" if at_end else "small", COLOURS[path])
    if board_rules.LARGE <= action < board_rules.DECLINE:
        large = states["large"][0, seat].item()
        if large >= 0:
            return Reason("large", COLOURS[large])
        return Reason("second", COLOURS[action - board_rules.LARGE])
    if states["phase"].item() == board_rules.CLOVER:
        return Reason("clover.may")
    return Reason("other.may" if states["end_stone_may"].item() else "other.must")


# --- stones: the same --------------------------------------------------------------------


def stones(states: States, action: int) -> Reason:
    phase = states["phase"].item()
    if phase == stones_rules.TILE:
        tile = states["tile"].item()
        if action == tile:
            return _misfit(states, tile)
        fits = states["fits"][0, states["seat"].item()].item() >> tile & 1
        return Reason("tile.fits" if fits else "tile", card=CARDS[tile])
    if action == stones_rules.TURN_OVER:
        return Reason("turn")
    if action == stones_rules.DECLINE:
        return Reason("pass")
    if states["open"].item() >> action & 1:
        return _misfit(states, action)
    taken = any(row >> action & 1 for row in states["rows"][0].tolist())
    return Reason("taken" if taken else "hidden", card=CARDS[action])


def _misfit(states: States, card: int) -> Reason:
    colour = card // NUMBERS
    seat = states["seat"].item()
    rising = states["direction"][0, seat, colour] > 0
    top = states["top"][0, seat, colour].item()
    return Reason("rising" if rising else "falling", COLOURS[colour], CARDS[card], top)
