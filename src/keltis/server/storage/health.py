"""Whether the database takes a durable write, found out within a time limit.

A read proves little: a full disk, a lock and a frozen server show only when something is written.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from keltis.server.storage import postgresql
from keltis.server.storage.faults import cause

_log = logging.getLogger("keltis.health")

LIMIT = 1.5  # seconds that a probe may take
_FRESH = 0.5  # seconds for which its answer counts, however often it is asked for

# Writes a row anew as it is: a real commit that changes nothing and needs no table of its own.
_WRITE = "UPDATE alembic_version SET version_num = version_num"


class Health:
    """Probes a database, one probe at a time; `fault` is the last answer, None if all is well."""

    def __init__(self, url: str, damage: Callable[[], str | None] = lambda: None) -> None:
        """`damage`: what the server itself found broken where the probe does not look."""
        self._url = url
        self._damage = damage
        self._file = None if postgresql.is_postgresql(url) else str(make_url(url).database)
        self._probe: asyncio.Future[str | None] | None = None
        self._answered = -1e9
        self.fault: str | None = None

    async def check(self) -> str | None:
        """What is wrong, in a word for the operator; None if a write went through in time."""
        if time.monotonic() - self._answered < _FRESH:
            return self.fault
        if self._probe is None or self._probe.done():
            self._probe = self._start()
        done, _ = await asyncio.wait([self._probe], timeout=LIMIT)
        fault = self._probe.result() if done else f"no answer within {LIMIT:g} seconds"
        fault = fault or self._damage()
        self._answered = time.monotonic()
        if fault != self.fault:
            if fault is None:
                _log.info("the database takes writes again")
            else:
                _log.error("the database takes no write", extra={"cause": fault})
            self.fault = fault
        return fault

    def _start(self) -> asyncio.Future[str | None]:
        """A probe in a thread of its own: one that hangs must not fill the pool of others."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str | None] = loop.create_future()

        def set_result(fault: str | None) -> None:
            if not answer.done():
                answer.set_result(fault)

        def work() -> None:
            fault = write(self._url) if self._file is None else write_sqlite(self._file)
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody asks any more
                loop.call_soon_threadsafe(set_result, fault)

        threading.Thread(target=work, name="health", daemon=True).start()
        return answer


def write_sqlite(file: str) -> str | None:
    """Write to a SQLite file that is there already; what went wrong, or None."""
    try:
        address = f"file:{_quoted(file)}?mode=rw"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=LIMIT / 2)) as there:
            there.execute("PRAGMA synchronous=FULL")
            with there:
                there.execute(_WRITE)
    except sqlite3.Error as fault:
        return f"{type(fault).__name__}: {fault}"
    return None


def write(url: str) -> str | None:
    """Write to PostgreSQL on a connection of its own; what went wrong, or None."""
    engine = postgresql.engine(url, LIMIT, poolclass=NullPool)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(_WRITE)
    except SQLAlchemyError as fault:
        return cause(fault)
    return None


def _quoted(file: str) -> str:
    from urllib.parse import quote

    return quote(file)
