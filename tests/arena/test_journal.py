"""A contest's folder: whose games are in it, and how many of them were taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import keltis
from keltis.arena import arena
from tests.arena import plugins
from tests.cli.running import run

FIRST = (
    "class Bot:\n    def __init__(self, **budget): pass\n"
    "    def choose(self, view): return view['legal_moves'][0]\n"
)
LAST = FIRST.replace("[0]", "[-1]")


@pytest.fixture(autouse=True)
def _no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keltis.arena.picture.draw", lambda contest, path: None)  # they take time


@pytest.mark.parametrize(
    ("code", "version", "more"), [(LAST, "1.0", None), (FIRST, "1.1", None), (FIRST, "1.0", "data")]
)
def test_games_of_a_plugin_that_has_changed_are_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, version: str, more: str | None
) -> None:
    settings: dict[str, Any] = {"game": "stones", "workers": 1, "out": tmp_path / "out"}
    package = tmp_path / "picker_bot"
    package.mkdir()
    plugins.write(tmp_path, "picker", "").rename(package / "__init__.py")

    def write(code: str) -> None:
        (package / "__init__.py").write_text(code)
        (package / "weights.txt").write_text("1")

    write(FIRST)
    with plugins.installed(tmp_path, monkeypatch):
        arena(["picker", "random"], games=2, **settings)
    with plugins.installed(tmp_path, monkeypatch):
        assert arena(["picker", "random"], games=4, **settings).taken == 2
    plugins.write(tmp_path, "picker", "", version).unlink()
    write(code)
    if more:
        (package / "weights.txt").write_text("2")
    with (
        plugins.installed(tmp_path, monkeypatch),
        pytest.raises(ValueError, match="holds games of another picker: it has changed since"),
    ):
        arena(["picker", "random"], games=4, **settings)
    assert len((tmp_path / "out" / "records.jsonl").read_text().splitlines()) == 4


def test_what_was_taken_from_a_folder_is_told(tmp_path: Path) -> None:
    contest = ["arena", "raven", "random", "--game", "stones", "--workers", "1"]
    contest += ["--out", str(tmp_path)]
    assert "taken" not in run(*contest, "--games", "4").out
    told = run(*contest, "--games", "6")
    assert f"4 of 6 games were taken from {tmp_path}" in told.out
    facts = json.loads(run(*contest, "--games", "4", "--json").out)
    assert facts["taken"] == {"games": 4, "from": str(tmp_path)}


def test_a_folder_of_an_older_keltis_is_refused_in_words(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "games": 2, "workers": 1, "out": tmp_path}
    arena(["raven", "random"], **settings)
    facts = json.loads((tmp_path / "contest.json").read_text())
    (tmp_path / "contest.json").write_text(json.dumps(facts | {"made_of": "0123456789abcdef"}))
    with pytest.raises(ValueError, match="Keltis has changed since"):
        arena(["raven", "random"], **settings)


def test_records_of_no_contest_are_left_alone(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    text = json.dumps(keltis.new_game("stones", seed=1).record()) + "\n"
    records.write_text(text)
    with pytest.raises(ValueError, match=r"holds records, and no contest\.json"):
        arena(["raven", "random"], game="stones", games=2, workers=1, out=tmp_path)
    assert records.read_text() == text
    assert [file.name for file in tmp_path.iterdir()] == ["records.jsonl"]


@pytest.mark.parametrize("text", ["", "{", "[]", "7"])
def test_a_damaged_contest_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    settings: dict[str, Any] = {"game": "stones", "games": 2, "workers": 1, "out": tmp_path}
    arena(["raven", "random"], **settings)
    before = (tmp_path / "records.jsonl").read_bytes()
    (tmp_path / "contest.json").write_text(text)
    with pytest.raises(ValueError, match=r"contest\.json is damaged: it does not say which"):
        arena(["raven", "random"], **settings)
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_a_folder_that_says_nothing_of_the_bots_is_refused(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "games": 2, "workers": 1, "out": tmp_path}
    arena(["raven", "random"], **settings)
    facts = json.loads((tmp_path / "contest.json").read_text())
    del facts["made_of"]
    (tmp_path / "contest.json").write_text(json.dumps(facts))
    with pytest.raises(ValueError, match="Keltis has changed since"):
        arena(["raven", "random"], **settings)


def test_two_contests_in_one_folder_at_once_do_not_mix(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "workers": 1, "out": tmp_path}
    plain = arena(["raven", "random"], game="stones", games=6, workers=1)

    def other_one(done: int, deals: int, wins: object) -> None:
        if done == 1:  # while the first has played one deal of three
            arena(["raven", "random"], games=4, **settings)

    with pytest.raises(ValueError, match="another contest is writing to this folder"):
        arena(["raven", "random"], games=6, progress=other_one, **settings)
    found = arena(["raven", "random"], games=6, **settings)
    assert found.taken == 4
    assert [outcome.scores for outcome in found.outcomes] == [o.scores for o in plain.outcomes]


def test_games_out_of_order_are_not_taken(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "workers": 1, "out": tmp_path}
    arena(["raven", "random"], games=4, **settings)
    records = tmp_path / "records.jsonl"
    lines = records.read_text().splitlines(keepends=True)
    records.write_text("".join([*lines[:2], *lines[:2], *lines[2:]]))  # the first deal twice
    assert arena(["raven", "random"], games=4, **settings).taken == 2
    assert len(records.read_text().splitlines()) == 4
