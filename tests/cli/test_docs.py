"""docs/cli.md: it knows every command and option, and its examples run."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import played, run, written

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## keltis (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
EXAMPLES = re.findall(r"^keltis (.*?) *(?:#.*)?$", PAGE, re.MULTILINE)


def test_every_command_is_on_the_page() -> None:
    commands = re.findall(r"^  (\w+) ", run("--help").out.split("Commands:")[1], re.MULTILINE)
    assert set(SECTIONS) <= set(commands)
    for command in commands:
        assert f"keltis {command}" in PAGE


@pytest.mark.parametrize("command", SECTIONS)
def test_every_option_is_on_the_page_and_no_other(command: str) -> None:
    options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", run(command, "--help").out, re.MULTILINE)
    described = re.findall(r"^\| `(--[\w-]+)`", SECTIONS[command], re.MULTILINE)
    assert described == [option for option in options if option != "--help"]


def test_every_command_of_a_game_is_on_the_page() -> None:
    commands = run("play", typed="help\n").out.split("commands ")[1].split("signs")[0]
    for word in re.findall(r"^(?: {10})?(\w+)", commands, re.MULTILINE):
        assert f"| `{word}" in SECTIONS["play"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = written(tmp_path, played("board", 60), seats=["me", "me"])
    game.rename("game.json")
    (tmp_path / "games.jsonl").write_text((tmp_path / "game.json").read_text() + "\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "one.json").write_text((tmp_path / "game.json").read_text())
    arguments = []
    for word in shlex.split(example):
        words = sorted(map(str, Path().glob(word))) if "*" in word else [word]
        arguments += ["2000" if word == "1000000" else word for word in words]
    done = run(*arguments, typed="quit\n")
    assert (done.code, done.err) == (0, "")
    assert done.out
