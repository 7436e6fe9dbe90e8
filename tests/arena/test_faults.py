"""Bots that fail: what is said of them, and what it costs them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import keltis
from keltis.arena import BotFault, arena, round_robin
from tests.arena import plugins
from tests.cli.running import run


@pytest.fixture(autouse=True)
def _no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keltis.arena.picture.draw", lambda contest, path: None)  # they take time


class Clumsy:
    """Fails at its fourth decision."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: dict[str, Any]) -> str:
        self.asked += 1
        if self.asked == 4:
            return self.stumble()
        return str(view["legal_moves"][0])

    def stumble(self) -> str:
        raise ZeroDivisionError("two\nlines")


class Leaver(Clumsy):
    def stumble(self) -> str:
        sys.exit(3)


class Cheat(Clumsy):
    def stumble(self) -> str:
        return "R99"


class Silent(Clumsy):
    def stumble(self) -> str:
        return None  # type: ignore[return-value]


class Unmade(Clumsy):
    def __init__(self) -> None:
        raise OSError("no weights")


FAULTS = [
    (Clumsy, "ZeroDivisionError: two lines"),
    (Leaver, "SystemExit: 3"),
    (Cheat, 'IllegalMove: it answered "R99": '),
    (Silent, "IllegalMove: it answered null: "),
    (Unmade, "OSError: no weights"),
]


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize(("bot", "error"), FAULTS)
def test_a_fault_names_bot_deal_and_decision(game: str, bot: type, error: str) -> None:
    with pytest.raises(BotFault) as stopped:
        arena(["random", bot], game=game, games=4, seed=1, workers=1)
    fault = stopped.value.fault
    assert (fault.bot, fault.deal) == (bot.__name__, 0)
    assert error in fault.error
    assert (fault.decision == 0) == (bot is Unmade)
    where = "when it was made" if bot is Unmade else f"at decision {fault.decision}"
    assert f"{bot.__name__}: a fault in deal 0, seat {fault.seat}, {where}: " in str(stopped.value)


def test_the_traceback_is_the_bots_own() -> None:
    with pytest.raises(BotFault) as stopped:
        arena(["random", Clumsy], game="stones", games=2)
    assert 'raise ZeroDivisionError("two\\nlines")' in stopped.value.fault.traceback
    assert "playing.py" not in stopped.value.fault.traceback


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3])
def test_who_forfeits_loses_and_the_contest_goes_on(
    game: str, players: int, tmp_path: Path
) -> None:
    found = arena(
        [Clumsy, "random"], game=game, players=players, games=6, forfeit=True, out=tmp_path
    )
    clumsy, other = found.lines
    assert (clumsy.games, clumsy.forfeits, clumsy.wins.value) == (6, 6, 0)
    assert other.forfeits == 0
    assert other.wins.value == pytest.approx(1 / (players - 1))
    assert found.cut_off == 0
    assert len(found.faults) == 6
    for outcome in found.outcomes:
        assert outcome.fault is not None
        assert outcome.winners == [s for s in range(players) if s != outcome.fault.seat]
        assert keltis.load(outcome.record or {}).reason == "cut off"
    assert sum(row["forfeit"] for row in found.rows()) == 6


def test_faults_are_taken_up_with_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "class Bot:\n    def __init__(self, **budget): pass\n    def choose(self, view): 1 / 0\n"
    plugins.write(tmp_path, "broken", code)
    with plugins.installed(tmp_path, monkeypatch):
        settings: dict[str, Any] = {"game": "stones", "workers": 1, "forfeit": True}
        first = arena(["broken", "random"], games=2, out=tmp_path / "out", **settings)
        again = arena(["broken", "random"], games=4, out=tmp_path / "out", **settings)
    assert again.taken == 2
    assert again.faults[:2] == first.faults
    assert again.lines[0].forfeits == 4


def test_a_round_robin_rates_who_forfeits_last() -> None:
    ratings, _ = round_robin([Clumsy, "random", "fawn"], game="stones", games=2, forfeit=True)
    assert ratings[-1].bot == "Clumsy"


@pytest.mark.slow
def test_faults_come_home_from_other_processes() -> None:
    settings: dict[str, Any] = {"game": "stones", "games": 8, "seed": 1}
    apart = arena([Clumsy, "random"], workers=2, forfeit=True, **settings)
    here = arena([Clumsy, "random"], workers=1, forfeit=True, **settings)
    assert apart.faults == here.faults
    with pytest.raises(BotFault) as stopped:
        arena([Clumsy, "random"], workers=2, **settings)
    assert stopped.value.fault == here.faults[0]


def test_the_terminal_shows_the_fault_of_a_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = (
        "class Bot:\n    def __init__(self, **budget): pass\n"
        "    def choose(self, view): raise ValueError('\\x1b[2Jgone')\n"
    )
    plugins.write(tmp_path, "broken", code)
    with plugins.installed(tmp_path, monkeypatch):
        contest = ["arena", "broken", "random", "--game", "stones", "--games", "2"]
        stopped = run(*contest, "--workers", "1")
        went_on = run(*contest, "--workers", "1", "--forfeit")
        as_json = run(*contest, "--workers", "1", "--forfeit", "--json")
        played = run("play", "--seat", "broken", "--seat", "me", "--seed", "1")
    assert (stopped.code, stopped.out) == (2, "")
    *traceback, last = stopped.err.splitlines()
    assert "in choose" in "\n".join(traceback)
    assert last.startswith("keltis: broken: a fault in deal 0, seat 0, at decision 1: ValueError: ")
    assert "--forfeit" in last
    assert "\x1b" not in stopped.err + went_on.err + went_on.out + played.err
    assert went_on.code == 0
    assert "broken lost 2 games by a fault; the first: broken: a fault in deal 0" in went_on.out
    assert '"forfeits": 2' in as_json.out
    assert played.code == 2
    assert played.err.startswith("keltis: the bot broken failed: ValueError: ")
