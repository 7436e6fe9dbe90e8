"""The benchmark that tells what the search's decisions lack."""

from random import Random

import pytest

from benchmarks.regret import decisions, regrets
from keltis.bots import search


@pytest.mark.parametrize(("game", "players"), [("board", 4), ("stones", 2)])
def test_more_worlds_leave_less_to_regret(game: str, players: int) -> None:
    random = Random(3)
    views = decisions(game, players, random)
    found: list[list[float]] = []
    while len(found) < 12:
        regret = regrets(next(views), 400, [(1, 10), (4, 2_000)], random)
        if regret is not None:
            found.append(regret)
    by_itself, hasty, thorough = (sum(column) for column in zip(*found, strict=True))
    assert thorough < by_itself
    assert thorough < hasty
    assert search.TURNS == 4
