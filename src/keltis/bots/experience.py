"""What games have taught: a small network that judges anew what the heuristic likes best.

The heuristic is quick, but it adds up rules of thumb, and counts points rather than wins. The
network sees more at once: the position, the colour that an action is about, and the action with
what the heuristic thinks of it (see `board_features` and `stones_features`). For each action it
says by how many points the heuristic is wrong. It is learned from rollouts by `tools/learn.py`,
for each game and number of players. The search plays on by it in its own rollouts, and it is the
search's first guess.

One hidden layer. What the position adds to it is worked out once for a decision, what a colour
adds once for a colour, so an action costs little more than what is its own.
"""

import functools
from importlib import resources

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from keltis.bots import board_features, stones_features
from keltis.bots.policy import (
    MOST_FEATURES,
    MOST_HIDDEN,
    MOST_JUDGED,
    best_action,
    best_first,
    best_of,
    evaluate,
)
from keltis.rules import board, both
from keltis.rules.kernel import inlined, kernel

# What is seen of a position, of a colour and of an action; not all of it is used in both games.
GENERAL, OF_COLOUR, OF_ACTION = 40, 56, 56
SEEN = GENERAL + OF_COLOUR + OF_ACTION
HIDDEN = 64
SIZE = SEEN * HIDDEN + 2 * HIDDEN  # of a network: the first layer, its biases, the second layer
_BIASES = SEEN * HIDDEN
_SECOND = _BIASES + HIDDEN

A_WIN = 40.0  # points: what a game won is worth to it, against one lost
WIDTH = 6  # how many actions are judged in play, of those that the heuristic likes best
_CLEARLY = 12.0  # those worse than its best by more than this are not

assert max(GENERAL, OF_COLOUR, OF_ACTION) <= MOST_FEATURES
assert HIDDEN <= MOST_HIDDEN
assert WIDTH <= MOST_JUDGED


NOTHING = np.zeros(0, np.float32)  # is known: the heuristic decides


@functools.cache
def experience(game: str, players: int) -> NDArray[np.float32]:
    """What has been learned of a game with so many players; it must not be written to."""
    file = resources.files("keltis.bots") / "weights" / f"experience-{game}-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        return stored["network"].astype(np.float32)


def features_of(s):
    """The module that knows what is to be seen in a record."""
    return board_features if both.rules_of(s) is board else stones_features


def see_position(s, t):
    """Note in t.seen what matters of a position, whatever is done."""
    features_of(s).see_position(s, t)


def see_colour(s, t, c):
    """The same of a colour."""
    features_of(s).see_colour(s, t, c)


def see_action(s, t, k):
    """The same of t.actions[k]; tell which colour it is about, or -1."""
    return features_of(s).see_action(s, t, k)


@overload(see_position, inline="always")
def _see_position(s, t):
    function = features_of(s).see_position
    return lambda s, t: function(s, t)


@overload(see_colour, inline="always")
def _see_colour(s, t, c):
    function = features_of(s).see_colour
    return lambda s, t, c: function(s, t, c)


@overload(see_action, inline="always")
def _see_action(s, t, k):
    function = features_of(s).see_action
    return lambda s, t, k: function(s, t, k)


# Loops over numbers without a sign are compiled to work on eight at a time.
_UNITS = np.uint64(HIDDEN)
_FOUR = np.uint64(4)


@inlined
def _add_seen(t, row, known, first):
    """Add what has been seen to a row of the hidden layer; its weights begin at `first`.

    Four features at a time: to read the row and write it again takes longer than to add.
    """
    t.seen[t.noted : t.noted + 3] = 0
    t.places[t.noted : t.noted + 3] = 0
    for k in range(0, t.noted, 4):
        a, b, c, d = t.seen[k], t.seen[k + 1], t.seen[k + 2], t.seen[k + 3]
        at_a = np.uint64((first + t.places[k]) * HIDDEN)
        at_b = np.uint64((first + t.places[k + 1]) * HIDDEN)
        at_c = np.uint64((first + t.places[k + 2]) * HIDDEN)
        at_d = np.uint64((first + t.places[k + 3]) * HIDDEN)
        for j in range(_UNITS):
            t.hidden[row, j] += (
                a * known[at_a + j]
                + b * known[at_b + j]
                + c * known[at_c + j]
                + d * known[at_d + j]
            )


# Rows of t.hidden: one for each colour, the position's, and an action's.
_POSITION = np.uint64(board.COLOURS)
_ACTION = np.uint64(board.COLOURS + 1)


@kernel
def judge(s, t, n, known, width):
    """Judge the best `width` of `n` actions that have been evaluated in `t`; tell how many.

    They come first, in the order in which the heuristic likes them. What each is worth is the
    chance to win, in points of which a win has A_WIN, more or less than the heuristic's favourite.
    """
    count = min(n, width)
    best_first(t, n, count)
    while t.values[count - 1] < t.values[0] - _CLEARLY:
        count -= 1
    if count == 1:
        t.values[0] = 0.0
        return 1
    see_position(s, t)
    for j in range(_UNITS):
        t.hidden[_POSITION, j] = known[np.uint64(_BIASES) + j]
    _add_seen(t, _POSITION, known, 0)
    done = 0
    for k in range(count):
        colour = see_action(s, t, k)
        for j in range(_UNITS):
            t.hidden[_ACTION, j] = t.hidden[_POSITION, j]
        _add_seen(t, _ACTION, known, GENERAL + OF_COLOUR)
        if colour >= 0:
            row = np.uint64(colour)
            if done >> colour & 1 == 0:
                done |= 1 << colour
                see_colour(s, t, colour)
                for j in range(_UNITS):
                    t.hidden[row, j] = 0
                _add_seen(t, row, known, GENERAL)
            for j in range(_UNITS):
                t.hidden[_ACTION, j] += t.hidden[row, j]
        t.judged[k] = _output(t, known)
    best = t.values[0]
    for k in range(count):
        t.values[k] += t.judged[k] - best
    return count


@inlined
def _output(t, known):
    """What the second layer makes of the action's row; four sums go on side by side."""
    none = np.float32(0)
    one = two = three = four = none
    place = np.uint64(_SECOND)
    for j in range(np.uint64(0), _UNITS, _FOUR):
        one += max(t.hidden[_ACTION, j], none) * known[place + j]
        j1 = j + np.uint64(1)
        two += max(t.hidden[_ACTION, j1], none) * known[place + j1]
        j2 = j + np.uint64(2)
        three += max(t.hidden[_ACTION, j2], none) * known[place + j2]
        j3 = j + np.uint64(3)
        four += max(t.hidden[_ACTION, j3], none) * known[place + j3]
    return one + two + (three + four)


@kernel
def follow(s, t, known):
    """The action that the network likes most; of equals the one that the heuristic likes more.

    If nothing is known, the heuristic decides.
    """
    if len(known) == 0:
        return best_action(s, t)
    n = evaluate(s, t, False)
    return t.actions[best_of(t, judge(s, t, n, known, WIDTH))]
