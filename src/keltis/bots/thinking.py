"""What the bots that think share: a position made from a view, and the tuned weights."""

from __future__ import annotations

import functools
import json
from importlib import resources
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis.bots import board_policy, stones_policy
from keltis.game.kinds import Kind, kind
from keltis.game.resample import state_from_view

if TYPE_CHECKING:
    from keltis.game.setups import States

_POLICIES = {"board": board_policy, "stones": stones_policy}
_FAR = {  # the weights that look beyond the own hand and rows
    "board": ("unseen", "ahead", "gift", "gift_later", "deny", "hurry", "goal_hurry"),
    "stones": ("next_tile", "open_tile", "gift", "gift_later", "deny", "hurry"),
}

Weights = np.ndarray[Any, np.dtype[np.float64]]


class Position(NamedTuple):
    """A decision as the bots' kernels take it."""

    kind: Kind
    states: States  # one that agrees with the view; what is hidden in it is made up
    weights: Weights


def position(view: dict[str, Any], sight: float = 1.0) -> Position:
    """The decision that a view asks for."""
    game = view["game"]
    return Position(kind(game), state_from_view(view), weights(game, len(view["players"]), sight))


def choice(values: NDArray[np.float64], temperature: float, random: Random) -> int:
    """The place of the best value, of equals the first; or, with a temperature, of a near one.

    That is how people slip: the smaller the difference, the likelier.
    """
    best = int(np.argmax(values))
    if temperature <= 0:
        return best
    odds = np.exp((values - values[best]) / temperature)
    return random.choices(range(len(values)), odds.tolist())[0]


@functools.cache
def weights(game: str, players: int, sight: float = 1.0) -> Weights:
    """The heuristic's weights for a game and a number of players.

    A `sight` below 1 takes away from those that look beyond the own hand and rows.
    """
    file = resources.files("keltis.bots") / "weights" / f"{game}-{players}.json"
    tuned: dict[str, float] = json.loads(file.read_text())["weights"]
    far = _FAR[game]
    return np.array(
        [tuned[name] * (sight if name in far else 1.0) for name in _POLICIES[game].WEIGHTS]
    )
