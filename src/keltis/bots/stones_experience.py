"""What a position of the tile game leads to, learned from many games.

The heuristic is quick, but it adds up a few rules of thumb. Here, tables tell by how much a seat
will lead at the end: one number for each state that a row can be in, at each time of the game, and
some for what rows have to do with each other; the sum of a position's entries, added to the lead
that the seat has, is what to expect. They are learned by `tools/learn.py`, and the search lets
them choose among what the heuristic likes best, for its own seat, when it plays on to the end.

Like the heuristic, this never reads the order of the face-down tiles.
"""

import numpy as np

from keltis.bots.policy import evaluate
from keltis.rules import both, stones
from keltis.rules.kernel import bit, inlined, kernel, popcount
from keltis.rules.stones import COLOURS, NUMBERS, OVER, TILE, TILES, TURN_OVER

WIDTH = 3  # how many actions, of those that the heuristic likes best, are compared

# What comes next for the seat whose lead is expected.
_OTHERS, TURNED, _AGAIN = range(3)  # others' turns, a tile turned over, another turn of its own

# The tables, one after the other, and their dimensions.
_TIMES, _SEASONS = 11, 4  # of the game, finely and coarsely, by the tiles that are face down
_LENGTHS = 7  # of a row, 0 to 6 and more
_FITTING, _SOME = NUMBERS, 6  # face-down tiles that fit a row, exactly and up to 5
_FEW = 4  # open tiles that fit, up to 3
_WISHES = 6  # wishing stones, up to 5
_FREE = 2 * COLOURS + 1  # wishing stones that nobody has
# A row of one's own, of the next player, of another: what comes next, time, length, what fits.
_OWN_ROW = 0
_NEXT_ROW = _OWN_ROW + 3 * _TIMES * _LENGTHS * _FITTING * _FEW
_OTHER_ROW = _NEXT_ROW + 3 * _TIMES * _LENGTHS * _FITTING * _FEW
# A row and the next player's of that colour: season, the two lengths, what fits either.
_RIVALS = _OTHER_ROW + 3 * _TIMES * _LENGTHS * _FITTING * _FEW
# A row of one tile: season, how many fit above it and below it, whether one of them is open.
_BOTH_WAYS = _RIVALS + _SEASONS * _LENGTHS * _SOME * _LENGTHS * _SOME
# What comes next, season, a row's length, and which symbols still fit it, face down: clovers,
# wishing stones, three points.
_OWN_SYMBOLS = _BOTH_WAYS + _SEASONS * _FITTING * _FITTING * 2
_NEXT_SYMBOLS = _OWN_SYMBOLS + 3 * _SEASONS * _LENGTHS * 3 * 3 * 2
# Time, one's own wishing stones, the most that another has, those that nobody has.
_WISHING = _NEXT_SYMBOLS + 3 * _SEASONS * _LENGTHS * 3 * 3 * 2
# Open tiles that fit one's own rows, and the next player's: clovers, riches, all of them.
_OPEN_CLOVERS = _WISHING + _TIMES * _WISHES * _WISHES * _FREE
_OPEN_RICHES = _OPEN_CLOVERS + 3 * _TIMES * _FEW * _FEW
_OPEN_TILES = _OPEN_RICHES + 3 * _SEASONS * _FEW * _FEW
SIZE = _OPEN_TILES + 3 * _TIMES * _SOME * _SOME

_ROW = (1 << NUMBERS) - 1
_ALL_TILES = (1 << TILES) - 1
_FITS = stones._FITS
_CLOVERS = stones._CLOVERS
_WISHING_STONES = stones._WISHING_STONES
_THREE_POINTS = stones._THREE_POINTS


@kernel
def follow(states, i, t, known):
    """What the seat to decide in states[i] should do; states[i + 1] is overwritten.

    The few actions that the heuristic likes best are compared by what the tables expect.
    """
    s = states[i]
    p = np.int64(s.seat)
    n = evaluate(s, t, False)
    if n == 1:
        return t.actions[0]
    best = np.int64(-1)
    most = -np.inf
    for k in range(min(n, WIDTH)):
        liked = k
        for j in range(k + 1, n):
            if t.values[j] > t.values[liked]:
                liked = j
        action = t.actions[liked]
        t.actions[liked] = t.actions[k]
        t.values[liked] = t.values[k]
        lead = expected_after(states, i, action, p, t, known)
        if lead > most:
            most = lead
            best = action
    return best


@inlined
def expected_after(states, i, action, p, t, known):
    """By how much a seat will lead at the end, after an action; states[i + 1] is overwritten."""
    if action == TURN_OVER:
        return _expected(states[i], p, TURNED, t, known)
    states[i + 1] = states[i]
    s = states[i + 1]
    both.apply(s, action)
    if s.phase == OVER:
        return np.float64(both.lead(s, p))
    return _expected(s, p, what_next(s, p), t, known)


@inlined
def what_next(s, p):
    """What comes next for a seat that has just done something, the game not being over."""
    return _AGAIN if s.seat == p else _OTHERS


@kernel
def _expected(s, p, coming, t, known):
    n = entries(s, p, coming, t)
    total = np.float64(both.lead(s, p))
    for k in range(n):
        total += known[t.places[k]]
    return total


@kernel
def entries(s, p, coming, t):
    """Write the places in the tables that a position is described by; tell how many.

    `coming` is what comes next for the seat; if it is a tile, that is not looked at yet.
    """
    hidden = _ALL_TILES & ~s.open
    for q in range(s.players):
        hidden &= ~s.rows[q]
    if s.phase == TILE:
        hidden &= ~bit(s.tile)
    left = popcount(hidden)
    time = coming * _TIMES + min((left + 4) // 5, _TIMES - 1)
    season = 0 if left < 6 else 1 if left < 18 else 2 if left < 36 else 3
    following = p + 1 if p + 1 < s.players else 0
    n = 0
    wishes = 0
    for distance in range(s.players):
        q = (p + distance) % s.players
        if distance > 0:
            wishes = max(wishes, stones.wishing_stones(s, q))
        for c in range(COLOURS):
            shift = NUMBERS * c
            down = hidden >> shift & _ROW
            face_up = s.open >> shift & _ROW
            top = s.top[q, c]
            length = min(popcount(s.rows[q] >> shift & _ROW), _LENGTHS - 1)
            if top < 0:
                few = popcount(face_up)
                fitting = popcount(down)
            else:
                direction = s.direction[q, c]
                rising = _FITS[top, 2] if direction >= 0 else 0
                falling = _FITS[top, 0] if direction <= 0 else 0
                few = popcount(face_up & rising)
                fitting = popcount(down & rising)
                below = popcount(down & falling)
                if direction == 0 and distance == 0:
                    either = (season * _FITTING + fitting) * _FITTING + below
                    any_open = 1 if face_up & (rising | falling) else 0
                    t.places[n] = _BOTH_WAYS + either * 2 + any_open
                    n += 1
                if fitting + few < below + popcount(face_up & falling):
                    few = popcount(face_up & falling)
                    fitting = below
            row = (time * _LENGTHS + length) * _FITTING + fitting
            rows = _OWN_ROW if distance == 0 else _NEXT_ROW if distance == 1 else _OTHER_ROW
            t.places[n] = rows + row * _FEW + min(few, _FEW - 1)
            n += 1
            if distance == 0:
                longer = popcount(s.rows[following] >> shift & _ROW)
                own = min(popcount(down & s.fits[p] >> shift), _SOME - 1)
                rival = min(popcount(down & s.fits[following] >> shift), _SOME - 1)
                pair = ((season * _LENGTHS + length) * _SOME + own) * _LENGTHS
                t.places[n] = _RIVALS + (pair + min(longer, _LENGTHS - 1)) * _SOME + rival
                n += 1
            if distance <= 1:
                fit = down & s.fits[q] >> shift
                symbols = ((coming * _SEASONS + season) * _LENGTHS + length) * 3
                symbols = (symbols + popcount(fit & _CLOVERS >> shift)) * 3
                symbols = (symbols + popcount(fit & _WISHING_STONES >> shift)) * 2
                whose = _OWN_SYMBOLS if distance == 0 else _NEXT_SYMBOLS
                t.places[n] = whose + symbols + (1 if fit & _THREE_POINTS >> shift else 0)
                n += 1
    wishes = min(wishes, _WISHES - 1)
    own_wishes = min(stones.wishing_stones(s, p), _WISHES - 1)
    wishing = (min((left + 4) // 5, _TIMES - 1) * _WISHES + own_wishes) * _WISHES + wishes
    free = popcount((hidden | s.open) & _WISHING_STONES)
    t.places[n] = _WISHING + wishing * _FREE + free
    own_fits = s.open & s.fits[p]
    fits = s.open & s.fits[following]
    clovers = (time * _FEW + min(popcount(own_fits & _CLOVERS), 3)) * _FEW
    t.places[n + 1] = _OPEN_CLOVERS + clovers + min(popcount(fits & _CLOVERS), 3)
    rich = _WISHING_STONES | _THREE_POINTS
    riches = ((coming * _SEASONS + season) * _FEW + min(popcount(own_fits & rich), 3)) * _FEW
    t.places[n + 2] = _OPEN_RICHES + riches + min(popcount(fits & rich), 3)
    tiles = (time * _SOME + min(popcount(own_fits), _SOME - 1)) * _SOME
    t.places[n + 3] = _OPEN_TILES + tiles + min(popcount(fits), _SOME - 1)
    return n + 4
