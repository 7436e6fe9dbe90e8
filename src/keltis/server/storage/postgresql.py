"""Connections to PostgreSQL that give up: no call waits for ever, whatever holds the database up.

The database itself ends statements that take too long. One that is frozen, or cut off by a network
that swallows everything, ends nothing, so that the client counts too, and drops the connection.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, create_engine

SCHEME = "postgresql+psycopg://"
_DATABASES_SHARE = 0.75  # of the limit: after it the database ends a statement itself, and says so
_LEAST = 2  # seconds: libpq takes no shorter time to connect


class Connection(psycopg.Connection[Any]):
    """A connection whose every call ends within `limit` seconds; after that it is closed."""

    limit = math.inf

    def wait(self, gen: Any, *args: Any, **more: Any) -> Any:
        try:
            return super().wait(_limited(gen, self.limit), *args, **more)
        except _TooLate:
            self.close()
            raise psycopg.OperationalError(f"no answer within {self.limit:g} seconds") from None


class _TooLate(Exception):
    pass


def _limited(gen: Any, limit: float) -> Generator[Any, Any, Any]:
    """The same steps; psycopg comes back several times a second even if nothing has arrived."""
    deadline = time.monotonic() + limit
    ready = None
    while True:
        try:
            wanted = gen.send(ready)
        except StopIteration as end:
            return end.value
        ready = yield wanted
        if not ready and time.monotonic() > deadline:
            raise _TooLate


def connect(address: str, limit: float | None, **more: Any) -> Connection:
    """Connect to a libpq address, which may name several hosts: the first that takes writes.

    What the address itself sets stays as it is. None: no limit, for maintenance.
    """
    given = conninfo_to_dict(address)
    wait = _LEAST if limit is None else max(_LEAST, int(limit / 3))  # for each of the hosts
    defaults: dict[str, Any] = {
        "connect_timeout": wait,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 1000 * wait,
    }
    if "," in str(given.get("host", "")):
        defaults["target_session_attrs"] = "read-write"
    chosen = {name: value for name, value in defaults.items() if name not in given}
    connection = Connection.connect(address, **chosen, **more)
    if limit is not None:
        connection.limit = limit
        ms = int(_DATABASES_SHARE * 1000 * limit)
        before = connection.autocommit
        connection.autocommit = True
        connection.execute(f"SET statement_timeout = {ms}")
        connection.execute(f"SET lock_timeout = {ms}")
        connection.autocommit = before
    return connection


def engine(url: str, limit: float | None, **more: Any) -> Engine:
    """The database as SQLAlchemy uses it; libpq, and nobody else, reads the address."""
    where = address(url)
    return create_engine(
        SCHEME, creator=lambda: connect(where, limit), hide_parameters=True, **more
    )


def address(url: str) -> str:
    """What libpq calls the database that SQLAlchemy calls `url`."""
    return "postgresql://" + url.removeprefix(SCHEME)


def is_postgresql(url: str) -> bool:
    return url.startswith(SCHEME)
