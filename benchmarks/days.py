"""A day that 100,000 people play: what beginning, ending and asking for one's place cost.

    python -m benchmarks.days [--players N] [--dry-run]

Every deal of a day gets so many finished attempts. Then tables are begun and ended through the
store's one writer, as the server does, with and without the row of an attempt: the difference is
what the row costs. Beside that, what a page of the day asks the database. SQLite lies in a file,
PostgreSQL is a server of the benchmark's own, both with durable commits. Writes docs/days.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from benchmarks.starts import processor
from keltis.server import keys
from keltis.server.live.days import place
from keltis.server.settings import database_url
from keltis.server.storage import attempts
from keltis.server.storage.schema import attempts as rows
from keltis.server.storage.store import Store, Unit
from keltis.server.tables import chain
from keltis.server.tables.chain import DayDeal
from keltis.server.tables.events import Event, Head
from keltis.server.tables.shared import FINISHED, Attempt, Beginning, Result
from tests.server import databases

PAGE = Path(__file__).resolve().parents[1] / "docs" / "days.md"
BEGIN, END = "<!-- written by benchmarks/days.py -->", "<!-- the end of it -->"

DAY = "2026-11-18"
DEALS = [DayDeal(DAY, game, bot).id for game in chain.GAMES for bot in chain.OPPONENTS]
DATE = 1_795_000_000_000
AT_ONCE = 100  # tables that are begun at the same moment, as on a busy server
ROUNDS = 20
ASKED = 50
SPREAD = 16.0  # standard deviation of leads, about that of Raven against itself


class Measured(NamedTuple):
    begin: float  # microseconds for a table that is no attempt
    begin_attempt: float  # and for one that is
    end: float
    end_attempt: float
    tally: float  # milliseconds: all leads of a deal, from which every place follows
    own: float  # one's own attempts of a year
    bytes: float  # of a row, with its index


def fill(store: Store, players: int) -> str:
    """So many finished attempts at every deal, and a year of one key's; that key's digest."""
    chance = random.Random(1)
    own = keys.digest("own")
    days = [chain.after(DAY, -n) for n in range(1, 366)]
    yearly = [DayDeal(day, game, bot).id for day in days for game, bot in _pairs()]
    holders = [keys.digest(str(n)) for n in range(players)]
    made = ((holder, deal) for deal in DEALS for holder in holders)
    made_all = [*made, *((own, deal) for deal in yearly)]
    chance.shuffle(made_all)
    for k in range(0, len(made_all), 20_000):
        values = [
            {
                "holder": holder,
                "deal": deal,
                "board": 0,
                "table_id": keys.new_table_id(),
                "begun_at": DATE,
                "over_at": DATE + 600_000,
                "state": FINISHED,
                "lead": round(chance.gauss(0, SPREAD)),
                "score": 30,
                "name": None,
            }
            for holder, deal in made_all[k : k + 20_000]
        ]
        with store.engine.begin() as connection:
            connection.execute(rows.insert(), values)
    return own


def _pairs() -> list[tuple[str, str]]:
    return [(game, bot) for game in chain.GAMES for bot in chain.OPPONENTS]


def begun(holder: str, attempt: Attempt | None) -> Unit:
    table = keys.new_table_id()
    head = Head(table, "board", False, "playing", holder, keys.new_server_seed(), DATE, None, "o")
    event = Event(table, 1, DATE, "created", None, json.dumps({"seats": "x" * 500}), None)
    holding = [(holder, table)]
    return Unit(
        [event], head=head, holders=holding, attempt=Beginning(attempt) if attempt else None
    )


def ended(unit: Unit, attempt: Attempt | None, lead: int) -> Unit:
    table = unit.events[0].table_id
    event = Event(table, 2, DATE + 1, "moved", 0, "R7", None)
    done = (attempt, Result(FINISHED, lead, 30)) if attempt else None
    return Unit([event], status=(table, "over", DATE + 1), result=done)


async def write(store: Store, units: list[Unit]) -> float:
    """Microseconds for each."""
    start = time.perf_counter()
    assert all(await asyncio.gather(*(store.write(unit) for unit in units)))
    return 1e6 * (time.perf_counter() - start) / len(units)


async def writing(store: Store) -> dict[str, float]:
    """Medians of rounds in which tables with and without an attempt take turns."""
    store.start(asyncio.get_running_loop())
    times: dict[str, list[float]] = {}
    for n in range(ROUNDS):
        for counts in (False, True):
            people = [keys.digest(f"new {n} {counts} {k}") for k in range(AT_ONCE)]
            made = [Attempt(DEALS[n % len(DEALS)], 0, each, True) for each in people]
            tried: list[Attempt | None] = [each if counts else None for each in made]
            units = [begun(who, each) for who, each in zip(people, tried, strict=True)]
            name = "_attempt" if counts else ""
            times.setdefault(f"begin{name}", []).append(await write(store, units))
            over = [
                ended(unit, each, k % 41 - 20)
                for k, (unit, each) in enumerate(zip(units, tried, strict=True))
            ]
            times.setdefault(f"end{name}", []).append(await write(store, over))
    return {name: statistics.median(each) for name, each in times.items()}


def milliseconds(work: Callable[[int], Any]) -> float:
    times = []
    for n in range(ASKED):
        start = time.perf_counter()
        work(n)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def asked_for_place(store: Store, n: int) -> None:
    tally = attempts.tally(store, DEALS[n % len(DEALS)])
    place(tally.leads, n - 25)


def size(store: Store) -> int:
    query = (
        "SELECT pg_total_relation_size('attempts')"
        if store.shared
        else "SELECT sum(pgsize) FROM dbstat WHERE name IN ('attempts', 'attempts_by_lead')"
    )
    with store.engine.connect() as connection:
        return int(connection.execute(text(query)).scalar_one())


def measure(address: str, players: int) -> Measured:
    store = Store(database_url(address), "benchmark", None)
    store.open()
    own = fill(store, players)
    with store.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("VACUUM ANALYZE attempts" if store.shared else "ANALYZE"))
    try:
        count = len(DEALS) * (players + 365)
        bytes_of_row = size(store) / count
    except Exception:  # an SQLite without dbstat
        bytes_of_row = float("nan")
    times = asyncio.run(_written(store))
    measured = Measured(
        **times,
        tally=milliseconds(lambda n: asked_for_place(store, n)),
        own=milliseconds(lambda n: attempts.between(store, own, chain.after(DAY, -365), DAY)),
        bytes=bytes_of_row,
    )
    store.engine.dispose()
    return measured


async def _written(store: Store) -> dict[str, float]:
    times = await writing(store)
    await asyncio.to_thread(store.stop)
    return times


def table(results: dict[str, Measured], players: int) -> str:
    date = datetime.now(UTC).date()
    lines = [
        f"Measured on {date} ({processor()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}; load after the run {os.getloadavg()[0]:.1f}), with "
        f"{players:,} finished attempts at each of the four deals. Medians; tables are begun and "
        f"ended {AT_ONCE} at a time, in durable transactions.",
        "",
        "| | begin a table | … that is an attempt | end a table | … that is an attempt "
        "| all places of a deal | one's own year | a row |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, m in results.items():
        lines.append(
            f"| {name} | {m.begin:.0f} µs | {m.begin_attempt:.0f} µs | {m.end:.0f} µs "
            f"| {m.end_attempt:.0f} µs | {m.tally:.1f} ms | {m.own:.1f} ms | {m.bytes:.0f} bytes |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--dry-run", action="store_true", help="write no file")
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = {"SQLite": measure(f"{folder}/days.db", wishes.players)}
    with databases.postgresql() as database:
        results["PostgreSQL"] = measure(database.address, wishes.players)
    written = table(results, wishes.players)
    print(written)
    if not wishes.dry_run:
        page = PAGE.read_text("utf-8")
        before, rest = page.split(BEGIN)
        _, after = rest.split(END)
        PAGE.write_text(f"{before}{BEGIN}\n{written}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
