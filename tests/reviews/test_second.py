"""The second pass: a search where the network saw a loss."""

from __future__ import annotations

import copy
import json
import statistics
from random import Random

import pytest

import keltis
from benchmarks.review import plant
from keltis import reviews
from keltis.reviews import endings, lessons, second
from keltis.reviews.document import FLOOR, Review, cost
from keltis.reviews.kinds import positions
from keltis.reviews.second import Difference
from keltis.reviews.weighing import weigh_up
from tests.reviews.games import TABLES, at_random, heuristic_record, of_levels
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
            sure = [
                one["loss"][name] >= FLOOR[name] and one["loss"][name] > 3 * one["error"][name]
                for name in FLOOR
            ]
            assert any(sure)
            assert searched["lessons"][str(step)]["reasons"][-1]["key"] == "cost"
        mistakes += entry["mistakes"]
    assert mistakes > 0


CLEAR = Difference(wins=0.001, lead=1.5, wins_error=0.01, lead_error=0.2)


@pytest.mark.parametrize(
    ("again", "proved"),
    [
        (CLEAR, True),
        (CLEAR._replace(lead=0.9), False),  # below the floor
        (CLEAR._replace(lead_error=0.6), False),  # by chance, perhaps
        # Clear only in what is too little to count, and enough only in what is not clear.
        (CLEAR._replace(wins=0.01, wins_error=0.001, lead_error=0.6), False),
        # In another measure than at first.
        (CLEAR._replace(wins=0.05, lead_error=0.6), False),
    ],
)
def test_a_mistake_is_above_the_floor_and_clear_in_one_measure_twice(
    again: Difference, proved: bool
) -> None:
    assert second.proves(CLEAR, again) == proved
    assert second.proves(again, CLEAR) == proved


def test_an_error_says_by_how_much_other_worlds_would_differ() -> None:
    """What the others hold moves the loss as much as what is drawn: errors count both."""
    record = heuristic_record("board", 4, 2)
    review = reviews.network_review(record)
    spread = told = 0.0
    for one in [one for one in review["decisions"] if len(one["moves"]) > 2][20:60:20]:
        best, other = (each["move"] for each in one["moves"][:2])
        tries = [weigh_up(record, one["step"], best, other, seed=seed) for seed in range(12)]
        spread += statistics.stdev(each["loss"]["lead"] for each in tries)
        told += statistics.mean(each["error"]["lead"] for each in tries)
    assert spread < 1.3 * told


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


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_decision_is_judged_by_what_was_known_at_that_time(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both passes, lessons and reasons; what came later, and all that was hidden, dealt anew."""
    for name, value in (("SCREENED", 4), ("PROVED", 12), ("ROLLOUTS", 72)):
        monkeypatch.setattr(second, name, value)
    monkeypatch.setattr(endings, "WORLDS", 8)
    monkeypatch.setattr(lessons, "WORLDS", 8)
    whole = at_random(game, players, 2)
    full = keltis.review(whole, budget=20 * 72)
    searched = [one for one in full["decisions"] if one["judge"] == "search"]
    explained = [one for one in searched if str(one["step"]) in full["lessons"]]
    assert explained
    for one, table in positions(whole, [*explained[:3], *searched[:2]]):
        dealt = keltis.resample(table.view(one["seat"]), seed=one["step"])
        dealt.play(one["move"])
        then = keltis.review(dealt, budget=10**6, seat=one["seat"])
        assert then["decisions"][-1] == one
        step = str(one["step"])
        assert then["lessons"].get(step) == full["lessons"].get(step)


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
