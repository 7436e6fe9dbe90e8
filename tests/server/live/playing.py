"""A server inside the test's own process, without sockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

from keltis.server.app import Server
from keltis.server.clock import Clock
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.settings import Settings
from keltis.server.tables.commands import created_body
from keltis.server.tables.table import Table, replayed

ANN = "a" * 64  # the digest of a key
PATIENCE = 60.0


class FakeTime:
    """Clocks that go when they are told to."""

    def __init__(self) -> None:
        self.monotonic = 1000.0
        self.wall = 1_700_000_000.0

    def clock(self) -> Clock:
        return Clock(lambda: self.monotonic, lambda: self.wall)

    def pass_by(self, seconds: float, clock: Clock) -> None:
        """Time goes by while the server runs."""
        while seconds > 0:
            step = min(seconds, 1.0)
            self.monotonic += step
            self.wall += step
            seconds -= step
            clock.now()

    def sleep(self, seconds: float) -> None:
        """The process does not run for a while."""
        self.monotonic += seconds
        self.wall += seconds


@contextlib.asynccontextmanager
async def serving(
    file: Path | str, clock: Clock | None = None, *, alone: bool = True, **settings: Any
) -> AsyncIterator[Server]:
    """`alone`: no other server uses the file."""
    server = Server(Settings(database=str(file), bot_pace=0, **settings), clock)
    if not alone:
        server.store.lock = lambda: None  # type: ignore[method-assign]
    server.store.open()
    server.store.start(asyncio.get_running_loop())
    try:
        yield server
    finally:
        await server.service.stop()
        await server.store.finish()


async def started(server: Server, *who: str, **wishes: Any) -> LiveTable:
    """A table with people of one key (`me`) and bots, once its game has begun."""
    seats = [
        {"who": "me", "name": f"P{k}", "level": None}
        if each == "me"
        else {"who": "bot", "name": each, "level": each}
        for k, each in enumerate(who)
    ]
    body = created_body(
        {"seats": seats, "practice": False, "hints": None, "clock": None, "ready": True,
         "spectators": True, "options": {}, "first": 0, **wishes}, ANN, None,
    )  # fmt: skip
    live = await server.service.create("board", False, body, Asker("here", ANN))
    await until(lambda: live.table.status != "waiting")
    return live


async def until(holds: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.002)


def logged(server: Server, table_id: str) -> Table:
    """A table as its log makes it."""
    head = server.store.head(table_id)
    assert head is not None
    return replayed(head, server.store.events_after(table_id, 0))


def facts(table: Table) -> dict[str, Any]:
    """All that a table is, but for who is connected."""
    plain = {
        name: getattr(table, name) for name in Table.__slots__ if name not in ("game", "seats")
    }
    plain["steps"], plain["made_by"] = list(table.steps), list(table.made_by)
    plain["record"] = None if table.game is None else table.game.record()
    plain["seats"] = [
        {name: getattr(seat, name) for name in seat.__slots__ if name != "absent_since"}
        for seat in table.seats
    ]
    return plain


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 4 * PATIENCE))
