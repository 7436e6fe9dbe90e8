"""What a position is worth: a network that has learned from millions of games.

It looks at positions as a seat leaves them, and tells the seat's chance to win and its lead at the
end. To judge an action is to look at what it leads to. It is learned by `tools/practise.py`, for
each game and number of players: it plays against the heuristic and learns from how its games go on.

Colours are much alike, so what is learned of one holds for all: what is seen of a colour (`sight`)
goes through a small layer that is the same for each. Their outcomes, added up, and the rest make
the layer from which chance and lead are told. There are thousands of things to see, but only a
hundred or two of them are so at a time. What the colours add is worked out once for a decision, and
anew for each action only what it changes: one colour, and the rest. (A colour's facts also tell how
many wishing stones there are and how far the game is; for other colours these stay as they were.)
"""

import functools
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from keltis.bots import sight
from keltis.bots.marks import CHANGED, REST
from keltis.bots.policy import HIDDEN, OF_COLOUR, best_of
from keltis.rules import both
from keltis.rules.board import COLOURS
from keltis.rules.kernel import inlined, kernel

_OUTPUTS = 2  # the chance to win, as a logit, and the lead
POINTS = 20.0  # of lead: what the network counts as one
POINT_WORTH = 0.005  # of a win: what a point of lead counts besides. That costs no wins.

# Loops over numbers without a sign are compiled to work on many at a time.
_UNITS, _COLOUR_UNITS = np.uint64(HIDDEN), np.uint64(OF_COLOUR)
_AFTER, _TOTAL = np.uint64(CHANGED), np.uint64(REST)  # rows of t.hidden, after the colours'


@functools.cache
def foresight(game: str, players: int) -> NDArray[np.float32]:
    """What has been learned of a game with so many players; it must not be written to."""
    file = resources.files("keltis.bots") / "weights" / f"foresight-{game}-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        return stored["network"].astype(np.float32)


def size(of_colour: int, of_rest: int, heads: int) -> int:
    """How many numbers a network has that sees so much.

    They are, one after the other, what each thing seen of a colour adds to the layer for colours,
    what that adds to the next, what the rest adds to it, the heads, and their biases.
    """
    return (
        of_colour * OF_COLOUR
        + OF_COLOUR * HIDDEN
        + of_rest * HIDDEN
        + heads * _OUTPUTS * (HIDDEN + 1)
    )


@inlined
def joints(s):
    """Where the weights begin that join the layer for colours to the next."""
    return sight.of_colour(s) * OF_COLOUR


@inlined
def rest(s):
    """Where the weights of the rest begin."""
    return joints(s) + OF_COLOUR * HIDDEN


@inlined
def last_layer(s, head):
    """Where the weights of a head begin, one output after the other, and where its biases."""
    start = rest(s) + sight.of_rest(s) * HIDDEN
    biases = start + sight.heads(s) * _OUTPUTS * HIDDEN
    return np.uint64(start + head * _OUTPUTS * HIDDEN), np.uint64(biases + head * _OUTPUTS)


@inlined
def won(lead, smooth=0.0):
    """What a game is worth that ends with a lead: 1 if it is won, 1/2 if first place is shared.

    `smooth` is over how many points a game lost becomes one that is won.
    """
    if smooth > 0:
        return (1 + np.tanh(lead / smooth)) / 2
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@inlined
def add_colour(s, t, line, known):
    """What a colour's line of marks adds to the layer for all: t.hidden[line]."""
    row = np.uint64(line)
    for j in range(_COLOUR_UNITS):
        t.colours[row, j] = 0
    n = t.marked[line]
    k = 0
    while k + 4 <= n:  # four at a time: to read the row and write it takes longer than to add
        a = np.uint64(t.marks[line, k]) * _COLOUR_UNITS
        b = np.uint64(t.marks[line, k + 1]) * _COLOUR_UNITS
        c = np.uint64(t.marks[line, k + 2]) * _COLOUR_UNITS
        d = np.uint64(t.marks[line, k + 3]) * _COLOUR_UNITS
        for j in range(_COLOUR_UNITS):
            t.colours[row, j] += (known[a + j] + known[b + j]) + (known[c + j] + known[d + j])
        k += 4
    while k < n:
        a = np.uint64(t.marks[line, k]) * _COLOUR_UNITS
        for j in range(_COLOUR_UNITS):
            t.colours[row, j] += known[a + j]
        k += 1
    for j in range(_UNITS):
        t.hidden[row, j] = 0
    at = np.uint64(joints(s))
    for i in range(_COLOUR_UNITS):
        unit = t.colours[row, i]
        if unit > 0:
            for j in range(_UNITS):
                t.hidden[row, j] += unit * known[at + i * _UNITS + j]


@inlined
def add_rest(s, t, row, known):
    """Add the marks of the rest to a row of the layer for all."""
    start = np.uint64(rest(s))
    n = t.marked[REST]
    k = 0
    while k + 4 <= n:
        a = start + np.uint64(t.marks[REST, k]) * _UNITS
        b = start + np.uint64(t.marks[REST, k + 1]) * _UNITS
        c = start + np.uint64(t.marks[REST, k + 2]) * _UNITS
        d = start + np.uint64(t.marks[REST, k + 3]) * _UNITS
        for j in range(_UNITS):
            t.hidden[row, j] += (known[a + j] + known[b + j]) + (known[c + j] + known[d + j])
        k += 4
    while k < n:
        a = start + np.uint64(t.marks[REST, k]) * _UNITS
        for j in range(_UNITS):
            t.hidden[row, j] += known[a + j]
        k += 1


@inlined
def outputs(s, t, row, known, head):
    """The chance to win and the lead, by a row of the hidden layer."""
    none = np.float32(0)
    a = b = c = d = none  # sums that go on side by side
    at, bias = last_layer(s, head)
    for j in range(np.uint64(0), _UNITS, np.uint64(2)):
        one = max(t.hidden[row, j], none)
        other = max(t.hidden[row, j + np.uint64(1)], none)
        a += one * known[at + j]
        b += other * known[at + j + np.uint64(1)]
        c += one * known[at + _UNITS + j]
        d += other * known[at + _UNITS + j + np.uint64(1)]
    chance = 1 / (1 + np.exp(-np.float64(a + b + known[bias])))
    return chance, POINTS * np.float64(c + d + known[bias + np.uint64(1)])


@kernel
def judge(states, at, t, known):
    """Judge the actions of the seat that decides in states[at]; tell how many there are.

    t.values gets the chance to win after each, and t.leads the lead that is to be expected.
    states[at + 1] is overwritten.
    """
    s = states[at]
    after = states[at + 1]
    p = np.int64(s.seat)
    n = sight.list_actions(s, t)
    sight.look_round(s, t)
    for j in range(_UNITS):
        t.hidden[_TOTAL, j] = 0
    for c in range(COLOURS):
        sight.see_colour(s, t, p, c, c)
        add_colour(s, t, c, known)
        for j in range(_UNITS):
            t.hidden[_TOTAL, j] += t.hidden[np.uint64(c), j]
    for k in range(n):
        action = t.actions[k]
        states[at + 1] = states[at]
        then = sight.foresee(after, action)
        if both.is_over(after):
            lead = both.lead(after, p)
            t.values[k] = won(lead)
            t.leads[k] = lead
            continue
        c = sight.changed(s, action)
        if c >= 0:
            sight.see_colour(after, t, p, c, CHANGED)
            add_colour(after, t, CHANGED, known)
            for j in range(_UNITS):
                t.hidden[_AFTER, j] += t.hidden[_TOTAL, j] - t.hidden[np.uint64(c), j]
        else:
            for j in range(_UNITS):
                t.hidden[_AFTER, j] = t.hidden[_TOTAL, j]
        sight.see_rest(after, t, p)
        add_rest(after, t, _AFTER, known)
        t.values[k], t.leads[k] = outputs(after, t, _AFTER, known, sight.head(after, t, then))
    return n


@kernel
def weigh(states, at, t, known):
    """The same as `judge`, but points of lead count a little besides the chance to win."""
    n = judge(states, at, t, known)
    for k in range(n):
        t.values[k] += POINT_WORTH * t.leads[k]
    return n


@kernel
def follow(states, at, t, known):
    """The action that the network likes most; of equals the one that comes first."""
    if sight.list_actions(states[at], t) == 1:
        return t.actions[0]
    return t.actions[best_of(t, weigh(states, at, t, known))]
