"""How long a new process takes: the very first, which compiles the kernels, and later ones.

The clock on the wall is what people feel; the processor's tells the same on a quiet machine, and
on a busy one how much of it is ours.
"""

import os
import resource
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
class Times:
    """Of a whole process, from its start to its end."""

    wall: float
    processor: float


@dataclass(frozen=True)
class Start:
    what: str
    first: Times | None  # with nothing compiled yet; None where nothing is compiled
    later: Times  # medians


def run(program: str, cache: str) -> Times:
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": cache}
    start, used = time.perf_counter(), used_by_children()
    subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return Times(time.perf_counter() - start, used_by_children() - used)


def used_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(what: str, program: str, compiles: bool = False) -> Start:
    with tempfile.TemporaryDirectory() as cache:
        first = run(program, cache)
        later = [run(program, cache) for _ in range(ROUNDS)]
    typical = Times(median(t.wall for t in later), median(t.processor for t in later))
    return Start(what, first if compiles else None, typical)


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
    lines = [
        "| process | first ever | of this, processor | later | of this, processor |",
        "|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        first = f"{row.first.wall:.1f} s | {row.first.processor:.1f} s" if row.first else " | "
        later = f"{row.later.wall:.2f} s | {row.later.processor:.2f} s"
        lines.append(f"| {row.what} | {first} | {later} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(measure_all()))
