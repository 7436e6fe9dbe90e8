"""What the network of `foresight` sees of the tile game.

A position is seen as a seat leaves it, and as that seat: its own rows come first, then those of
the others in the order of their turns. All but the order of the face-down tiles is public, and
that is never read.
"""

import numpy as np

from keltis.bots.marks import AFTERWARDS, AGAIN, LEADS, REST, UNSEEN, mark, mark_all, mark_lead
from keltis.rules import stones
from keltis.rules.kernel import bit, inlined, kernel, lowest, popcount
from keltis.rules.stones import COLOURS, DECLINE, NUMBERS, OVER, TILE, TILES, TURN_OVER, WISHES

_ROW = (1 << NUMBERS) - 1
_ALL_TILES = (1 << TILES) - 1
_FITS = stones._FITS
_COLOUR = stones._COLOUR
_CLOVERS = stones._CLOVERS
_WISHING_STONES = stones._WISHING_STONES

# Of a row: its last number and its way; its length with how many tiles will fit it, face down and
# open; and which these are.
_LASTS = 1 + 3 * NUMBERS
_LENGTHS, _DOWN, _OPEN = 8, NUMBERS, 5
_OF_ROW = _LASTS + _LENGTHS * (_DOWN + _OPEN) + 2 * NUMBERS
_MOST_WISHES = len(WISHES) - 1
_KINDS = (_MOST_WISHES + 1) ** 2  # of wishing stones, a player's and another's
_COUNTED = NUMBERS  # tiles with a symbol are told apart up to one less than this
_STAGES, _STAGE = 10, 5  # by the face-down tiles, so many a stage

HEADS = 3 * _STAGES


@kernel
def features(players):
    """How much there is to see."""
    rest = LEADS + TILES + 1 + (players + 3) * _COUNTED + (players - 1) * _KINDS
    return COLOURS * _of_colour(players) + rest


@inlined
def _of_colour(players):
    return players * _OF_ROW + NUMBERS


# --- What an action leads to ---------------------------------------------------------------


@inlined
def list_actions(s, t):
    """Write the legal actions to a thought; tell how many."""
    legal = stones.legal(s)
    n = 0
    while legal:
        t.actions[n] = lowest(legal)
        legal &= legal - 1
        n += 1
    return n


@inlined
def count_unseen(s, t):
    """Note which tiles are face down."""
    hidden = _ALL_TILES & ~s.open
    for q in range(s.players):
        hidden &= ~s.rows[q]
    if s.phase == TILE:
        hidden &= ~bit(s.tile)
    t.once = hidden


@inlined
def changed(s, action):
    """The colour that an action changes something of, or -1."""
    if action < DECLINE:
        return np.int64(_COLOUR[action])
    return np.int64(_COLOUR[s.tile]) if s.phase == TILE else np.int64(-1)


@inlined
def foresee(s, action):
    """Carry out an action but for what it reveals; tell what comes then."""
    if action == TURN_OVER:
        return UNSEEN
    p = s.seat
    stones.apply(s, action)
    return AGAIN if s.phase != OVER and s.seat == p else AFTERWARDS


@inlined
def head(t, then):
    """Which part of the network has the last word."""
    return then * _STAGES + min(popcount(t.once) // _STAGE, _STAGES - 1)


# --- What is seen --------------------------------------------------------------------------


@inlined
def see_colour(s, t, p, c, line):
    """Mark what there is of a colour."""
    t.marked[line] = 0
    shift = NUMBERS * c
    face_down = t.once >> shift & _ROW
    face_up = s.open >> shift & _ROW
    place = c * _of_colour(np.int64(s.players))
    q = np.int64(p)
    both_fit = face_down
    for k in range(s.players):
        fits = _see_row(s, t, q, c, face_down, face_up, place, line)
        if k < 2:
            both_fit &= fits
        place += _OF_ROW
        q = q + 1 if q + 1 < s.players else 0
    mark_all(t, line, place, both_fit)


@inlined
def _see_row(s, t, q, c, face_down, face_up, place, line):
    """Mark what there is of a player's row; tell which numbers fit it."""
    top = np.int64(s.top[q, c])
    direction = np.int64(s.direction[q, c])
    length = min(popcount(s.rows[q] >> (NUMBERS * c) & _ROW), _LENGTHS - 1)
    rising = falling = np.int64(_ROW)
    if top >= 0:
        rising = _FITS[top, 2] if direction >= 0 else np.int64(0)
        falling = _FITS[top, 0] if direction <= 0 else np.int64(0)
    mark(t, line, place + (0 if top < 0 else 1 + top + NUMBERS * (direction + 1)))
    down, up = popcount(face_down & rising), popcount(face_up & rising)
    other_down, other_up = popcount(face_down & falling), popcount(face_up & falling)
    if down + up < other_down + other_up:  # the better way counts
        down, up = other_down, other_up
    place += _LASTS
    mark(t, line, place + length * _DOWN + min(down, _DOWN - 1))
    place += _LENGTHS * _DOWN
    mark(t, line, place + length * _OPEN + min(up, _OPEN - 1))
    place += _LENGTHS * _OPEN
    fits = rising | falling
    mark_all(t, line, place, (face_down & fits) | (face_up & fits) << NUMBERS)
    return fits


@inlined
def see_rest(s, t, p):
    """Mark what is of no colour."""
    t.marked[REST] = 0
    place = COLOURS * _of_colour(np.int64(s.players))
    place = mark_lead(s, t, p, place)
    mark(t, REST, place + popcount(t.once))
    place += TILES + 1
    to_come = (t.once | s.open) & _WISHING_STONES
    own = min(popcount(s.rows[p] & _WISHING_STONES), _MOST_WISHES)
    q = np.int64(p)
    for k in range(s.players):
        mark(t, REST, place + popcount(to_come & s.fits[q]))
        place += _COUNTED
        if k < 2:
            mark(t, REST, place + popcount(s.open & _CLOVERS & s.fits[q]))
            place += _COUNTED
        if k > 0:
            wishes = min(popcount(s.rows[q] & _WISHING_STONES), _MOST_WISHES)
            mark(t, REST, place + own * (_MOST_WISHES + 1) + wishes)
            place += _KINDS
        q = q + 1 if q + 1 < s.players else 0
    mark(t, REST, place + popcount(t.once & _CLOVERS))
