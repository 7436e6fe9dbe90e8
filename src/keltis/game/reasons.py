"""Why a move may not be played now: which of the reasons there are, and what it is about.

A reason speaks to the seat whose decision it is, and rests only on what that seat can see.
It has a key and values, so that it can be said in any language; here are the English words.
"""

from typing import NamedTuple

from keltis.game.tokens import COLOUR_WORDS, in_words

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
    "clover.must": "first the clover: move one of your figures",
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
