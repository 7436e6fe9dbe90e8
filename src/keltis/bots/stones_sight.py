"""What the network of `foresight` sees of the tile game.

A position is seen as a seat leaves it, and as that seat: its own rows come first, then those of
the others in the order of their turns. All but the order of the face-down tiles is public, and
that is never read.
"""

import numpy as np

from keltis.bots.marks import (
    AFTERWARDS,
    AGAIN,
    DISTANCES,
    LASTS,
    REST,
    UNSEEN,
    last,
    leads,
    mark,
    mark_all,
    mark_distances,
    mark_leads,
)
from keltis.bots.stones_policy import tiles_unseen
from keltis.rules import stones
from keltis.rules.kernel import inlined, lowest, popcount
from keltis.rules.stones import DECLINE, NUMBERS, OVER, TILE, TILES, TURN_OVER, WISHES

_ROW = (1 << NUMBERS) - 1
_FITS = stones._FITS
_COLOUR = stones._COLOUR
_CLOVERS = stones._CLOVERS
_WISHING_STONES = stones._WISHING_STONES

# Of a row: how it ends; its length with how many tiles will fit it, face down and open, and with
# how far the game is; how far these tiles are from its end; and which they are, since each has a
# symbol of its own. Players after the next one are alike.
_STAGES, _STAGE = 10, 5  # by the face-down tiles, so many a stage
_LENGTHS, _DOWN, _OPEN = 8, NUMBERS, 5
_OF_ROW = LASTS + _LENGTHS * (_DOWN + _OPEN + _STAGES) + 2 * DISTANCES + 2 * TILES
_ROWS_APART = 3
_SHARED = NUMBERS + _OPEN  # tiles that fit the rows of the seat and of the next, face down and open
_MOST_WISHES, _WISHES_TO_COME = len(WISHES) - 1, 3
_OF_WISHES = (_MOST_WISHES + 1) * _WISHES_TO_COME  # collected, with those to come in a colour
_KINDS = (_MOST_WISHES + 1) ** 2  # of wishing stones, a player's and another's
_COUNTED = NUMBERS  # tiles with a symbol are told apart up to one less than this

HEADS = 3 * _STAGES


@inlined
def of_colour(s):
    """How much there is to see of a colour."""
    players = np.int64(s.players)
    return min(players, _ROWS_APART) * _OF_ROW + _SHARED + _OF_WISHES


@inlined
def heads(s):
    """How many parts of a network there are of which one has the last word."""
    return HEADS


@inlined
def of_rest(s):
    """How much there is to see of the rest."""
    players = np.int64(s.players)
    return leads(players) + TILES + 1 + (2 * players + 3) * _COUNTED + (players - 1) * _KINDS


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
def look_round(s, t):
    """Note which tiles are face down, and how far the game is."""
    t.once = tiles_unseen(s)
    t.stage = min(popcount(t.once) // _STAGE, _STAGES - 1)


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
def head(s, t, then):
    """Which part of the network has the last word."""
    return then * _STAGES + t.stage


# --- What is seen --------------------------------------------------------------------------


@inlined
def see_colour(s, t, p, c, line):
    """Mark what there is of a colour."""
    t.marked[line] = 0
    shift = NUMBERS * c
    face_down = t.once >> shift & _ROW
    face_up = s.open >> shift & _ROW
    fits_both = fits_own = np.int64(_ROW)
    q = np.int64(p)
    for k in range(s.players):
        place = min(k, _ROWS_APART - 1) * _OF_ROW
        fits = _see_row(s, t, q, c, face_down, face_up, place, line)
        if k == 0:
            fits_own = fits
        if k < 2:
            fits_both &= fits
        q = q + 1 if q + 1 < s.players else 0
    place = min(np.int64(s.players), _ROWS_APART) * _OF_ROW
    mark(t, line, place + min(popcount(face_down & fits_both), NUMBERS - 1))
    mark(t, line, place + NUMBERS + min(popcount(face_up & fits_both), _OPEN - 1))
    place += _SHARED
    to_come = popcount(_WISHING_STONES >> shift & (face_down | face_up) & fits_own)
    collected = min(popcount(s.rows[p] & _WISHING_STONES), _MOST_WISHES)
    mark(t, line, place + collected * _WISHES_TO_COME + to_come)


@inlined
def _see_row(s, t, q, c, face_down, face_up, place, line):
    """Mark what there is of a player's row; tell which numbers fit it."""
    shift = NUMBERS * c
    top = np.int64(s.top[q, c])
    direction = np.int64(s.direction[q, c])
    length = min(popcount(s.rows[q] >> shift & _ROW), _LENGTHS - 1)
    rising = falling = np.int64(_ROW)
    if top >= 0:
        rising = _FITS[top, 2] if direction >= 0 else np.int64(0)
        falling = _FITS[top, 0] if direction <= 0 else np.int64(0)
    mark(t, line, place + last(top, direction))
    place += LASTS
    down, up = popcount(face_down & rising), popcount(face_up & rising)
    other_down, other_up = popcount(face_down & falling), popcount(face_up & falling)
    if down + up < other_down + other_up:  # the better way counts
        down, up = other_down, other_up
    mark(t, line, place + length * _DOWN + min(down, _DOWN - 1))
    place += _LENGTHS * _DOWN
    mark(t, line, place + length * _OPEN + min(up, _OPEN - 1))
    place += _LENGTHS * _OPEN
    mark(t, line, place + length * _STAGES + t.stage)
    place += _LENGTHS * _STAGES
    fits = rising | falling
    mark_distances(t, line, place, top, direction, face_down & fits)
    place += DISTANCES
    mark_distances(t, line, place, top, direction, face_up & fits)
    place += DISTANCES
    mark_all(t, line, place + shift, face_down & fits)
    mark_all(t, line, place + TILES + shift, face_up & fits)
    return fits


@inlined
def see_rest(s, t, p):
    """Mark what is of no colour."""
    t.marked[REST] = 0
    place = mark_leads(s, t, p)
    mark(t, REST, place + popcount(t.once))
    place += TILES + 1
    to_come = (t.once | s.open) & _WISHING_STONES
    own = min(popcount(s.rows[p] & _WISHING_STONES), _MOST_WISHES)
    q = np.int64(p)
    for k in range(s.players):
        mark(t, REST, place + popcount(to_come & s.fits[q]))
        place += _COUNTED
        mark(t, REST, place + min(popcount(s.open & s.fits[q]), _COUNTED - 1))
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
