"""Notices between servers that share a PostgreSQL database.

A notice says only that a table has reached a number, that its log was rewritten, which seats are
present, or that a key, by its digest, is worth nothing any more: no secret and no card crosses the
bus. Notices gather for a moment and go out together on a connection of their own, because
PostgreSQL takes one lock for all commits that notify.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from keltis.server.live.live_table import LiveTable
from keltis.server.storage import postgresql
from keltis.server.storage.faults import cause

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.bus")

NAME = "keltis notices"  # of its connections, to whoever looks at the database
_CHANNEL = "keltis"
_GATHER = 0.005  # seconds in which notices gather
_KEY = ""  # stands in the place of a table
_MOST_BYTES = 7000  # PostgreSQL takes 8000 a notice
_QUIET = 5  # seconds without a notice, after which the connection is tried
_BELIEVED = 30.0  # seconds for which presence elsewhere is believed without being told again


class Bus:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._server = service.store.server
        self._address = postgresql.address(service.store.url)
        self._seqs: dict[str, int] = {}
        self._present: dict[str, list[Any]] = {}
        self._rewritten: set[str] = set()
        self._signed_out: set[str] = set()
        self._something = threading.Event()
        self._lock = threading.Lock()
        self._stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        for work in (self._speak, self._listen):
            thread = threading.Thread(target=self._for_ever, args=(work,), daemon=True)
            thread.start()
            self._threads.append(thread)

    async def stop(self) -> None:
        self._stopping = True
        self._something.set()
        for thread in self._threads:
            await asyncio.to_thread(thread.join, 3)

    # --- To others -----------------------------------------------------------------------

    def tell(self, table_id: str, seq: int) -> None:
        with self._lock:
            self._seqs[table_id] = max(seq, self._seqs.get(table_id, 0))
        self._something.set()

    def tell_rewritten(self, table_id: str) -> None:
        """What others have of a table in memory is not what its log says any more."""
        with self._lock:
            self._rewritten.add(table_id)
        self._something.set()

    def tell_signed_out(self, key: str) -> None:
        """A key of a person was taken away: its connections end."""
        with self._lock:
            self._signed_out.add(key)
        self._something.set()

    def tell_presence(self, live: LiveTable) -> None:
        """The seats present here, and how many watch here."""
        seats = sorted({seat for viewer in live.viewers for seat in viewer.seats})
        watchers = sum(not viewer.seats for viewer in live.viewers)
        with self._lock:
            self._present[live.table.id] = [seats, watchers]
        self._something.set()

    async def remind(self) -> None:
        """For ever: tell presence again, forget servers that no longer do, and end connections
        of keys whose end no notice told of."""
        while True:
            await asyncio.sleep(_BELIEVED / 3)
            now = time.monotonic()
            with contextlib.suppress(SQLAlchemyError):  # the next time, then
                await self._service.person_keys.end_signed_out()
            for live in self._service.registry:
                if live.viewers:
                    self.tell_presence(live)
                old = [server for server, there in (live.remote or {}).items() if there[2] < now]
                for server in old:
                    assert live.remote is not None
                    del live.remote[server]
                if old:
                    changed = live.note_presence(self._service.clock.now())
                    self._service.presence_changed(live, changed, local=False)

    def _for_ever(self, work: Any) -> None:
        while not self._stopping:
            try:
                limit = self._service.settings.database_timeout
                with postgresql.connect(
                    self._address, limit, autocommit=True, application_name=NAME
                ) as connection:
                    work(connection)
            except psycopg.Error as fault:
                if not self._stopping:
                    _log.warning("no notices for now", extra={"cause": cause(fault)})
                    self._service.store.on_fault(cause(fault))
                    time.sleep(0.5)

    def _speak(self, connection: psycopg.Connection) -> None:
        while not self._stopping:
            self._something.wait()
            time.sleep(_GATHER)
            self._something.clear()
            with self._lock:
                seqs, self._seqs = self._seqs, {}
                present, self._present = self._present, {}
                rewritten, self._rewritten = self._rewritten, set()
                signed_out, self._signed_out = self._signed_out, set()
            try:
                for text in self._texts(seqs, present, rewritten, signed_out):
                    connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, text))
            except psycopg.Error:
                with self._lock:  # say it again on the next connection
                    self._seqs = {**seqs, **self._seqs}
                    self._present = {**present, **self._present}
                    self._rewritten |= rewritten
                    self._signed_out |= signed_out
                self._something.set()
                raise

    def _texts(
        self,
        seqs: dict[str, int],
        present: dict[str, list[Any]],
        rewritten: set[str],
        signed_out: set[str],
    ) -> list[str]:
        items: list[list[Any]] = [[table_id, seq] for table_id, seq in seqs.items()]
        items += [[table_id] for table_id in rewritten]
        items += [[_KEY, key] for key in signed_out]
        items += [[table_id, *there] for table_id, there in present.items()]
        texts, batch, size = [], [], 0
        for item in items:
            batch.append(item)
            size += len(json.dumps(item)) + 2
            if size > _MOST_BYTES:
                texts.append(json.dumps([self._server, batch]))
                batch, size = [], 0
        if batch:
            texts.append(json.dumps([self._server, batch]))
        return texts

    # --- From others ---------------------------------------------------------------------

    def _listen(self, connection: psycopg.Connection) -> None:
        assert self._loop is not None
        connection.execute(f"LISTEN {_CHANNEL}")
        quiet = 0
        while not self._stopping:
            quiet += 1
            for notice in connection.notifies(timeout=1.0, stop_after=1):
                self._loop.call_soon_threadsafe(self._heard, notice.payload)
                quiet = 0
            if quiet >= _QUIET:  # nothing is said, or nothing comes through
                connection.execute("SELECT 1")
                quiet = 0

    def _heard(self, payload: str) -> None:
        server, items = json.loads(payload)
        if server == self._server or self._service.stopping:
            return
        for table_id, *rest in items:
            if table_id == _KEY:
                self._service.person_keys.end(rest[0])
                continue
            live = self._service.registry.get(table_id)
            if live is None:
                continue
            self._service.metrics.notices.inc()
            if not rest:
                self._service.read_anew(live)
            elif len(rest) == 1:
                if live.table.seq < rest[0]:
                    self._service.background.spawn(self._service.catch_up(live, rest[0]))
            else:
                self._presence(live, server, *rest)

    def _presence(self, live: LiveTable, server: str, seats: list[int], watchers: int) -> None:
        if live.remote is None:
            live.remote = {}
        before = live.watchers(), server in live.remote
        live.remote[server] = (seats, watchers, time.monotonic() + _BELIEVED)
        if not seats and not watchers:
            del live.remote[server]
        changed = live.note_presence(self._service.clock.now())
        if changed or before[0] != live.watchers():
            self._service.presence_changed(live, changed, local=False)
        if not before[1] and live.viewers and (seats or watchers):
            self.tell_presence(live)  # it has just come: it does not know of ours
