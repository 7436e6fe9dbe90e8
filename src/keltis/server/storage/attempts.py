"""What is stored of deals that many people play: who has played them, and how it went."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from keltis.server import keys
from keltis.server.storage.schema import attempts, chains, pars, shared_deals
from keltis.server.storage.store import Store, beside
from keltis.server.tables.chain import Chain, after, day_at, day_deal, is_closed, new_chain
from keltis.server.tables.duplicates import OPEN_DAYS
from keltis.server.tables.events import NOBODY
from keltis.server.tables.shared import (
    FINISHED,
    GIVEN_UP,
    KNOWN,
    PLAYING,
    STATES,
    Row,
    SharedDeal,
)

_DAYS = "days"  # the name of the one chain
_FORGOTTEN = "~"  # begins what stands in the place of a forgotten key
_AT_ONCE = 5000  # attempts that are gone through at once
_MOST_SHOWN = 500  # attempts at one duplicate
_EXPIRED = 100  # duplicates that are deleted in one transaction


class Tally(NamedTuple):
    """How a deal went for all who have played it."""

    leads: dict[int, int]  # how many have finished with each lead
    given_up: int
    best: str | None  # the table of the best who is not forgotten, of several the first


# --- The chain of days ---------------------------------------------------------------------------


def chain(store: Store, today: str) -> Chain:
    """The chain of a database, made by the first server that asks for it."""
    query = select(chains.c.root, chains.c.anchor, chains.c.first_day, chains.c.latest_day).where(
        chains.c.name == _DAYS
    )
    with store.engine.begin() as connection:
        row = connection.execute(query).first()
        if row is None:
            made = new_chain(keys.new_server_seed(), today)
            insert = pg_insert(chains) if store.shared else sqlite_insert(chains)
            values = insert.values(
                name=_DAYS, root=made.root, anchor=made.end, first_day=made.first_day,
                latest_day=made.latest_day,
            )  # fmt: skip
            connection.execute(values.on_conflict_do_nothing())
            row = connection.execute(query).one()
    return Chain(*row)


def latest_day(store: Store) -> str:
    """The last day that has begun, as far as any server has noticed."""
    query = select(chains.c.latest_day).where(chains.c.name == _DAYS)
    with store.reads.connect() as connection:
        return str(connection.execute(query).scalar_one())


def note_day(store: Store, day: str) -> None:
    """A day has begun: no server goes back behind it."""
    with store.engine.begin() as connection:
        connection.execute(
            update(chains)
            .where(chains.c.name == _DAYS, chains.c.latest_day < day)
            .values(latest_day=day)
        )


# --- Attempts ------------------------------------------------------------------------------------


def of_holder(store: Store, holder: str, deal: str | None = None) -> list[Row]:
    """All attempts of a key, or those at one deal."""
    query = select(attempts).where(attempts.c.holder == holder)
    if deal is not None:
        query = query.where(attempts.c.deal == deal)
    with store.reads.connect() as connection:
        return [Row(*row) for row in connection.execute(query)]


def between(store: Store, holder: str, first: str, last: str) -> list[Row]:
    """A key's attempts at deals of some days; a duplicate may be among them."""
    # The day after, because some orders of PostgreSQL pass over all that is no letter or digit.
    query = select(attempts).where(
        attempts.c.holder == holder, attempts.c.deal >= first, attempts.c.deal < after(last)
    )
    with store.reads.connect() as connection:
        return [Row(*row) for row in connection.execute(query)]


def at_deal(store: Store, deal: str) -> list[Row]:
    """Who plays or has played a duplicate, in the order in which they began."""
    order = attempts.c.begun_at, attempts.c.table_id, attempts.c.holder
    query = select(attempts).where(attempts.c.deal == deal).order_by(*order)
    with store.reads.connect() as connection:
        return [Row(*row) for row in connection.execute(query.limit(_MOST_SHOWN))]


def tally(store: Store, deal: str) -> Tally:
    """Reads as many entries of one index as people have finished; to be kept for a while."""
    done = (attempts.c.deal == deal) & (attempts.c.state == FINISHED)
    leads = select(attempts.c.lead, func.count()).where(done).group_by(attempts.c.lead)
    given_up = select(func.count()).where(attempts.c.deal == deal, attempts.c.state == GIVEN_UP)
    best = (
        select(attempts.c.table_id)
        .where(done, attempts.c.table_id != "")
        .order_by(attempts.c.lead.desc(), attempts.c.over_at)
        .limit(1)
    )
    with store.snapshot.connect() as connection:
        return Tally(
            {row[0]: row[1] for row in connection.execute(leads)},
            int(connection.execute(given_up).scalar_one()),
            connection.execute(best).scalar(),
        )


# --- Duplicates ----------------------------------------------------------------------------------


def add_deal(store: Store, deal: SharedDeal) -> None:
    values = {**deal._asdict(), "body": json.dumps(deal.body, separators=(",", ":"))}
    with store.engine.begin() as connection:
        connection.execute(shared_deals.insert(), values)


def find_deal(store: Store, deal: str) -> SharedDeal | None:
    """Raises ValueError if it is damaged."""
    with store.reads.connect() as connection:
        query = select(shared_deals).where(shared_deals.c.id == deal)
        row = connection.execute(query).first()
    return None if row is None else _shared_deal(row)


def deals_of(store: Store, holder: str, since: int = 0) -> list[SharedDeal]:
    """The duplicates that a key has made, the newest first."""
    query = select(shared_deals).where(
        shared_deals.c.creator == holder, shared_deals.c.created_at >= since
    )
    with store.reads.connect() as connection:
        return _shared_deals(connection.execute(query.order_by(shared_deals.c.created_at.desc())))


def plays_beside(store: Store, holder: str, deal: SharedDeal) -> bool:
    """Whether a key plays or has played the same cards: the same game's, from another seat."""
    if deal.source is None:
        return False
    query = beside(holder, deal.id, deal.source)
    with store.reads.connect() as connection:
        return connection.execute(query).first() is not None


def _shared_deal(row: Any) -> SharedDeal:
    body = json.loads(row.body)
    if not isinstance(body, dict) or not body.get("boards"):
        raise ValueError("it has no boards")
    return SharedDeal(row.id, row.creator, row.created_at, row.source, body, row.name)


def duplicates_of(store: Store, holder: str, most: int) -> list[SharedDeal]:
    """The duplicates that a key has made, plays or has played, the newest first."""
    played = select(attempts.c.deal).where(attempts.c.holder == holder)
    mine = (shared_deals.c.creator == holder) | shared_deals.c.id.in_(played)
    query = select(shared_deals).where(mine).order_by(shared_deals.c.created_at.desc())
    with store.reads.connect() as connection:
        return _shared_deals(connection.execute(query.limit(most)))


def _shared_deals(rows: Iterable[Any]) -> list[SharedDeal]:
    """Those of some that are not damaged, which is nothing to the others."""
    found = []
    for row in rows:
        with contextlib.suppress(ValueError):
            found.append(_shared_deal(row))
    return found


def expire(store: Store, days: float, pause: float = 0.0) -> int:
    """Delete duplicates, and how they went, that have been closed for so long; how many.

    The tables stay what they are.
    """
    before = int(1000 * (time.time() - 86_400 * (OPEN_DAYS + days)))
    old = select(shared_deals.c.id).where(shared_deals.c.created_at <= before).limit(_EXPIRED)
    count = 0
    while True:
        with store.engine.begin() as connection:
            ids = [row[0] for row in connection.execute(old)]
            connection.execute(delete(attempts).where(attempts.c.deal.in_(ids)))
            connection.execute(delete(shared_deals).where(shared_deals.c.id.in_(ids)))
        count += len(ids)
        if len(ids) < _EXPIRED:
            return count
        time.sleep(pause)


# --- Par -----------------------------------------------------------------------------------------


def pars_of(store: Store, deal: str) -> dict[int, int]:
    """Leads of the strongest bot, by run."""
    query = select(pars.c.run, pars.c.lead).where(pars.c.deal == deal).order_by(pars.c.run)
    with store.reads.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(query)}


def add_par(store: Store, deal: str, run: int, lead: int) -> None:
    insert = pg_insert(pars) if store.shared else sqlite_insert(pars)
    with store.engine.begin() as connection:
        connection.execute(insert.values(deal=deal, run=run, lead=lead).on_conflict_do_nothing())


# --- What is stored of people --------------------------------------------------------------------


def export(store: Store, holder: str) -> dict[str, Any] | None:
    """A key's attempts and duplicates; None if there are none. No seed of a deal is in it."""
    played = [
        {
            "deal": row.deal,
            "board": row.board,
            "table": row.table_id,
            "begun": row.begun_at,
            "over": row.over_at,
            "state": STATES[row.state],
            "lead": row.lead,
            "score": row.score,
            "name": row.name,
        }
        for row in of_holder(store, holder)
    ]
    made = [
        {
            "deal": deal.id,
            "created": deal.created_at,
            "name": deal.name,
            "source": deal.source,
            "game": deal.body["game"],
            "options": deal.body["options"],
            "rounds": [board["levels"] for board in deal.body["boards"]],
        }
        for deal in deals_of(store, holder)
    ]
    return {"attempts": played, "duplicates": made} if played or made else None


def forget(store: Store, holder: str) -> None:
    """Take a key and its names out; how the deals went for the others stays as it was."""
    with store.engine.begin() as connection:
        _forget(connection, [holder])
        connection.execute(
            update(shared_deals)
            .where(shared_deals.c.creator == holder)
            .values(creator=NOBODY, name=None)
        )


def forget_old(store: Store, days: float, pause: float = 0.0) -> None:
    """Take everybody out of attempts that have been over for so long; in small transactions.

    Of a day that can still be played for a place nobody is forgotten: they could play it again.
    """
    now = time.time()
    before, today = int(1000 * (now - days * 86_400)), day_at(int(1000 * now))
    names = [column.name for column in attempts.primary_key]
    one = and_(*(attempts.c[name] == bindparam(f"own_{name}") for name in names))
    for found in _all(store):
        old = [
            {f"own_{name}": getattr(row, name) for name in names}
            for row in found
            if row.over_at is not None
            and row.over_at <= before
            and not row.holder.startswith(_FORGOTTEN)
            and (day_deal(row.deal) is None or is_closed(row.deal[:10], today))
        ]
        if old:
            with store.engine.begin() as connection:
                # Of one game that others are given to play there may be several.
                known = delete(attempts).where(one, attempts.c.state == KNOWN)
                connection.execute(known, old)
                connection.execute(update(attempts).where(one).values(_nobody()), old)
            time.sleep(pause)
    with store.engine.begin() as connection:
        connection.execute(
            update(shared_deals)
            .where(shared_deals.c.created_at <= before, shared_deals.c.creator != NOBODY)
            .values(creator=NOBODY, name=None)
        )


def _all(store: Store) -> Iterator[list[Row]]:
    """All attempts, some at a time: there may be a hundred million."""
    last: tuple[Any, ...] = ("", "", -1)
    place = tuple_(*attempts.primary_key)
    while True:
        query = select(attempts).where(place > tuple_(*last)).order_by(*attempts.primary_key)
        with store.reads.connect() as connection:
            found = [Row(*row) for row in connection.execute(query.limit(_AT_ONCE))]
        yield found
        if len(found) < _AT_ONCE:
            return
        last = found[-1][:3]


def _forget(connection: Connection, who: Iterable[str]) -> None:
    mine = attempts.c.holder.in_(list(who))
    connection.execute(delete(attempts).where(mine, attempts.c.state.in_([PLAYING, KNOWN])))
    connection.execute(update(attempts).where(mine).values(_nobody()))


def _nobody() -> dict[str, Any]:
    return {"holder": _FORGOTTEN + attempts.c.table_id, "name": None, "table_id": ""}
