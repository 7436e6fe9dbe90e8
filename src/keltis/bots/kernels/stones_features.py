"""The value network's features of the tile game.

A position is seen as a seat leaves it, and as that seat: its own rows come first, then those of
the others in the order of their turns. All but the order of the face-down tiles is public, and
that is never read.
"""

import numpy as np

from keltis.bots.kernels.layout import (
    CHANCE,
    DISTANCES,
    GLOBAL,
    LEAD,
    OTHERS_DECIDE,
    ROW_ENDS,
    SEAT_GOES_ON,
    Layout,
    activate,
    activate_bits,
    activate_distances,
    leads_size,
    row_end,
    write_leads,
)
from keltis.bots.kernels.stones_heuristic import tiles_unseen
from keltis.rules import stones
from keltis.rules.kernel import inlined, lowest, popcount
from keltis.rules.stones import DECLINE, NUMBERS, OVER, TILE, TILES, TURN_OVER, WISHES

_ROW = (1 << NUMBERS) - 1
_FITS = stones.FITS
_COLOUR = stones._COLOUR
_CLOVERS = stones._CLOVERS
_WISHING_STONES = stones._WISHING_STONES

# --- The table of features ---------------------------------------------------------------------

_STAGE = 5  # face-down tiles in a stage of the game
_STAGES = TILES // _STAGE - 1  # the first stage has the tiles of two
_LENGTHS = 8  # lengths of a row; longer ones count as the last
_DOWN = NUMBERS  # numbers of face-down tiles that fit; more count as the last
_OPEN = 5  # the same for open tiles
_WISHES = len(WISHES)  # numbers of wishing stones that score differently
_WISHES_TO_COME = 3  # a colour has two
_COUNTED = NUMBERS  # numbers of tiles that have a symbol, or are open

PLAYER = Layout("Of a colour, for each player; those after the next player share theirs")
_END = PLAYER.add(ROW_ENDS, "how the row ends")
_LENGTH_DOWN = PLAYER.add(_LENGTHS * _DOWN, "its length, by the face-down tiles that fit")
_LENGTH_OPEN = PLAYER.add(_LENGTHS * _OPEN, "its length, by the open tiles that fit")
_LENGTH_STAGE = PLAYER.add(_LENGTHS * _STAGES, "its length, by the stage of the game")
_DOWN_DISTANCE = PLAYER.add(DISTANCES, "face-down tiles that fit, by how far from the row's end")
_OPEN_DISTANCE = PLAYER.add(DISTANCES, "open tiles that fit, by how far from the row's end")
_DOWN_TILE = PLAYER.add(TILES, "face-down tiles that fit: which, since each has its own symbol")
_OPEN_TILE = PLAYER.add(TILES, "open tiles that fit: which")
_PLAYER_SIZE = PLAYER.size
_APART = 3  # players with features of their own; those that follow share the last

BOTH = Layout("Of a colour, once")
_BOTH_DOWN = BOTH.add(NUMBERS, "face-down tiles that fit the rows of the seat and of the next")
_BOTH_OPEN = BOTH.add(_OPEN, "open tiles that fit both")
_WISHES_COLOUR = BOTH.add(_WISHES * _WISHES_TO_COME, "wishing stones collected, by those to come")
_BOTH_SIZE = BOTH.size

FACE_DOWN = Layout("Global, after the leads")
FACE_DOWN.add(TILES + 1, "face-down tiles")
_FACE_DOWN_SIZE = FACE_DOWN.size

TO_COME = Layout("Global, for each player")
_WISHES_FIT = TO_COME.add(_COUNTED, "wishing stones to come that fit a row")
_OPEN_FIT = TO_COME.add(_COUNTED, "open tiles that fit a row")
_TO_COME_SIZE = TO_COME.size

CLOVERS = Layout("Global, for the seat and for the next player")
CLOVERS.add(_COUNTED, "open clovers that fit a row")
_CLOVERS_SIZE = CLOVERS.size

WISHING = Layout("Global, for each other player")
WISHING.add(_WISHES**2, "wishing stones, the seat's and theirs")
_WISHING_SIZE = WISHING.size

CLOVERS_LEFT = Layout("Global, last")
CLOVERS_LEFT.add(_COUNTED, "face-down clovers")

LAYOUTS = PLAYER, BOTH, LEAD, FACE_DOWN, TO_COME, CLOVERS, WISHING, CLOVERS_LEFT
_GLOBAL_ONCE = FACE_DOWN.size + 2 * CLOVERS.size + CLOVERS_LEFT.size

HEADS = 3 * _STAGES  # by what comes next, and by the stage


@inlined
def colour_size(s):
    """How many features there are of a colour."""
    return min(np.int64(s.players), _APART) * _PLAYER_SIZE + _BOTH_SIZE


@inlined
def global_size(s):
    """How many global features there are."""
    players = np.int64(s.players)
    of_players = players * _TO_COME_SIZE + (players - 1) * _WISHING_SIZE
    return leads_size(players) + _GLOBAL_ONCE + of_players


@inlined
def heads(s):
    """How many heads the network has."""
    return HEADS


# --- What an action leads to ---------------------------------------------------------------


@inlined
def list_actions(s, net):
    """Write the legal actions; return how many there are."""
    legal = stones.legal(s)
    n = 0
    while legal:
        net.actions[n] = lowest(legal)
        legal &= legal - 1
        n += 1
    return n


@inlined
def prepare(s, h, net):
    """Note which tiles are face down, and the stage of the game."""
    net.unseen = tiles_unseen(s)
    net.stage = min(popcount(net.unseen) // _STAGE, _STAGES - 1)


@inlined
def changed_colour(s, action):
    """The colour of which an action changes something, or -1."""
    if action < DECLINE:
        return np.int64(_COLOUR[action])
    return np.int64(_COLOUR[s.tile]) if s.phase == TILE else np.int64(-1)


@inlined
def to_afterstate(s, action):
    """Carry out an action but for the tile it turns over; return what comes next."""
    if action == TURN_OVER:
        return CHANCE
    p = s.seat
    stones.apply(s, action)
    return SEAT_GOES_ON if s.phase != OVER and s.seat == p else OTHERS_DECIDE


@inlined
def head(s, net, following):
    """Which head of the network judges a position: by what comes next, and by the stage."""
    return following * _STAGES + net.stage


# --- Writing the features ------------------------------------------------------------------


@inlined
def write_colour(s, net, p, c, row):
    """Write the features of a colour."""
    net.active_count[row] = 0
    shift = NUMBERS * c
    face_down = net.unseen >> shift & _ROW
    face_up = s.open >> shift & _ROW
    fits_both = fits_own = np.int64(_ROW)
    q = np.int64(p)
    for k in range(s.players):
        first = min(k, _APART - 1) * _PLAYER_SIZE
        fits = _write_player(s, net, q, c, face_down, face_up, first, row)
        if k == 0:
            fits_own = fits
        if k < 2:
            fits_both &= fits
        q = q + 1 if q + 1 < s.players else 0
    first = min(np.int64(s.players), _APART) * _PLAYER_SIZE
    down, up = popcount(face_down & fits_both), popcount(face_up & fits_both)
    activate(net, row, first + _BOTH_DOWN + min(down, NUMBERS - 1))
    activate(net, row, first + _BOTH_OPEN + min(up, _OPEN - 1))
    to_come = popcount(_WISHING_STONES >> shift & (face_down | face_up) & fits_own)
    activate(net, row, first + _WISHES_COLOUR + _wishes(s, p) * _WISHES_TO_COME + to_come)


@inlined
def _wishes(s, p):
    """A player's wishing stones, as far as more of them make a difference."""
    return min(popcount(s.rows[p] & _WISHING_STONES), _WISHES - 1)


@inlined
def _write_player(s, net, q, c, face_down, face_up, first, row):
    """Write a player's row, see PLAYER; return which numbers fit it."""
    shift = NUMBERS * c
    top = np.int64(s.top[q, c])
    direction = np.int64(s.direction[q, c])
    length = min(popcount(s.rows[q] >> shift & _ROW), _LENGTHS - 1)
    rising = falling = np.int64(_ROW)
    if top >= 0:
        rising = _FITS[top, 2] if direction >= 0 else np.int64(0)
        falling = _FITS[top, 0] if direction <= 0 else np.int64(0)
    activate(net, row, first + _END + row_end(top, direction))
    down, up = popcount(face_down & rising), popcount(face_up & rising)
    other_down, other_up = popcount(face_down & falling), popcount(face_up & falling)
    if down + up < other_down + other_up:  # the better direction counts
        down, up = other_down, other_up
    activate(net, row, first + _LENGTH_DOWN + length * _DOWN + min(down, _DOWN - 1))
    activate(net, row, first + _LENGTH_OPEN + length * _OPEN + min(up, _OPEN - 1))
    activate(net, row, first + _LENGTH_STAGE + length * _STAGES + net.stage)
    fits = rising | falling
    activate_distances(net, row, first + _DOWN_DISTANCE, top, direction, face_down & fits)
    activate_distances(net, row, first + _OPEN_DISTANCE, top, direction, face_up & fits)
    activate_bits(net, row, first + _DOWN_TILE + shift, face_down & fits)
    activate_bits(net, row, first + _OPEN_TILE + shift, face_up & fits)
    return fits


@inlined
def write_global(s, h, net, p):
    """Write the global features; see FACE_DOWN and those that follow."""
    net.active_count[GLOBAL] = 0
    write_leads(s, net, p)
    first = leads_size(np.int64(s.players))
    activate(net, GLOBAL, first + popcount(net.unseen))
    first += _FACE_DOWN_SIZE
    to_come = (net.unseen | s.open) & _WISHING_STONES
    own = _wishes(s, p)
    q = np.int64(p)
    for k in range(s.players):
        open_tiles = min(popcount(s.open & s.fits[q]), _COUNTED - 1)
        activate(net, GLOBAL, first + _WISHES_FIT + popcount(to_come & s.fits[q]))
        activate(net, GLOBAL, first + _OPEN_FIT + open_tiles)
        first += _TO_COME_SIZE
        if k < 2:
            activate(net, GLOBAL, first + popcount(s.open & _CLOVERS & s.fits[q]))
            first += _CLOVERS_SIZE
        if k > 0:
            activate(net, GLOBAL, first + own * _WISHES + _wishes(s, q))
            first += _WISHING_SIZE
        q = q + 1 if q + 1 < s.players else 0
    activate(net, GLOBAL, first + popcount(net.unseen & _CLOVERS))
