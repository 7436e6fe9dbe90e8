"""Looking after stored tables: export the finished, delete the old."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import delete, func, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError

from keltis.server.storage import migrate
from keltis.server.storage.postgresql import is_postgresql
from keltis.server.storage.schema import events, holders, leases, set_aside, tables
from keltis.server.storage.store import Store
from keltis.server.tables.events import BadEvent, Event
from keltis.server.tables.table import PERSON, replayed

_DAY = 86_400_000  # milliseconds
_AT_ONCE = 200


class NoDatabase(ValueError):
    """There is no such database, or it has another schema."""


def opened(url: str) -> contextlib.AbstractContextManager[Store]:
    """The database of a server, which may be running."""
    if not is_postgresql(url) and not Path(file := make_url(url).database or "").is_file():
        raise NoDatabase(f"there is no database {file}")

    @contextlib.contextmanager
    def opening() -> Iterator[Store]:
        store = Store(url, "", None)
        try:
            with store.engine.connect() as connection:
                there = migrate.check(connection)
            if there != migrate.head():
                raise NoDatabase(
                    f"the database has schema {there}, this version works with {migrate.head()}: "
                    "start its server once with this version, which brings it up to date"
                )
            yield store
        finally:
            store.stop()

    return opening()


def export(store: Store, file: Path, days: float) -> tuple[int, int]:
    """Write one record a line; how many there are, and how many tables are damaged.

    A table ended before its deal has no record.
    """
    count = damaged = 0
    with file.open("w", encoding="utf-8") as out:
        for table_id in _over(store, days):
            head = store.head(table_id)
            if head is None:
                continue
            try:
                table = replayed(head, store.events_after(table_id, 0))
            except BadEvent:
                damaged += 1
                continue
            if (record := table.record()) is not None:
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
    return count, damaged


def prune(store: Store, days: float, abandoned: float | None, *, dry_run: bool = False) -> int:
    """Delete tables that have been over for so long; how many.

    `abandoned`: tables not over in which nothing has happened for so long are ended first. They go
    when they, too, have been over for `days`. To end a table is an event like any other, so a
    server that has it in memory finds it in the log; to delete it at once would not be seen.
    """
    if abandoned is not None:
        forsaken = _abandoned(store, abandoned)
        if dry_run:
            return len(_over(store, days)) + len(forsaken)
        for table_id in forsaken:
            _end(store, table_id, abandoned)
    ids = _over(store, days)
    if dry_run:
        return len(ids)
    for k in range(0, len(ids), _AT_ONCE):
        _delete(store, ids[k : k + _AT_ONCE])
    with store.engine.begin() as connection:  # what a server added to a table that was deleted
        known = select(tables.c.id)
        connection.execute(delete(events).where(events.c.table_id.not_in(known)))
        connection.execute(delete(holders).where(holders.c.table_id.not_in(known)))
        before = int(time.time() * 1000 - days * _DAY)
        connection.execute(
            delete(set_aside).where(
                set_aside.c.table_id.not_in(known), set_aside.c.set_aside_at <= before
            )
        )
    return len(ids)


def _delete(store: Store, ids: list[str]) -> None:
    with store.engine.begin() as connection:
        for each, column in (
            (events, events.c.table_id),
            (holders, holders.c.table_id),
            (leases, leases.c.table_id),
            (set_aside, set_aside.c.table_id),
            (tables, tables.c.id),
        ):
            connection.execute(delete(each).where(column.in_(ids)))


def _end(store: Store, table_id: str, days: float) -> None:
    """End a table, unless something has happened there in the meantime."""
    now = int(time.time() * 1000)
    with contextlib.suppress(IntegrityError), store.engine.begin() as connection:
        seq, last = connection.execute(
            select(func.max(events.c.seq), func.max(events.c.at)).where(
                events.c.table_id == table_id
            )
        ).one()
        if last > now - days * _DAY:
            return
        event = Event(table_id, seq + 1, now, "ended", None, '{"why":"abandoned"}', None)
        connection.execute(events.insert(), event._asdict())
        connection.execute(
            update(tables).where(tables.c.id == table_id).values(status="over", over_at=now)
        )
        connection.execute(delete(leases).where(leases.c.table_id == table_id))


def forget_names(store: Store, days: float) -> int:
    """Take people's names and keys out of tables that have been over for so long; how many tables.

    The games stay as they were played; their people are called Player 1, Player 2 and so on.
    """
    count = 0
    for table_id in _over(store, days):
        rows = store.events_after(table_id, 0)
        changed = [(row, _without_names(row)) for row in rows]
        changed = [(row, body) for row, body in changed if body != row.body]
        if not changed:
            continue
        with store.engine.begin() as connection:
            for row, body in changed:
                connection.execute(
                    update(events)
                    .where(events.c.table_id == table_id, events.c.seq == row.seq)
                    .values(body=body, client=None)
                )
            connection.execute(delete(holders).where(holders.c.table_id == table_id))
            connection.execute(delete(set_aside).where(set_aside.c.table_id == table_id))
            connection.execute(
                update(events).where(events.c.table_id == table_id).values(client=None)
            )
            connection.execute(update(tables).where(tables.c.id == table_id).values(creator=""))
        count += 1
    return count


def _without_names(event: Event) -> str:
    """The body of an event without the names and keys of people."""
    if event.kind == "moved":
        return event.body
    body = json.loads(event.body)
    if event.kind == "created":
        for k, seat in enumerate(body["seats"]):
            if seat["kind"] == PERSON:
                seat["name"] = f"Player {k + 1}"
                seat["holders"] = [""]
    elif "name" in body and event.seat is not None:
        body["name"] = f"Player {event.seat + 1}"
    if "holder" in body:
        body["holder"] = ""
    return json.dumps(body, separators=(",", ":"))


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
