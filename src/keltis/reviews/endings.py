"""What two moves come to by the end of the game, played on in the same worlds.

A loss is one number. Where it comes from is seen in the scores at the end: in which path or row, in
wishing stones, in what another seat makes of it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis.bots.position import likely_deals
from keltis.bots.search import ROLLOUT_SETTINGS, PlanSearch
from keltis.game.game import Game
from keltis.game.tokens import COLOURS
from keltis.reviews.document import Purpose, Review, world_seed
from keltis.rules import board, stones

WORLDS = 200
_CHUNK = 10  # worlds between two looks up
_LAST = 100  # turns after which a game is left that goes round in circles
_SURE = 3.0  # standard errors
_LEAST = 0.5  # points, for a difference to be told
_MOST = 2  # gains that are told

WISHES, TILES, OTHER = "wishes", "tiles", "other"

View = Mapping[str, Any]


class Source(NamedTuple):
    """Where a better move has its points from, and how many, with the standard error.

    Below zero it is what that move costs elsewhere.
    """

    what: str  # a colour, WISHES or TILES; or OTHER, whom it keeps from having them
    seat: int
    points: float
    error: float


def points_of(view: View, seat: int) -> list[int]:
    """Where a seat has its points from: each colour, wishing stones, and what tiles bore."""
    if view["game"] == "board":
        large = view["large"][seat]
        colours = [
            int(board.VALUES[view["figures"][seat][colour]]) * (2 if colour == large else 1)
            for colour in COLOURS
        ]
        wishes = board.WISHES
    else:
        longest = len(stones.ROWS) - 1
        colours = [
            int(stones.ROWS[min(len(view["rows"][seat][colour]), longest)]) for colour in COLOURS
        ]
        wishes = stones.WISHES
    wished = int(wishes[min(view["wishing_stones"][seat], len(wishes) - 1)])
    return [*colours, wished, view["points"][seat]]


def sources(
    review: Review, view: View, decision: Mapping[str, Any]
) -> Generator[Review, None, list[Source]]:
    """Where the better move has its points from, the most first, and what it costs most.

    A generator that returns them; nothing if it gains nowhere clearly.
    """
    game, names, you = view["game"], view["players"], view["you"]
    seed = world_seed(review, decision, Purpose.END)
    settings = ROLLOUT_SETTINGS._replace(first=_LAST, last=_LAST)
    moves = [decision["best"], decision["move"]]
    deals = likely_deals(view, seed, most=WORLDS)
    found = PlanSearch(game, deals, seed, settings=settings, plans=moves)
    points = np.zeros((2, WORLDS, len(names), len(COLOURS) + 2), np.int64)
    for world in range(WORLDS):
        for plan in range(2):
            end = Game(found.kind, names, view["options"], found.reached(plan, world)).view(None)
            points[plan, world] = [points_of(end, seat) for seat in range(len(names))]
        if world % _CHUNK == _CHUNK - 1:
            yield review
    gains = points[0] - points[1]
    each = [
        _source(what, you, gains[:, you, k]) for k, what in enumerate((*COLOURS, WISHES, TILES))
    ]
    each += [
        _source(OTHER, seat, -gains[:, seat].sum(axis=1))
        for seat in range(len(names))
        if seat != you
    ]
    clear = [one for one in each if abs(one.points) >= max(_LEAST, _SURE * one.error)]
    clear.sort(key=lambda one: -one.points)
    gains_told = [one for one in clear if one.points > 0][:_MOST]
    return gains_told + [one for one in clear[-1:] if one.points < 0] if gains_told else []


def _source(what: str, seat: int, gains: NDArray[np.int64]) -> Source:
    error = float(gains.std(ddof=1)) / math.sqrt(len(gains))
    return Source(what, seat, float(gains.mean()), error)
