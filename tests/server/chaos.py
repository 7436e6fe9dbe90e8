"""Make trouble again and again while people play, and see whether anything was lost.

    python -m tests.server.chaos [--database sqlite|postgresql] [--troubles 30] [--tables 24]

Clients play many tables. Servers are killed with SIGKILL at random moments and started again. On
PostgreSQL there are two, and clients go to whichever answers; the database too is killed, frozen,
cut off from one of them, robbed of its notices, and half way replaced by its replica for good.
Afterwards the log must show: every acknowledged decision, at its number; no client's id twice;
every game at its end; every record replays. `make chaos` runs the long form, `make test` a short
one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import create_engine, text
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import keltis
from keltis.server.live.bus import NAME
from keltis.server.settings import database_url
from keltis.server.storage import postgresql
from tests.server import databases
from tests.server.running import Server

_SLOWEST = 180.0  # seconds after which a game that stands still is a failure


@dataclass
class World:
    """The servers, the tables, and what clients were told."""

    servers: list[Server]
    chance: random.Random
    acknowledged: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    tables: dict[str, list[str]] = field(default_factory=dict)  # the keys of its people
    reconnects: int = 0
    resent: int = 0
    moved_at: float = 0.0
    troubles: Counter[str] = field(default_factory=Counter)
    finished: int = 0

    def url(self) -> str:
        return self.chance.choice(self.servers).url


Trouble = Callable[[World], Awaitable[None]]


async def until_it_works(world: World, method: str, path: str, key: str, **more: Any) -> Any:
    """A request, repeated until some server answers it."""
    async with httpx.AsyncClient(timeout=10) as http:
        while True:
            try:
                headers = {"authorization": f"Bearer {key}"} if key else {}
                url = f"{world.url()}/api/{path}"
                response = await http.request(method, url, headers=headers, **more)
                if response.status_code < 500:
                    return response.json()
            except (httpx.HTTPError, ValueError):
                pass
            await asyncio.sleep(0.1)


async def make_table(world: World, game: str, *, bot: bool) -> None:
    keys = [(await until_it_works(world, "POST", "keys", ""))["key"] for _ in range(2 - bot)]
    other = {"who": "bot", "level": "random"} if bot else {"who": "open"}
    wish = {"game": game, "seats": [{"who": "me", "name": "Ann"}, other], "ready": True}
    made = await until_it_works(world, "POST", "tables", keys[0], json=wish)
    if not bot:
        joining = {"name": "Ben", "invitation": made["invitation"], "ready": True, "id": "joining"}
        await until_it_works(world, "POST", f"tables/{made['table']}/join", keys[1], json=joining)
    world.tables[made["table"]] = keys


class Person:
    """A client as the browser is: sends again, with the same id, what was not acknowledged."""

    def __init__(self, world: World, table: str, key: str) -> None:
        self.world = world
        self.table = table
        self.key = key
        self.seq = 0
        self.pending: dict[str, Any] | None = None
        self.over = False
        self._count = 0

    async def play(self) -> None:
        while not self.over:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                await self._sit()
            if not self.over:
                self.world.reconnects += 1
                await asyncio.sleep(self.world.chance.uniform(0.05, 0.3))
        self.world.finished += 1

    async def _sit(self) -> None:
        url = self.world.url().replace("http", "ws", 1)
        path = f"{url}/api/tables/{self.table}/socket?from={self.seq}"
        headers = {"authorization": f"Bearer {self.key}"}
        async with connect(
            path, additional_headers=headers, compression=None, open_timeout=10, close_timeout=1
        ) as socket:
            while not self.over:
                message = json.loads(await asyncio.wait_for(socket.recv(), 20))
                answer = self._hear(message)
                if message.get("code") in ("busy", "stopping"):
                    await asyncio.sleep(0.2)
                if answer is not None:
                    await socket.send(json.dumps(answer))

    def _hear(self, message: dict[str, Any]) -> dict[str, Any] | None:
        kind = message["type"]
        world, pending = self.world, self.pending
        if pending and message.get("id") == pending["id"]:
            if kind in ("moved", "ack"):
                told = message["seq"], pending["move"]
                world.acknowledged[self.table, pending["id"]] = told
            elif kind == "error" and message["code"] in ("busy", "stopping"):
                return pending
            self.pending = None
            if kind in ("ack", "error"):
                return {"type": "sync", "from": self.seq}  # and go on from there
        if kind == "moved":
            if message["seq"] != self.seq + 1:
                return {"type": "sync", "from": self.seq}
        elif kind != "state":
            return None
        if message["seq"] > self.seq:
            world.moved_at = time.monotonic()
        self.seq = message["seq"]
        if message["views"] and message["views"][0]["result"]:
            self.over = True
            return None
        if message["you"]["may"]["decide"] is None and not self.pending:
            return None
        if self.pending:
            if kind == "moved":
                return None
            world.resent += 1
            return self.pending
        self._count += 1
        move = world.chance.choice(message["views"][0]["legal_moves"])
        own_id = f"{self.key[:6]}-{self._count}"
        self.pending = {"type": "decide", "move": move, "seq": self.seq, "id": own_id}
        return self.pending


async def disturb(world: World, troubles: Iterable[Trouble], pause: tuple[float, float]) -> None:
    """One trouble after the other, at random moments; each is over when the next comes."""
    for trouble in troubles:
        await asyncio.sleep(world.chance.uniform(*pause))
        await trouble(world)
        world.troubles[getattr(trouble, "__name__", "?").replace("_", " ")] += 1
        world.moved_at = time.monotonic()
        if world.troubles.total() % 5 == 0:
            print(
                f"  {world.troubles.total()} troubles, {len(world.tables)} tables, "
                f"{len(world.acknowledged)} decisions acknowledged",
                flush=True,
            )


async def kill_a_server(world: World) -> None:
    """By SIGKILL; it is started again."""
    server = world.chance.choice(world.servers)
    server.kill()
    await asyncio.to_thread(server.start)


class Cluster:
    """A database, a replica that has every commit, and ways to both that can be cut.

    The first server goes by these ways, the others straight.
    """

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._first, self._second = stack.enter_context(databases.pair())
        self._ways = [
            stack.enter_context(databases.way(each)) for each in (self._first, self._second)
        ]
        self._now = self._first

    def addresses(self, servers: int) -> list[str]:
        """One for each server."""
        return [databases.either(*self._ways)] + [databases.either(self._first, self._second)] * (
            servers - 1
        )

    async def kill_the_database(self, world: World) -> None:
        self._now.kill()
        await asyncio.sleep(world.chance.uniform(0, 2))
        await asyncio.to_thread(self._now.start)

    async def freeze_the_database(self, world: World) -> None:
        with self._now.frozen():
            await asyncio.sleep(world.chance.uniform(1, 5))

    async def cut_a_server_off(self, world: World) -> None:
        for way in self._ways:
            way.cut()
        await asyncio.sleep(world.chance.uniform(1, 6))
        for way in self._ways:
            way.mend()

    async def break_the_notices(self, world: World) -> None:
        query = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            f"WHERE application_name = '{NAME}'"
        )
        for _ in range(10):
            await asyncio.to_thread(self._now.ask, query)
            await asyncio.sleep(0.2)

    async def let_the_replica_take_over(self, world: World) -> None:
        """Once; the first database stays dead."""
        assert self._now is self._first
        self._first.kill()
        await asyncio.sleep(world.chance.uniform(0, 2))
        await asyncio.to_thread(self._second.ask, "SELECT pg_promote(true, 60)")
        self._now = self._second

    def troubles(self, count: int, chance: random.Random) -> list[Trouble]:
        """All kinds in turn, shuffled; half way the replica takes over."""
        kinds = [
            kill_a_server, self.kill_the_database, self.freeze_the_database, self.cut_a_server_off,
            self.break_the_notices,
        ]  # fmt: skip
        chosen: list[Trouble] = [kinds[k % len(kinds)] for k in range(count - 1)]
        chance.shuffle(chosen)
        chosen.insert(len(chosen) // 2, self.let_the_replica_take_over)
        return chosen


async def play_meanwhile(
    world: World, tables: int, troubles: Iterable[Trouble], pause: tuple[float, float]
) -> None:
    """Tables are replaced as they finish until all troubles are over; then all games end."""
    kinds = [("stones", False), ("board", False), ("stones", True), ("board", True)]
    made = 0

    async def seat() -> list[asyncio.Task[None]]:
        nonlocal made
        game, bot = kinds[made % len(kinds)]
        made += 1
        before = set(world.tables)
        await make_table(world, game, bot=bot)
        (table,) = set(world.tables) - before
        people = [Person(world, table, key) for key in world.tables[table]]
        return [asyncio.create_task(person.play()) for person in people]

    people = [person for _ in range(tables) for person in await seat()]
    world.moved_at = time.monotonic()
    disturbing = asyncio.create_task(disturb(world, troubles, pause))
    while people:
        done, waiting = await asyncio.wait(people, timeout=1, return_when=asyncio.FIRST_COMPLETED)
        people = list(waiting)
        for person in done:
            person.result()
        if disturbing.done():
            disturbing.result()  # a server that did not start again
        assert time.monotonic() - world.moved_at < _SLOWEST, await standing(world)
        if not disturbing.done() and len(people) < tables:
            people += await seat()
    await disturbing


async def standing(world: World) -> str:
    """What the tables that are not over wait for, as their people see it."""
    lines = ["the games stand still"]
    for table, keys in world.tables.items():
        state = await until_it_works(world, "GET", f"tables/{table}", keys[0])
        if state["table"]["status"] != "over":
            view = (state["views"] or [{}])[0]
            seats = [(seat["kind"], seat["present"]) for seat in state["table"]["seats"]]
            status = state["table"]["status"]
            lines.append(f"{table} {status} at {state['seq']}: {view.get('seat')} of {seats}")
    return "\n".join(lines)


def check(world: World, database: str) -> dict[str, Any]:
    """What the log says, against what clients were told."""
    url = database_url(database)
    engine = postgresql.engine(url, None) if postgresql.is_postgresql(url) else create_engine(url)
    with engine.connect() as connection:
        rows = connection.execute(
            text("SELECT table_id, seq, kind, body, client FROM events ORDER BY table_id, seq")
        ).fetchall()
        found = connection.execute(text("SELECT id, status FROM tables")).fetchall()
    engine.dispose()
    statuses = {row.id: row.status for row in found}
    clients = Counter((row.table_id, row.client) for row in rows if row.client)
    assert all(count == 1 for count in clients.values()), "something happened twice"
    written = {(row.table_id, row.seq): row for row in rows}
    lost = [
        told
        for (table, _), told in world.acknowledged.items()
        if (row := written.get((table, told[0]))) is None or row.body != told[1]
    ]
    assert not lost, f"{len(lost)} acknowledged decisions were lost"
    for table in {row.table_id for row in rows}:
        seqs = [row.seq for row in rows if row.table_id == table]
        assert seqs == list(range(1, len(seqs) + 1)), "a gap in the log"
    over = [table for table in world.tables if statuses[table] == "over"]
    assert len(over) == len(world.tables), "not every game reached its end"
    for table in world.tables:
        record = httpx.get(f"{world.url()}/api/tables/{table}/record", timeout=60).json()
        game = keltis.load(record)
        assert game.is_over
        moves = [row.body for row in rows if row.table_id == table and row.kind == "moved"]
        assert game.moves == moves, "the record is not the log"
    return {
        "troubles": dict(world.troubles),
        "tables": len(world.tables),
        "decisions": sum(row.kind == "moved" for row in rows),
        "acknowledged to clients": len(world.acknowledged),
        "reconnects": world.reconnects,
        "sent again": world.resent,
        "lost": 0,
        "twice": 0,
    }


def run(
    addresses: list[str],
    folder: Path,
    troubles: Sequence[Trouble],
    *,
    tables: int,
    pause: tuple[float, float],
    seed: int,
) -> dict[str, Any]:
    """One server for each entry of `addresses`, which name the same database."""
    servers = [
        Server(address, folder / f"log{k}", lease=2, poll=0.5, database_timeout=3)
        for k, address in enumerate(addresses)
    ]
    with contextlib.ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        world = World(servers, random.Random(seed))
        began = time.monotonic()
        asyncio.run(play_meanwhile(world, tables, troubles, pause))
        figures = check(world, addresses[-1])
        figures["seconds"] = round(time.monotonic() - began)
        return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], action="append")
    parser.add_argument("--troubles", type=int, default=30)
    parser.add_argument("--tables", type=int, default=24, help="at once")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments = parser.parse_args()
    for kind in arguments.database or ["sqlite", "postgresql"]:
        print(f"{kind}: seed {arguments.seed}, {arguments.troubles} troubles …", flush=True)
        with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
            folder = Path(name)
            addresses = [str(folder / "tables.db")]
            troubles: list[Trouble] = [kill_a_server] * arguments.troubles
            if kind == "postgresql":
                cluster = Cluster(stack)
                addresses = cluster.addresses(2)
                troubles = cluster.troubles(arguments.troubles, random.Random(arguments.seed))
            figures = run(
                addresses,
                folder,
                troubles,
                tables=arguments.tables,
                pause=(0.2, 3.0),
                seed=arguments.seed,
            )
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
