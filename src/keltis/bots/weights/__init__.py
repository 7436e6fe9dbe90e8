"""The weights that the bots play by: files beside this one, for each game and number of players.

Those of the heuristic are tuned by `tools/tune.py`, those of the value network are trained by
`tools/train_network.py`; the logs are in `tools/logs`.
"""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.bots.kernels import board_heuristic, stones_heuristic

_NAMES = {"board": list(board_heuristic.WEIGHTS), "stones": list(stones_heuristic.WEIGHTS)}
_FAR = {  # the heuristic's weights that look beyond the own hand and rows
    "board": ("unseen", "ahead", "gift", "gift_later", "deny", "hurry", "goal_hurry"),
    "stones": ("next_tile", "open_tile", "gift", "gift_later", "deny", "hurry"),
}


@functools.cache
def heuristic_weights(
    game: str, players: int, sight: float = 1.0
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The heuristic's weights.

    A `sight` below 1 takes away from those that look beyond the own hand and rows.
    """
    file = resources.files(__name__) / f"heuristic-{game}-{players}.json"
    tuned: dict[str, float] = json.loads(file.read_text())["weights"]
    far = _FAR[game]
    return np.array([tuned[name] * (sight if name in far else 1.0) for name in _NAMES[game]])


@functools.cache
def network_weights(game: str, players: int) -> NDArray[np.float32]:
    """The weights of the value network, one member of the ensemble after the other.

    They must not be written to.
    """
    file = resources.files(__name__) / f"value-{game}-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        weights: NDArray[np.float32] = stored["network"].astype(np.float32).ravel()
    return weights
