"""Tensors and masks of the board game; `keltis.game.layout` names and explains their parts."""

import numpy as np

from keltis.game.kernels.tensors import (
    one_hot,
    remembered,
    spread,
    spread_few,
    spread_twice,
    store,
)
from keltis.rules.board import (
    ACTIONS,
    CLOVER_MUST,
    CLOVER_TILE,
    COLOURS,
    DECK,
    DISCARD,
    DRAW,
    END_STONE_MAY,
    FIGURE,
    NUMBERS,
    OVER,
    OWN_DISCARD,
    STEP,
    STONES,
    WISHING_STONE,
    legal,
    score,
)
from keltis.rules.kernel import bit, kernel, popcount

_PHASES = OVER + 1
_PILE = 2 * NUMBERS
_POINTS, _CLOVERS, _WISHES = 0, COLOURS * STONES, 2 * COLOURS * STONES


@kernel
def write_mask(s, out, at):
    """Write which actions are legal."""
    lay, discard, other = legal(s)
    spread(out, at, lay)
    spread(out, at + DISCARD, discard)
    if other == 0:
        store(out, at + STEP, 0)
        store(out, at + STEP + 8, 0)
        out[at + ACTIONS - 1] = 0
    else:
        spread_few(out, at + STEP, other, ACTIONS - STEP)


@kernel
def write_observation(s, viewer, out, at):
    """Write what a seat sees; tell where that ends."""
    n = np.int64(s.players)
    viewer = np.int64(viewer)
    at = spread_twice(out, at, s.held[viewer], s.twice[viewer])
    for k in range(n):
        p = _seat(viewer + k, n)
        at = spread_twice(out, at, s.laid[p], s.laid_twice[p])
    for k in range(n):
        at = spread(out, at, s.fits[_seat(viewer + k, n)])
    for k in range(n):
        p = _seat(viewer + k, n)
        for c in range(COLOURS):
            out[at + c] = s.direction[p, c]
        at += COLOURS
    for k in range(n * COLOURS * (STONES + 1)):
        out[at + k] = 0
    for k in range(n):
        p = _seat(viewer + k, n)
        for c in range(COLOURS):
            stone = np.int64(s.stone[p, c])
            if stone <= STONES:
                out[at + stone] = 1
            at += STONES + 1
    for k in range(n):
        at = one_hot(out, at, COLOURS, s.large[_seat(viewer + k, n)])
    for k in range(n):
        p = _seat(viewer + k, n)
        out[at + k] = s.small[p]
        out[at + n + k] = popcount(s.held[p]) + popcount(s.twice[p])
        out[at + 2 * n + k] = s.wishing[p]
        out[at + 3 * n + k] = s.points[p]
        out[at + 4 * n + k] = score(s, p)
    at += 5 * n
    for c in range(COLOURS):
        for k in range(STONES):
            tile = s.tile[c, k + 1]
            out[at + _POINTS + k] = tile if tile < CLOVER_TILE else 0
            out[at + _CLOVERS + k] = tile == CLOVER_TILE
            out[at + _WISHES + k] = tile == WISHING_STONE
        at += STONES
    at += 2 * COLOURS * STONES
    tops = np.int64(0)
    for c in range(COLOURS):
        if s.pile_size[c] > 0:
            tops |= bit(s.pile[c, s.pile_size[c] - 1])
    at = spread(out, at, tops)
    for c in range(COLOURS):
        out[at + c] = s.pile_size[c]
    at += COLOURS
    out[at] = DECK - s.next
    out[at + 1] = s.goal
    at = one_hot(out, at + 2, _PHASES, s.phase)
    at = one_hot(out, at, COLOURS, s.path if s.phase == FIGURE else -1)
    at = one_hot(out, at, COLOURS, s.closed if s.phase == DRAW else -1)
    mover = np.int64(-1)
    if s.phase != OVER:
        mover = np.int64(s.seat) - viewer
        mover = mover + n if mover < 0 else mover
    at = one_hot(out, at, n, mover)
    out[at] = s.options & END_STONE_MAY != 0
    out[at + 1] = s.options & CLOVER_MUST != 0
    out[at + 2] = s.options & OWN_DISCARD != 0
    return at + 3


@kernel
def write_information(s, viewer, out, at, history, i, count):
    """Write all that a seat could remember; tell where that ends."""
    n = np.int64(s.players)
    viewer = np.int64(viewer)
    at = write_observation(s, viewer, out, at)
    for k in range(n):
        p = _seat(viewer + k, n)
        at = spread_twice(out, at, s.known[p], s.known_twice[p])
    for k in range(NUMBERS * COLOURS):
        out[at + k] = 0
    for p in range(n):
        if p != viewer:
            _count(out, at, s.held[p] & ~s.known[p])
            _count(out, at, s.twice[p] & ~s.known_twice[p])
    for place in range(s.removed_from, s.drawn_from):
        out[at + np.int64(s.deck[place])] += 1
    for place in range(s.next, DECK):
        out[at + np.int64(s.deck[place])] += 1
    at += NUMBERS * COLOURS
    for c in range(COLOURS):
        for k in range(_PILE):
            out[at + k] = s.pile[c, k] - NUMBERS * c + 1 if k < s.pile_size[c] else 0
        at += _PILE
    return remembered(out, at, viewer, n, history, i, count)


@kernel
def _seat(p, n):
    return p - n if p >= n else p


@kernel
def _count(out, at, cards):
    for card in range(NUMBERS * COLOURS):
        out[at + card] += (cards >> card) & 1
