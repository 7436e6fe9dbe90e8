"""Why a move may not be played now, in words that a player understands.

A reason speaks to the seat whose decision it is, and rests only on what that seat can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keltis.game.errors import quoted
from keltis.game.setups import States
from keltis.game.tokens import CARDS, COLOUR_WORDS, COLOURS, NUMBERS, in_words
from keltis.rules import board as board_rules
from keltis.rules import stones as stones_rules

if TYPE_CHECKING:
    from keltis.game.kinds import Kind

_LOOKS = {
    "board": "R7 (lay red 7), xR7 (discard it), R (a figure on the red path), R* (the large one), "
    "- (decline), ? (draw from the draw pile) or <R (take from the red discard pile)",
    "stones": "R7 (take red 7), ? (turn a tile over) or - (leave the tile, or stop)",
}


def why(kind: Kind, states: States, token: object) -> str | None:
    """Why a move may not be played now; None if it may."""
    if kind.is_over(states):
        return "the game is over"
    action = kind.actions.get(token) if isinstance(token, str) else None
    if action is None:
        return f"{quoted(token)} is not a move; a move looks like {_LOOKS[kind.name]}"
    if token in kind.legal_moves(states):
        return None
    return kind.why_not(states, action)


# --- board: why an action that is not legal is not, in a game that runs ------------------


def board(states: States, action: int) -> str:
    phase = states["phase"].item()
    if phase == board_rules.CARD:
        return _card(states, action)
    if phase == board_rules.FIGURE:
        path = COLOURS[states["path"].item()]
        return (
            f"first choose the figure that enters the {COLOUR_WORDS[path]} path: "
            f"{path} is a small one, {path}* the large one"
        )
    if phase == board_rules.DRAW:
        return _draw(states, action)
    return _step(states, action)


def _card(states: States, action: int) -> str:
    if action < board_rules.STEP:
        card = action % len(CARDS)
        if not states["held"][0, states["seat"].item()].item() >> card & 1:
            return f"you do not hold {in_words(CARDS[card])}"
        return _misfit(states, card)
    if action == board_rules.DECLINE:
        return "there is nothing to decline: lay or discard a card"
    if action < board_rules.DECLINE:
        return "no figure moves before a card is laid: lay or discard a card"
    return "you draw at the end of your turn: first lay or discard a card"


def _draw(states: States, action: int) -> str:
    if action < board_rules.TAKE:
        return "it is time to draw: ? from the draw pile, or < and a colour from a discard pile"
    path = action - board_rules.TAKE
    colour = COLOUR_WORDS[COLOURS[path]]
    if states["pile_size"][0, path] == 0:
        return f"the {colour} pile is empty"
    return f"you discarded on the {colour} pile this turn, so you may not draw from it"


def _step(states: States, action: int) -> str:
    """In the phases of a clover and of a card laid on a path that is finished."""
    seat = states["seat"].item()
    if board_rules.STEP <= action < board_rules.LARGE:
        path = action - board_rules.STEP
        if states["stone"][0, seat, path] == board_rules.STONES:
            colour = COLOUR_WORDS[COLOURS[path]]
            return f"your figure on the {colour} path already stands on the end stone"
        return f"you have no small figure left on the start; {COLOURS[path]}* brings the large one"
    if board_rules.LARGE <= action < board_rules.DECLINE:
        large = states["large"][0, seat].item()
        if large >= 0:
            return f"your large figure is already on the {COLOUR_WORDS[COLOURS[large]]} path"
        colour = COLOUR_WORDS[COLOURS[action - board_rules.LARGE]]
        return f"you already have a figure on the {colour} path"
    if states["phase"].item() == board_rules.CLOVER:
        return "first the clover: move one of your figures, or decline with -"
    choice = ", or decline with -" if states["end_stone_may"].item() else ""
    return f"your figure on this path is on the end stone: move another one instead{choice}"


# --- stones: the same --------------------------------------------------------------------


def stones(states: States, action: int) -> str:
    phase = states["phase"].item()
    if phase == stones_rules.TILE:
        tile = states["tile"].item()
        if action == tile:
            return _misfit(states, tile)
        fits = states["fits"][0, states["seat"].item()].item() >> tile & 1
        choice = f"take it with {CARDS[tile]}, or leave it with -" if fits else "leave it with -"
        return f"first the tile just turned over: {choice}"
    if action == stones_rules.TURN_OVER:
        return "no tile is face down any more"
    if action == stones_rules.DECLINE:
        return "you cannot pass: turn a tile over with ?, or take an open one"
    if states["open"].item() >> action & 1:
        return _misfit(states, action)
    taken = any(row >> action & 1 for row in states["rows"][0].tolist())
    return f"{in_words(CARDS[action])} {'is in a row already' if taken else 'is still face down'}"


def _misfit(states: States, card: int) -> str:
    colour, number = divmod(card, NUMBERS)
    seat = states["seat"].item()
    top = states["top"][0, seat, colour]
    way = "rising" if states["direction"][0, seat, colour] > 0 else "falling"
    word = COLOUR_WORDS[COLOURS[colour]]
    return f"{word} {number} does not fit: your {word} row is {way} and stands at {top}"
