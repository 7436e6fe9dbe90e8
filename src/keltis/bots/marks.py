"""How the network of `foresight` is told what is so: a list of places for each line.

There is a line for each colour, one for a colour that an action has changed, and one for the rest.
"""

from keltis.rules import both
from keltis.rules.board import COLOURS
from keltis.rules.kernel import inlined, lowest

CHANGED, REST = COLOURS, COLOURS + 1
LINES = COLOURS + 2
MOST_MARKS = 128  # in a line

# What comes after an action: others decide, something is revealed first, or the seat goes on.
AFTERWARDS, UNSEEN, AGAIN = range(3)

_FAR = 40  # points of lead that count as far
LEADS = 2 * _FAR + 1


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
def mark_lead(s, t, p, place):
    """Mark by how much a player leads, as the game stands; tell the place after it."""
    t.lead = min(max(both.lead(s, p), -_FAR), _FAR)
    mark(t, REST, place + t.lead + _FAR)
    return place + LEADS
