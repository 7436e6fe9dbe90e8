"""Measure everything, print it, and keep it in RESULTS.md."""

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks import facade, playouts, reference
from benchmarks.starts import processor

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"

TEMPLATE = """\
# Results

Written by `make bench` on {date}.

{machine}

## Random games: the kernels against hand-tuned C

Uniformly random play to the end of the game. `board.c` and `stones.c` are compiled in the same
run with `gcc {flags}`; the kernels are `keltis.rules`, through the same `legal` and
`apply` that everything else uses. C and kernels take turns, {rounds} rounds; all figures are
medians, the range is that of the single rounds. Speeds are per second of one core's own time; two
processes and two threads are against one, by the clock on the wall.

{playouts}

## Through `keltis.Game`, from Python

Two players, random play: `legal_moves()` and `play()` of one of them, dealing included; a seat's
`view()` after 60 decisions, both in processor time; memory over {fresh:,} fresh games, and over
{finished} played to their end.

{facade}

How long starts take is in [docs/starts.md](../docs/starts.md).
"""


def machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("keltis", "numba", "numpy"))
    load = f"; load before the run {os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else ""
    return "\n".join(
        [
            f"- {processor()}, {os.cpu_count()} cores, {platform.system()}{load}",
            f"- Python {platform.python_version()}, {packages}",
            f"- {reference.compiler()}",
        ]
    )


def main() -> None:
    if reason := reference.why_unavailable():
        sys.exit(f"cannot measure against C: {reason}")
    text = TEMPLATE.format(
        date=datetime.now(UTC).date(),
        machine=machine(),
        flags=" ".join(reference.FLAGS),
        rounds=playouts.ROUNDS,
        playouts=playouts.table(playouts.measure_all()),
        fresh=facade.FRESH_GAMES,
        finished=facade.FINISHED_GAMES,
        facade=facade.table(facade.measure_all()),
    )
    RESULTS.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
