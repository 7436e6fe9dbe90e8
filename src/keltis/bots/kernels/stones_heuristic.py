"""What each decision of the tile game is worth to the seat that has to make it.

Compiled: it is the `heuristic` bot, and how the others play in the search's rollouts. All but the
order of the face-down tiles is public, and that is never read.

As in `board_heuristic`, a row is worth what it will count at the length that it will reach: what it
has, what lies open and fits, and a share of the face-down tiles that fit. The weights are tuned
by self-play (`tools/tune.py`).
"""

import numpy as np

from keltis.rules import both, stones
from keltis.rules.kernel import bit, inlined, kernel, lowest, popcount
from keltis.rules.stones import (
    COLOURS,
    DECLINE,
    NUMBERS,
    ROWS,
    TAKE,
    TILE,
    TILES,
    TURN,
    TURN_OVER,
)

# The weights, by name, with the values from which tuning began.
WEIGHTS = {
    "row_1": -4.0,  # what a row is worth that will end with this length
    "row_2": -3.0,
    "row_3": 2.0,
    "row_4": 3.5,
    "row_5": 6.0,
    "row_6": 10.0,
    "row_7": 10.2,
    "open_tile": 0.5,  # how much of a tile that lies open and fits will come to the row
    "next_tile": 0.8,  # the same for a face-down tile, times a fair share of them
    "start": -1.0,  # starting a row, besides what it will be worth
    "future": 1.0,  # what a row will be worth against what it is worth now
    "now": 0.3,
    "now_late": 0.3,  # the same, growing as the tiles run out
    "point": 1.0,  # a printed point
    "wish_1": 2.0,  # the first wishing stone, the second, ...
    "wish_2": 4.0,
    "wish_3": 2.0,
    "wish_4": 3.0,
    "wish_5": 3.5,
    "wish_6": 0.1,
    "clover": 2.0,  # another turn
    "gift": 0.5,  # a tile left open that fits the next player's rows
    "gift_later": 0.2,  # or another player's
    "gift_row": 0.3,  # the share that counts of what it adds to a row of theirs
    "gift_symbol": 1.0,  # a symbol on it
    "deny": 0.7,  # the share that counts of keeping a tile from the others
    "turn_over": 1.0,  # what a face-down tile is worth, at the start of the game
    "turn_over_late": 0.5,  # and at its end
    "hurry": 0.05,  # turning one over, per point of lead
}
(
    _ROW_1, _ROW_2, _ROW_3, _ROW_4, _ROW_5, _ROW_6, _ROW_7,
    _OPEN_TILE, _NEXT_TILE, _START, _FUTURE, _NOW, _NOW_LATE, _POINT,
    _WISH_1, _WISH_2, _WISH_3, _WISH_4, _WISH_5, _WISH_6, _CLOVER,
    _GIFT, _GIFT_LATER, _GIFT_ROW, _GIFT_SYMBOL, _DENY,
    _TURN_OVER, _TURN_OVER_LATE, _HURRY,
) = range(len(WEIGHTS))  # fmt: skip
_ROW_0 = _ROW_1 - 1
_LONGEST = 7  # lengths are told apart up to here
_MOST_WISHES = 5  # wishing stones that have a weight of their own; one more counts as the sixth
_LAST_ROW = len(ROWS) - 1  # the length from which a row scores no more

_ROW = (1 << NUMBERS) - 1
_ALL_TILES = (1 << TILES) - 1
_FITS = stones.FITS
_COLOUR = stones._COLOUR
_CLOVERS = stones._CLOVERS
_WISHING_STONES = stones._WISHING_STONES
_ONE_POINT = stones._ONE_POINT
_THREE_POINTS = stones._THREE_POINTS


@inlined
def tiles_unseen(s):
    """The tiles that are still face down."""
    hidden = _ALL_TILES & ~s.open
    for q in range(s.players):
        hidden &= ~s.rows[q]
    return hidden & ~bit(s.tile) if s.phase == TILE else hidden


@kernel
def evaluate(s, h, sparing):
    """Write the legal actions and what each is worth; return how many there are.

    It is always all of them; `sparing` is for the other game.
    """
    p = s.seat
    mask = stones.legal(s) & _ALL_TILES
    if mask == 0:
        h.actions[0] = TURN_OVER if s.phase == TURN else DECLINE
        h.values[0] = 0.0
        return 1
    hidden = tiles_unseen(s)
    share = h.weights[_NEXT_TILE] / s.players
    left = popcount(hidden) / TILES
    now = h.weights[_NOW] + h.weights[_NOW_LATE] * (1.0 - left)
    wish = h.weights[_WISH_1 + min(stones.wishing_stones(s, p), _MOST_WISHES)]
    n = 0
    for c in range(COLOURS):
        shift = NUMBERS * c
        numbers = mask >> shift & _ROW
        if numbers == 0:
            continue
        length = popcount(s.rows[p] >> shift & _ROW)
        top = s.top[p, c]
        before = _worth(h, length, top, s.direction[p, c], s.open >> shift, hidden >> shift, share)
        if length == 0:
            before = max(0.0, before + h.weights[_START])
        gain = now * _gain(length)
        while numbers:
            number = lowest(numbers)
            numbers &= numbers - 1
            b = bit(shift + number)
            direction = 0 if top < 0 else 1 if number > top else -1
            face_up = (s.open & ~b) >> shift
            after = _worth(h, length + 1, number, direction, face_up, hidden >> shift, share)
            if length == 0:
                after += h.weights[_START]
            value = h.weights[_FUTURE] * (after - before) + gain
            if b & _WISHING_STONES:
                value += wish
            elif b & _CLOVERS:
                value += h.weights[_CLOVER]
            elif b & _ONE_POINT:
                value += h.weights[_POINT]
            elif b & _THREE_POINTS:
                value += 3 * h.weights[_POINT]
            if s.phase != TILE:
                value += h.weights[_DENY] * _gift(s, h, c, b)
            h.actions[n] = TAKE + shift + number
            h.values[n] = value
            n += 1
    if s.phase == TURN:
        h.actions[n] = TURN_OVER
        h.values[n] = (
            h.weights[_TURN_OVER] * left
            + h.weights[_TURN_OVER_LATE] * (1 - left)
            + h.weights[_HURRY] * both.lead(s, s.seat)
        )
    else:
        h.actions[n] = DECLINE
        h.values[n] = -_gift(s, h, _COLOUR[s.tile], bit(s.tile)) if s.phase == TILE else 0.0
    return n + 1


@inlined
def _gain(length):
    """What one more tile adds to the score of a row."""
    return ROWS[min(length + 1, _LAST_ROW)] - ROWS[min(length, _LAST_ROW)]


@inlined
def _worth(h, length, top, direction, face_up, hidden, share):
    """What a row will be worth, when it is as given; the tiles are those of its colour."""
    if top < 0:
        return _at(h, length + _come(h, _ROW, face_up, hidden, share))
    up = down = 0.0
    if direction >= 0:
        up = _come(h, _FITS[top, 2], face_up, hidden, share)
    if direction <= 0:
        down = _come(h, _FITS[top, 0], face_up, hidden, share)
    return _at(h, length + max(up, down))


@inlined
def _come(h, fits, face_up, hidden, share):
    """How many of the tiles that fit will come."""
    return h.weights[_OPEN_TILE] * popcount(face_up & fits) + share * popcount(hidden & fits)


@inlined
def _at(h, length):
    """What a row is worth that will have a length, or one between two."""
    if length >= _LONGEST:
        return h.weights[_ROW_7]
    below = int(length)
    part = length - below
    low = h.weights[_ROW_0 + below] if below else 0.0
    return low + part * (h.weights[_ROW_0 + below + 1] - low)


@inlined
def _gift(s, h, c, b):
    """What an open tile of a colour is worth to those who come next."""
    symbol = h.weights[_GIFT_SYMBOL] if b & (_WISHING_STONES | _CLOVERS | _THREE_POINTS) else 0.0
    worth = 0.0
    weight = h.weights[_GIFT]
    q = np.int64(s.seat)
    for _ in range(s.players - 1):
        q = q + 1 if q + 1 < s.players else 0
        if s.fits[q] & b and s.top[q, c] >= 0:
            length = popcount(s.rows[q] >> (NUMBERS * c) & _ROW)
            worth += weight * (1.0 + h.weights[_GIFT_ROW] * _gain(length) + symbol)
        weight = h.weights[_GIFT_LATER]
    return worth
