"""Looking after stored tables: export the finished, delete the old."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.engine import make_url

from keltis.server.storage.schema import events, holders, leases, tables
from keltis.server.storage.store import Store
from keltis.server.tables.table import replayed

_DAY = 86_400_000  # milliseconds
_AT_ONCE = 200


class NoDatabase(ValueError):
    """There is no such database."""


def opened(url: str) -> contextlib.AbstractContextManager[Store]:
    """The database of a server, which may be running."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        raise NoDatabase(f"there is no database {parsed.database}")

    @contextlib.contextmanager
    def opening() -> Iterator[Store]:
        store = Store(url, "")
        try:
            yield store
        finally:
            store.stop()

    return opening()


def export(store: Store, file: Path, days: float) -> int:
    """Write one record a line; the count of them. A table ended before its deal has none."""
    count = 0
    with file.open("w", encoding="utf-8") as out:
        for table_id in _over(store, days):
            head = store.head(table_id)
            if head is None:
                continue
            table = replayed(head, store.events_after(table_id, 0))
            if (record := table.record()) is not None:
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
    return count


def prune(store: Store, days: float, abandoned: float | None, *, dry_run: bool = False) -> int:
    """Delete tables that have been over, or without an event, for so long."""
    ids = _over(store, days)
    if abandoned is not None:
        ids += _abandoned(store, abandoned)
    if dry_run:
        return len(ids)
    for k in range(0, len(ids), _AT_ONCE):
        some = ids[k : k + _AT_ONCE]
        with store.engine.begin() as connection:
            for each, column in (
                (events, events.c.table_id),
                (holders, holders.c.table_id),
                (leases, leases.c.table_id),
                (tables, tables.c.id),
            ):
                connection.execute(delete(each).where(column.in_(some)))
    return len(ids)


def _over(store: Store, days: float) -> list[str]:
    before = int(time.time() * 1000 - days * _DAY)
    query = select(tables.c.id).where(tables.c.status == "over", tables.c.over_at <= before)
    with store.engine.connect() as connection:
        return [row[0] for row in connection.execute(query.order_by(tables.c.created_at))]


def _abandoned(store: Store, days: float) -> list[str]:
    before = int(time.time() * 1000 - days * _DAY)
    last = select(func.max(events.c.at)).where(events.c.table_id == tables.c.id).scalar_subquery()
    query = select(tables.c.id).where(tables.c.status != "over", last <= before)
    with store.engine.connect() as connection:
        return [row[0] for row in connection.execute(query.order_by(tables.c.created_at))]
