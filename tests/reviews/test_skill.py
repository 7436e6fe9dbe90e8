"""The skill number: points lost per real decision, and the levels that lose as much."""

from __future__ import annotations

import pytest

from keltis.reviews import skill
from tests.reviews.games import TABLES


def decision(lost: float, worst: float = 9.0, seat: int = 0) -> dict[str, object]:
    return {
        "seat": seat,
        "lead": 10.0,
        "loss": {"wins": 0.0, "lead": lost},
        "moves": [{"lead": 10.0}, {"lead": 10.0 - worst}],
    }


def test_forced_and_near_equal_decisions_are_left_out() -> None:
    made = [decision(1), decision(0.2, worst=0.2), decision(3), decision(5, seat=1)]
    assert skill.losses(made, 0) == [1, 3]


def test_a_number_has_an_error_and_the_levels_that_it_is_like() -> None:
    found = skill.of_seat("board", 2, [decision(k % 4) for k in range(60)], 0)
    assert found is not None
    assert (found["lost"], found["decisions"]) == (1.5, 60)
    assert 0.1 < found["error"] < 0.2
    order = [skill.SCALE.index(found[key]) for key in ("low", "like", "high")]
    assert order == sorted(order)


def test_one_decision_makes_no_number() -> None:
    assert skill.of_seat("board", 2, [decision(1)], 0) is None


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_levels_that_slip_are_ordered_by_what_they_lose(game: str, players: int) -> None:
    """As benchmarks/review.py measured. The judge cannot rank those above Raven; see docs."""
    levels = skill.calibration()[game][str(players)]
    lost = [levels[level]["lost"] for level in skill.SCALE]
    assert lost == sorted(lost, reverse=True)
    assert all(levels[level]["games"] >= 50 for level in skill.SCALE)
    for level in skill.SCALE:
        assert skill.like(game, players, levels[level]["lost"]) == level
    assert skill.like(game, players, 0.0) == "raven"


def test_what_was_not_measured_is_like_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "calibration", dict)
    assert skill.like("board", 2, 1.0) is None
