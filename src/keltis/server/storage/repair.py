"""Logs that cannot be replayed: find them, and cut each to its last good event.

Nothing is lost by a repair: what is cut off moves to `set_aside`, as it was.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects.postgresql import insert as pg_insert

from keltis.server.storage import table_log
from keltis.server.storage.schema import events, holders, leases, set_aside, tables
from keltis.server.storage.store import Store
from keltis.server.tables.events import BadEvent, Event, Head
from keltis.server.tables.results import Result
from keltis.server.tables.table import OVER, Table


@dataclass(frozen=True)
class Damage:
    """What is wrong with one table."""

    table_id: str
    reason: str  # for whoever runs the server: it may tell a card
    good: int  # events that can be replayed
    count: int  # events that there are

    @property
    def cut(self) -> int:
        return self.count - self.good


def check(
    store: Store, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Damage]:
    """Replay every log; what is wrong. A server may be running."""
    ids = _ids(store)
    found = []
    for k, table_id in enumerate(ids):
        progress(k, len(ids))
        with store.snapshot.connect() as connection:
            damage = _Log(connection, table_id).damage
        if damage is not None:
            found.append(damage)
    progress(len(ids), len(ids))
    return found


def repair(store: Store, table_id: str) -> Damage | None:
    """Cut a table's log to its last good event, or take the whole table away if it has none.

    No server may have the table in memory.
    """
    with store.engine.begin() as connection:
        table_log.lock(connection, table_id)
        log = _Log(connection, table_id)
        damage = log.damage
        if damage is not None:
            log.repair(damage.reason, store)
    return damage


def _ids(store: Store) -> list[str]:
    """All tables, and all that have events and no head."""
    query = select(tables.c.id).union(select(events.c.table_id))
    with store.reads.connect() as connection:
        return sorted(row[0] for row in connection.execute(query))


class _Log:
    """All that is stored of a table, and how far it can be replayed."""

    def __init__(self, connection: Connection, table_id: str) -> None:
        self._connection = connection
        self._id = table_id
        _, self._head, self._events = table_log.read(connection, table_id)
        self._table, self._reason = _replay(self._head, self._events)

    @property
    def damage(self) -> Damage | None:
        if self._reason is None:
            return None
        good = 0 if self._table is None else self._table.seq
        return Damage(self._id, self._reason, good, len(self._events))

    def repair(self, reason: str, store: Store) -> None:
        execute = self._connection.execute
        good = 0 if self._table is None else self._table.seq
        rest = [event for event in self._events if event.seq > good]
        rows: list[dict[str, Any]] = [event._asdict() for event in rest]
        execute(delete(events).where(events.c.table_id == self._id, events.c.seq > good))
        if self._table is not None and good:
            table = self._table
            over_at = table.over_at if table.status == OVER else None
            execute(
                update(tables)
                .where(tables.c.id == self._id)
                .values(status=table.status, over_at=over_at)
            )
            # How it ended is made anew from what is left of the log.
            listed = dict.fromkeys(Result._fields[2:])
            execute(update(holders).where(holders.c.table_id == self._id).values(listed))
            if store.shared and table.status != OVER:
                lease = pg_insert(leases).values(table_id=self._id, server="", until=0)
                execute(lease.on_conflict_do_nothing())
        else:
            if self._head is not None:
                rows.insert(0, {"head": self._head._asdict()})
            execute(delete(tables).where(tables.c.id == self._id))
            execute(delete(holders).where(holders.c.table_id == self._id))
            execute(delete(leases).where(leases.c.table_id == self._id))
        if rows:
            now = int(time.time() * 1000)
            execute(
                set_aside.insert(),
                [
                    {
                        "table_id": self._id,
                        "set_aside_at": now,
                        "reason": reason,
                        "row": json.dumps(row),
                    }
                    for row in rows
                ],
            )


def _replay(head: Head | None, log: list[Event]) -> tuple[Table | None, str | None]:
    """A table as far as its log can be replayed, and what is wrong with it."""
    if head is None:
        return None, "it has events, but nothing says what table it is"
    good, reason = 0, None
    table = Table(head)
    try:
        for event in log:
            table.apply(event)
            good = event.seq
    except BadEvent as fault:
        reason = str(fault)
        table = Table(head)  # the other one may have followed the bad event halfway
        for event in log[:good]:
            table.apply(event)
    if not good:
        return None, reason or "it has no events"
    if reason is None and (head.status, head.over_at is None) != (
        table.status,
        table.over_at is None,
    ):
        reason = f"it is listed as {head.status}, and by its log it is {table.status}"
    return table, reason
