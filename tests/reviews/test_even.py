"""The graph among equals."""

from __future__ import annotations

import pytest

from benchmarks.review import games_of_heuristic
from keltis import reviews
from keltis.reviews import even
from tests.reviews.games import TABLES


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_at_first_all_have_about_an_even_chance_and_at_last_the_networks(
    game: str, players: int
) -> None:
    first = [
        line["points"][0][1]
        for one in games_of_heuristic(game, players, list(range(8)))
        for line in reviews.network_review(one)["graph"]
    ]
    assert sum(first) / len(first) == pytest.approx(1 / players, abs=0.12)
    drawn = even.pile(game, players)
    wins, lead = even.corrected(game, players, drawn, 0.7, 3.0)
    assert (round(wins, 6), lead) == (0.7, 3.0)


def test_certain_chances_stay_certain() -> None:
    assert even.corrected("board", 2, 0, 0.0, 0.0)[0] < 1e-5
    assert even.corrected("board", 2, 0, 1.0, 0.0)[0] > 1 - 1e-5
