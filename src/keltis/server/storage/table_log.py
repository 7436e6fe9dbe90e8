"""What is stored of one table: read whole, and changed without holding others up.

To replay a long log takes a second, and SQLite lets nobody else write during a transaction that
writes. So a log is read and replayed first, and what follows from it is written in a transaction
that looks whether the log is still the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from keltis.server.storage.schema import events, tables
from keltis.server.storage.store import Store
from keltis.server.tables.events import Event, Head

_TRIES = 3  # of a change that others' events overtake, before they have to wait for it

Found = TypeVar("Found")


class Log(NamedTuple):
    table_id: str
    head: Head | None
    events: list[Event]


def read(connection: Connection, table_id: str) -> Log:
    row = connection.execute(select(tables).where(tables.c.id == table_id)).first()
    rows = select(events).where(events.c.table_id == table_id).order_by(events.c.seq)
    found = [Event(*each) for each in connection.execute(rows)]
    return Log(table_id, Head(*row) if row else None, found)


def change(
    store: Store,
    table_id: str,
    work_out: Callable[[Log], Found],
    write: Callable[[Found, Connection], None],
) -> Found:
    """Write what follows from a table's log; return it."""
    for _ in range(_TRIES):
        with store.snapshot.connect() as connection:
            log = read(connection, table_id)
        found = work_out(log)
        # In PostgreSQL a decision may come all the same.
        with contextlib.suppress(IntegrityError), store.engine.begin() as connection:
            lock(connection, table_id)
            if _is_same(connection, log):
                write(found, connection)
                return found
    with store.engine.begin() as connection:
        lock(connection, table_id)
        found = work_out(read(connection, table_id))
        write(found, connection)
    return found


def lock(connection: Connection, table_id: str) -> None:
    """Let nobody else change a table until the transaction ends, but by decisions."""
    connection.execute(select(tables.c.id).where(tables.c.id == table_id).with_for_update())


def _is_same(connection: Connection, log: Log) -> bool:
    """Whether nothing has happened at a table; nobody ever rewrites a decision that was taken."""
    row = connection.execute(select(tables).where(tables.c.id == log.table_id)).first()
    own = events.c.table_id == log.table_id
    last = connection.execute(select(func.max(events.c.seq)).where(own)).scalar()
    rest = select(events).where(own, events.c.kind != "moved").order_by(events.c.seq)
    return (
        (Head(*row) if row else None) == log.head
        and last == (log.events[-1].seq if log.events else None)
        and [Event(*each) for each in connection.execute(rest)]
        == [each for each in log.events if each.kind != "moved"]
    )
