"""How long a new process takes: the very first, which compiles the kernels, and later ones."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from statistics import median

ROUNDS = 7
NOTHING = "pass"
IMPORT = "import keltis"
FIRST_MOVE = (
    "import keltis; game = keltis.new_game({game!r}, seed=1); game.play(game.legal_moves()[0])"
)
HELP = "import sys; sys.argv = ['keltis', '--help']; from keltis.cli import main; main()"


@dataclass(frozen=True)
class Start:
    what: str
    first: float | None  # seconds with nothing compiled yet; None where nothing is compiled
    later: float  # seconds, median


def seconds(program: str, cache: str) -> float:
    """Of a whole process, from its start to its end."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": cache}
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def measure(what: str, program: str, compiles: bool = False) -> Start:
    with tempfile.TemporaryDirectory() as cache:
        first = seconds(program, cache)
        later = median(seconds(program, cache) for _ in range(ROUNDS))
    return Start(what, first if compiles else None, later)


def measure_all() -> list[Start]:
    return [
        measure("Python alone", NOTHING),
        measure("`import keltis`", IMPORT),
        measure("`keltis --help`", HELP),
        measure("first move of `board`", FIRST_MOVE.format(game="board"), compiles=True),
        measure("first move of `stones`", FIRST_MOVE.format(game="stones"), compiles=True),
    ]


def table(rows: list[Start]) -> str:
    """The starts as a table in Markdown."""
    lines = ["| process | first ever | later |", "|---|--:|--:|"]
    for row in rows:
        first = "" if row.first is None else f"{row.first:.1f} s"
        lines.append(f"| {row.what} | {first} | {row.later:.2f} s |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(measure_all()))
