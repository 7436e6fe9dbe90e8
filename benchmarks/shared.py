"""Two servers on one PostgreSQL: how many decisions, how soon seen, what they cost, what limits.

    python -m benchmarks.shared [--tables N] [--seconds S] [--dry-run]

Three ways to have the same tables: all at one server; at two, each table's people together at one
of them, as a balancer that spreads by the table's id does it; and at two with the two people of
every table apart, so that every decision goes to the other by a notice and a look at the log. For
each the peak, when every decision follows the last at once, and a steady pace.

Servers, PostgreSQL and the clients share one machine here, so the peak is what that machine has.
What carries over to others is the processor time of a decision, and its bytes: from these follows
what many tables need. The figures go into docs/server.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from contextlib import ExitStack, suppress
from typing import NamedTuple

import psutil
import uvloop

from benchmarks.load import PAGE, Load, percentile, seconds_of, serve
from keltis.server.storage.store import Store
from tests.server import databases
from tests.server.databases import Database

BEGIN, END = "<!-- written by benchmarks/shared.py -->", "<!-- the end of it -->"
WAYS = ("one server", "two servers, spread by table", "two servers, players apart")

# What is assumed of many tables; docs/server.md repeats it.
MANY = 100_000
EVERY = 10.0  # seconds between the decisions of a table
BUSY = 0.6  # share of a core that a server's main thread should use at most


class Used(NamedTuple):
    """Seconds of processor time so far."""

    at: float
    main: float  # the servers' main threads, together
    others: float  # all their other threads
    database: float
    clients: float


class Measured(NamedTuple):
    rate: float  # decisions a second
    p50: float  # milliseconds until the other player has seen it
    p99: float
    server: float  # microseconds of the servers' processor time for a decision
    database: float  # and of PostgreSQL's
    busy: Used  # shares of a core


def used(servers: list[int], database: Database) -> Used:
    main = sum(seconds_of(pid, pid) for pid in servers)
    total = sum(seconds_of(pid) for pid in servers)
    there = 0.0
    for process in database.processes:
        with suppress(psutil.NoSuchProcess):
            there += sum(process.cpu_times()[:4])  # with those that it made and that have ended
    return Used(time.perf_counter(), main, total - main, there, seconds_of(os.getpid()))


async def measure(
    way: str, urls: list[str], servers: list[int], database: Database, tables: int, seconds: float
) -> tuple[Measured, float]:
    """At the peak; and p99 at a steady pace."""
    if way == WAYS[0]:
        loads = [Load(urls[0])]
    elif way == WAYS[1]:
        loads = [Load(url) for url in urls]
    else:
        loads = [Load(*urls), Load(*reversed(urls))]
    for load in loads:
        await load.seat(tables // len(loads))
    for load in loads:
        load.at_once = True
        for board in load.boards:
            board.decide()
    await asyncio.sleep(1)
    for load in loads:
        load.count, load.times = 0, []
    before = used(servers, database)
    await asyncio.sleep(seconds)
    after = used(servers, database)
    count = sum(load.count for load in loads)
    times = [each for load in loads for each in load.times]
    spent = Used(*(now - then for now, then in zip(after, before, strict=True)))
    for load in loads:
        load.at_once = False
    await asyncio.sleep(2)
    await asyncio.gather(*(load.steady(seconds, 2.0) for load in loads))
    steady = percentile([each for load in loads for each in load.times], 0.99)
    errors = sum(load.errors for load in loads)
    assert not errors, f"{errors} decisions were refused"
    for load in loads:
        await load.close()
    return Measured(
        rate=count / spent.at,
        p50=1000 * percentile(times, 0.5),
        p99=1000 * percentile(times, 0.99),
        server=1e6 * (spent.main + spent.others) / count,
        database=1e6 * spent.database / count,
        busy=Used(spent.at, *(each / spent.at for each in spent[1:])),
    ), 1000 * steady


def stored(database: Database) -> tuple[int, int, int]:
    """Decisions, bytes of the log with its indexes, and bytes written ahead."""
    return (
        int(database.ask("SELECT count(*) FROM events WHERE kind = 'moved'")),
        int(database.ask("SELECT pg_total_relation_size('events')")),
        int(database.ask("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")),
    )


def look(address: str) -> float:
    """Milliseconds for the look at the numbers of 500 tables that each server takes regularly."""
    store = Store(address.replace("postgresql", "postgresql+psycopg", 1), "")
    ids = store.live_ids()[:500]
    store.last_seqs(ids)
    began = time.perf_counter()
    for _ in range(5):
        store.last_seqs(ids)
    took = time.perf_counter() - began
    store.stop()
    return 1000 * took / 5 * 500 / len(ids)


def report(figures: dict[str, tuple[Measured, float]], costs: dict[str, float]) -> str:
    lines = [f"| | {' | '.join(WAYS)} |", "|---|---|---|---|"]

    def row(what: str, *values: str) -> None:
        lines.append(f"| {what} | {' | '.join(values)} |")

    found = [figures[way] for way in WAYS]
    row("peak, decisions/s", *(f"{each.rate:,.0f}" for each, _ in found))
    seen = "until the other sees it, at the peak: p50, p99"
    row(seen, *(f"{each.p50:.0f} ms, {each.p99:.0f} ms" for each, _ in found))
    row("p99 when each table decides every two seconds", *(f"{p99:.0f} ms" for _, p99 in found))
    row("a decision's processor time: servers", *(f"{each.server:.0f} µs" for each, _ in found))
    row("the same: PostgreSQL", *(f"{each.database:.0f} µs" for each, _ in found))
    row(
        "busy at the peak, in cores: main threads, other threads, PostgreSQL, clients",
        *(
            f"{each.busy.main:.2f}, {each.busy.others:.2f}, {each.busy.database:.2f}, "
            f"{each.busy.clients:.2f}"
            for each, _ in found
        ),
    )
    lines += [
        "",
        f"{costs['tables']:,.0f} tables of two people; processors: {os.cpu_count()}; load average: "
        f"{costs['load']:.1f}. A decision takes {costs['log']:.0f} bytes of the log with its "
        f"indexes and {costs['ahead']:.0f} bytes of PostgreSQL's write-ahead log; the regular look "
        f"at 500 tables takes {costs['look']:.1f} ms.",
        "",
        limits(found[1][0]),
        "",
        needs(found, costs),
    ]
    return "\n".join(lines)


def limits(spread: Measured) -> str:
    busy = spread.busy
    cores = os.cpu_count() or 1
    total = busy.main + busy.others + busy.database + busy.clients
    if total > 0.85 * cores:
        what = f"the machine: servers, PostgreSQL and clients used {total:.1f} of its {cores} cores"
    elif busy.main > 1.7:
        what = "the main threads of the two servers"
    else:
        what = (
            f"waiting, for a processor that other work has or for the disk: {total:.1f} of {cores} "
            "cores were used"
        )
    return f"What limits the peak of two servers here: {what}."


def needs(found: list[tuple[Measured, float]], costs: dict[str, float]) -> str:
    """What many tables would need, by what one decision costs."""
    rate = MANY / EVERY
    lines = [
        f"**{MANY:,} live tables**, two people connected to each, a decision every {EVERY:.0f} "
        f"seconds at each: {rate:,.0f} decisions/s. By these costs that is",
        "",
        "| | spread by table | players apart |",
        "|---|---|---|",
    ]  # fmt: skip
    spread, apart = found[1][0], found[2][0]
    pair = (spread, apart)
    cores = [each.server * rate / 1e6 for each in pair]
    servers = [each.busy.main / (each.busy.main + each.busy.others) for each in pair]
    count = [core * share / BUSY for core, share in zip(cores, servers, strict=True)]
    lines += [
        f"| cores for the servers | {cores[0]:.1f} | {cores[1]:.1f} |",
        f"| servers, whose main thread is busy for {BUSY:.0%} | {count[0]:.0f} | {count[1]:.0f} |",
        f"| cores for PostgreSQL | {pair[0].database * rate / 1e6:.1f} | "
        f"{pair[1].database * rate / 1e6:.1f} |",
        f"| written ahead, a second | {costs['ahead'] * rate / 1e6:.1f} MB | the same |",
        f"| growth of the log, a day | {costs['log'] * rate * 86400 / 1e9:.0f} GB | the same |",
        f"| looks at the log, a second, of {costs['look']:.1f} ms each | {MANY / 500 / 2:.0f} | "
        f"{2 * MANY / 500 / 2:.0f} |",
    ]
    return "\n".join(lines)


def write(text: str) -> None:
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--dry-run", action="store_true", help="leave docs/server.md as it is")
    arguments = parser.parse_args()
    uvloop.install()
    figures: dict[str, tuple[Measured, float]] = {}
    with ExitStack() as stack:
        database = stack.enter_context(databases.postgresql())
        running = [serve(database.address) for _ in range(2)]
        for process, _ in running:
            stack.callback(process.wait)
            stack.callback(process.kill)
        urls, servers = [url for _, url in running], [process.pid for process, _ in running]
        before = stored(database)
        for way in WAYS:
            figures[way] = asyncio.run(
                measure(way, urls, servers, database, arguments.tables, arguments.seconds)
            )
        taken, log, ahead = (now - then for now, then in zip(stored(database), before, strict=True))
        costs = {
            "tables": arguments.tables,
            "load": os.getloadavg()[0],
            "log": log / taken,
            "ahead": ahead / taken,
            "look": look(database.address),
        }
    text = report(figures, costs)
    print(text)
    if not arguments.dry_run:
        write(text)


if __name__ == "__main__":
    main()
