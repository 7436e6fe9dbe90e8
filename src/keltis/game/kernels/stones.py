"""Tensors and masks of the tile game; `keltis.game.layout` names and explains their parts."""

import numpy as np

from keltis.game.kernels.tensors import one_hot, remembered, spread, spread_few
from keltis.rules.kernel import bit, kernel, popcount
from keltis.rules.stones import (
    ACTIONS,
    COLOURS,
    DECLINE,
    NUMBERS,
    OVER,
    TILES,
    legal,
    points,
    score,
    wishing_stones,
)

_PHASES = OVER + 1
_ROW = (1 << NUMBERS) - 1


@kernel
def write_mask(s, out, at):
    """Write which actions are legal."""
    actions = legal(s)
    spread(out, at, actions)
    spread_few(out, at + DECLINE, actions >> DECLINE, ACTIONS - DECLINE)


@kernel
def write_observation(s, viewer, out, at):
    """Write what a seat sees; tell where that ends."""
    n = np.int64(s.players)
    viewer = np.int64(viewer)
    for k in range(n):
        at = spread(out, at, s.rows[_seat(viewer + k, n)])
    for k in range(n):
        at = spread(out, at, s.fits[_seat(viewer + k, n)])
    for k in range(n):
        p = _seat(viewer + k, n)
        for c in range(COLOURS):
            out[at + c] = s.direction[p, c]
        at += COLOURS
    for k in range(n):
        p = _seat(viewer + k, n)
        for c in range(COLOURS):
            out[at + c] = popcount((s.rows[p] >> (NUMBERS * c)) & _ROW)
        at += COLOURS
    for k in range(n):
        p = _seat(viewer + k, n)
        out[at + k] = wishing_stones(s, p)
        out[at + n + k] = points(s, p)
        out[at + 2 * n + k] = score(s, p)
    at += 3 * n
    at = spread(out, at, s.open)
    at = spread(out, at, bit(s.tile) if s.tile >= 0 else np.int64(0))
    hidden = np.int64(0)
    for place in range(s.next, TILES):
        hidden |= bit(s.deck[place])
    at = spread(out, at, hidden)
    out[at] = TILES - s.next
    at = one_hot(out, at + 1, _PHASES, s.phase)
    mover = np.int64(-1)
    if s.phase != OVER:
        mover = np.int64(s.seat) - viewer
        mover = mover + n if mover < 0 else mover
    return one_hot(out, at, n, mover)


@kernel
def write_information(s, viewer, out, at, history, i, count):
    """Write all that a seat could remember; tell where that ends."""
    at = write_observation(s, viewer, out, at)
    return remembered(out, at, np.int64(viewer), np.int64(s.players), history, i, count)


@kernel
def _seat(p, n):
    return p - n if p >= n else p
