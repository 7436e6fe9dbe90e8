"""What has been learned of either game, under one name; the record's type tells which it is.

On the board that is `experience`, which judges actions; in the tile game `foresight`, which judges
the positions that they lead to.
"""

import functools
from importlib import resources

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from keltis.bots import experience, foresight
from keltis.bots.policy import best_of
from keltis.rules import board, both
from keltis.rules.kernel import kernel

_NETWORKS = {"board": "experience-board", "stones": "foresight-stones"}


@functools.cache
def network(game: str, players: int) -> NDArray[np.float32]:
    """What has been learned of a game with so many players; it must not be written to."""
    file = resources.files("keltis.bots") / "weights" / f"{_NETWORKS[game]}-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        return stored["network"].astype(np.float32)


def judge(states, at, t, known, width):
    """Judge the actions of the seat that decides in states[at]; tell how many were judged.

    What each is worth is the chance to win, in points of which a win has A_WIN. On the board only
    the differences count, and only the `width` actions are judged that the heuristic likes best.
    states[at + 1] may be overwritten.
    """
    if both.rules_of(states[at]) is board:
        return experience.judge(states[at], t, known, width)
    return foresight.judge(states, at, t, known)


@overload(judge, inline="always")
def _judge(states, at, t, known, width):
    if both.rules_of(states.dtype) is board:
        return lambda states, at, t, known, width: experience.judge(states[at], t, known, width)
    return lambda states, at, t, known, width: foresight.judge(states, at, t, known)


@kernel
def judge_at(states, at, room, known, width):
    """The same for callers from Python."""
    return judge(states, at, room[0], known, width)


@kernel
def follow(states, at, t, known):
    """The action that is worth most; of equals the one that comes first."""
    return t.actions[best_of(t, judge(states, at, t, known, experience.WIDTH))]
