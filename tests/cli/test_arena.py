"""`keltis arena` and `keltis bots` as somebody types them."""

import json
import subprocess
import sys

import pytest

from keltis import bots

pytestmark = pytest.mark.slow


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keltis", *arguments], capture_output=True, text=True, check=False
    )


def test_arena_prints_a_table_with_intervals() -> None:
    result = run("arena", "heuristic", "random", "--games", "40")
    assert result.returncode == 0
    assert "40 games, 20 deals, each in every order of seats" in result.stdout
    assert "± " in result.stdout
    assert result.stderr == ""  # quiet when piped


def test_arena_tells_the_facts_as_json() -> None:
    result = run("arena", "heuristic", "random", "--players", "3", "--games", "6", "--json")
    facts = json.loads(result.stdout)
    assert facts["bots"] == ["heuristic", "random", "random"]
    assert facts["cut_off"] == 0


def test_arena_tells_the_verdict_of_a_sequential_test() -> None:
    result = run("arena", "heuristic", "random", "--games", "2000", "--sprt", "0", "100")
    assert "SPRT: better by at least 100 Elo" in result.stdout


def test_arena_refuses_in_one_line() -> None:
    result = run("arena", "heuristic", "merlin")
    assert result.returncode == 2
    assert 'no bot "merlin"' in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_round_robin_prints_one_table() -> None:
    result = run("arena", "heuristic", "random", "--round-robin", "--games", "10")
    assert [line.split()[0] for line in result.stdout.splitlines()] == [
        "bot",
        "heuristic",
        "random",
    ]


def test_a_sequential_test_of_a_round_robin_is_refused() -> None:
    result = run("arena", "heuristic", "random", "--round-robin", "--sprt", "0", "20")
    assert result.returncode == 2
    assert "--sprt compares two bots: it does not go with --round-robin" in result.stderr


def test_json_after_one_deal_has_no_infinity() -> None:
    result = run("arena", "heuristic", "random", "--games", "2", "--json")
    facts = json.loads(result.stdout, parse_constant=pytest.fail)
    assert facts["lines"][0]["wins"]["error"] is None


def test_bots_lists_every_bot_with_its_strength() -> None:
    result = run("bots")
    assert result.returncode == 0
    levels = ("fawn", "hare", "fox", "raven", "bard", "druid")
    for name in (*levels, "random", "heuristic", "network", "search"):
        assert f"\n{name} " in f"\n{result.stdout}"
    for name in levels:
        shown = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith(name)]
        ratings = [
            str(bots.strengths(players)[name][game])
            for game in ("board", "stones")
            for players in (2, 3, 4)
        ]
        assert ratings in shown
    for bot in json.loads(run("bots", "--json").stdout):
        for players, of in bot["ratings"].items():
            assert of == bots.strengths(int(players))[bot["name"]]
        assert bot["rating"] == bot["ratings"].get("2")
