"""What the checked `Game` costs a caller in Python: time per decision, memory per game."""

import random
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import keltis

GAMES = ("board", "stones")
ROUNDS = 5
TIMED_DECISIONS = 4_000
FRESH_GAMES = 10_000
FINISHED_GAMES = 100


@dataclass(frozen=True)
class Costs:
    game: str
    decision: float  # seconds: legal_moves() and play() of a random one
    view: float  # seconds: view() of the seat to decide
    fresh: float  # bytes, by tracemalloc
    fresh_resident: float | None  # bytes, by the growth of the process
    finished: float  # bytes, after a random game to its end


def play_randomly(game: keltis.Game, rng: random.Random, most: int = keltis.DECISION_CAP) -> int:
    """Random decisions up to the end or to `most`; tells how many."""
    for decision in range(most):
        if game.is_over:
            return decision
        game.play(rng.choice(game.legal_moves()))
    return most


def seconds_per_decision(name: str) -> float:
    rng = random.Random(1)
    decisions = 0
    start = time.process_time()
    while decisions < TIMED_DECISIONS:
        decisions += play_randomly(keltis.new_game(name, seed=decisions), rng)
    return (time.process_time() - start) / decisions


def seconds_per_view(name: str) -> float:
    """In the middle of a random game."""
    game = keltis.new_game(name, seed=1)
    play_randomly(game, random.Random(1), 60)
    views = 500
    start = time.process_time()
    for _ in range(views):
        game.view(game.seat)
    return (time.process_time() - start) / views


def bytes_per_game(make: Callable[[int], keltis.Game], games: int) -> float:
    """What a game made by `make` keeps, by tracemalloc."""
    tracemalloc.start()
    kept = [make(seed) for seed in range(games)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


def resident() -> int | None:
    """Bytes of memory that the process occupies, where the system tells."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def measure(name: str) -> Costs:
    def fresh(seed: int) -> keltis.Game:
        return keltis.new_game(name, seed=seed)

    def finished(seed: int) -> keltis.Game:
        game = fresh(seed)
        play_randomly(game, random.Random(seed))
        return game

    finished(0).view(None)  # everything is compiled
    before = resident()
    kept = [fresh(seed) for seed in range(FRESH_GAMES)]
    after = resident()
    grown = None if before is None or after is None else (after - before) / len(kept)
    del kept
    return Costs(
        name,
        median(seconds_per_decision(name) for _ in range(ROUNDS)),
        median(seconds_per_view(name) for _ in range(ROUNDS)),
        bytes_per_game(fresh, FRESH_GAMES),
        grown,
        bytes_per_game(finished, FINISHED_GAMES),
    )


def measure_all() -> list[Costs]:
    return [measure(name) for name in GAMES]


def table(rows: list[Costs]) -> str:
    """The costs as a table in Markdown."""
    lines = [
        "| game | decision | `view()` | fresh game | by process size | finished game |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        grown = "unknown" if row.fresh_resident is None else f"{row.fresh_resident / 1024:.1f} KiB"
        lines.append(
            f"| `{row.game}` | {row.decision * 1e6:.1f} µs | {row.view * 1e6:.0f} µs "
            f"| {row.fresh / 1024:.1f} KiB | {grown} | {row.finished / 1024:.1f} KiB |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(measure_all()))
