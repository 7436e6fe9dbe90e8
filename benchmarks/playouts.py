"""Random games per second: the kernels against C, on one core and on two.

C and kernels take turns, several rounds; the figures are medians over the rounds, and so is each
ratio. On one core the clock is the processor's, which stands still while other programs run; on
two it is the wall's, so only a quiet machine shows what a second core brings.
"""

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks import reference
from keltis.rules import board, stones
from keltis.rules.kernel import RESULT

ROUNDS = 7
PLAYERS = (2, 3, 4)
GAMES = {"board": 30_000, "stones": 120_000}  # a run; some tenths of a second
NO_CAP = 10**9  # random games of both kinds end by themselves

BAR_OF_C = 0.6
BAR_OF_TWO_THREADS = 1.8


def play_board(players: int, games: int, seed: int) -> Any:
    """Results of random games of `board`."""
    states, results = np.zeros(1, board.STATE), np.zeros(games, RESULT)
    states["rng"] = seed
    board.playouts(states, 0, players, 0, NO_CAP, results)
    return results


def play_stones(players: int, games: int, seed: int) -> Any:
    """Results of random games of `stones`."""
    states, results = np.zeros(1, stones.STATE), np.zeros(games, RESULT)
    states["rng"] = seed
    stones.playouts(states, 0, players, NO_CAP, results)
    return results


PLAYOUTS: dict[str, Callable[[int, int, int], Any]] = {"board": play_board, "stones": play_stones}


@dataclass(frozen=True)
class Run:
    """What one side did in one go, on one core or two."""

    games: int
    decisions: int
    processor_seconds: float
    wall_seconds: float

    @property
    def per_core(self) -> float:
        """Decisions per second of one core's time."""
        return self.decisions / self.processor_seconds

    @property
    def together(self) -> float:
        """Decisions per second by the clock on the wall."""
        return self.decisions / self.wall_seconds


@dataclass(frozen=True)
class Row:
    """One game with one number of players: runs of each side, a list entry a round."""

    game: str
    players: int
    c: list[Run]
    kernel: list[Run]
    c_twice: list[Run]
    kernel_twice: list[Run]

    @property
    def of_c(self) -> list[float]:
        return [b.per_core / a.per_core for a, b in zip(self.c, self.kernel, strict=True)]


def run_c(program: Path, players: int, games: int, seed: int, processes: int) -> Run:
    totals = reference.run(program, players, games, seed, processes)
    return Run(
        sum(t.games for t in totals),
        sum(t.decisions for t in totals),
        sum(t.processor_seconds for t in totals),
        max(t.wall_seconds for t in totals),
    )


def run_kernel(game: str, players: int, games: int, seed: int, threads: int) -> Run:
    def part(k: int) -> tuple[int, float]:
        start = time.thread_time()
        results = PLAYOUTS[game](players, games, seed + k)
        return int(results["decisions"].sum()), time.thread_time() - start

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(time.sleep, [0.01] * threads))  # all threads are there before the clock runs
        start = time.perf_counter()
        parts = list(pool.map(part, range(threads)))
        wall = time.perf_counter() - start
    return Run(threads * games, sum(d for d, _ in parts), sum(s for _, s in parts), wall)


def measure(game: str, players: int, program: Path) -> Row:
    """Let C and the kernels play in turns."""
    games = GAMES[game]
    run_kernel(game, players, 10, 0, 1)  # compiled, or loaded from the cache
    row = Row(game, players, [], [], [], [])
    for seed in range(ROUNDS):
        row.c.append(run_c(program, players, games, seed, 1))
        row.kernel.append(run_kernel(game, players, games, seed, 1))
        row.c_twice.append(run_c(program, players, games, seed, 2))
        row.kernel_twice.append(run_kernel(game, players, games, seed, 2))
    return row


def measure_all() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        programs = {game: reference.compile_program(game, Path(folder)) for game in GAMES}
        return [measure(game, players, programs[game]) for game in GAMES for players in PLAYERS]


def table(rows: list[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = [
        "| game | players | C games/s | C decisions/s | kernel games/s | kernel decisions/s "
        f"| of C (bar {BAR_OF_C}) | range | C, two processes "
        f"| two threads (bar {BAR_OF_TWO_THREADS}) |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        lines.append(
            f"| `{row.game}` | {row.players} | {speed(row.c)} | {speed(row.kernel)} "
            f"| {verdict(median(row.of_c), BAR_OF_C)} | {min(row.of_c):.2f}–{max(row.of_c):.2f} "
            f"| {gain(row.c, row.c_twice):.2f} × | {threads(row)} |"
        )
    return "\n".join(lines)


def speed(runs: list[Run]) -> str:
    """Games and decisions per second, as two cells."""
    games = median(run.games / run.processor_seconds for run in runs)
    return f"{games:,.0f} | {median(run.per_core for run in runs) / 1e6:.1f} M"


def gain(once: list[Run], twice: list[Run]) -> float:
    """How much more two do than one."""
    return median(b.together / a.together for a, b in zip(once, twice, strict=True))


def threads(row: Row) -> str:
    """What a second thread brings; if C gains nothing either, the machine is at fault."""
    ratio, control = gain(row.kernel, row.kernel_twice), gain(row.c, row.c_twice)
    if ratio < BAR_OF_TWO_THREADS and control < BAR_OF_TWO_THREADS:
        return f"{ratio:.2f}, no second core free"
    return verdict(ratio, BAR_OF_TWO_THREADS)


def verdict(ratio: float, bar: float) -> str:
    return f"**{ratio:.2f}** {'✓' if ratio >= bar else 'missed'}"


if __name__ == "__main__":
    print(table(measure_all()))
