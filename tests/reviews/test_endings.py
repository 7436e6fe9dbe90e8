"""Where a better move has its points from, in worlds played to the end."""

from __future__ import annotations

from typing import Any

import pytest

import keltis
from keltis.reviews.document import Review
from keltis.reviews.endings import OTHER, TILES, Source, points_of, sources
from tests.reviews.games import TABLES, at_random, heuristic_record


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_parts_of_a_score_add_up(game: str, players: int) -> None:
    for one in (keltis.load(heuristic_record(game, players)), at_random(game, players, 2)):
        view = one.view(None)
        assert [sum(points_of(view, seat)) for seat in range(players)] == one.scores()


def found(text: str, best: str, played: str, seed: int = 0) -> list[Source]:
    """What is told of two moves at a position of seat 0."""
    table = keltis.position(text, seed=1)
    decision: dict[str, Any] = {"step": 0, "best": best, "move": played}
    working = sources(Review(seed=seed), table.view(0), decision)
    while True:
        try:
            next(working)
        except StopIteration as end:
            return list(end.value)


STONES = "keltis-position/1 stones seat=0 phase=turn "


@pytest.mark.parametrize(
    ("rows", "best", "played", "of"),
    [
        ("R2.3|- open=R10", "?", "R10", "R"),  # it ends a row that has hardly begun
        ("Y0.1.2|V1.2 open=Y3,Y5", "Y3", "Y5", TILES),  # three points are printed on it
        ("R1.2,G1.2|B1.2.3 open=B4,Y9", "B4", "Y9", OTHER),  # the others' row waits for it
    ],
)
def test_what_was_at_stake_is_told(rows: str, best: str, played: str, of: str) -> None:
    gains = found(STONES + f"rows={rows}", best, played)
    assert of in [one.what for one in gains if one.points > 0]
    assert len([one for one in gains if one.points > 0]) <= 2
    assert len([one for one in gains if one.points < 0]) <= 1
    assert gains == sorted(gains, key=lambda one: -one.points)
    for one in gains:
        assert abs(one.points) >= max(0.5, 3 * one.error)
        assert (one.what == OTHER) == (one.seat == 1)
    assert found(STONES + f"rows={rows}", best, played) == gains


def test_what_the_better_move_costs_elsewhere_is_told_too() -> None:
    """The blue 4 keeps three points from Ben, and begins a row of one's own late."""
    gains = found(STONES + "rows=R1.2,G1.2|B1.2.3 open=B4,Y9", "B4", "Y9")
    assert [(one.what, one.points > 0) for one in gains] == [(OTHER, True), ("B", False)]


def test_what_only_looks_better_is_not_told() -> None:
    """The worse move against the better one: nothing is gained where it is lost."""
    gains = found(STONES + "rows=R2.3|- open=R10", "R10", "?")
    assert "R" not in [one.what for one in gains]
