"""What a position of `stones` is worth: a network that has learned from millions of games.

It looks at positions as a seat leaves them, and tells the seat's chance to win and its lead at the
end. To judge an action is to look at what it leads to. It is learned by `tools/practise.py`, for
each number of players: it plays against the heuristic and learns from how its games go on.

One hidden layer. There are thousands of things to see (`stones_sight`), but only a hundred or two
of them are so at a time, and an action changes those of one colour and the rest. What the colours
add to the hidden layer is worked out once for a decision.
"""

import numpy as np

from keltis.bots import stones_sight as sight
from keltis.bots.experience import A_WIN
from keltis.bots.marks import CHANGED, REST
from keltis.bots.policy import HIDDEN
from keltis.rules import both
from keltis.rules.kernel import inlined, kernel
from keltis.rules.stones import COLOURS

_OUTPUTS = 2  # the chance to win, as a logit, and the lead
POINTS = 20.0  # of lead: what the network counts as one
SMOOTH = 4.0  # points over which a game lost becomes one that is won

# Loops over numbers without a sign are compiled to work on many at a time.
_UNITS = np.uint64(HIDDEN)
_SUM, _AFTER = np.uint64(COLOURS), np.uint64(COLOURS + 1)  # rows of t.hidden, after the colours'


def size(players: int) -> int:
    """How many numbers a network has: the first layer, the last one, and its biases."""
    return int(sight.features(players)) * HIDDEN + sight.HEADS * _OUTPUTS * (HIDDEN + 1)


@inlined
def won(lead):
    """What a game is worth that ends with a lead: 1 if it is won by far, 1/2 if it is shared."""
    return (1 + np.tanh(lead / SMOOTH)) / 2


@inlined
def _add_marked(t, row, known, line):
    """Add what is marked in a line to a row of the hidden layer, four marks at a time."""
    n = t.marked[line]
    k = 0
    while k + 4 <= n:
        a = np.uint64(t.marks[line, k]) * _UNITS
        b = np.uint64(t.marks[line, k + 1]) * _UNITS
        c = np.uint64(t.marks[line, k + 2]) * _UNITS
        d = np.uint64(t.marks[line, k + 3]) * _UNITS
        for j in range(_UNITS):
            t.hidden[row, j] += (known[a + j] + known[b + j]) + (known[c + j] + known[d + j])
        k += 4
    while k < n:
        a = np.uint64(t.marks[line, k]) * _UNITS
        for j in range(_UNITS):
            t.hidden[row, j] += known[a + j]
        k += 1


@inlined
def last_layer(players, head):
    """Where the weights of a head begin, one output after the other, and where its biases."""
    start = sight.features(players) * HIDDEN
    biases = start + sight.HEADS * _OUTPUTS * HIDDEN
    return np.uint64(start + head * _OUTPUTS * HIDDEN), np.uint64(biases + head * _OUTPUTS)


@inlined
def outputs(t, row, known, players, head):
    """The chance to win and the lead, by a row of the hidden layer."""
    none = np.float32(0)
    a = b = c = d = none  # sums that go on side by side
    at, bias = last_layer(players, head)
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

    What each is worth is the chance to win, in points of which a win has A_WIN; t.leads gets the
    lead that is to be expected. states[at + 1] is overwritten.
    """
    s = states[at]
    after = states[at + 1]
    p = np.int64(s.seat)
    n = sight.list_actions(s, t)
    sight.count_unseen(s, t)
    for j in range(_UNITS):
        t.hidden[_SUM, j] = 0
    for c in range(COLOURS):
        row = np.uint64(c)
        for j in range(_UNITS):
            t.hidden[row, j] = 0
        sight.see_colour(s, t, p, c, c)
        _add_marked(t, row, known, c)
        for j in range(_UNITS):
            t.hidden[_SUM, j] += t.hidden[row, j]
    for k in range(n):
        action = t.actions[k]
        states[at + 1] = states[at]
        then = sight.foresee(after, action)
        if both.is_over(after):
            lead = both.lead(after, p)
            t.values[k] = A_WIN * won(lead)
            t.leads[k] = lead
            continue
        for j in range(_UNITS):
            t.hidden[_AFTER, j] = t.hidden[_SUM, j]
        c = sight.changed(s, action)
        if c >= 0:
            row = np.uint64(c)
            for j in range(_UNITS):
                t.hidden[_AFTER, j] -= t.hidden[row, j]
            sight.see_colour(after, t, p, c, CHANGED)
            _add_marked(t, _AFTER, known, CHANGED)
        sight.see_rest(after, t, p)
        _add_marked(t, _AFTER, known, REST)
        head = sight.head(t, then)
        chance, t.leads[k] = outputs(t, _AFTER, known, np.int64(s.players), head)
        t.values[k] = A_WIN * chance
    return n
