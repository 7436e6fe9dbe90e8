"""The reference programs in C: compiling them, and running them."""

import json
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FLAGS = ["-O3", "-march=native"]


def why_unavailable() -> str | None:
    """Why the programs cannot be compiled on this machine, or None if they can."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return "the C programs use instructions of x86-64"
    if shutil.which("gcc") is None:
        return "gcc is not installed"
    return None


def compiler() -> str:
    done = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def compile_program(game: str, folder: Path) -> Path:
    """Compile a game's program into a folder."""
    program = folder / game
    source = HERE / f"{game}.c"
    subprocess.run(["gcc", *FLAGS, "-o", str(program), str(source)], check=True)
    return program


@dataclass(frozen=True)
class Totals:
    """What a program prints: sums over its games, and sums of squares."""

    players: int
    games: int
    processor_seconds: float
    wall_seconds: float
    decisions: int
    decisions_squared: int
    by_goal: int
    scores: list[int]
    scores_squared: list[int]


def run(program: Path, players: int, games: int, seed: int, processes: int = 1) -> list[Totals]:
    """Play `games` games in each of several processes at once."""
    running = [
        subprocess.Popen(
            [str(program), str(players), str(games), str(seed + k)], stdout=subprocess.PIPE
        )
        for k in range(processes)
    ]
    printed = [process.communicate()[0] for process in running]
    for process in running:
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
    return [Totals(**json.loads(text)) for text in printed]
