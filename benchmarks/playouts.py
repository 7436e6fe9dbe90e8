"""Random games per second: the kernels against C, on one core and on two.

C and kernels take turns, several rounds, so that whatever else the machine does falls on both.
The figures are medians over the rounds, and so is each ratio.
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

ROUNDS = 9
PLAYERS = (2, 3, 4)
GAMES = {"board": 50_000, "stones": 200_000}  # a run; about half a second
NO_CAP = 10**9  # random games of both kinds end by themselves

BAR_OF_C = 0.6
BAR_OF_TWO_THREADS = 1.8


def play_board(players: int, games: int, seed: int) -> Any:
    """Results of random games of `board`."""
    states, results = np.zeros(1, board.STATE), np.zeros(games, RESULT)
    states["rng"] = seed
    board.playouts(states, 0, players, False, NO_CAP, results)
    return results


def play_stones(players: int, games: int, seed: int) -> Any:
    """Results of random games of `stones`."""
    states, results = np.zeros(1, stones.STATE), np.zeros(games, RESULT)
    states["rng"] = seed
    stones.playouts(states, 0, players, NO_CAP, results)
    return results


PLAYOUTS: dict[str, Callable[[int, int, int], Any]] = {"board": play_board, "stones": play_stones}


@dataclass(frozen=True)
class Speed:
    """Of one program: games and decisions a second."""

    games: float
    decisions: float


@dataclass(frozen=True)
class Row:
    """One game with one number of players, all medians."""

    game: str
    players: int
    c: Speed
    kernel: Speed
    of_c: float
    of_c_spread: tuple[float, float]
    two_processes: float  # C: two processes against one
    two_threads: float  # kernel: two threads against one


def c_speed(program: Path, players: int, games: int, seed: int, processes: int) -> Speed:
    totals = reference.run(program, players, games, seed, processes)
    seconds = max(t.seconds for t in totals)
    return Speed(sum(t.games for t in totals) / seconds, sum(t.decisions for t in totals) / seconds)


def kernel_speed(game: str, players: int, games: int, seed: int, threads: int) -> Speed:
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(time.sleep, [0.01] * threads))  # all threads are there before the clock runs
        start = time.perf_counter()
        parts = list(pool.map(lambda k: PLAYOUTS[game](players, games, seed + k), range(threads)))
        seconds = time.perf_counter() - start
    decisions = sum(int(part["decisions"].sum()) for part in parts)
    return Speed(threads * games / seconds, decisions / seconds)


def measure(game: str, players: int, program: Path) -> Row:
    """Let C and the kernels play in turns."""
    games = GAMES[game]
    kernel_speed(game, players, 10, 0, 1)  # compiled, or loaded from the cache
    rounds = [
        (
            c_speed(program, players, games, seed, 1),
            kernel_speed(game, players, games, seed, 1),
            c_speed(program, players, games, seed, 2),
            kernel_speed(game, players, games, seed, 2),
        )
        for seed in range(ROUNDS)
    ]
    ratios = sorted(kernel.decisions / c.decisions for c, kernel, _, _ in rounds)
    return Row(
        game,
        players,
        Speed(median(r[0].games for r in rounds), median(r[0].decisions for r in rounds)),
        Speed(median(r[1].games for r in rounds), median(r[1].decisions for r in rounds)),
        median(ratios),
        (ratios[0], ratios[-1]),
        median(r[2].decisions / r[0].decisions for r in rounds),
        median(r[3].decisions / r[1].decisions for r in rounds),
    )


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
        low, high = row.of_c_spread
        lines.append(
            f"| `{row.game}` | {row.players} "
            f"| {row.c.games:,.0f} | {row.c.decisions / 1e6:.1f} M "
            f"| {row.kernel.games:,.0f} | {row.kernel.decisions / 1e6:.1f} M "
            f"| {verdict(row.of_c, BAR_OF_C)} | {low:.2f}–{high:.2f} "
            f"| {row.two_processes:.2f} × | {verdict(row.two_threads, BAR_OF_TWO_THREADS)} |"
        )
    return "\n".join(lines)


def verdict(ratio: float, bar: float) -> str:
    return f"**{ratio:.2f}** {'✓' if ratio >= bar else 'missed'}"


if __name__ == "__main__":
    print(table(measure_all()))
