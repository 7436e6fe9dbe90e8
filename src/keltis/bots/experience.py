"""How a seat plays on in its own rollouts: the heuristic, and what games have taught besides.

It is taught for the tile game, see `stones_experience`; in the board game it is the heuristic
alone.
"""

import functools
from importlib import resources

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from keltis.bots import stones_experience
from keltis.bots.policy import best_action
from keltis.rules import both, stones


@functools.cache
def experience(game: str, players: int) -> NDArray[np.float32]:
    """What has been learned of a game with so many players; it must not be written to."""
    if game == "board":
        return np.zeros(0, np.float32)
    file = resources.files("keltis.bots") / "weights" / f"experience-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        return stored["table"].astype(np.float32)


def follow(states, i, t, known):
    """What the seat to decide in states[i] does; states[i + 1] is overwritten."""
    if both.rules_of(states) is stones:
        return stones_experience.follow(states, i, t, known)
    return best_action(states[i], t)


@overload(follow, inline="always")
def _follow(states, i, t, known):
    if both.rules_of(states.dtype) is stones:
        return lambda states, i, t, known: stones_experience.follow(states, i, t, known)
    return lambda states, i, t, known: best_action(states[i], t)
