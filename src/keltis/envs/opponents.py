"""The bots that play inside the compiled code."""

import numpy as np
from numpy.typing import NDArray

from keltis.bots import board_policy, stones_policy
from keltis.envs.kernels.vector import EXTERNAL, HEURISTIC, RANDOM

NAMES = ("random", "heuristic")


def opponent(
    game: str, players: int, name: str | None, *, shrunken: bool
) -> tuple[int, NDArray[np.float64]]:
    """The kernels' number of a bot, and its weights."""
    weights = weights_of(game, players)
    if name is None:
        return EXTERNAL, weights
    if name == "random":
        return RANDOM, weights
    if name == "heuristic":
        if shrunken:
            raise ValueError('opponents: "heuristic" knows only the full game; take "random"')
        return HEURISTIC, weights
    raise ValueError(f"opponents: expected None or one of {', '.join(NAMES)}, not {name!r}")


def weights_of(game: str, players: int) -> NDArray[np.float64]:
    """The weights with which the heuristic plays."""
    policy = board_policy if game == "board" else stones_policy
    return np.array(list(policy.WEIGHTS.values()), np.float64)
