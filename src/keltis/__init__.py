"""Keltis and Keltis: Der Weg der Steine, to play, study and research.

    import keltis

    game = keltis.new_game("board", players=3, seed=7)
    while not game.is_over:
        game.play(game.legal_moves()[0])
    game.scores()

Importing this package loads neither numpy nor numba: the first game does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keltis.game.errors import IllegalMove, PositionError, RecordError
from keltis.game.game import DECISION_CAP, Game, load, new_game, position
from keltis.game.picture import Picture, show
from keltis.game.resample import resample
from keltis.game.types import PublicView, Record, View

__version__ = "0.2.0"

__all__ = [
    "DECISION_CAP",
    "Game",
    "IllegalMove",
    "Picture",
    "PositionError",
    "PublicView",
    "Record",
    "RecordError",
    "View",
    "__version__",
    "load",
    "new_game",
    "position",
    "resample",
    "review",
    "show",
]

if TYPE_CHECKING:
    from keltis.reviews import Review


def review(
    record: object, *, seed: int = 0, budget: int | None = None, seat: int | None = None
) -> Review:
    """What each decision of a game was worth, and what luck brought; docs/review.md has the method.

    Takes what `load` takes, or a game. `budget` is how many rollouts the search may spend on each
    seat, or with a `seat` on that one; with 0 the value network alone judges, in a fraction of a
    second. The same record, version and seed give the same review. A faulty record raises
    `RecordError`.
    """
    from keltis import reviews

    most = reviews.DEFAULT_BUDGET if budget is None else budget
    return reviews.review(record, seed=seed, budget=most, seat=seat)
