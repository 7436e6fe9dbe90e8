"""The tables in this server's memory: found, read from their logs, let go.

A table whose log cannot be read is set apart, by itself: it is refused, counted and logged, and no
other table notices. `keltis tables check` says what is wrong with it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator

from keltis.server import keys
from keltis.server.clock import Clock
from keltis.server.live.live_table import LiveTable
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.storage.store import Store
from keltis.server.tables.events import BadEvent
from keltis.server.tables.table import Table, replayed

_log = logging.getLogger("keltis.tables")

_OUTAGE = 15.0  # seconds past a time limit: no server was there, and the person could not decide
_LOOK_AGAIN = 60.0  # seconds after which an unreadable log is tried again: it may be repaired


class Registry:
    def __init__(self, store: Store, clock: Clock, metrics: Metrics) -> None:
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._unreadable: dict[str, float] = {}  # until when each is not tried again
        self.on_load: Callable[[LiveTable], None] = lambda live: None

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._live.values()))

    def get(self, table_id: str) -> LiveTable | None:
        """A table that is in memory."""
        return self._live.get(table_id)

    async def find(self, table_id: str) -> LiveTable:
        """A table by its id, from memory or the log."""
        live = self._live.get(table_id)
        if live is not None:
            live.used_at = self._clock.now()
            return live
        if not keys.is_table_id(table_id):
            raise _unknown()
        if self._unreadable.get(table_id, 0.0) > self._clock.now():
            raise unreadable()
        waiting = self._loading.get(table_id)
        if waiting is None:
            waiting = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
            waiting.add_done_callback(lambda _: self._loading.pop(table_id, None))
            # Whoever waited for it may have given up.
            waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(waiting)

    async def find_all(self, ids: Iterable[str]) -> list[LiveTable]:
        """Those of some tables that can be read."""
        found = []
        for table_id in ids:
            try:
                found.append(await self.find(table_id))
            except Problem:
                continue
        return found

    async def _load(self, table_id: str) -> LiveTable:
        try:
            table = await asyncio.to_thread(self._read, table_id)
        except BadEvent as fault:
            raise self.set_apart(table_id, fault) from None
        if table is None:
            raise _unknown()
        self._unreadable.pop(table_id, None)
        self._metrics.unreadable.set(len(self._unreadable))
        live = self.add(table, self._taken_so_far(table))
        self.on_load(live)
        return live

    def _read(self, table_id: str) -> Table | None:
        head = self._store.head(table_id)
        if head is None:
            return None
        return replayed(head, self._store.events_after(table_id, 0))

    def _taken_so_far(self, table: Table) -> float:
        """Seconds that the running decision has taken when a table is read from the log.

        With one server nobody could decide before it was read. With several, another one may
        have asked, and only the dates tell how long ago. They are not believed if the time was
        over long before: somebody would have noticed.
        """
        limit = table.time_limit()
        if limit is None or not self._store.shared:
            return 0.0
        seconds = max(0.0, (self._clock.wall() - table.asked_at) / 1000)
        return seconds if seconds < limit[0] / 1000 + _OUTAGE else 0.0

    def add(self, table: Table, elapsed: float = 0.0) -> LiveTable:
        """Keep a table; the one that is kept already if somebody was first."""
        live = self._live.get(table.id)
        if live is None:
            live = self._live[table.id] = LiveTable(table, self._clock.now(), elapsed)
            self._metrics.tables.set(len(self._live))
        return live

    def set_apart(self, table_id: str, fault: BadEvent) -> Problem:
        """Refuse a table whose log cannot be read; the problem to raise."""
        self._live.pop(table_id, None)
        self._unreadable[table_id] = self._clock.now() + _LOOK_AGAIN
        self._metrics.tables.set(len(self._live))
        self._metrics.unreadable.set(len(self._unreadable))
        _log.error(
            "a table cannot be read; `keltis tables check` tells which and why",
            extra={"event": fault.seq, "kind": fault.kind},
        )
        return unreadable()

    def drop(self, live: LiveTable) -> None:
        """Forget a table whose log was rewritten: whoever asks for it next reads it anew."""
        live.is_old, live.in_step = True, False
        if self._live.get(live.table.id) is live:
            del self._live[live.table.id]
            self._metrics.tables.set(len(self._live))

    def let_go(self, idle: float) -> None:
        """Forget tables that nobody has been at for so many seconds."""
        now = self._clock.now()
        for table_id, live in list(self._live.items()):
            if live.is_idle(now, idle):
                del self._live[table_id]
        self._metrics.tables.set(len(self._live))


def unreadable() -> Problem:
    return Problem("unreadable", "the log of this table is damaged; whoever runs the server knows")


def _unknown() -> Problem:
    return Problem("unknown_table", "there is no such table")
