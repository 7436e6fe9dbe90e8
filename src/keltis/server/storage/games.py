"""The games of a key that are over: listed by an index, filled in where they are missing.

A result is written in the transaction that ends its game. Where that was not so (games of earlier
versions, tables that maintenance or an older server ended) `fill_in` makes it from the log: rows
without a date of a table that is over are what is missing, so nothing can be lost.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select, tuple_, update
from sqlalchemy.exc import SQLAlchemyError

from keltis.server.storage import table_log
from keltis.server.storage.schema import events, holders, tables
from keltis.server.storage.store import Store
from keltis.server.storage.table_log import Log
from keltis.server.tables import results, shared
from keltis.server.tables.events import BadEvent, Head
from keltis.server.tables.results import Result
from keltis.server.tables.table import Table, replayed

_COLUMNS = [holders.c[name] for name in Result._fields]
_log = logging.getLogger("keltis.games")

_AT_ONCE = 100  # tables that are looked for at once


@dataclass(frozen=True)
class Filter:
    """Which games are wanted; None: all."""

    game: str | None = None
    players: int | None = None
    result: str | None = None
    level: str | None = None  # a bot that played
    name: str | None = None  # a person who played


def page(
    store: Store, holder: str, wanted: Filter, before: tuple[int, str] | None, most: int
) -> list[Result]:
    """Games that are over, the newest first; `before`: date and table of the last that was seen."""
    query = _listed(holder)
    for name in ("game", "players", "result"):
        if (value := getattr(wanted, name)) is not None:
            query = query.where(holders.c[name] == value)
    find = func.strpos if store.shared else func.instr
    for part in _parts(wanted):
        query = query.where(find(holders.c.others, part) > 0)
    if before is not None:
        query = query.where(tuple_(holders.c.over_at, holders.c.table_id) < tuple_(*before))
    newest = query.order_by(holders.c.over_at.desc(), holders.c.table_id.desc())
    with store.reads.connect() as connection:
        found = _results(connection.execute(newest.limit(most)))
    return _readable(store, found)


def deals_at(store: Store, ids: list[str]) -> dict[str, str]:
    """Which of some tables have a deal that many play, and which one; it may count or not."""
    query = select(events.c.table_id, events.c.body).where(
        events.c.table_id.in_(ids), events.c.seq == 1
    )
    with store.reads.connect() as connection:
        rows = connection.execute(query).all()
    found = {}
    for row in rows:
        try:
            attempt = shared.attempt_of(json.loads(row.body))
        except Exception:  # its log is damaged, which is nothing to the others
            continue
        if attempt is not None:
            found[row.table_id] = attempt.deal
    return found


def everything(store: Store, holder: str, most: int) -> list[Result]:
    """The newest games of a key, the oldest of them first."""
    query = _listed(holder).order_by(holders.c.over_at.desc(), holders.c.table_id.desc())
    with store.reads.connect() as connection:
        found = _results(connection.execute(query.limit(most)))
    return _readable(store, found)[::-1]


def _readable(store: Store, found: list[Result]) -> list[Result]:
    """Those of some results that are not damaged; the others are made from their logs again."""
    damaged = [each for each in found if not each.is_readable]
    if not damaged:
        return found
    _log.error("results cannot be read; they are made again", extra={"results": len(damaged)})
    with contextlib.suppress(SQLAlchemyError), store.engine.begin() as connection:
        for each in damaged:
            connection.execute(
                update(holders)
                .where(holders.c.holder == each.holder, holders.c.table_id == each.table_id)
                .values(over_at=None)
            )
    return [each for each in found if each.is_readable]


def one(connection: Connection, holder: str, table_id: str) -> Result | None:
    query = _listed(holder).where(holders.c.table_id == table_id)
    found = _results(connection.execute(query))
    return found[0] if found else None


def remove(store: Store, holder: str, table_id: str) -> bool:
    """Take a game out of a key's list; False if it is not there."""
    nothing = dict.fromkeys(set(Result._fields) - {"holder", "table_id", "over_at"})
    query = (
        update(holders)
        .where(holders.c.holder == holder, holders.c.table_id == table_id)
        .where(holders.c.seat.is_not(None))
        .values(nothing)
    )
    with store.engine.begin() as connection:
        return bool(connection.execute(query).rowcount)


def rename(connection: Connection, table: Table) -> None:
    """Names at a table have changed: say the same in the lists of those who played there."""
    for result in results.of(table):
        connection.execute(
            update(holders)
            .where(holders.c.holder == result.holder, holders.c.table_id == result.table_id)
            .where(holders.c.seat.is_not(None))
            .values(others=result.others)
        )


def fill_in(store: Store, pause: float = 0.0) -> int:
    """Write the results that are missing, one table at a time; of how many tables."""
    count = 0
    missing = (
        select(holders.c.table_id)
        .join(tables, tables.c.id == holders.c.table_id)
        .where(holders.c.over_at.is_(None), tables.c.status == "over")
        .distinct()
        .limit(_AT_ONCE)
    )
    while True:
        with store.reads.connect() as connection:
            ids = [row[0] for row in connection.execute(missing)]
        for table_id in ids:
            table_log.change(store, table_id, _ended, _fill_in)
            count += 1
            time.sleep(pause)
        if len(ids) < _AT_ONCE:
            return count


def _ended(log: Log) -> tuple[Head | None, list[Result]]:
    if log.head is None:
        return None, []
    try:
        return log.head, results.of(replayed(log.head, log.events))
    except BadEvent:
        return log.head, []  # a repair asks for it again


def _fill_in(ended: tuple[Head | None, list[Result]], connection: Connection) -> None:
    head, found = ended
    if head is None:
        return
    at_table = (holders.c.table_id == head.id) & holders.c.over_at.is_(None)
    for result in found:
        own = at_table & (holders.c.holder == result.holder)
        connection.execute(update(holders).where(own).values(result._asdict()))
    connection.execute(update(holders).where(at_table).values(over_at=head.over_at or 0))


def _listed(holder: str) -> Select[Any]:
    return select(*_COLUMNS).where(
        holders.c.holder == holder, holders.c.over_at.is_not(None), holders.c.seat.is_not(None)
    )


def _parts(wanted: Filter) -> Iterable[str]:
    """What `others` has in it if these played; JSON escapes quotes, so no name looks like more."""
    if wanted.level is not None:
        yield f'"level":{results.text(wanted.level)}}}'
    if wanted.name is not None:
        yield f'"kind":"person","name":{results.text(wanted.name)},'


def _results(rows: Iterable[Row[Any]]) -> list[Result]:
    return [Result._make(row) for row in rows]
