"""What a seat sees and may do, as numbers; `layout.py` says what stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keltis.game import layout
from keltis.game.kernels import either

if TYPE_CHECKING:
    from keltis.game.kinds import Kind
    from keltis.game.setups import States


def observation(kind: Kind, states: States, seat: int) -> NDArray[np.int8]:
    """What a seat sees now."""
    out = np.zeros(layout.observation(kind.name, states["players"].item()).size, np.int8)
    either.observe(states, 0, seat, out)
    return out


def mask(
    kind: Kind, states: States, seat: int | None = None, *, over: bool = False
) -> NDArray[np.int8]:
    """Which actions are legal for a seat, or for the one whose decision it is."""
    out = np.zeros(len(kind.tokens), np.int8)
    if not over:
        either.mask(states, 0, kind.seat(states) if seat is None else seat, out)
    return out
