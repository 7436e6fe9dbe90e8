"""The program as a whole: help, version, and errors that are one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import keltis
from keltis.cli.words import LANGUAGES, catalogue
from tests.cli.running import run

COMMANDS = ["play", "simulate", "replay", "check", "rules"]


def test_help_names_every_command() -> None:
    done = run("--help")
    assert done.code == 0
    assert all(f"\n  {command} " in done.out for command in COMMANDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_it_says_in_five_lines_what_there_is(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    done = run()
    first, *lines = done.out.splitlines()
    assert (done.code, done.err, len(lines)) == (0, "", 4)
    assert str(catalogue(language)["title.stones"]) in first.replace("\N{NO-BREAK SPACE}", " ")
    assert max(map(len, done.out.splitlines())) <= 80
    for line in lines:
        assert run(*line.split("  ")[1].split()[1:], "--help").code == 0, line


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_that_fits_80_columns(command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert f"Usage: keltis {command}" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_version() -> None:
    assert run("--version").out.strip() == f"keltis {keltis.__version__}"


def test_help_answers_in_half_a_second_and_loads_nothing_heavy() -> None:
    program = (
        "import sys, keltis.cli\n"
        "try: keltis.cli.main(['--help'])\n"
        "finally: print([m for m in ('numpy', 'numba', 'rich') if m in sys.modules])"
    )
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    after = os.times()
    assert done.stdout.splitlines()[-1] == "[]"
    # Seconds of work: those on the clock depend on what else the machine is doing.
    user = after.children_user - before.children_user
    system = after.children_system - before.children_system
    assert user + system < 0.5


# Presses Ctrl-C as soon as one of some modules is asked for, then runs a command.
PRESSING = """
import os, signal, sys
modules = sys.argv.pop(1).split(",")
class Pressing:
    def find_spec(self, name, *_):
        if name in modules:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Pressing())
from keltis.cli import main
main()
"""


@pytest.mark.parametrize(
    "modules",
    [
        "keltis.cli.words",  # of the program's own, the first
        "typer",
        "keltis.cli.app",
        "keltis.arena",
        "numpy",
        "keltis.game.kinds",
        "typer,keltis.cli.words",  # more than once
        "keltis.cli.words,keltis.cli.failure,tomllib",
        "numpy,keltis.arena,typer,tomllib",
    ],
)
def test_ctrl_c_while_it_is_loaded_is_no_traceback(modules: str) -> None:
    command = ["arena", "fox", "raven", "--games", "2", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-c", PRESSING, modules, *command], capture_output=True, text=True
    )
    assert done.stderr == "keltis: interrupted\n"
    # Where the press tears code that Python itself runs from text, the system tells of it.
    assert done.returncode in (130, -signal.SIGINT)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["play", "--players", "5"],
        ["play", "--players", "one"],
        ["play", "--game", "chess"],
        ["play", "--seat", "nobody"],
        ["play", "--seat", "=me"],
        ["play", "--players", "2", "--seat", "me", "--seat", "me", "--seat", "me"],
        ["play", *["--seat", "me"] * 5],
        ["play", "--game", "stones", "--end-stone-step", "may"],
        ["play", "--game", "stones", "--edition", "german"],
        ["play", "--edition", "dutch"],
        ["simulate", "--game", "stones", "--own-discard", "allowed"],
        ["play", "--load", "no such file"],
        ["play", "--load", "no such file", "--game", "board"],
        ["simulate", "--games", "0"],
        ["simulate", "--game", "stones", "--end-stone-step", "must"],
        ["replay"],
        ["replay", "no such file"],
        ["replay", "-", "--step"],
        ["check"],
        ["check", "no such file"],
        ["check", "no such file.jsonl"],
        ["check", "nul\0byte"],
        ["rules", "chess"],
        ["rules", "--lang", "it"],
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("keltis: ")
    assert done.err.count("\n") == 1


def test_what_should_not_happen_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a wheel\ncame off")

    monkeypatch.setattr(keltis, "new_game", broken)
    done = run("play")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "RuntimeError: a wheel came off" in done.err


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "keltis", "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout is not None
    program.stdout.close()
    _, err = program.communicate()
    assert (program.returncode, err) == (0, b"")


def test_an_output_that_knows_only_ascii_is_no_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "keltis", "rules", "--lang", "fr"],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.stdout.isascii()
    assert done.stderr == b""
