"""Keltis and Keltis: Der Weg der Steine, to play, study and research.

    import keltis

    game = keltis.new_game("board", players=3, seed=7)
    while not game.is_over:
        game.play(game.legal_moves()[0])
    game.scores()

A game begins with `new_game`, `load` (a record), `position` (a line of text) or `resample` (what a
seat leaves open). A move is a token such as "R7"; one that is not legal raises `IllegalMove`, says
why, and changes nothing. `game.view(seat)` is what a seat may know, and all that a bot gets.

    keltis.bots      bots by name, and what a position is worth
    keltis.arena     bots against bots
    keltis.envs      many games at once, PettingZoo, Gymnasium, OpenSpiel
    keltis.reviews   what decisions were worth, and what luck brought

Importing this package loads nothing else. What a name stands for is loaded when it is first used,
and numpy with the first game.
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from keltis import arena as arena
    from keltis import bots as bots
    from keltis import envs as envs
    from keltis import reviews as reviews
    from keltis.game.errors import IllegalMove, PositionError, RecordError
    from keltis.game.game import DECISION_CAP, Game, load, new_game, position
    from keltis.game.picture import Picture, show
    from keltis.game.resample import resample
    from keltis.game.types import PublicView, Record, View
    from keltis.reviews import Review

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

_PACKAGES = ("arena", "bots", "envs", "reviews")
_MODULES = {
    "keltis.game.errors": ("IllegalMove", "PositionError", "RecordError"),
    "keltis.game.game": ("DECISION_CAP", "Game", "load", "new_game", "position"),
    "keltis.game.picture": ("Picture", "show"),
    "keltis.game.resample": ("resample",),
    "keltis.game.types": ("PublicView", "Record", "View"),
}


if not TYPE_CHECKING:  # whose checks would take every name for one of ours

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _PACKAGES:
            return import_module(f"keltis.{name}")
        for module, names in _MODULES.items():
            if name in names:
                globals()[name] = found = getattr(import_module(module), name)
                return found
        raise AttributeError(f"module 'keltis' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_PACKAGES})


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
