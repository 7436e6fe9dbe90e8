"""How the network of `foresight` is told what is so: a list of places for each line.

There is a line for each colour, one for a colour that an action has changed, and one for the rest.
"""

import numpy as np

from keltis.rules import both
from keltis.rules.board import COLOURS, NUMBERS
from keltis.rules.kernel import inlined, lowest

CHANGED, REST = COLOURS, COLOURS + 1
LINES = COLOURS + 2
MOST_MARKS = 160  # in a line

# What comes after an action: others decide, something is revealed first, or the seat goes on.
AFTERWARDS, UNSEEN, AGAIN = range(3)

_FAR = 40  # points of lead that count as far
LEADS = 2 * _FAR + 1

# Rows that rise and rows that fall are alike if what is told is how far it is to go on. A row of
# one number goes either way, and is seen so that most of the numbers are above it.
_LESSER = NUMBERS // 2 + 1
LASTS = 1 + NUMBERS + _LESSER  # no row, one with a way, one number
DISTANCES = NUMBERS + NUMBERS + NUMBERS + _LESSER - 1  # no row: the number; else how far it is


@inlined
def mark(t, line, place):
    """Mark that what belongs to a place is so."""
    t.marks[line, t.marked[line]] = place
    t.marked[line] += 1


@inlined
def mark_all(t, line, place, mask):
    """Mark each bit of a mask, from a place on."""
    while mask:
        mark(t, line, place + lowest(mask))
        mask &= mask - 1


@inlined
def last(top, direction):
    """What kind of row it is that ends with a number, one of LASTS."""
    if top < 0:
        return 0
    if direction == 0:
        return 1 + NUMBERS + min(top, NUMBERS - 1 - top)
    return 1 + (NUMBERS - 1 - top if direction > 0 else top)


@inlined
def distance(top, direction, number):
    """How far a number that fits is from the end of a row, one of DISTANCES."""
    if top < 0:
        return number
    if direction:
        return NUMBERS + abs(number - top)
    far = number - top if top < _LESSER else top - number
    return 2 * NUMBERS + _LESSER - 1 + far


@inlined
def mark_distances(t, line, place, top, direction, numbers):
    """Mark how far each of some numbers that fit is from the end of a row."""
    while numbers:
        mark(t, line, place + distance(top, direction, lowest(numbers)))
        numbers &= numbers - 1


@inlined
def leads(players):
    """How many places there are for leads: over the best of the others, and over each."""
    return LEADS * (players if players > 2 else 1)


@inlined
def mark_leads(s, t, p):
    """Mark by how much a player leads, and among more than two over each other player.

    These are the first places of the rest; tell the place after them. t.lead is the lead.
    """
    t.lead = min(max(both.lead(s, p), -_FAR), _FAR)
    mark(t, REST, t.lead + _FAR)
    place = LEADS
    if s.players > 2:
        own = np.int64(both.score(s, p))
        for k in range(1, s.players):
            q = p + k if p + k < s.players else p + k - s.players
            lead = min(max(own - np.int64(both.score(s, q)), -_FAR), _FAR)
            mark(t, REST, place + lead + _FAR)
            place += LEADS
    return place
