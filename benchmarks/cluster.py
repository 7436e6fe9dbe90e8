"""What a Ray cluster brings: contests with one worker and with two, and what more would, on paper.

    python -m benchmarks.cluster            # some minutes; docs/cluster.md gets the figures

Each contest is played in this process, by a Ray of one worker and by one of two, in turns; figures
are medians. How long a task takes that does nothing, and how long a Ray takes to do its first, tell
what more workers can bring: no more than one process can hand out.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.starts import processor
from keltis.arena import arena
from keltis.arena.cluster import ALONE, Cluster

os.environ |= ALONE  # Ray looks at it when it is imported
import ray

PAGE = Path(__file__).parents[1] / "docs" / "cluster.md"
MARKS = "<!-- measured -->\n", "<!-- end -->\n"
CONTESTS: list[tuple[list[str], int, int, int | None]] = [  # bots, players, games, rollouts
    (["fox", "hare"], 2, 200, None),
    (["bard", "raven"], 4, 100, None),
    (["search", "bard"], 2, 8, 1_000),
]
ROUNDS = 3
NOTHING = 2_000  # tasks
MANY = (16, 64, 256)  # workers, on paper
DEALS = 10_000  # on paper


def nothing(_: int) -> None:
    """What takes no time."""


def started(workers: int) -> None:
    ray.init(
        num_cpus=workers,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=80_000_000,
    )


def contest(number: int, games: int | None = None, **where: Any) -> float:
    """How long a contest takes, in seconds."""
    names, players, most, rollouts = CONTESTS[number]
    start = time.perf_counter()
    arena(names, players=players, games=games or most, rollouts=rollouts, seed=1, **where)
    return time.perf_counter() - start


def overhead() -> float:
    """How long one process takes to hand out a task, and to take what comes back."""
    with Cluster("auto", nothing) as workers:
        list(workers.played(range(200)))
        start = time.perf_counter()
        list(workers.played(range(NOTHING)))
        return (time.perf_counter() - start) / NOTHING


def on_paper(first: float, task: float, overhead: float, workers: int) -> float:
    """How long so many workers would take for DEALS, by deals of `task` seconds, handed out alike.

    To the even share of the work come the start, and the last task, for which the others wait. No
    contest is over before all tasks are handed out, some deals in each, see `keltis.arena.contest`.
    """
    at_a_time = max(1, min(500, 1 / task))
    return first + max(DEALS * task / workers + at_a_time * task, DEALS / at_a_time * overhead)


def main() -> None:
    here: list[list[float]] = [[] for _ in CONTESTS]
    there: dict[int, list[list[float]]] = {n: [[] for _ in CONTESTS] for n in (1, 2)}
    firsts, costs = [], []
    for _ in range(ROUNDS):
        for number in range(len(CONTESTS)):
            here[number].append(contest(number, workers=1))
        for workers in there:
            start = time.perf_counter()
            started(workers)
            contest(0, cluster="auto", games=2)
            firsts.append(time.perf_counter() - start)
            costs.append(overhead())
            for number in range(len(CONTESTS)):
                there[workers][number].append(contest(number, cluster="auto"))
            ray.shutdown()
    first, cost = median(firsts), median(costs)
    text = report(here, there, first, cost)
    print(text)
    before, _, rest = PAGE.read_text().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    PAGE.write_text(before + MARKS[0] + text + MARKS[1] + after)


def report(
    here: list[list[float]], there: dict[int, list[list[float]]], first: float, cost: float
) -> str:
    lines = [
        f"Written by `python -m benchmarks.cluster` on {datetime.now(UTC).date()}: {processor()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} in the end, Ray {ray.__version__}. "
        f"Medians of {ROUNDS} rounds, in seconds by the clock on the wall.",
        "",
        "| contest | players | deals | no Ray | one worker | two workers | two against one |",
        "|---|---|---|---|---|---|---|",
    ]
    tasks = []
    for number, (names, players, games, rollouts) in enumerate(CONTESTS):
        alone = median(here[number])
        one, two = median(there[1][number]), median(there[2][number])
        deals = games // players
        tasks.append(alone / deals)
        name = ", ".join(names) + (f" ({rollouts:,} rollouts)" if rollouts else "")
        times = f"{alone:.1f} | {one:.1f} | {two:.1f} | {one / two:.2f} ×"
        lines.append(f"| {name} | {players} | {deals} | {times} |")
    lines += [
        "",
        f"A Ray started here has done its first task after {first:.1f} s; one that runs is joined "
        f"sooner. A task that does nothing takes {1000 * cost:.1f} ms of the process that hands it "
        f"out. On paper, {DEALS:,} deals of these sizes would then take:",
        "",
        "| contest | a deal | one worker | " + " | ".join(f"{n} workers" for n in MANY) + " |",
        "|---|---|---|" + "---|" * len(MANY),
    ]
    for (names, *_), task in zip(CONTESTS, tasks, strict=True):
        took = [on_paper(first, task, cost, n) for n in (1, *MANY)]
        cells = " | ".join(f"{seconds:,.0f} s" for seconds in took)
        lines.append(f"| {', '.join(names)} | {task:.2f} s | {cells} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
