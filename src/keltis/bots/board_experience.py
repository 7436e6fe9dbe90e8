"""What others are likely to hold in the board game, learned from many games.

A hand is not a random draw: what fits closely has been laid, what fits from afar is kept, what
fits nothing has been discarded. A table tells how many times likelier than any unseen card a card
is in a hand, by what it is to the row of its colour and by how late it is. It is counted by
`tools/learn.py` in games of the heuristic. The search deals worlds by it: the same hands are
possible, but the likely ones come more often.
"""

import numpy as np

from keltis.rules import board
from keltis.rules.board import DECK, NUMBERS
from keltis.rules.kernel import below, bit, inlined, kernel, lowest

SEASONS = 4
_NO_ROW, _NO_FIT, _FITS = 0, 1, 2  # what a card is to a row; if it fits, by the gap that it leaves,
_EITHER_WAY = _FITS + NUMBERS  # and this is for rows that may still rise or fall
_RELATIONS = _EITHER_WAY + NUMBERS
SIZE = SEASONS * _RELATIONS

_SWEEPS = 3  # how often each unknown card of a hand is offered another in its place
_CHANCES = 1 << 20
_COLOUR = board._COLOUR


@kernel
def believe(s, seat, t, known):
    """Change what the others hold, in a world dealt uniformly, towards what is likely.

    Each card that the seat does not know of is offered another in its place, out of all that are
    in nobody's hand, and is exchanged by the odds of the two (Metropolis).
    """
    removed = np.int64(s.drawn_from) - np.int64(s.removed_from)
    pool = removed + DECK - np.int64(s.next)
    if pool == 0:
        return
    cards = t.places
    for q in range(s.players):
        if q == seat:
            continue
        n = _unknown(s, q, cards)
        for offer in range(_SWEEPS * n):
            k = offer % n
            place = np.int64(below(s, pool))
            place += np.int64(s.removed_from) if place < removed else np.int64(s.next) - removed
            card = np.int64(s.deck[place])
            odds = known[relation_place(s, q, card)]
            before = known[relation_place(s, q, cards[k])]
            if below(s, _CHANCES) * before < _CHANCES * odds:
                _exchange(s, q, cards[k], card)
                s.deck[place] = cards[k]
                cards[k] = card


@inlined
def relation_place(s, q, card):
    """The place in the table of what a card is to a player's row of its colour."""
    turns = (DECK - np.int64(s.next)) // np.int64(s.players)  # that the draw pile has left
    season = 0 if turns > 24 else 1 if turns > 16 else 2 if turns > 8 else 3
    c = _COLOUR[card]
    top = np.int64(s.top[q, c])
    relation = np.int64(_NO_ROW)
    if top >= 0:
        if s.fits[q] & bit(card) == 0:
            relation = np.int64(_NO_FIT)
        else:
            gap = abs(card - NUMBERS * np.int64(c) - top)
            relation = gap + (_EITHER_WAY if s.direction[q, c] == 0 else _FITS)
    return season * _RELATIONS + relation


@inlined
def _unknown(s, q, cards):
    """Write the cards of a hand that were not seen being taken; tell how many."""
    n = 0
    for copies in (s.held[q] & ~s.known[q], s.twice[q] & ~s.known_twice[q]):
        left = copies
        while left:
            cards[n] = lowest(left)
            left &= left - 1
            n += 1
    return n


@inlined
def _exchange(s, q, card, other):
    """Take an unknown card out of a hand and put another into it."""
    b = bit(card)
    if s.twice[q] & b:
        s.twice[q] ^= b
    else:
        s.held[q] ^= b
    b = bit(other)
    s.twice[q] |= s.held[q] & b
    s.held[q] |= b
