"""The value network's input: features that hold or don't, and where each has its place.

Features are in groups, see `Layout`. Those that hold are listed in rows of the network's scratch
memory: a row for each colour, one for a colour as an action has changed it, and one for what is of
no colour, the global features.
"""

import numpy as np

from keltis.rules import both
from keltis.rules.board import COLOURS, NUMBERS
from keltis.rules.kernel import inlined, lowest

CHANGED, GLOBAL = COLOURS, COLOURS + 1
ROWS = COLOURS + 2
MOST_ACTIVE = 160  # features in a row; games come nowhere near

# What comes after an action: another seat, something that nobody knew, or the same seat again.
OTHERS_DECIDE, CHANCE, SEAT_GOES_ON = range(3)


class Layout:
    """Groups of features, one after the other. The kernels and docs/features.md stand on these."""

    def __init__(self, about):
        self.about = about  # what the groups tell of, and how often they are there
        self.groups = []  # how many features there are, and of what
        self.size = 0

    def add(self, size, about):
        """Add a group; return the place of its first feature."""
        first = self.size
        self.groups.append((size, about))
        self.size += size
        return first


# --- Numbers that fit a row --------------------------------------------------------------------

# Rows that rise and rows that fall are alike, as far as it goes from their ends. A row of one
# number goes either way, and is taken so that most of the numbers are above it.
_LESSER = NUMBERS // 2 + 1
ROW_ENDS = 1 + NUMBERS + _LESSER  # no row, one that has a direction, one number
DISTANCES = NUMBERS + NUMBERS + NUMBERS + _LESSER - 1  # no row: the number; else how far it is


@inlined
def row_end(top, direction):
    """Which kind of row ends with a number, one of ROW_ENDS."""
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


# --- Writing -----------------------------------------------------------------------------------


@inlined
def activate(net, row, feature):
    """Note that a feature holds."""
    net.active[row, net.active_count[row]] = feature
    net.active_count[row] += 1


@inlined
def activate_bits(net, row, first, mask):
    """Note a feature for each bit of a mask, from a place on."""
    while mask:
        activate(net, row, first + lowest(mask))
        mask &= mask - 1


@inlined
def activate_distances(net, row, first, top, direction, numbers):
    """Note how far each of some numbers that fit is from the end of a row of cards."""
    while numbers:
        activate(net, row, first + distance(top, direction, lowest(numbers)))
        numbers &= numbers - 1


# --- Leads -------------------------------------------------------------------------------------

_FAR = 40  # points of lead; a larger lead is taken for this one
LEADS = 2 * _FAR + 1

LEAD = Layout("Global, first: over the best other player; with more than two, over each besides")
LEAD.add(LEADS, f"the lead in points, from -{_FAR} to {_FAR}")


@inlined
def leads_size(players):
    """How many features there are for leads: over the best of the others, and over each."""
    return LEADS * (players if players > 2 else 1)


@inlined
def write_leads(s, net, p):
    """Note by how much a player leads: the first of the global features, and net.lead."""
    net.lead = min(max(both.lead(s, p), -_FAR), _FAR)
    activate(net, GLOBAL, net.lead + _FAR)
    if s.players > 2:
        own = np.int64(both.score(s, p))
        first = LEADS
        for k in range(1, s.players):
            q = p + k if p + k < s.players else p + k - s.players
            lead = min(max(own - np.int64(both.score(s, q)), -_FAR), _FAR)
            activate(net, GLOBAL, first + lead + _FAR)
            first += LEADS
