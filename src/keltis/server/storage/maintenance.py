"""Looking after stored tables: export the finished, delete the old."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError

from keltis.server.storage import attempts as shared_results
from keltis.server.storage import migrate
from keltis.server.storage.postgresql import is_postgresql
from keltis.server.storage.schema import (
    attempts,
    events,
    holders,
    leases,
    reviewed,
    reviews,
    set_aside,
    tables,
)
from keltis.server.storage.store import InUse, Store
from keltis.server.tables import shared
from keltis.server.tables.events import NOBODY, BadEvent, Event
from keltis.server.tables.table import replayed

_DAY = 86_400_000  # milliseconds
_AT_ONCE = 20  # tables in one transaction, so that a server can write in between


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
            with store.reads.connect() as connection:
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


def write_anew(store: Store) -> None:
    """When it is done, leave nothing in the file of what was deleted, unless a server uses it."""
    if not store.shared:
        with contextlib.suppress(InUse):
            store.lock()
            store.has_deleted = True


def export(store: Store, file: Path, days: float) -> tuple[int, int]:
    """Write one record a line; how many there are, and how many tables are damaged.

    A table ended before its deal has no record.
    """
    count = damaged = 0
    with file.open("w", encoding="utf-8") as out:
        for table_id in over_for(store, days):
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


def prune(
    store: Store,
    days: float,
    abandoned: float | None,
    *,
    dry_run: bool = False,
    most: int | None = None,
    pause: float = 0.0,
) -> int:
    """Delete tables that have been over for so long, at most `most`; how many.

    Duplicates that have been closed for so long go too.

    `abandoned`: tables not over in which nothing has happened for so long are ended first. They go
    when they, too, have been over for `days`. To end a table is an event like any other, so a
    server that has it in memory finds it in the log; to delete it at once would not be seen.
    """
    if abandoned is not None:
        if dry_run:
            return len(over_for(store, days)) + len(_abandoned(store, abandoned))
        end_abandoned(store, abandoned)
    ids = over_for(store, days, most)
    if dry_run:
        return len(ids)
    for k in range(0, len(ids), _AT_ONCE):
        with store.engine.begin() as connection:
            delete_tables(connection, ids[k : k + _AT_ONCE])
        time.sleep(pause)
    _delete_strays(store, days, pause)
    shared_results.expire(store, days, pause)
    return len(ids)


def _delete_strays(store: Store, days: float, pause: float) -> None:
    """Delete what a server added to tables after they were deleted; looked for without a lock."""
    before = int(time.time() * 1000 - days * _DAY)
    known = select(tables.c.id)
    found: set[str] = set()
    with store.reads.connect() as connection:
        for column in (events.c.table_id, holders.c.table_id):
            query = select(column).where(column.not_in(known)).distinct()
            found.update(row[0] for row in connection.execute(query))
    ids = sorted(found)
    for k in range(0, len(ids), _AT_ONCE):
        with store.engine.begin() as connection:
            # A table that is being made has its head in the same transaction as its first event.
            strays = set(ids[k : k + _AT_ONCE])
            query = select(tables.c.id).where(tables.c.id.in_(strays))
            strays -= {row[0] for row in connection.execute(query)}
            for table in (events, holders):
                connection.execute(delete(table).where(table.c.table_id.in_(strays)))
        time.sleep(pause)
    with store.engine.begin() as connection:
        connection.execute(
            delete(set_aside).where(
                set_aside.c.table_id.not_in(known), set_aside.c.set_aside_at <= before
            )
        )


def delete_tables(connection: Connection, ids: list[str]) -> None:
    """Delete tables, and all that belongs to them."""
    of_these = select(reviewed.c.hash).where(reviewed.c.table_id.in_(ids))
    connection.execute(delete(reviews).where(reviews.c.hash.in_(of_these)))
    for each, column in (
        (reviewed, reviewed.c.table_id),
        (events, events.c.table_id),
        (holders, holders.c.table_id),
        (leases, leases.c.table_id),
        (set_aside, set_aside.c.table_id),
        (tables, tables.c.id),
    ):
        connection.execute(delete(each).where(column.in_(ids)))


def end_abandoned(store: Store, days: float, most: int | None = None, pause: float = 0.0) -> int:
    """End tables in which nothing has happened for so long; how many."""
    forsaken = _abandoned(store, days)[:most]
    for table_id in forsaken:
        _end(store, table_id, days)
        time.sleep(pause)
    return len(forsaken)


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
            update(tables)
            .where(tables.c.id == table_id)
            .values(status="over", over_at=now, origin=None)
        )
        connection.execute(delete(leases).where(leases.c.table_id == table_id))
        _give_up(connection, table_id, now)


def _give_up(connection: Connection, table_id: str, now: int) -> None:
    """The attempt at a shared deal that a table was."""
    query = select(events.c.body).where(events.c.table_id == table_id, events.c.seq == 1)
    attempt = shared.attempt_of(json.loads(connection.execute(query).scalar_one()))
    if attempt is not None and attempt.counts:
        connection.execute(
            update(attempts)
            .where(
                attempts.c.holder == attempt.holder,
                attempts.c.deal == attempt.deal,
                attempts.c.board == attempt.board,
            )
            .values(state=shared.GIVEN_UP, over_at=now)
        )


def over_for(
    store: Store, days: float, most: int | None = None, *, named: bool = False
) -> list[str]:
    """Tables that have been over for so long, the oldest first; `named`: with people in them."""
    before = int(time.time() * 1000 - days * _DAY)
    query = select(tables.c.id).where(tables.c.status == "over", tables.c.over_at <= before)
    if named:
        held = select(holders.c.table_id).where(holders.c.table_id == tables.c.id).exists()
        query = query.where(held | (tables.c.creator != NOBODY))
    with store.reads.connect() as connection:
        found = connection.execute(query.order_by(tables.c.created_at).limit(most))
        return [row[0] for row in found]


def _abandoned(store: Store, days: float) -> list[str]:
    before = int(time.time() * 1000 - days * _DAY)
    last = select(func.max(events.c.at)).where(events.c.table_id == tables.c.id).scalar_subquery()
    query = select(tables.c.id).where(tables.c.status != "over", last <= before)
    with store.reads.connect() as connection:
        return [row[0] for row in connection.execute(query.order_by(tables.c.created_at))]
