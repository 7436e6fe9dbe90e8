"""The benchmark that judges the search's decisions one by one."""

from random import Random

import pytest

from benchmarks.regret import decisions, judged
from keltis.bots import search


@pytest.mark.parametrize(("game", "players"), [("board", 4), ("stones", 2)])
def test_a_search_gains_on_foresight_and_more_with_more_worlds(game: str, players: int) -> None:
    random = Random(3)
    positions = decisions(game, players, random)
    found: list[list[float]] = []
    while len(found) < 25:
        worth = judged(*next(positions), 200, [(1, 10), (4, 2_000)], random)
        if worth is not None:
            found.append(worth)
    by_itself, hasty, thorough, seeing, best = (sum(column) for column in zip(*found, strict=True))
    assert by_itself < thorough
    assert hasty < thorough
    assert thorough < best
    assert seeing <= best
    assert search.TURNS == 4
