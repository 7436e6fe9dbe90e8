"""Keltis and Keltis: Der Weg der Steine, to play, study and research.

    import keltis

    game = keltis.new_game("board", players=3, seed=7)
    while not game.is_over:
        game.play(game.legal_moves()[0])
    game.scores()

Importing this package loads neither numpy nor numba: the first game does.
"""

from keltis.game.errors import IllegalMove, RecordError
from keltis.game.game import DECISION_CAP, Game, load, new_game
from keltis.game.resample import resample

__version__ = "0.2.0"

__all__ = [
    "DECISION_CAP",
    "Game",
    "IllegalMove",
    "RecordError",
    "__version__",
    "load",
    "new_game",
    "resample",
]
