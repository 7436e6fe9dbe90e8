"""The bots that play inside the compiled code."""

import numpy as np
from numpy.typing import NDArray

from keltis.bots.thinking import weights
from keltis.envs.kernels.vector import EXTERNAL, HEURISTIC, RANDOM

NAMES = ("random", "heuristic")


def opponent(
    game: str, players: int, name: str | None, sight: float, *, shrunken: bool
) -> tuple[int, NDArray[np.float64]]:
    """The kernels' number of a bot, and its weights."""
    if name is None:
        return EXTERNAL, np.zeros(0)
    if name == "random":
        return RANDOM, np.zeros(0)
    if name == "heuristic":
        if shrunken:
            raise ValueError('opponents: "heuristic" knows only the full game; take "random"')
        return HEURISTIC, weights(game, players, sight)
    raise ValueError(f"opponents: expected None or one of {', '.join(NAMES)}, not {name!r}")
