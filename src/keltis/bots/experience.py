"""What games have taught, for the search: what others hold, and where positions lead.

In the board game hands are hidden, and `board_experience` knows which are likely. In the tile game
nothing is, and `stones_experience` knows what positions lead to. Both are learned by
`tools/learn.py`.
"""

import functools
from importlib import resources

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from keltis.bots import board_experience, stones_experience
from keltis.bots.policy import best_action
from keltis.rules import both, stones


@functools.cache
def experience(game: str, players: int) -> NDArray[np.float32]:
    """What has been learned of a game with so many players; it must not be written to."""
    file = resources.files("keltis.bots") / "weights" / f"experience-{game}-{players}.npz"
    with file.open("rb") as stream, np.load(stream) as stored:
        return stored["table"].astype(np.float32)


def deal(world, seat, t, known):
    """Deal anew what a seat does not know, the likely more often than the unlikely."""
    both.reshuffle(world, seat)
    if both.rules_of(world) is not stones:
        board_experience.believe(world, seat, t, known)


def follow(states, i, t, known):
    """What the seat to decide in states[i] does in a rollout; states[i + 1] is overwritten."""
    if both.rules_of(states) is stones:
        return stones_experience.follow(states, i, t, known)
    return best_action(states[i], t)


@overload(deal, inline="always")
def _deal(world, seat, t, known):
    if both.rules_of(world) is stones:
        return lambda world, seat, t, known: both.reshuffle(world, seat)

    def deal_and_believe(world, seat, t, known):
        both.reshuffle(world, seat)
        board_experience.believe(world, seat, t, known)

    return deal_and_believe


@overload(follow, inline="always")
def _follow(states, i, t, known):
    if both.rules_of(states.dtype) is stones:
        return lambda states, i, t, known: stones_experience.follow(states, i, t, known)
    return lambda states, i, t, known: best_action(states[i], t)
