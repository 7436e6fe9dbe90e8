"""What a position is worth: networks that have learned from millions of games.

They look at positions as a seat leaves them, and tell the seat's chance to win and its lead at the
end. To judge an action is to look at what it leads to. They are learned by `tools/practise.py`, for
each game and number of players: a network plays against the heuristic and learns from how its games
go on. There may be several for the same game, called voices here, that have learned apart from each
other: what each gets wrong differs, so that their mean is better than any of them.

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
from keltis.bots.policy import HIDDEN, OF_COLOUR, THOUGHT, best_first, evaluate
from keltis.rules import both
from keltis.rules.board import COLOURS
from keltis.rules.dispatch import STATES
from keltis.rules.kernel import entry, inlined, kernel

_OUTPUTS = 2  # the chance to win, as a logit, and the lead
POINTS = 20.0  # of lead: what the network counts as one
POINT_WORTH = 0.005  # of a win: what a point of lead counts besides. That costs no wins.
_CLEAR = 0.05  # of a win: by how much an action must fall short to be judged by one voice only

# Loops over numbers without a sign are compiled to work on many at a time.
_UNITS, _COLOUR_UNITS = np.uint64(HIDDEN), np.uint64(OF_COLOUR)
_AFTER, _TOTAL = np.uint64(CHANGED), np.uint64(REST)  # rows of t.hidden, after the colours'


@functools.cache
def foresight(game: str, players: int) -> NDArray[np.float32]:
    """What has been learned of a game with so many players, one voice after the other.

    It must not be written to.
    """
    file = resources.files("keltis.bots") / "weights" / f"foresight-{game}-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        return stored["network"].astype(np.float32).ravel()


@kernel
def size(of_colour, of_rest, heads):
    """How many numbers a voice has that sees so much.

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
def voice(s, v):
    """Where the weights of a voice begin."""
    return v * size(sight.of_colour(s), sight.of_rest(s), sight.heads(s))


@inlined
def voices(s, known):
    """How many there are."""
    return len(known) // voice(s, 1)


@inlined
def joints(s, v):
    """Where the weights of a voice begin that join the layer for colours to the next."""
    return voice(s, v) + sight.of_colour(s) * OF_COLOUR


@inlined
def rest(s, v):
    """Where those of the rest begin."""
    return joints(s, v) + OF_COLOUR * HIDDEN


@inlined
def last_layer(s, v, head):
    """Where those of a head begin, one output after the other, and where its biases."""
    start = rest(s, v) + sight.of_rest(s) * HIDDEN
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
def likely(logit):
    """The chance that a logit stands for."""
    return 1 / (1 + np.exp(-logit))


@inlined
def add_colour(s, t, v, line, known):
    """What a colour's line of marks tells a voice: t.colours and t.hidden get it."""
    row = np.uint64(line)
    start = np.uint64(voice(s, v))
    for j in range(_COLOUR_UNITS):
        t.colours[v, row, j] = 0
    n = t.marked[line]
    k = 0
    while k + 4 <= n:  # four at a time: to read the row and write it takes longer than to add
        a = start + np.uint64(t.marks[line, k]) * _COLOUR_UNITS
        b = start + np.uint64(t.marks[line, k + 1]) * _COLOUR_UNITS
        c = start + np.uint64(t.marks[line, k + 2]) * _COLOUR_UNITS
        d = start + np.uint64(t.marks[line, k + 3]) * _COLOUR_UNITS
        for j in range(_COLOUR_UNITS):
            t.colours[v, row, j] += (known[a + j] + known[b + j]) + (known[c + j] + known[d + j])
        k += 4
    while k < n:
        a = start + np.uint64(t.marks[line, k]) * _COLOUR_UNITS
        for j in range(_COLOUR_UNITS):
            t.colours[v, row, j] += known[a + j]
        k += 1
    _join(s, t, v, row, known)


@inlined
def _join(s, t, v, row, known):
    """What a row of the layer for colours adds to the layer for all."""
    n = 0
    for i in range(_COLOUR_UNITS):
        t.awake[n] = i
        n += t.colours[v, row, i] > 0
    for j in range(_UNITS):
        t.hidden[v, row, j] = 0
    at = np.uint64(joints(s, v))
    k = 0
    while k + 4 <= n:
        i0, i1 = np.uint64(t.awake[k]), np.uint64(t.awake[k + 1])
        i2, i3 = np.uint64(t.awake[k + 2]), np.uint64(t.awake[k + 3])
        unit0, unit1 = t.colours[v, row, i0], t.colours[v, row, i1]
        unit2, unit3 = t.colours[v, row, i2], t.colours[v, row, i3]
        a, b, c, d = at + i0 * _UNITS, at + i1 * _UNITS, at + i2 * _UNITS, at + i3 * _UNITS
        for j in range(_UNITS):
            t.hidden[v, row, j] += (unit0 * known[a + j] + unit1 * known[b + j]) + (
                unit2 * known[c + j] + unit3 * known[d + j]
            )
        k += 4
    while k < n:
        i0 = np.uint64(t.awake[k])
        unit0 = t.colours[v, row, i0]
        a = at + i0 * _UNITS
        for j in range(_UNITS):
            t.hidden[v, row, j] += unit0 * known[a + j]
        k += 1


@inlined
def add_rest(s, t, v, row, known):
    """Add the marks of the rest to a row of the layer for all."""
    start = np.uint64(rest(s, v))
    n = t.marked[REST]
    k = 0
    while k + 4 <= n:
        a = start + np.uint64(t.marks[REST, k]) * _UNITS
        b = start + np.uint64(t.marks[REST, k + 1]) * _UNITS
        c = start + np.uint64(t.marks[REST, k + 2]) * _UNITS
        d = start + np.uint64(t.marks[REST, k + 3]) * _UNITS
        for j in range(_UNITS):
            t.hidden[v, row, j] += (known[a + j] + known[b + j]) + (known[c + j] + known[d + j])
        k += 4
    while k < n:
        a = start + np.uint64(t.marks[REST, k]) * _UNITS
        for j in range(_UNITS):
            t.hidden[v, row, j] += known[a + j]
        k += 1


@inlined
def outputs(s, t, v, row, known, head):
    """The chance to win, as a logit, and the lead, by a row of the hidden layer."""
    none = np.float32(0)
    a = b = c = d = none  # sums that go on side by side
    at, bias = last_layer(s, v, head)
    for j in range(np.uint64(0), _UNITS, np.uint64(2)):
        one = max(t.hidden[v, row, j], none)
        other = max(t.hidden[v, row, j + np.uint64(1)], none)
        a += one * known[at + j]
        b += other * known[at + j + np.uint64(1)]
        c += one * known[at + _UNITS + j]
        d += other * known[at + _UNITS + j + np.uint64(1)]
    return np.float64(a + b + known[bias]), POINTS * np.float64(c + d + known[bias + np.uint64(1)])


@kernel
def judge(states, at, t, known):
    """Judge the actions of the seat that decides in states[at]; tell how many there are.

    t.values gets the chance to win after each, and t.leads the lead that is to be expected.
    states[at + 1] is overwritten.
    """
    s = states[at]
    n = sight.list_actions(s, t)
    _ask_one(states, at, t, n, 0, known)
    if voices(s, known) > 1:
        _ask_others(states, at, t, n, known)
    return n


@kernel
def glance(states, at, t, most, v, known):
    """The same by one voice, and for so many actions at most: those that the heuristic likes best.

    Whoever follows what it finds best of five plays `board` as well as by all actions, in two
    thirds of the time.
    """
    s = states[at]
    n = sight.list_actions(s, t)
    if n > most:
        best_first(t, evaluate(s, t, False), most)
        n = most
    _ask_one(states, at, t, n, v, known)
    return n


@inlined
def _ask_one(states, at, t, n, v, known):
    """Let one voice judge `n` actions."""
    s = states[at]
    sight.look_round(s, t)
    for c in range(COLOURS):
        sight.see_colour(s, t, np.int64(s.seat), c, c)
    _hear(s, t, v, v + 1, known)
    for k in range(n):
        _judge_action(states, at, t, k, v, v + 1, known)


@inlined
def _ask_others(states, at, t, n, known):
    """Let all voices judge those of `n` actions that may be the best, by the first voice.

    What it thinks of the rest is shifted as the value of its favourite is, and so stays below; but
    how a game has ended is certain.
    """
    s = states[at]
    heard = voices(s, known)
    _hear(s, t, 1, heard, known)
    best = favourite(t, n)
    chance, lead = t.values[best], t.leads[best]
    least = _worth(t, best) - _CLEAR
    _judge_action(states, at, t, best, 0, heard, known)
    for k in range(n):
        if k == best or t.ended[k]:
            continue
        if _worth(t, k) >= least:
            _judge_action(states, at, t, k, 0, heard, known)
        else:
            t.values[k] += t.values[best] - chance
            t.leads[k] += t.leads[best] - lead


@inlined
def _worth(t, k):
    """What an action is worth that has been judged: points of lead count a little, too."""
    return t.values[k] + POINT_WORTH * t.leads[k]


@inlined
def favourite(t, n):
    """The place of the action that is worth most, of `n` that have been judged."""
    best = 0
    for k in range(1, n):
        if _worth(t, k) > _worth(t, best):
            best = k
    return best


@inlined
def _hear(s, t, first, end, known):
    """What some voices make of the colours before anything is done: the rows of t.hidden."""
    for v in range(first, end):
        for j in range(_UNITS):
            t.hidden[v, _TOTAL, j] = 0
        for c in range(COLOURS):
            add_colour(s, t, v, c, known)
            for j in range(_UNITS):
                t.hidden[v, _TOTAL, j] += t.hidden[v, np.uint64(c), j]


@kernel
def _judge_action(states, at, t, k, first, end, known):
    """Write down what some voices think of the action in a place: chance, and lead."""
    s = states[at]
    after = states[at + 1]
    p = np.int64(s.seat)
    states[at + 1] = states[at]
    action = t.actions[k]
    then = sight.foresee(after, action)
    t.ended[k] = both.is_over(after)
    if t.ended[k]:
        lead = both.lead(after, p)
        t.values[k], t.leads[k] = won(lead), lead
        return
    c = sight.changed(s, action)
    if c >= 0:
        sight.see_colour(after, t, p, c, CHANGED)
    sight.see_rest(after, t, p)
    head = sight.head(after, t, then)
    logits = leads = 0.0
    for v in range(first, end):
        if c >= 0:
            add_colour(after, t, v, CHANGED, known)
            for j in range(_UNITS):
                t.hidden[v, _AFTER, j] += t.hidden[v, _TOTAL, j] - t.hidden[v, np.uint64(c), j]
        else:
            for j in range(_UNITS):
                t.hidden[v, _AFTER, j] = t.hidden[v, _TOTAL, j]
        add_rest(after, t, v, _AFTER, known)
        logit, lead = outputs(after, t, v, _AFTER, known, head)
        logits += logit
        leads += lead
    heard = end - first
    t.values[k], t.leads[k] = likely(logits / heard), leads / heard


@entry(states=STATES, room=THOUGHT, known=np.float32)
def weigh(states, at, room, known):
    """The same as `judge`, but points of lead count a little besides the chance to win."""
    t = room[0]
    n = judge(states, at, t, known)
    for k in range(n):
        t.values[k] = _worth(t, k)
    return n


@kernel
def follow(states, at, t, known):
    """The action that the network likes most; of equals the one that comes first."""
    if sight.list_actions(states[at], t) == 1:
        return t.actions[0]
    return t.actions[favourite(t, judge(states, at, t, known))]
