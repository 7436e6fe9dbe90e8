"""From a view to what the kernels take: a position that agrees with it, or many likely ones."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis.bots.asked import asked
from keltis.bots.kernels.belief import BELIEF, DECISION, STEPS, recall, walk
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.weights import heuristic_weights
from keltis.game.kinds import Kind, kind
from keltis.game.resample import past_from_view, state_from_view

if TYPE_CHECKING:
    from keltis.game.setups import States

DEALS = 128  # that a search looks at, if it has the time to
_AT_ONCE = 8  # deals that are found between two looks at the clock
_FIRST_STEPS = 2_000  # of the walk before the first deal, which begins anywhere
_HASTE = 500  # of these, between two looks at the clock
_SHARE = 0.25  # of the time for a decision: what guessing the hands may take


class Position(NamedTuple):
    """A decision as the bots' kernels take it."""

    kind: Kind
    players: int
    states: States  # one that agrees with the view; what is hidden in it is made up


def position(view: Mapping[str, Any]) -> Position:
    """The decision that a view asks for; raises ValueError if it asks for none."""
    asked(view)
    return Position(kind(view["game"]), len(view["players"]), state_from_view(view))


def likely_deals(
    view: Mapping[str, Any], seed: int, deadline: float = math.inf, most: int = DEALS
) -> States:
    """Positions that agree with a view, so many at most; they differ in the hands of the others.

    The same seed gives the same ones, unless the time up to the deadline is too short for all.
    """
    if view["game"] != "board":
        return state_from_view(view)
    now = time.monotonic()
    until = now + _SHARE * (deadline - now)
    start, actions = past_from_view(view, seed)
    past = np.zeros(len(actions) + 1, start.dtype)  # what the others decided, and the present
    past[0] = start[0]
    decisions = np.zeros(len(past), DECISION)
    belief = np.zeros(1, BELIEF)
    h = heuristic_scratch(heuristic_weights("board", len(view["players"])))
    recall(past, decisions, belief, h, np.array(actions, np.int64), view["you"])
    past["rng"][-1] = seed
    deals = np.zeros(most, start.dtype)
    first = _FIRST_STEPS
    while deadline < math.inf and first > _HASTE:
        walk(past, decisions, belief, h, _HASTE, deals[:1])
        first -= _HASTE
        if time.monotonic() > until:
            return deals[:1]
    for k in range(0, most, _AT_ONCE):
        walk(past, decisions, belief, h, first, deals[k : k + _AT_ONCE])
        first = STEPS
        if time.monotonic() > until:
            return deals[: k + _AT_ONCE]
    return deals


def choice(values: NDArray[np.float64], temperature: float, random: Random) -> int:
    """The place of the best value, of equals the first; or, with a temperature, of a near one.

    That is how people slip: the smaller the difference, the likelier.
    """
    best = int(np.argmax(values))
    if temperature <= 0:
        return best
    odds = np.exp((values - values[best]) / temperature)
    return random.choices(range(len(values)), odds.tolist())[0]
