"""The second pass: a search where the network saw a loss."""

from __future__ import annotations

import copy
import json
from random import Random

import pytest

import keltis
from benchmarks.review import plant
from keltis import reviews
from keltis.reviews import second
from keltis.reviews.document import Review, cost
from tests.reviews.games import of_levels
from tests.reviews.test_first import check, of_seat

BUDGET = 2 * second.ROLLOUTS


@pytest.fixture(scope="module")
def played() -> keltis.Game:
    return of_levels("board", ["fawn", "hare"], 3)


@pytest.fixture(scope="module")
def searched(played: keltis.Game) -> Review:
    return keltis.review(played, budget=BUDGET)


def test_the_search_judges_the_most_costly_decisions_of_each_seat(
    played: keltis.Game, searched: Review
) -> None:
    check(searched)
    assert searched["searched"] == {"done": 4, "planned": 4}
    first = reviews.network_review(played)
    for seat in (0, 1):
        mine = [one for one in first["decisions"] if one["seat"] == seat]
        costly = sorted(mine, key=cost, reverse=True)[:2]
        assert {one["step"] for one in costly} == {
            one["step"]
            for one in searched["decisions"]
            if one["seat"] == seat and one["judge"] == "search"
        }
    for one in searched["decisions"]:
        if one["judge"] == "search":
            assert one["verdict"] in ("mistake", "equal")
            assert one["error"]["lead"] > 0
            assert one["worlds"] in (second.PROVED, 2 * second.PROVED)
            assert all(entry["error"] for entry in one["moves"])
            assert 2 <= len(one["moves"]) <= second.CANDIDATES


def test_only_clear_mistakes_are_lessons_after_it(searched: Review) -> None:
    mistakes = 0
    for entry in searched["seats"]:
        for step in entry["lessons"]:
            one = searched["decisions"][step]
            assert one["verdict"] == "mistake"
            sure = [one["loss"][name] > 3 * one["error"][name] for name in ("wins", "lead")]
            assert any(sure)
            assert searched["lessons"][str(step)]["reasons"][-1]["key"] == "cost"
        mistakes += entry["mistakes"]
    assert mistakes > 0


def test_it_can_be_left_and_taken_up_again_elsewhere(played: keltis.Game, searched: Review) -> None:
    review = reviews.network_review(played.record())
    for now in reviews.refine(review, played, budget=BUDGET):
        if now["searched"]["done"] == 1:
            break
    stored = json.loads(json.dumps(review))
    assert stored["searched"] == {"done": 1, "planned": 4}
    for _ in reviews.refine(stored, played.record(), budget=BUDGET):
        pass
    assert stored == searched
    assert list(reviews.refine(stored, played, budget=BUDGET)) == []


def test_it_sees_only_what_the_seat_saw(played: keltis.Game) -> None:
    seat = 0
    other = keltis.resample(played.view(seat), seed=5)
    assert other.record() != played.record()
    mine, theirs = (
        keltis.review(one, budget=second.ROLLOUTS, seat=seat) for one in (played, other)
    )
    assert of_seat(mine, seat) == of_seat(theirs, seat)
    assert mine["searched"] == {"done": 1, "planned": 1}


def test_another_seed_tries_other_worlds(played: keltis.Game) -> None:
    found = [keltis.review(played, budget=second.ROLLOUTS, seat=0, seed=seed) for seed in (0, 1)]
    assert found[0]["decisions"] != found[1]["decisions"]


def test_a_budget_of_nothing_leaves_it_to_the_network(played: keltis.Game) -> None:
    assert keltis.review(played, budget=0) == reviews.network_review(played)


def test_a_review_of_another_game_is_refused(played: keltis.Game, searched: Review) -> None:
    other = keltis.new_game("board", 2, seed=1)
    with pytest.raises(ValueError, match="of another record"):
        next(reviews.refine(searched, other))
    old = Review(copy.deepcopy(searched) | {"version": 0})
    with pytest.raises(ValueError, match="make a new one"):
        next(reviews.refine(old, played))


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_planted_blunder_is_a_lesson(game: str) -> None:
    """Of 4; benchmarks/review.py plants hundreds."""
    random = Random(7)
    found = planted = 0
    while planted < 4:
        made = plant(random, "bard", game, 2)
        if made is None:
            continue
        one, step, seat = made
        review = keltis.review(one, seat=seat, budget=2 * second.ROLLOUTS)
        planted += 1
        found += step in review["seats"][seat]["lessons"]
    assert found >= 3
