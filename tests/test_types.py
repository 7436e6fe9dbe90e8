"""The package's types hold for users: their code passes mypy's strict checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "typed_bot.py"

WRONG = """
import keltis
from keltis import bots
from keltis.envs.vector import Vector

game = keltis.new_game("board")
hand: int = game.view(0)["hand"]
you: int = game.view(None)["you"]
maybe = Vector().buffers(masks=False).masks + 1
game.view(0)["hands"]
keltis.nothing
bots.make("bard").advise(game.view(0))["moves"][0]["worth"]
bots.make("fox").advise(game.view(0))
"""


@pytest.mark.slow
def test_strict_mypy_passes_on_the_example_and_finds_what_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    # Not the project's settings: a user has none of them.
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", EXAMPLE, wrong],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    found = [line for line in checked.stdout.splitlines() if ": error: " in line]
    assert [line.split(":")[:2] for line in found] == [
        ["wrong.py", str(number)] for number in (7, 8, 9, 10, 11, 12, 13)
    ], checked.stdout + checked.stderr


def test_the_example_runs() -> None:
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("<Contest of 20 games of board: Patient wins ")
