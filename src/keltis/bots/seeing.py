"""How features are noted, one after the other, most between -1 and 2; and what they share.

Most of them are zero and are left out: what is noted is a list of places and values. `k` counts
the places passed so far and, from the bit _NOTED on, how many of them have been noted.
"""

import numpy as np

from keltis.rules.kernel import inlined

_NOTED = 16
_PLACE = (1 << _NOTED) - 1


@inlined
def note(t, k, value):
    """Note a feature at the next place; tell the place after it."""
    return _noted(t, k, k & _PLACE, value, 1, value != 0)


@inlined
def mark(t, k, count, which):
    """Note which of `count` things is so, or none if `which` is negative; tell the next place."""
    return _noted(t, k, (k & _PLACE) + min(which, count - 1), 1, count, which >= 0)


@inlined
def _noted(t, k, place, value, count, counts):
    """Write down a feature; if it does not count, the next one is written over it.

    That is quicker than to ask whether it does: nobody could guess the answer.
    """
    n = k >> _NOTED
    t.places[n] = place
    t.seen[n] = value
    k += count + (np.int64(counts) << _NOTED)
    t.noted = k >> _NOTED
    return k


@inlined
def gap(top, direction, number):
    """How far a number lies from the last of a row that has begun; -1 if it does not fit."""
    if direction > 0:
        return max(number - top, -1)
    if direction < 0:
        return max(top - number, -1)
    return abs(number - top)


@inlined
def next_player(s):
    """The seat after the one that decides."""
    return s.seat + 1 if s.seat + 1 < s.players else 0
