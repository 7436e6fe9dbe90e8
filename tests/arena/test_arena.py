"""Contests: the same result however they are played, and taken up where they stopped."""

import itertools
import json
import math
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

import keltis
from keltis.arena import arena, round_robin
from keltis.arena.contest import settings_for
from keltis.arena.playing import play_deal, play_deals_compiled
from keltis.arena.ratings import rate


def facts(contest: Any) -> list[Any]:
    """All but the times, which are never the same twice."""
    return [
        (outcome.deal, outcome.order, outcome.scores, outcome.winners, outcome.decisions)
        for outcome in contest.outcomes
    ]


def test_the_number_of_workers_changes_nothing() -> None:
    settings: dict[str, Any] = {"game": "stones", "games": 6, "seed": 3, "rollouts": 30}
    one = arena(["search", "raven"], workers=1, **settings)
    two = arena(["search", "raven"], workers=2, **settings)
    assert facts(one) == facts(two)
    assert len(one.outcomes) == 6


def test_games_are_rounded_up_to_whole_deals() -> None:
    contest = arena(["heuristic", "random"], players=4, games=9)
    assert len(contest.outcomes) == 12
    assert contest.lines[0].deals == 3


def test_every_deal_is_played_in_every_order_of_seats() -> None:
    contest = arena(["heuristic", "random"], players=3, games=6)
    by_deal: dict[int, set[tuple[str, ...]]] = {}
    for outcome in contest.outcomes:
        seating = tuple(contest.settings.bots[which] for which in outcome.order)
        by_deal.setdefault(outcome.deal, set()).add(seating)
    everywhere = {
        ("heuristic", "random", "random"),
        ("random", "heuristic", "random"),
        ("random", "random", "heuristic"),
    }
    assert list(by_deal.values()) == [everywhere, everywhere]


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 4])
def test_compiled_games_are_the_games_through_views(game: str, players: int) -> None:
    settings = settings_for(["heuristic", "heuristic"], game=game, players=players, seed=5)
    [through_views] = play_deal(settings, 1, keep=False)
    [compiled] = play_deals_compiled(settings, 1, 2, keep=False)
    even = [sum(through_views.decisions) // players] * players
    expected = replace(through_views, seconds=compiled.seconds, decisions=even)
    assert compiled == expected


@pytest.mark.parametrize("names", [["heuristic", "random"], ["fawn", "random"]])
@pytest.mark.parametrize("game", ["board", "stones"])
def test_keeping_the_records_changes_nothing(game: str, names: list[str], tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": game, "games": 6, "seed": 8, "workers": 1}
    kept = arena(names, out=tmp_path, **settings)
    assert facts(kept) == facts(arena(names, **settings))
    for line, outcome in zip(
        (tmp_path / "records.jsonl").read_text().splitlines(), kept.outcomes, strict=True
    ):
        game_kept = keltis.load(line)
        assert game_kept.is_over
        assert game_kept.scores() == outcome.scores
        assert game_kept.players == [kept.settings.bots[which] for which in outcome.order]


def test_an_interrupted_contest_is_taken_up(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "seed": 4, "workers": 1}
    whole = arena(["raven", "random"], games=8, out=tmp_path / "whole", **settings)
    arena(["raven", "random"], games=4, out=tmp_path / "cut", **settings)
    records = tmp_path / "cut" / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-100])  # killed in the middle of a line
    again = arena(["raven", "random"], games=8, out=str(tmp_path / "cut"), **settings)
    assert facts(again) == facts(whole)
    assert len(records.read_text().splitlines()) == 8


def test_a_line_without_its_end_is_not_whole(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "seed": 4, "workers": 1, "out": tmp_path}
    arena(["raven", "random"], games=4, **settings)
    records = tmp_path / "records.jsonl"
    whole = records.read_bytes()
    records.write_bytes(whole[:-1])
    contest = arena(["raven", "random"], games=6, **settings)
    assert len(contest.outcomes) == 6
    assert [keltis.load(line).is_over for line in records.read_text().splitlines()] == [True] * 6


def test_the_folder_keeps_records_that_load_a_result_and_a_picture(tmp_path: Path) -> None:
    contest = arena(["raven", "random"], game="board", games=2, out=tmp_path, workers=1, seed=2)
    lines = (tmp_path / "records.jsonl").read_text().splitlines()
    for line, outcome in zip(lines, contest.outcomes, strict=True):
        game = keltis.load(line)
        assert game.scores() == outcome.scores
        assert game.players == [contest.settings.bots[which] for which in outcome.order]
    # After one deal no error is known, and JSON has no infinity.
    result = json.loads((tmp_path / "result.json").read_text(), parse_constant=pytest.fail)
    assert [line["bot"] for line in result["lines"]] == ["raven", "random"]
    assert result["lines"][0]["wins"]["error"] is None
    assert "<svg" in (tmp_path / "result.svg").read_text()


def test_a_folder_of_another_contest_is_refused(tmp_path: Path) -> None:
    arena(["raven", "random"], game="stones", games=2, out=tmp_path, workers=1)
    with pytest.raises(ValueError, match="holds another contest"):
        arena(["raven", "random"], game="stones", games=2, out=tmp_path, workers=1, seed=9)


def test_games_of_bots_that_have_changed_are_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings: dict[str, Any] = {"game": "stones", "workers": 1, "out": tmp_path}
    arena(["raven", "random"], games=2, **settings)
    monkeypatch.setattr("keltis.arena.journal.bots_as_they_are", lambda: "otherwise")
    with pytest.raises(ValueError, match="Keltis has changed since"):
        arena(["raven", "random"], games=4, **settings)
    assert len((tmp_path / "records.jsonl").read_text().splitlines()) == 2


def test_the_sequential_test_stops_early() -> None:
    contest = arena(["heuristic", "random"], games=4000, sprt=(0, 100), seed=1)
    assert contest.sprt == "accepted"
    assert len(contest.outcomes) < 4000


@pytest.mark.parametrize(
    ("names", "settings", "message"),
    [
        (["raven"], {}, "two to four players, not 1"),
        (["raven"], {"players": 2}, "1 bots do not fit a table of 2"),
        (["raven", "nobody"], {}, 'no bot "nobody"'),
        (["raven"] * 5, {}, "two to four players, not 5"),
        (["raven"] * 3, {"players": 2}, "3 bots do not fit a table of 2"),
        (["raven", "fox"], {"game": "chess"}, 'no game "chess"'),
        (["raven", "fox"], {"games": 0}, "at least one game"),
        (["raven", "search"], {"rollouts": 0}, "rollouts must be a number above 0, not 0"),
        (["raven", "search"], {"seconds": math.nan}, "seconds must be a number above 0, not nan"),
        (["raven", "fox"], {"sprt": (20, 0)}, "sprt: expected two Elo .* first, not 20 and 0"),
        (["raven", "fox"], {"sprt": (5, 5)}, "the lower first, not 5 and 5"),
        (["raven", "fox"], {"sprt": (0, math.nan)}, "the lower first, not 0 and nan"),
    ],
)
def test_what_cannot_be_played_is_refused(
    names: list[str], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        arena(names, **settings)


@pytest.mark.parametrize("name", ["games", "seed", "players", "workers", "rollouts"])
@pytest.mark.parametrize("value", ["2", 2.5, True])
def test_what_is_no_whole_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name}: expected a whole number, not "):
        arena(["raven", "fox"], **{name: value})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("seconds", "1", 'seconds: expected a number, not "1"'),
        ("sprt", (5,), "sprt: expected two Elo differences, not a tuple"),
        ("sprt", 5, "sprt: expected two Elo differences, not 5"),
        ("sprt", ("a", "b"), 'sprt: expected a number, not "a"'),
    ],
)
def test_what_is_no_number_is_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        arena(["raven", "fox"], **{name: value})


@pytest.mark.parametrize("players", [2, 3])
def test_a_round_robin_puts_the_better_first(players: int) -> None:
    table, contests = round_robin(
        ["random", "heuristic", "fox"], players=players, game="stones", games=6, workers=2
    )
    assert len(contests) == (3 if players == 2 else 1)
    assert table[-1].bot == "random"
    assert math.isclose(sum(rating.rating for rating in table) / 3, 1500, abs_tol=1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ratings_are_on_the_scale_of_elo(players: int) -> None:
    """Known strengths are found again, whoever met whom; a tie is half a win."""
    dice = random.Random(players)
    true = {"oak": 1200.0, "elm": 1450.0, "ash": 1500.0, "yew": 1850.0}
    contests = []
    for table in itertools.combinations(true, players):
        outcomes = []
        for _ in range(500):
            order = dice.sample(range(players), players)
            # Who is best by a draw from Gumbel's distribution wins as the model has it.
            luck = [-math.log(-math.log(dice.random())) for _ in order]
            strengths = [true[table[k]] * math.log(10) / 400 for k in order]
            scores = [a + b for a, b in zip(strengths, luck, strict=True)]
            outcomes.append(SimpleNamespace(order=order, scores=scores, fault=None, cut_off=False))
        settings = SimpleNamespace(bots=table)
        contests.append(SimpleNamespace(settings=settings, outcomes=outcomes, lines=[]))
    off = 0.0
    for rating in rate(list(true), contests):  # type: ignore[arg-type]
        assert 5 < rating.error < 25
        assert abs(rating.rating - true[rating.bot]) < 4 * rating.error
        off += ((rating.rating - true[rating.bot]) / rating.error) ** 2
    assert 0.02 < off < 12

    tied = SimpleNamespace(order=[0, 1], scores=[7, 7], fault=None, cut_off=False)
    won = SimpleNamespace(order=[0, 1], scores=[7, 3], fault=None, cut_off=False)
    settings = SimpleNamespace(bots=("oak", "elm"))
    for outcomes, gap in (([tied] * 40, 0), ([tied, won] * 200, 400 * math.log10(3))):
        contest = SimpleNamespace(settings=settings, outcomes=outcomes, lines=[])
        oak, elm = rate(["oak", "elm"], [contest])  # type: ignore[list-item]
        assert oak.rating - elm.rating == pytest.approx(gap, abs=1)
    beaten = SimpleNamespace(settings=settings, outcomes=[won] * 100, lines=[])
    best, worst = rate(["oak", "elm"], [beaten])  # type: ignore[list-item]
    assert 500 < best.rating - worst.rating < 3_000  # finite


def test_a_bot_can_be_named_only_once_in_a_round_robin() -> None:
    with pytest.raises(ValueError, match="only once"):
        round_robin(["fox", "fox"])


def test_a_killed_contest_leaves_no_workers_behind(tmp_path: Path) -> None:
    command = "arena fawn random --games 100000 --workers 2 --out".split()
    contest = subprocess.Popen([sys.executable, "-m", "keltis", *command, str(tmp_path / "out")])
    workers: list[psutil.Process] = []
    records = tmp_path / "out" / "records.jsonl"
    while not records.exists():
        assert contest.poll() is None
        time.sleep(0.1)
        workers = psutil.Process(contest.pid).children(recursive=True)
    contest.kill()
    contest.wait()
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive
