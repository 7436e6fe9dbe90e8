"""The first pass: the network's judgement of a whole game."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import keltis
from keltis import bots, reviews
from keltis.reviews import Review
from tests.reviews.games import TABLES, at_random, heuristic_record


def check(review: Review) -> None:
    """All that holds for every review."""
    decisions, moves = review["decisions"], len(review["decisions"])
    assert json.loads(json.dumps(review)) == review
    for step, one in enumerate(decisions):
        assert one["step"] == step
        assert one["moves"][0]["move"] == one["best"]
        assert one["move"] in [entry["move"] for entry in one["moves"]]
        assert one["forced"] == (len(one["moves"]) == 1) or one["judge"] == "search"
        assert all(value >= 0 for value in one["loss"].values())
        assert 0 <= one["wins"] <= 1
        assert one["verdict"] in ("forced", "equal", "mistake", "open")
        assert (one["kind"] is None) == (one["verdict"] in ("forced", "equal"))
    for entry in review["seats"]:
        check_sum(entry["sum"])
        assert len(entry["lessons"]) <= 3
        for step in entry["lessons"]:
            assert decisions[step]["seat"] == entry["seat"]
            assert review["lessons"][str(step)]["reasons"]
    for line in review["graph"]:
        steps = [step for step, _, _ in line["points"]]
        assert steps == sorted(set(steps))
        assert not steps or steps[-1] <= moves


def check_sum(found: dict[str, dict[str, float]] | None) -> None:
    """It adds up to the last digit."""
    for part in (found or {}).values():
        exact = {key: Decimal(str(value)) for key, value in part.items()}
        explained = exact["start"] + exact["deal"] + exact["luck"] - exact["others_luck"]
        explained += exact["decisions"] + exact["others_decisions"]
        assert explained + exact["rest"] == exact["result"]
        assert exact["decisions"] <= 0 <= exact["others_decisions"]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_review_is_whole_and_its_sum_adds_up(game: str, players: int) -> None:
    record = heuristic_record(game, players)
    review = reviews.network_review(record)
    check(review)
    assert [one["move"] for one in review["decisions"]] == record["moves"]
    assert review["result"] == record["result"]
    draws = [step for step, move in enumerate(record["moves"]) if move == "?"]
    assert [one["step"] for one in review["luck"]] == draws
    assert record["result"] is not None
    for seat, line in enumerate(review["graph"]):
        winners = record["result"]["winners"]
        share = round(1 / len(winners), 4) if seat in winners else 0
        assert line["points"][-1][:2] == [len(record["moves"]), share]
    assert reviews.network_review(record) == review


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_decision_is_worth_what_the_network_says_of_the_view(game: str, players: int) -> None:
    record = heuristic_record(game, players)
    review = reviews.network_review(record)
    table = keltis.load(record | {"result": None}).restarted()
    for one in review["decisions"][:40]:
        assert table.seat is not None
        advice = bots.make("network").advise(table.view(table.seat))
        assert one["best"] == advice["moves"][0]["move"]
        assert one["wins"] == pytest.approx(advice["moves"][0]["wins"], abs=0.001)
        assert one["lead"] == pytest.approx(advice["moves"][0]["value"], abs=0.01)
        table.play(one["move"])


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_the_others_give_away_is_shared_out(game: str, players: int) -> None:
    review = reviews.network_review(heuristic_record(game, players))
    for entry in review["seats"]:
        for name, parts in entry["sum"].items():
            lost = [other["sum"][name]["decisions"] for other in review["seats"]]
            share = (entry["sum"][name]["decisions"] - sum(lost)) / (players - 1)
            assert parts["others_decisions"] == pytest.approx(share, abs=0.001)


def of_seat(review: Review, seat: int) -> dict[str, Any]:
    """All of a review that is a seat's judgement. Luck is not: its weights are the true pile's."""
    entry = copy.deepcopy(review["seats"][seat])
    parts = entry.pop("sum")
    steps = [str(step) for step in entry["lessons"]]
    return {
        "decisions": [one for one in review["decisions"] if one["seat"] == seat],
        "graph": review["graph"][seat],
        "seat": entry,
        "lessons": [review["lessons"][step] for step in steps],
        "parts": [[part[key] for key in ("start", "deal", "decisions")] for part in parts.values()],
    }


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_a_seat_could_not_know_changes_nothing_in_its_review(game: str, players: int) -> None:
    one = keltis.load(heuristic_record(game, players, 2))
    seat = players - 1
    for seed in (1, 2):
        other = keltis.resample(one.view(seat), seed=seed)
        mine, theirs = reviews.network_review(one), reviews.network_review(other)
        assert of_seat(mine, seat) == of_seat(theirs, seat)
    if game == "board":
        assert mine != theirs


def test_games_cut_off_are_won_by_nobody() -> None:
    one = keltis.new_game("board", 2, seed=4)
    for _ in range(30):
        one.play(one.legal_moves()[0])
    one.cut_off()
    review = reviews.network_review(one.record())
    check(review)
    assert [entry["sum"]["wins"]["result"] for entry in review["seats"]] == [0, 0]


def given_up(players: int = 2, seat: int = 0) -> dict[str, Any]:
    """A game in which somebody gave up, as a server writes it."""
    one = keltis.new_game("board", players, seed=4)
    for _ in range(30):
        one.play(one.legal_moves()[0])
    one.cut_off()
    return {**one.record(), "resigned": [seat]}


@pytest.mark.parametrize("seat", [0, 1])
def test_who_gives_up_against_one_other_loses_to_that_one(seat: int, tmp_path: Path) -> None:
    record = given_up(2, seat)
    review = reviews.network_review(record)
    check(review)
    assert review["resigned"] == [seat]
    wins = [entry["sum"]["wins"]["result"] for entry in review["seats"]]
    assert wins == [float(seat != own) for own in (0, 1)]
    assert [line["points"][-1][1] for line in review["graph"]] == wins
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    for source in (json.dumps(record), file):
        assert reviews.network_review(source) == review


def test_with_more_players_nobody_wins_a_game_that_was_given_up() -> None:
    review = reviews.network_review(given_up(3))
    assert [entry["sum"]["wins"]["result"] for entry in review["seats"]] == [0, 0, 0]


@pytest.mark.parametrize("wrong", [7, [2], ["0"], [True], {"0": 1}, [None]])
def test_who_gave_up_is_a_seat(wrong: object) -> None:
    with pytest.raises(keltis.RecordError, match="resigned"):
        reviews.network_review({**given_up(), "resigned": wrong})


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_game_that_begins_in_the_middle_was_not_dealt(game: str, players: int) -> None:
    """Its start is what its position promises, and as if those before had been played."""
    whole = keltis.load(heuristic_record(game, players, 3))
    half = len(whole.moves) // 2
    begun = whole.restarted()
    for move in whole.moves[:half]:
        begun.play(move)
    rest = keltis.position(begun.position(), names=whole.players)
    for move in whole.moves[half:]:
        rest.play(move)
    mine, full = reviews.network_review(rest.record()), reviews.network_review(whole)
    check(mine)
    assert mine["drawn"] == sum(one["step"] < half for one in full["luck"])
    for entry in mine["seats"]:
        for part in entry["sum"].values():
            assert part["deal"] == 0
    lines = [
        [[step + half, wins, lead] for step, wins, lead in line["points"]] for line in mine["graph"]
    ]
    assert lines == [
        [point for point in line["points"] if point[0] >= half] for line in full["graph"]
    ]
    seat = mine["decisions"][0]["seat"]
    first = mine["graph"][seat]["points"][0][1]
    assert mine["seats"][seat]["sum"]["wins"]["start"] == pytest.approx(first, abs=0.0002)
    assert [one.lead for one in reviews.luck_of(rest)] == pytest.approx(
        [sum(each["lead"] for each in mine["luck"] if each["seat"] == k) for k in range(players)],
        abs=0.05,
    )


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_game_that_is_over_where_it_begins_has_nothing_to_review(game: str) -> None:
    end = keltis.load(heuristic_record(game, 2)).position()
    review = reviews.network_review(keltis.position(end))
    check(review)
    assert (review["decisions"], review["luck"]) == ([], [])
    for entry in review["seats"]:
        for part in entry["sum"].values():
            assert part["start"] == part["result"]
            assert part["rest"] == 0


@pytest.mark.parametrize("moves", [0, 1, 2, 25])
@pytest.mark.parametrize("game", ["board", "stones"])
def test_games_that_run_have_no_sum(game: str, moves: int) -> None:
    one = keltis.new_game(game, 3, seed=4)
    for _ in range(moves):
        one.play(one.legal_moves()[0])
    review = reviews.network_review(one)
    check(review)
    assert review["result"] is None
    assert [entry["sum"] for entry in review["seats"]] == [None] * 3
    assert len(review["decisions"]) == moves


def test_a_game_ended_by_one_decision_is_reviewed() -> None:
    one = keltis.new_game("stones", 2, seed=4)
    one.play("?")
    one.cut_off()
    review = reviews.network_review(one)
    check(review)
    assert [entry["skill"] for entry in review["seats"]] == [None, None]


@pytest.mark.parametrize("game", ["board", "stones"])
def test_games_by_chance_are_reviewed(game: str) -> None:
    """Among other things, they draw from discard piles far longer than our bots would."""
    check(reviews.network_review(at_random(game, 2, 1)))


def test_drawing_from_discard_piles_for_long_is_judged() -> None:
    one = keltis.new_game("board", 2, seed=4)
    while len(one.moves) < 200:
        legal = one.legal_moves()
        taken = [move for move in legal if move.startswith("<")]
        discards = [move for move in legal if move.startswith("x")]
        one.play((taken or discards or legal)[-1])
    review = reviews.network_review(one)
    check(review)
    assert sum(one["move"].startswith("<") for one in review["decisions"]) > 60
    assert not any(one["forced"] for one in review["decisions"][-20:])


@pytest.mark.parametrize("edition", [{"end_stone_step": "may"}, {"piles": "top"}])
def test_games_of_other_editions_are_reviewed(edition: dict[str, str]) -> None:
    one = keltis.new_game("board", 2, seed=3, options=edition)
    made = bots.make("heuristic", seed=1)
    while one.seat is not None:
        one.play(made.choose(one.view(one.seat)))
    check(reviews.network_review(one))


def test_keys_that_are_not_known_change_nothing() -> None:
    record = heuristic_record("stones", 2)
    known = reviews.network_review(record)
    assert reviews.network_review(record | {"date": "2026-11-18", "seats": ["me"]}) == known
    assert reviews.network_review(json.dumps(record)) == known


def test_faults_in_a_record_are_record_errors() -> None:
    record: dict[str, Any] = {**heuristic_record("board", 2)}
    faults: tuple[dict[str, Any], ...] = (
        {"moves": [*record["moves"][:9], "R11"]},
        {"format": "keltis-record/9"},
        {"setup": {}},
        {"players": "Ann"},
    )
    for fault in faults:
        with pytest.raises(keltis.RecordError):
            reviews.network_review(record | fault)
    others: tuple[object, ...] = (None, 7, [], "{", "no such file")
    for wrong in others:
        with pytest.raises(keltis.RecordError):
            keltis.review(wrong)


def test_endless_games_are_refused() -> None:
    one = keltis.new_game("board", 2, seed=4)
    while len(one.moves) <= keltis.DECISION_CAP:
        legal = one.legal_moves()
        liked = sorted(legal, key=lambda move: "<x".find(move[0]) % 3)
        one.play(liked[0])
    with pytest.raises(keltis.RecordError, match="10000 decisions at most"):
        reviews.network_review(one)


def test_a_review_of_no_seat_or_of_less_than_nothing_is_refused() -> None:
    game = keltis.new_game("stones", players=2, seed=1)
    with pytest.raises(ValueError, match="seat: expected 0 to 1, not 2"):
        keltis.review(game, budget=0, seat=2)
    with pytest.raises(ValueError, match="budget: expected at least 0, not -1"):
        keltis.review(game, budget=-1)
