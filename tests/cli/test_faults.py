"""What can go wrong around the program: a full disk, odd file names, words of libraries."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import played, run, written

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="/dev/full is of Linux")


def into(output: Path, *arguments: str, typed: str = "") -> tuple[int, str]:
    """The exit code and the errors of the program with its output in a file."""
    with output.open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "keltis", *arguments],
            input=typed,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    return done.returncode, done.stderr


# --- A full disk -------------------------------------------------------------------------


@pytest.mark.slow
@needs_full
@pytest.mark.parametrize(
    "command",
    [
        "--version",
        "--help",
        "play --help",
        "rules",
        "bots",
        "bots --json",
        "simulate --games 5",
        "simulate --games 5 --json",
        "play --seat me --seat random --seed 3",
        "replay GAME",
        "replay GAME --step",
        "check GAME",
        "arena random random --games 2",
    ],
)
def test_an_output_that_is_full_is_said_as_such(command: str, tmp_path: Path) -> None:
    game = str(written(tmp_path, played("board", 20)))
    arguments = [game if word == "GAME" else word for word in command.split()]
    code, err = into(FULL, *arguments, typed="1\n1\n")
    assert (code, err) == (2, "keltis: cannot write the output: the disk is full\n")


@needs_full
def test_no_exception_is_left_for_the_interpreter_to_tell(tmp_path: Path) -> None:
    code, err = into(FULL, "check", str(written(tmp_path, played("board", 3))))
    assert "Exception ignored" not in err
    assert code == 2


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_save_on_a_full_disk_leaves_no_half_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    monkeypatch.setattr(os, "fsync", full)
    arguments = ["play", "--seat", "me", "--seat", "random"]
    done = run(*arguments, typed=f"save {path}\nsave {path}\n")
    assert done.code == 0
    assert done.out.count(f"{path}: the disk is full") == 2
    assert list(tmp_path.iterdir()) == []


def test_a_save_on_a_full_disk_keeps_what_was_saved_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, played("board", 20), seats=["me", "me"])
    before = path.read_text()
    monkeypatch.setattr(os, "fsync", full)
    done = run("play", "--load", path, typed=f"1\nsave {path}\n")
    assert "the disk is full" in done.out
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


# --- File names --------------------------------------------------------------------------

NAMES = ["a  b.json", "Spiel für Zoë.json", "игра.json", "partie\u00a0à deux.json", "x" * 120]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_name_keeps_its_letters(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"keltis: {name}: there is no such file\n" == run("replay", name).err
    assert f"keltis: {name}: there is no such file\n" == run("play", "--load", name).err
    assert f"keltis: {name}: there is no such file\n" == run("check", name).err
    done = run("play", "--seat", "me", "--seat", "random", typed=f"save {name}\n")
    assert f" Saved: {name}\n" in done.out
    assert Path(name).is_file()
    assert run("check", name).out.startswith(f"{name}: ok")
    done = run("play", "--seat", "me", "--seat", "random", typed=f"save {name}\n")
    assert f" {name} is there already" in done.out


@pytest.mark.parametrize("name", ["bad  näme.json", "keltis.json"])
def test_a_name_keeps_its_letters_in_every_fault(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("{")
    assert f"keltis: {name}: record: " in run("replay", name).err
    assert run("check", name).out.startswith(f"{name}: bad: record: ")
    Path("folder").mkdir()
    assert run("replay", "folder").err == "keltis: folder: this is a folder\n"
    done = run("play", "--seat", "me", "--seat", "random", typed=f"save folder/none/{name}\n")
    assert f" folder/none/{name}: there is no such folder\n" in done.out
    assert f"keltis: {name}/x: " in run("replay", f"{name}/x").err


def test_what_a_terminal_would_obey_is_not_kept(tmp_path: Path) -> None:
    done = run("replay", tmp_path / "a\x1b[2Jb\nc")
    assert "\x1b" not in done.err
    assert done.err.count("\n") == 1


# --- Words of libraries ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("play --players 5", "--players 5: expected 4 at most"),
        ("play --players 1", "--players 1: expected 2 at least"),
        ("play --players one", "--players one: expected a whole number"),
        ("play --seed 1.5", "--seed 1.5: expected a whole number"),
        ("play --game chess", "--game chess: expected board or stones"),
        ("rules chess", "GAME chess: expected board or stones"),
        ("rules --lang it", "--lang it: expected en, de, fr or nl"),
        ("simulate --games 0", "--games 0: expected 1 at least"),
        ("arena random --seconds x", "--seconds x: expected a number"),
        ("arena random --sprt 0 x", "--sprt x: expected a number"),
    ],
)
def test_a_bad_value_is_told_in_our_own_words(arguments: str, message: str) -> None:
    words = arguments.split()
    done = run(*words)
    assert done.code == 2
    assert done.err == f"keltis: {message} (see keltis {words[0]} --help)\n"


def test_a_group_without_its_command_shows_its_help() -> None:
    done = run("tables")
    assert done.code == 2
    assert "Commands:" in done.err
    assert "keltis: " not in done.err


def test_a_path_that_cannot_be_one_is_told_in_our_own_words(tmp_path: Path) -> None:
    assert run("check", "nul\0byte").err.endswith(": this is not a file name\n")
    done = run("play", "--seat", "me", "--seat", "random", typed="save a\0b\n")
    assert "this is not a file name" in done.out
    done = run("replay", tmp_path / ("x" * 300))
    assert done.err.endswith(": the name is too long\n")


def test_a_record_of_another_shape_is_told_without_the_parsers_words(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(played("board", 3).record())[:-5])
    err = run("replay", path).err
    assert "not JSON at line 1, column" in err
    assert "Expecting" not in err
