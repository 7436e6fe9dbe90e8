"""What a position is worth to the seat that is to decide, by the value network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from keltis.bots.asked import check_whole_view
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.kernels.value_network import POINT_WORTH, weigh
from keltis.bots.position import position
from keltis.bots.weights import heuristic_weights, network_weights
from keltis.game.tokens import CUT_OFF

if TYPE_CHECKING:
    from keltis.game.kinds import Kind
    from keltis.game.setups import States


class Evaluation(NamedTuple):
    """What a seat may expect of a game."""

    wins: float  # the chance to win, from 0 to 1; a shared win counts its share
    lead: float  # points more at the end than the best of the others


class Weighed(NamedTuple):
    """A move, and what a seat may expect if it plays it."""

    move: str
    worth: float  # what the network goes by: the chance to win, and a little for the lead
    evaluation: Evaluation


def evaluate(view: Mapping[str, Any]) -> Evaluation:
    """The chance to win and the lead to expect for the view's seat, if it plays on well.

    It is the value network's opinion, without a search, in about a millisecond; of a game that is
    over it is what came of it. Raises ValueError for a spectator's view, for one whose seat is not
    to decide, and for a game that was cut off.
    """
    check_whole_view(view)
    you, result = view["you"], view["result"]
    if you is None:
        raise ValueError("view: a spectator's; a value is a seat's own")
    if result is None:
        return max(weighed(view), key=lambda one: one.worth).evaluation
    if result["reason"] == CUT_OFF:
        raise ValueError("view: the game was cut off, so nobody won")
    won, scores = result["winners"], result["scores"]
    others = max(score for seat, score in enumerate(scores) if seat != you)
    return Evaluation(1 / len(won) if you in won else 0.0, float(scores[you] - others))


def weighed(view: Mapping[str, Any]) -> list[Weighed]:
    """All moves of the seat that is to decide, as the value network judges them."""
    return weighed_state(*position(view))


def weighed_state(kind: Kind, players: int, states: States) -> list[Weighed]:
    """The same for the seat that is to decide in a state; what is hidden from it plays no part."""
    h = heuristic_scratch(heuristic_weights(kind.name, players))
    net = network_scratch()
    count = weigh(np.repeat(states, 2), h, net, network_weights(kind.name, players))
    columns = (net[0][name][:count].tolist() for name in ("actions", "values", "leads"))
    return [
        Weighed(kind.tokens[action], worth, Evaluation(worth - POINT_WORTH * lead, lead))
        for action, worth, lead in zip(*columns, strict=True)
    ]
