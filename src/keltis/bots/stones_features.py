"""What the network of `experience` sees of the tile game.

All but the order of the face-down tiles is public, and that is never read. `evaluate` of the
heuristic comes first: it has noted which tiles are face down, and what it thinks of the actions.
"""

import numpy as np

from keltis.bots.seeing import gap, mark, next_player, note
from keltis.rules import both, stones
from keltis.rules.kernel import bit, inlined, kernel, popcount
from keltis.rules.stones import COLOURS, DECLINE, NUMBERS, ROWS, TILE, TURN, TURN_OVER, WISHES

_ROW = (1 << NUMBERS) - 1
_FITS = stones._FITS
_COLOUR = stones._COLOUR
_CLOVERS = stones._CLOVERS
_WISHING_STONES = stones._WISHING_STONES
_ONE_POINT = stones._ONE_POINT
_THREE_POINTS = stones._THREE_POINTS
_RICH = _CLOVERS | _WISHING_STONES | _THREE_POINTS
_LONGEST = 8  # lengths of rows are told apart below this
_TAKING, _KEEPING, _GOING_ON, _DECLINING, _TURNING = range(5)
_KINDS = 5


@inlined
def _begun(s, q):
    """The tiles that fit rows that a player has begun."""
    mask = np.int64(0)
    for c in range(COLOURS):
        if s.top[q, c] >= 0:
            mask |= _ROW << (NUMBERS * c)
    return mask & s.fits[q]


@inlined
def _worth(length):
    """What a row is worth that will have a length, or one between two, or more."""
    whole = min(int(length), 6)
    part = min(length - whole, 1.0)
    return (ROWS[whole] + part * (ROWS[min(whole + 1, 6)] - ROWS[whole])) / 8


@inlined
def _gain(length):
    """What another tile adds to a row."""
    return (ROWS[min(length + 1, 6)] - ROWS[min(length, 6)]) / 4


# --- The position ------------------------------------------------------------------------


@kernel
def see_position(s, t):
    p = s.seat
    q = next_player(s)
    others = s.players - 1
    hidden = t.once
    left = popcount(hidden)
    lead = both.lead(s, p)
    k = note(t, 0, left / 40)
    k = note(t, k, min(left, 12) / 12)
    k = note(t, k, min(left, 4) / 4)
    k = note(t, k, left == 0)
    k = note(t, k, left == 1)
    k = note(t, k, min(max(lead, -30), 30) / 15)
    k = note(t, k, lead > 0)
    wishes = min(stones.wishing_stones(s, p), 5)
    k = note(t, k, wishes / 5)
    k = note(t, k, (WISHES[min(wishes + 1, 5)] - WISHES[wishes]) / 5)
    most = rows = length = their_rows = their_length = 0
    for other in range(s.players):
        begun = 0
        for c in range(COLOURS):
            begun += s.top[other, c] >= 0
        if other == p:
            rows = begun
            length = popcount(s.rows[other])
        else:
            most = max(most, stones.wishing_stones(s, other))
            their_rows += begun
            their_length += popcount(s.rows[other])
    k = note(t, k, most / 5)
    k = note(t, k, popcount((hidden | s.open) & _WISHING_STONES) / 6)
    k = note(t, k, rows / COLOURS)
    k = note(t, k, length / 15)
    k = note(t, k, their_rows / COLOURS / others)
    k = note(t, k, their_length / 15 / others)
    k = note(t, k, s.phase == TURN)
    k = note(t, k, s.phase == TILE)
    k = note(t, k, popcount(s.open) / 6)
    own, theirs = _begun(s, p), _begun(s, q)
    k = note(t, k, popcount(s.open & own) / 4)
    k = note(t, k, popcount(s.open & theirs) / 4)
    k = note(t, k, popcount(s.open & own & theirs) / 3)
    k = note(t, k, popcount(s.open & theirs & ~own) / 3)
    k = note(t, k, popcount(s.open & own & _CLOVERS) / 2)
    for fits in (s.fits[p], s.fits[q]):
        k = note(t, k, popcount(s.open & fits & _CLOVERS) / 2)
        k = note(t, k, popcount(s.open & fits & _WISHING_STONES) / 2)
        k = note(t, k, popcount(s.open & fits & _THREE_POINTS))
    for fits in (own, theirs):
        k = note(t, k, popcount(hidden & fits) / max(1, left))
        k = note(t, k, popcount(hidden & fits & _RICH) / max(1, left) * 2)


# --- A colour ----------------------------------------------------------------------------


@kernel
def see_colour(s, t, c):
    p = s.seat
    shift = NUMBERS * c
    hidden = t.once >> shift & _ROW
    face_up = s.open >> shift & _ROW
    top = np.int64(s.top[p, c])
    direction = np.int64(s.direction[p, c])
    length = popcount(s.rows[p] >> shift & _ROW)
    k = mark(t, 0, _LONGEST, length)
    if top < 0:
        rising, falling = _ROW, 0
    else:
        rising = _FITS[top, 2] if direction >= 0 else 0
        falling = _FITS[top, 0] if direction <= 0 else 0
    k = _see_both_ways(t, k, hidden, face_up, rising, falling)
    k = note(t, k, top >= 0 and direction == 0)
    rest = 0
    if top >= 0:
        rest = 10 - top if direction > 0 else top if direction < 0 else max(top, 10 - top)
    k = note(t, k, rest / 10)
    k = note(t, k, popcount(hidden) / 8)
    fits = s.fits[p] >> shift & _ROW
    k = note(t, k, popcount(hidden & fits & _CLOVERS >> shift) / 2)
    k = note(t, k, popcount(hidden & fits & _WISHING_STONES >> shift) / 2)
    k = note(t, k, hidden & fits & _THREE_POINTS >> shift != 0)
    k = note(t, k, hidden & fits & _ONE_POINT >> shift != 0)
    k = note(t, k, popcount(hidden & fits) / s.players / 3)
    k = _see_reach(s, t, k, length, hidden & fits, face_up & fits)
    q = next_player(s)
    length = popcount(s.rows[q] >> shift & _ROW)
    theirs = s.fits[q] >> shift & _ROW
    k = mark(t, k, _LONGEST, length)
    k = note(t, k, s.direction[q, c] != 0)
    k = note(t, k, popcount(hidden & theirs) / 6)
    k = note(t, k, popcount(face_up & theirs) / 3)
    k = note(t, k, popcount(hidden & theirs & fits) / 5)
    k = _see_reach(s, t, k, length, hidden & theirs, face_up & theirs)
    most = 0
    for other in range(s.players):
        if other != p and other != q:
            most = max(most, popcount(s.rows[other] >> shift & _ROW))
    note(t, k, most / 6)


@inlined
def _see_both_ways(t, k, hidden, face_up, rising, falling):
    """Tiles that fit, face down and open, the better way first."""
    down, up = popcount(hidden & rising), popcount(face_up & rising)
    other_down, other_up = popcount(hidden & falling), popcount(face_up & falling)
    if down + 2 * up < other_down + 2 * other_up:
        down, other_down = other_down, down
        up, other_up = other_up, up
    k = note(t, k, down / 6)
    k = note(t, k, other_down / 6)
    k = note(t, k, up / 3)
    return note(t, k, other_up / 3)


@inlined
def _see_reach(s, t, k, length, hidden, face_up):
    """How long a row can become, and will, when these fit it."""
    reach = length + popcount(hidden | face_up)
    k = note(t, k, min(reach, 8) / 8)
    k = note(t, k, reach < 3)
    k = note(t, k, reach < 5)
    k = note(t, k, reach < 6)
    return note(t, k, _worth(length + popcount(hidden) / s.players + popcount(face_up) / 2))


# --- An action ---------------------------------------------------------------------------


@kernel
def see_action(s, t, place):
    action = t.actions[place]
    worse = t.values[place] - t.values[0]
    k = note(t, 0, max(worse / 4, -4.0))
    k = note(t, k, worse >= 0)
    k = note(t, k, min(max(t.values[place] / 6, -4.0), 4.0))
    if action == TURN_OVER or (action == DECLINE and s.phase != TILE):
        mark(t, k, _KINDS, _TURNING if action == TURN_OVER else _DECLINING)
        return np.int64(-1)
    tile = np.int64(s.tile) if action == DECLINE else np.int64(action)
    kind = _GOING_ON
    if action == DECLINE:
        kind = _DECLINING
    elif s.phase == TURN:
        kind = _TAKING
    elif s.phase == TILE:
        kind = _KEEPING
    k = mark(t, k, _KINDS, kind)
    k = note(t, k, action == DECLINE)
    c = np.int64(_COLOUR[tile])
    b = bit(tile)
    symbol = -1
    if b & _WISHING_STONES:
        symbol = 0
    elif b & _CLOVERS:
        symbol = 1
    elif b & _ONE_POINT:
        symbol = 2
    elif b & _THREE_POINTS:
        symbol = 3
    k = mark(t, k, 4, symbol)
    k = _see_tile(s, t, k, c, tile - NUMBERS * c, b)
    q = next_player(s)
    length = popcount(s.rows[q] >> (NUMBERS * c) & _ROW)
    fits = s.top[q, c] >= 0 and s.fits[q] & b != 0
    k = note(t, k, s.top[q, c] < 0)
    k = note(t, k, fits)
    if fits:
        k = note(t, k, gap(s.top[q, c], s.direction[q, c], tile - NUMBERS * c) / 4)
        k = note(t, k, _gain(length))
        k = mark(t, k, 4, symbol)
    else:
        k += 6
    more = 0
    for other in range(s.players):
        if other != s.seat and other != q and s.top[other, c] >= 0 and s.fits[other] & b:
            more += 1
    k = note(t, k, more)
    left = s.open & ~b
    k = note(t, k, popcount(left & s.fits[q]) / 5)
    if symbol == 1 and action != DECLINE:  # another turn
        k = note(t, k, popcount(left & s.fits[s.seat]) / 5)
        note(t, k, popcount(left & s.fits[s.seat] & _RICH) / 3)
    return c


@inlined
def _see_tile(s, t, k, c, number, b):
    """What a tile would do to the own row, if it fits: what it skips, and what can follow."""
    p = s.seat
    shift = NUMBERS * c
    top = np.int64(s.top[p, c])
    distance = gap(top, s.direction[p, c], number) if top >= 0 else -1
    k = mark(t, k, NUMBERS // 2 + 1, min(number, 10 - number) if top < 0 else -1)
    k = mark(t, k, NUMBERS, distance)
    k = note(t, k, s.fits[p] & b == 0)
    if s.fits[p] & b == 0:
        return k + 8
    hidden = t.once >> shift & _ROW
    face_up = (s.open & ~b) >> shift & _ROW
    direction = 0 if top < 0 else 1 if number > top else -1
    rising = _FITS[number, 2] if direction >= 0 else 0
    falling = _FITS[number, 0] if direction <= 0 else 0
    skipped = s.fits[p] >> shift & _ROW & ~(rising | falling)
    down, up = popcount(hidden & rising), popcount(face_up & rising)
    other_down, other_up = popcount(hidden & falling), popcount(face_up & falling)
    if down + 2 * up < other_down + 2 * other_up:
        down, other_down = other_down, down
        up = other_up
    length = popcount(s.rows[p] >> shift & _ROW)
    k = note(t, k, down / 6)
    k = note(t, k, other_down / 6)
    k = note(t, k, up / 3)
    k = note(t, k, popcount(hidden & skipped) / 4)
    k = note(t, k, popcount(face_up & skipped) / 2)
    k = note(t, k, popcount(hidden & skipped & _RICH >> shift) / 2)
    k = note(t, k, _worth(length + 1 + down / s.players + up / 2))
    return note(t, k, _gain(length))
