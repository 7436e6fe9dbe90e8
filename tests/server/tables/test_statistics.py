"""Intervals, and strength on the bots' scale."""

import math
import random

import pytest

from keltis import bots
from keltis.server.tables import statistics
from keltis.server.tables.results import SeatReview
from tests.server.storage.test_games import bot, person, result

RATINGS = {players: bots.strengths(players) for players in (2, 3, 4)}


def test_an_interval_is_wilsons() -> None:
    # 8 of 10: the textbook's 0.490 to 0.943.
    assert statistics.wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-4)
    assert statistics.wilson(0, 0) == (0, 1)
    low, high = statistics.wilson(10, 10)
    assert 0.7 < low < 0.73
    assert high == pytest.approx(1.0)


def test_the_chance_against_equals_is_even() -> None:
    for players in (2, 3, 4):
        assert statistics.chance(1500, [1500] * (players - 1)) == pytest.approx(1 / players)
    assert statistics.chance(1900, [1500]) == pytest.approx(10 / 11)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_known_strength_is_found_within_its_uncertainty(players: int) -> None:
    """Results drawn by the model itself: the errors are as large as the estimate says."""
    dice = random.Random(players)
    far = 0.0
    for true in (1100, 1300, 1500, 1700):
        played: dict[tuple[int, ...], tuple[float, float]] = {}
        for _ in range(200):
            others = tuple(sorted(dice.choices((1123, 1455, 1760), k=players - 1)))
            won, lost = played.get(others, (0.0, 0.0))
            wins = dice.random() < statistics.chance(true, others)
            played[others] = (won + wins, lost + (not wins))
        rating, error = statistics.estimate(played)
        assert 10 < error < 80
        assert abs(rating - true) < 4 * error
        far += ((rating - true) / error) ** 2
    assert math.sqrt(far / 4) < 2


def test_one_win_does_not_make_a_champion() -> None:
    rating, error = statistics.estimate({(1972,): (1.0, 0.0)})
    assert error > 200
    assert rating < 1972
    nothing, wide = statistics.estimate({})
    assert error < wide < 310
    assert nothing < rating


def test_a_summary_counts_what_counts() -> None:
    games = [
        result(0, result="won", lead=12, game="board", others=[bot(1, "fox")]),
        result(1, result="won", lead=3, game="board", seat=1, others=[bot(0, "fox")]),
        result(2, result="lost", lead=-9, game="board", others=[bot(1, "druid"), bot(2, "fawn")]),
        result(3, result="shared", lead=0, game="stones", others=[person(1, "Ben")]),
        result(4, result="left", game="stones", others=[bot(1, "fox")]),
        result(5, result="won", game="stones", seats=2, others=[person(1, "Ben")]),
        result(6, result="won", lead=30, game="board", take_backs=1, others=[bot(1, "fawn")]),
        result(7, result="won", lead=8, game="stones", hinted=True, others=[bot(1, "druid")]),
    ]
    told = statistics.summary(games, RATINGS)
    assert (told["games"], told["counted"]) == (8, 6)
    lines = {(one["by"], one["game"], one["value"]): one for one in told["wins"]}
    board = lines["game", "board", "board"]
    assert (board["games"], board["wins"], board["share"]) == (4, 3, 0.75)
    assert board["low"] < 0.75 < board["high"]
    assert lines["game", "stones", "stones"]["wins"] == 1.5
    assert lines["level", "board", "fox"]["games"] == 2
    assert lines["players", "board", 3]["wins"] == 0
    assert lines["seat", "board", 1]["games"] == 1
    assert told["streak"] == {"longest": 2, "now": 2}
    assert (told["best"]["lead"], told["worst"]["lead"]) == (30, -9)
    assert told["opponents"] == {"levels": ["druid", "fawn", "fox"], "names": ["Ben"]}
    strength = {each["game"]: each for each in told["strength"]}
    assert strength["board"]["games"] == 3  # not the one with a take-back
    assert strength["stones"]["games"] == 0  # nor the one with hints
    assert strength["stones"]["next"] == "fawn"
    assert [step["level"] for step in strength["board"]["ladder"]] == list(bots.LEVELS)


def test_the_ladder_leads_up() -> None:
    """Who beats everybody meets the strongest; who loses to everybody the gentlest."""
    for outcome, expected in (("won", "druid"), ("lost", "fawn")):
        games = [
            result(k, result=outcome, game="board", others=[bot(1, level)])
            for k, level in enumerate(list(bots.LEVELS) * 20)
        ]
        board = statistics.summary(games, RATINGS)["strength"][0]
        assert board["next"] == expected
        assert board["like"] == expected
    half = [
        result(k, result=("won", "lost")[k % 2], game="board", others=[bot(1, "raven")])
        for k in range(100)
    ]
    board = statistics.summary(half, RATINGS)["strength"][0]
    assert (board["like"], board["next"]) == ("raven", "raven")
    assert abs(board["rating"] - RATINGS[2]["raven"]["board"]) < board["error"] < 60


def test_a_games_ratings_are_those_of_its_number_of_players() -> None:
    """Who wins against three hares as often as a fox does is like a fox, whatever the scale."""
    many = {"fawn": 1000, "hare": 1480, "fox": 1500, "raven": 1520, "bard": 1700, "druid": 1900}
    ratings = {2: RATINGS[2], 4: {level: {"board": rating} for level, rating in many.items()}}
    wins = round(600 * statistics.chance(many["fox"], [many["hare"]] * 3))
    games = [
        result(
            k,
            game="board",
            result="won" if k % 600 < wins else "lost",
            others=[bot(seat, "hare") for seat in (1, 2, 3)],
        )
        for k in (k * 7 % 600 for k in range(200))
    ]
    board = statistics.summary(games, ratings)["strength"][0]
    assert board["games"] == 200
    assert abs(board["rating"] - RATINGS[2]["fox"]["board"]) < 2 * board["error"]

    points = [(1000.0, 1200.0), (1400.0, 1300.0), (1600.0, 1700.0)]
    known = {900: 1100, 1000: 1200, 1200: 1250, 1500: 1500, 1600: 1700, 1650: 1750}
    for rating, there in known.items():
        assert statistics.carried(points, rating) == pytest.approx(there)
    assert statistics.carried([], 1234) == 1234


def test_skill_and_luck_come_from_reviews() -> None:
    lost_by = {"fawn": 1.6, "fox": 0.9, "raven": 0.5, "bard": 0.0}
    losses = {"board": {"2": {level: {"lost": points} for level, points in lost_by.items()}}}

    def reviewed(lost: float) -> dict[tuple[str, int], SeatReview]:
        return {
            (f"t{k:07}", 0): SeatReview(f"t{k:07}", 0, "h", 1, lost, 0.2, 20 + k, 4.0 * k)
            for k in range(3)
        } | {("t0000003", 0): SeatReview("t0000003", 0, "h", 1, None, None, 0, -1.0)}

    games = [result(k, game="board", result="won", others=[bot(1, "fox")]) for k in range(5)]
    plain = statistics.summary(games, RATINGS)
    assert plain["skill"] == []
    ratings = []
    for lost, like in ((1.5, "fawn"), (0.92, "fox"), (0.4, "raven"), (0.0, "raven")):
        told = statistics.summary(games, RATINGS, reviewed(lost), losses)
        (line,) = told["skill"]
        assert (line["game"], line["players"], line["games"]) == ("board", 2, 4)
        assert (line["decisions"], line["like"]) == (63, like)
        assert line["lost"] == pytest.approx(lost)
        assert 0.2 / 3 < line["error"] < 0.2
        assert line["luck"] == pytest.approx((0 + 4 + 8 - 1) / 4, abs=0.01)
        assert [point["luck"] for point in told["over_time"]] == [0, 4, 8, -1, None]
        assert [point["lost"] for point in told["over_time"]] == [lost] * 3 + [None] * 2
        board = told["strength"][0]
        assert board["error"] < plain["strength"][0]["error"]
        ratings.append(board["rating"])
        assert told["strength"][1] == plain["strength"][1]  # of the other game nothing is known
    assert ratings == sorted(ratings)


def test_a_game_that_went_on_from_a_position_counts_nowhere() -> None:
    games = [result(k, game="board", result="practice", others=[bot(1, "fox")]) for k in range(5)]
    told = statistics.summary(games, RATINGS)
    assert (told["games"], told["counted"], told["wins"], told["over_time"]) == (5, 0, [], [])
    assert told["strength"][0]["games"] == 0


def test_an_empty_list_has_a_summary() -> None:
    told = statistics.summary([], RATINGS)
    assert (told["games"], told["wins"], told["best"], told["streak"]["longest"]) == (
        0,
        [],
        None,
        0,
    )
