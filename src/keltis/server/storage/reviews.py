"""Reviews of finished games, kept so that each is made once; and what they say of each seat.

Nothing of who played is in them: names are left out before a review is made.
"""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import SQLAlchemyError

from keltis.server.storage.schema import events, holders, reviewed, reviews, tables
from keltis.server.storage.store import Store
from keltis.server.tables.results import LOST, SHARED, WON, SeatReview

MOST = 5_000  # reviews that are kept: those that were asked for last
_TOUCH = 3600_000  # milliseconds after which it is noted that one was asked for again


class Key(NamedTuple):
    """Which review of which game."""

    hash: str  # of the record, without names
    version: int
    seed: int


def find(store: Store, key: Key) -> dict[str, Any] | None:
    """A review as it was kept last."""
    now = int(time.time() * 1000)
    query = select(reviews.c.body, reviews.c.asked_at).where(*_is(key))
    with store.reads.connect() as connection:
        row = connection.execute(query).first()
    if row is None:
        return None
    if row.asked_at < now - _TOUCH:
        # On a full disk it can be read all the same.
        with contextlib.suppress(SQLAlchemyError), store.engine.begin() as connection:
            connection.execute(update(reviews).where(*_is(key)).values(asked_at=now))
    try:
        found: dict[str, Any] = json.loads(zlib.decompress(row.body))
    except (zlib.error, ValueError, TypeError):  # it is damaged: make it again
        with contextlib.suppress(SQLAlchemyError), store.engine.begin() as connection:
            connection.execute(delete(reviews).where(*_is(key)))
        return None
    return found


def keep(
    store: Store, key: Key, review: dict[str, Any], seats: list[SeatReview]
) -> dict[str, Any] | None:
    """Keep a review in place of one that was searched less; `seats` if it is of a table.

    Returns one that another server has searched further, and then keeps that. Nothing is kept of a
    table that was deleted meanwhile.
    """
    text = json.dumps(review, separators=(",", ":"))
    values = {
        **key._asdict(),
        "asked_at": int(time.time() * 1000),
        **review["searched"],
        "body": zlib.compress(text.encode(), 6),
    }
    insert = pg_insert if store.shared else sqlite_insert
    put = insert(reviews).values(values)
    put = put.on_conflict_do_update(
        index_elements=["hash", "version", "seed"],
        set_={"asked_at": values["asked_at"], "done": values["done"],
              "planned": values["planned"], "body": values["body"]},
        where=reviews.c.done <= values["done"],
    )  # fmt: skip
    with store.engine.begin() as connection:
        if seats:
            is_there = select(tables.c.id).where(tables.c.id == seats[0].table_id)
            if connection.execute(is_there.with_for_update(read=True)).first() is None:
                return None
            connection.execute(delete(reviewed).where(reviewed.c.table_id == seats[0].table_id))
            connection.execute(reviewed.insert(), [seat._asdict() for seat in seats])
        written = connection.execute(put.returning(reviews.c.done)).first()
    return find(store, key) if written is None else None


def played_by_bots(store: Store, table: str) -> set[int]:
    """The seats of a table for which a bot went on, for a while or to the end."""
    fixed = select(func.min(events.c.seq)).where(
        events.c.table_id == table, events.c.kind.in_(("sealed", "started"))
    )
    query = select(events.c.kind, events.c.seat, events.c.body).where(
        events.c.table_id == table,
        events.c.kind.in_(("left", "resigned", "replaced", "time")),
        events.c.seq > fixed.scalar_subquery(),
    )
    with store.reads.connect() as connection:
        rows = connection.execute(query).all()
    found: set[int] = set()
    for row in rows:
        body = json.loads(row.body)
        if row.kind in ("replaced", "time"):
            found.add(row.seat)
        elif not body.get("over"):  # who resigns and ends the game has played it alone
            found.update(body["seats"])
    return found


def of_holder(store: Store, holder: str) -> dict[tuple[str, int], SeatReview]:
    """What reviews say of a key's own games, by table and seat."""
    query = (
        select(reviewed)
        .join(holders, (holders.c.table_id == reviewed.c.table_id)
              & (holders.c.seat == reviewed.c.seat))
        .where(holders.c.holder == holder, holders.c.over_at.is_not(None))
    )  # fmt: skip
    with store.reads.connect() as connection:
        found = [SeatReview(*row) for row in connection.execute(query)]
    return {(each.table_id, each.seat): each for each in found}


def at_table(connection: Connection, table_id: str) -> list[SeatReview]:
    """What a table's review says of its seats."""
    query = select(reviewed).where(reviewed.c.table_id == table_id).order_by(reviewed.c.seat)
    return [SeatReview(*row) for row in connection.execute(query)]


def not_reviewed(store: Store, holder: str, most: int) -> list[str]:
    """The newest games of a key that have a result and no review."""
    is_there = select(reviewed.c.seat).where(reviewed.c.table_id == holders.c.table_id).exists()
    query = (
        select(holders.c.table_id)
        .where(holders.c.holder == holder, holders.c.over_at.is_not(None), ~is_there)
        .where(holders.c.result.in_((WON, SHARED, LOST)), holders.c.seats == 1)
        .order_by(holders.c.over_at.desc(), holders.c.table_id.desc())
        .limit(most)
    )
    with store.reads.connect() as connection:
        return [row[0] for row in connection.execute(query)]


def forget_old(store: Store, most: int = MOST) -> int:
    """Delete reviews beyond so many, those first that were asked for longest ago; how many.

    A review is made again when somebody asks for it.
    """
    with store.engine.begin() as connection:
        dates = select(reviews.c.asked_at).order_by(reviews.c.asked_at.desc())
        oldest = connection.execute(dates.offset(most).limit(1)).scalar()
        if oldest is None:
            return 0
        return connection.execute(delete(reviews).where(reviews.c.asked_at <= oldest)).rowcount


def _is(key: Key) -> tuple[Any, ...]:
    return (
        reviews.c.hash == key.hash,
        reviews.c.version == key.version,
        reviews.c.seed == key.seed,
    )
