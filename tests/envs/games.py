"""Random games for the tests of the environments."""

from collections.abc import Iterator

import numpy as np

from keltis.envs.table import Table
from keltis.game.game import spread

GAMES = [("board", 2), ("board", 3), ("board", 4), ("stones", 2), ("stones", 4)]


def random_tables(
    game: str, players: int, seed: int, *, steps: int = 400, history: int = 0
) -> Iterator[Table]:
    """One table before each decision of a random game, and after the last."""
    chance = np.random.default_rng(seed)
    table = Table(game, players, history=history)
    table.deal(spread(seed))
    for _ in range(steps):
        yield table
        if table.is_over:
            return
        table.play(int(chance.choice(table.legal_actions())))
