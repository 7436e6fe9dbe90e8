"""The bots by name, ours and those of other packages."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import keltis
from keltis import bots
from keltis.bots import registry
from keltis.bots.heuristic import HeuristicBot
from keltis.bots.network import NetworkBot
from keltis.bots.search import SearchBot

ROOT = Path(__file__).parents[2]


def test_there_are_six_levels_in_order() -> None:
    found = bots.entries()
    assert [found[name].level for name in bots.LEVELS] == [1, 2, 3, 4, 5, 6]


def test_every_bot_says_what_it_does() -> None:
    for entry in bots.entries().values():
        assert entry.about.endswith(".")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_level_is_measured_to_be_stronger_than_the_one_below(game: str, players: int) -> None:
    found = bots.strengths(players)
    assert tuple(found) == bots.LEVELS
    ratings = [found[name][game] for name in bots.LEVELS]
    assert ratings == sorted(set(ratings))
    assert sum(ratings) == pytest.approx(6 * 1500, abs=3)  # as each is rounded


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=r'no bot "merlin"; there are: random, fawn'):
        bots.make("merlin")


def test_a_budget_must_be_a_number_above_0() -> None:
    with pytest.raises(ValueError, match="rollouts must be a number above 0, not 0"):
        bots.make("search", rollouts=0)
    for name in ("search", "druid"):
        for wrong in (0, -1.0, math.nan):
            with pytest.raises(ValueError, match="seconds must be a number above 0, not"):
                bots.make(name, seconds=wrong)
    with pytest.raises(ValueError, match="seconds must be a number above 0, not inf"):
        bots.make("search", seconds=math.inf)


@pytest.mark.parametrize("name", ["fox", "search", "bard"])
def test_what_is_no_number_is_refused_by_every_bot(name: str) -> None:
    wrong: dict[str, Any]
    for wrong in ({"rollouts": 1.5}, {"rollouts": "10"}, {"threads": None}, {"seed": "x"}):
        with pytest.raises(TypeError, match=f"^{next(iter(wrong))}: expected a whole number, not "):
            bots.make(name, **wrong)
    with pytest.raises(TypeError, match=r'^seconds: expected a number, not "1"'):
        bots.make(name, seconds="1")  # type: ignore[call-overload]


def test_installed_packages_are_scanned_once_for_all_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[str] = []

    def scan(group: str) -> tuple[()]:
        groups.append(group)
        return ()

    monkeypatch.setattr("importlib.metadata.entry_points", scan)
    registry._entries.cache_clear()
    registry.plugins.cache_clear()
    try:
        for seat in range(4):
            bots.make("random", seat)
        assert bots.names() == list(bots.entries())
        assert groups == [bots.ENTRY_POINTS]
    finally:
        registry._entries.cache_clear()
        registry.plugins.cache_clear()


def test_a_level_can_be_given_less_time_than_its_own_but_not_more() -> None:
    for given, kept in ((None, 1.5), (0.25, 0.25), (10, 1.5)):
        druid = bots.make("druid", seconds=given, rollouts=50)
        assert isinstance(druid, SearchBot)
        assert (druid._seconds, druid._rollouts) == (kept, 4_000)
    assert isinstance(bots.make("bard", seconds=0.25), NetworkBot)
    assert isinstance(bots.make("raven", seconds=0.25), HeuristicBot)


def test_a_package_of_somebody_else_adds_a_bot(tmp_path: Path) -> None:
    """The example package, installed as anybody would, into a folder of its own."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    install += ["--no-build-isolation", "--disable-pip-version-check", "--target", str(tmp_path)]
    subprocess.run([*install, str(ROOT / "examples" / "plugin_bot")], check=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "keltis"]
    listed = subprocess.run(
        [*command, "bots", "--json"],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    about = {bot["name"]: bot["about"] for bot in json.loads(listed.stdout)}
    assert about["collector"] == "From the package keltis-collector."
    played = subprocess.run(
        [*command, "arena", "collector", "random", "--games", "2", "--json", "--workers", "1"],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert json.loads(played.stdout)["lines"][0]["bot"] == "collector"


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_bot_plays_a_whole_game(game: str, players: int) -> None:
    """With a small budget where one can be given; the levels that search play few decisions."""
    for name in ("random", "fawn", "hare", "fox", "raven", "bard", "heuristic", "network"):
        table = keltis.new_game(game, players=players, seed=players)
        seats = [bots.make(name, seed=seat) for seat in range(players)]
        while table.seat is not None:
            table.play(seats[table.seat].choose(table.view(table.seat)))
        assert table.reason in ("goal", "deck")
    table = keltis.new_game(game, players=players, seed=players)
    while table.seat is not None:
        bot = bots.make("search", seed=len(table.moves), rollouts=20)
        table.play(bot.choose(table.view(table.seat)))
    assert table.reason in ("goal", "deck")


@pytest.mark.parametrize("game", ["board", "stones"])
def test_the_searching_level_answers_with_legal_moves(game: str) -> None:
    table = keltis.new_game(game, players=2, seed=1)
    for _ in range(3):
        assert table.seat is not None
        table.play(bots.make("druid", seed=1).choose(table.view(table.seat)))
