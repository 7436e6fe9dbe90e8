"""How features are noted, one after the other, most between -1 and 2; and what they share."""

from keltis.rules.kernel import inlined


@inlined
def note(t, k, value):
    """Note a feature at place `k`; tell the next place."""
    t.seen[k] = value
    return k + 1


@inlined
def mark(t, k, count, which):
    """Note which of `count` things is so, or none if `which` is negative; tell the next place."""
    if which >= 0:
        t.seen[k + min(which, count - 1)] = 1
    return k + count


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
