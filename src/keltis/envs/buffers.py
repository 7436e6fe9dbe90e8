"""The arrays that a vector environment writes to, and games that it saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(repr=False, eq=False)
class Buffers:
    """The arrays that `reset` and `step` write, a row a game. None is not written.

    Those made by `Vector.buffers` begin at multiples of 64 bytes, so that JAX and others can take
    them over without a copy.
    """

    observations: NDArray[np.int8] | None  # of the seat that is to decide
    masks: NDArray[np.int8] | None  # its legal actions
    informations: NDArray[np.int8] | None  # all that it could remember
    finals: NDArray[np.int8] | None  # last observations of games that ended in this step
    rewards: NDArray[np.float32]  # by seat; 0 but for games that ended in this step
    scores: NDArray[np.int16]  # by seat; written for games that ended in this step
    seats: NDArray[np.int8]  # who is to decide
    ends: NDArray[np.int8]  # RUNNING, ENDED, CUT_OFF or ILLEGAL
    deals: NDArray[np.uint64]  # the seed of the deal that the step was played with

    def __repr__(self) -> str:
        arrays = ", ".join(
            f"{name} {array.dtype}{list(array.shape)}"
            for name, array in vars(self).items()
            if array is not None
        )
        return f"<{type(self).__name__} {arrays}>"


class SeenBuffers(Buffers):
    """Buffers with observations and masks, as most want them."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]


class InformedBuffers(SeenBuffers):
    """The same with information states."""

    informations: NDArray[np.int8]


@dataclass(frozen=True, repr=False, eq=False)
class Saved:
    """Games as they stood, and all that decides how they go on; made by `Vector.save`."""

    game: str
    players: int
    states: NDArray[Any]  # a record of the rules for each
    slots: NDArray[Any]  # its random numbers, its seat, how many decisions were taken
    history: NDArray[np.int8]  # what its information states remember

    def __len__(self) -> int:
        return len(self.states)

    def __eq__(self, other: object) -> bool:
        """Whether the same games are saved, which will go on alike."""
        if not isinstance(other, Saved):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[str, int, bytes, bytes, bytes]:
        arrays = self.states.tobytes(), self.slots.tobytes(), self.history.tobytes()
        return (self.game, self.players, *arrays)

    def __repr__(self) -> str:
        return f"<Saved {len(self)} games of {self.game}, {self.players} players>"
