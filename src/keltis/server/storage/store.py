"""The event log in the database: many tables' events in one durable commit, then answers.

One thread writes. What gathers while it commits is written in the next single transaction, and only
then the waiting callers are told, so the cost of a durable commit is shared by all tables that are
busy at the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import secrets
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, Select, create_engine, event, func, select, update
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.exc import OperationalError

from keltis.server.storage import faults, migrate, postgresql
from keltis.server.storage.schema import (
    attempts,
    events,
    holders,
    leases,
    shared_deals,
    tables,
)
from keltis.server.storage.schema import secrets as own_secrets
from keltis.server.tables.events import Event, Head
from keltis.server.tables.results import Result as GameResult
from keltis.server.tables.shared import (
    PLAYING,
    Attempt,
    Beginning,
    KnowsCards,
    NewDuplicate,
    Result,
)

if sys.platform != "win32":
    import fcntl
else:
    import msvcrt

_log = logging.getLogger("keltis.store")

_MOST_UNITS = 1000  # events in one transaction
LIMIT = 10.0  # seconds that any call may wait for the database
_ANEW_WITHIN = 5.0  # seconds for which a server that stops writes its file anew


_COLUMNS = ", ".join(Event._fields)
_ARRAYS = [
    f"%s::{kind}[]"
    for kind in ("text", "int", "bigint", "text", "smallint", "text", "text", "bigint")
]  # of the columns in PostgreSQL


class InUse(RuntimeError):
    """Another server works with this SQLite file."""


Outcome = bool | Exception  # written; not, because a row was there already; or a fault


@dataclass(slots=True)
class Unit:
    """What is written together or not at all, if its first event is the next of its table."""

    events: list[Event]
    status: tuple[str, str, int | None] | None = None  # table, its new status, when over
    head: Head | None = None
    holders: list[tuple[str, str]] | None = None  # keys that hold a seat now, and the table
    attempt: Beginning | None = None
    result: tuple[Attempt, Result] | None = None  # of an attempt that ends
    results: list[GameResult] | None = None  # of the game that the event ends
    duplicate: NewDuplicate | None = None  # that is made from the game
    written: asyncio.Future[bool] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is nothing but events, as decisions are."""
        return (
            self.status is None
            and self.head is None
            and self.holders is None
            and self.duplicate is None
        )


class Store:
    """The database. Reads run in worker threads; `write` goes through the one writer.

    No call waits longer than `limit` seconds; None is for maintenance, which may take its time.
    """

    def __init__(self, url: str, server: str, limit: float | None = LIMIT) -> None:
        self.url = url
        self.server = server
        self.limit = limit
        self.shared = postgresql.is_postgresql(url)
        self._file = "" if self.shared else str(make_url(url).database)
        self.on_fault: Callable[[str], None] = lambda cause: None
        self.has_deleted = False  # what nobody is to find again
        self.damage: str | None = None  # the cause of a failure that no waiting mends
        self._lock_file: int | None = None
        self._secret: bytes | None = None
        self.on_batch: Callable[[int, float], None] = lambda events, seconds: None
        self._waiting: list[Unit] = []  # for the next commit
        self._handed_over = False  # the writer is at work, or will be when the loop comes round
        self._queue: queue.SimpleQueue[list[Unit] | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self.engine = self._postgresql() if self.shared else self._sqlite()
        event.listen(self.engine, "handle_error", self._failed)
        # For reading; neither keeps anybody from writing. `snapshot`: several queries that belong
        # together see one state.
        self.reads = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self.snapshot = self.engine.execution_options(
            **({"isolation_level": "REPEATABLE READ"} if self.shared else {"is_snapshot": True})
        )
        # By hand, because it is done for every decision and costs several times less. All rows in
        # one statement: the modules give the GIL away and fight for it at each.
        self._insert = f"INSERT INTO events ({_COLUMNS}) " + (
            f"SELECT * FROM unnest({', '.join(_ARRAYS)})"
            if self.shared
            else f"SELECT {', '.join(_from_json(Event._fields))} FROM json_each(?) WHERE true"
        )
        self._own: sqlite3.Connection | None = None  # the writer's; a pool would change its mode
        self._hold = pg_insert(holders) if self.shared else sqlite_insert(holders)

    def _postgresql(self) -> Engine:
        return postgresql.engine(
            self.url,
            self.limit,
            pool_size=8,
            max_overflow=0,  # connections beyond the pool would be made and ended again and again
            pool_timeout=self.limit or LIMIT,
            pool_pre_ping=True,
        )

    def _sqlite(self) -> Engine:
        Path(self._file).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(self.url, hide_parameters=True)

        @event.listens_for(engine, "connect")
        def connect(connection: Any, record: Any) -> None:
            self._prepare(connection)

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            options = connection.get_execution_options()
            if options.get("is_snapshot"):
                connection.exec_driver_sql("BEGIN")
            elif options.get("isolation_level") != "AUTOCOMMIT":
                connection.exec_driver_sql("BEGIN IMMEDIATE")

        return engine

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        connection.execute(f"PRAGMA busy_timeout={int(1000 * (self.limit or 6 * LIMIT))}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        # What is deleted is overwritten; builds of SQLite differ in what they do by themselves.
        connection.execute("PRAGMA secure_delete=ON")
        # Pages that change again and again go to the database file once for all these changes.
        connection.execute("PRAGMA wal_autocheckpoint=8000")

    def _failed(self, context: ExceptionContext) -> None:
        fault = context.original_exception
        if faults.is_conflict(fault) or context.is_pre_ping:
            return
        if getattr(fault, "sqlstate", None) == faults.READ_ONLY:
            context.is_disconnect = True  # it is a replica now: find the one that takes writes
        self._tell(fault)

    def _tell(self, fault: BaseException) -> None:
        cause = faults.cause(fault)
        _log.error("the database failed", extra={"cause": cause})
        if faults.is_damage(cause):
            self.damage = cause
        self.on_fault(cause)

    # --- Opening and closing -------------------------------------------------------------

    def open(self) -> None:
        """Lock and migrate; raises `InUse` or `migrate.NewerSchema`."""
        if not self.shared:
            self.lock()
        # A migration may take longer than a player would wait.
        patient = postgresql.engine(self.url, None) if self.shared else self.engine
        with patient.begin() as connection:
            migrate.upgrade(connection)
            self._secret = self._own_secret(connection)
        if patient is not self.engine:
            patient.dispose()

    def _own_secret(self, connection: Connection) -> bytes:
        """The same for all servers of a database: made by the first one."""
        insert = pg_insert(own_secrets) if self.shared else sqlite_insert(own_secrets)
        made = insert.values(name="keys", value=secrets.token_hex(32))
        connection.execute(made.on_conflict_do_nothing())
        query = select(own_secrets.c.value).where(own_secrets.c.name == "keys")
        return bytes.fromhex(connection.execute(query).scalar_one())

    @property
    def secret(self) -> bytes:
        """What issued keys are marked with."""
        if self._secret is None:
            with self.engine.begin() as connection:
                self._secret = self._own_secret(connection)
        return self._secret

    def lock(self) -> None:
        """Keep a second server from the same SQLite file: two would not see each other's events.

        The file itself is locked, whatever path leads to it. The descriptor stays open until the
        engine is gone: to close any descriptor of the file would take SQLite's own locks away.
        """
        file = self._file
        locked = f"{file}.lock" if sys.platform == "win32" else file
        descriptor = os.open(locked, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform != "win32":
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.fchmod(descriptor, 0o600)  # seeds and hands are in it; so are those beside it
            else:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(descriptor)
            raise InUse(
                f"another server is using {file}; stop it, or use PostgreSQL, "
                "which several servers can share"
            ) from None
        self._lock_file = descriptor

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    async def finish(self) -> None:
        """Write all that is waiting, then close."""
        while self._handed_over:
            await asyncio.sleep(0.005)
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        if self._thread:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        self.engine.dispose()
        if self.has_deleted and self._lock_file is not None:
            self._write_anew()
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None

    def _write_anew(self) -> None:
        """Write the file anew, for SQLite overwrites rows that it deletes, but leaves copies of
        them where it has moved them from. No server may use it meanwhile; ours waits only so long.
        """
        with contextlib.closing(sqlite3.connect(self._file)) as own:
            alarm = threading.Timer(_ANEW_WITHIN, own.interrupt)
            if self.limit is not None:
                alarm.start()
            try:
                self._prepare(own)
                own.execute("VACUUM")
                self.has_deleted = False
            except sqlite3.Error as fault:
                _log.warning(
                    "the file still holds parts of what was deleted; `keltis tables prune` with "
                    "the server stopped writes it anew",
                    extra={"cause": faults.cause(fault)},
                )
            finally:
                alarm.cancel()

    # --- Writing -------------------------------------------------------------------------

    def write(self, unit: Unit) -> asyncio.Future[bool]:
        """True once it is on disk, False if its first event's number or id was there already.

        After any fault it may or may not be on disk.
        """
        assert self._loop is not None
        unit.written = self._loop.create_future()
        self._waiting.append(unit)
        if not self._handed_over:
            self._handed_over = True
            self._loop.call_soon(self._hand_over)
        return unit.written

    def _hand_over(self) -> None:
        """Give the writer all that waits."""
        units, self._waiting = self._waiting[:_MOST_UNITS], self._waiting[_MOST_UNITS:]
        self._handed_over = bool(units)
        if units:
            self._queue.put(units)

    def _written(self, units: list[Unit], outcomes: Sequence[Outcome]) -> None:
        self._hand_over()  # first, so that the disk works while these are told
        for unit, outcome in zip(units, outcomes, strict=True):
            assert unit.written is not None
            if unit.written.done():  # nobody waits any more
                continue
            if isinstance(outcome, Exception):
                unit.written.set_exception(outcome)
            else:
                unit.written.set_result(outcome)

    def _work(self) -> None:
        assert self._loop is not None
        while (units := self._queue.get()) is not None:
            started = time.perf_counter()
            outcomes = self._outcomes(units)
            self.on_batch(len(units), time.perf_counter() - started)
            self._loop.call_soon_threadsafe(self._written, units, outcomes)
        if self._own is not None:
            self._own.close()
            self._own = None

    def _outcomes(self, units: list[Unit]) -> Sequence[Outcome]:
        """Write units in one transaction; how each went."""
        try:
            if not self.shared and self._write_decisions(units):
                return [True] * len(units)
            with self.engine.begin() as connection:
                return self._write(connection, units)
        except Exception as fault:
            if len(units) == 1 or isinstance(fault, OperationalError | sqlite3.OperationalError):
                return [fault] * len(units)
        # Something is wrong with one of them, not with the database: the others go on.
        return [self._outcomes([unit])[0] for unit in units]

    def _write_decisions(self, units: list[Unit]) -> bool:
        """Write to SQLite what is nothing but events, in one statement that is a transaction.

        False if there is more, or a row was there already: nothing is written then.
        """
        if not all(unit.is_plain for unit in units):
            return False
        if self._own is None:
            self._own = sqlite3.connect(self._file)
            self._prepare(self._own)
        try:
            self._own.execute(self._insert, (_as_json([unit.events[0] for unit in units]),))
        except sqlite3.IntegrityError:
            return False
        except sqlite3.Error as fault:
            self._tell(fault)
            raise
        return True

    def _write(self, connection: Connection, units: list[Unit]) -> list[bool]:
        """Write units, each wholly or not at all: its first event decides."""
        told = self._insert_events(connection, [unit.events[0] for unit in units])
        outcomes = [unit.events[0][:2] in told for unit in units]
        done = [unit for unit, written in zip(units, outcomes, strict=True) if written]
        beside = [event for unit in done for event in unit.events[1:]]
        if beside:
            self._insert_events(connection, beside)
        for unit in done:
            self._write_rest(connection, unit)
        return outcomes

    def _insert_events(self, connection: Connection, rows: list[Event]) -> set[tuple[str, int]]:
        """Insert those that are not there; the table and number of each."""
        values: Any = (_as_json(rows),)
        if self.shared:
            values = tuple(list(column) for column in zip(*rows, strict=True))
        query = f"{self._insert} ON CONFLICT DO NOTHING RETURNING table_id, seq"
        return {(row[0], row[1]) for row in connection.exec_driver_sql(query, values)}

    def _write_rest(self, connection: Connection, unit: Unit) -> None:
        if unit.head:
            connection.execute(tables.insert(), unit.head._asdict())
            if self.shared:
                lease = {"table_id": unit.head.id, "server": self.server}
                connection.execute(leases.insert().values(**lease, until=_DATABASE_NOW + 1000))
        if unit.holders:
            rows = [{"holder": holder, "table_id": table} for holder, table in unit.holders]
            connection.execute(self._hold.on_conflict_do_nothing(), rows)
        if unit.attempt:
            self._begin_attempt(connection, unit.attempt, unit.events[0])
        if unit.result:
            attempt, result = unit.result
            connection.execute(
                update(attempts)
                .where(
                    attempts.c.holder == attempt.holder,
                    attempts.c.deal == attempt.deal,
                    attempts.c.board == attempt.board,
                )
                .values(**result._asdict(), over_at=unit.events[0].at)
            )
        if unit.status:
            table_id, status, over_at = unit.status
            connection.execute(
                update(tables).where(tables.c.id == table_id).values(status=status, over_at=over_at)
            )
            if status == "over":
                connection.execute(
                    update(tables).where(tables.c.id == table_id).values(origin=None)
                )
                connection.execute(
                    update(holders).where(holders.c.table_id == table_id).values(over_at=over_at)
                )
                if self.shared:
                    connection.execute(leases.delete().where(leases.c.table_id == table_id))
        if unit.duplicate:
            made = unit.duplicate.deal
            values = {**made._asdict(), "body": orjson.dumps(made.body).decode()}
            connection.execute(shared_deals.insert(), values)
            known = [row._asdict() for row in unit.duplicate.known_to]
            connection.execute(attempts.insert(), known)
        for each in unit.results or ():
            connection.execute(
                update(holders)
                .where(holders.c.holder == each.holder, holders.c.table_id == each.table_id)
                .values(each._asdict())
            )

    def _begin_attempt(self, connection: Connection, beginning: Beginning, created: Event) -> None:
        deal, board, holder, _ = beginning.attempt
        if beginning.source is not None:
            if self.shared:  # one after the other, whichever servers they ask
                lock = func.pg_advisory_xact_lock(func.hashtext(holder))
                connection.execute(select(lock))
            if connection.execute(beside(holder, deal, beginning.source)).first():
                raise KnowsCards
        connection.execute(
            attempts.insert().values(
                holder=holder, deal=deal, board=board, table_id=created.table_id,
                begun_at=created.at, state=PLAYING, name=beginning.name,
            )
        )  # fmt: skip

    # --- Reading -------------------------------------------------------------------------

    def head(self, table_id: str) -> Head | None:
        with self.reads.connect() as connection:
            row = connection.execute(select(tables).where(tables.c.id == table_id)).first()
        return Head(*row) if row else None

    def events_after(self, table_id: str, seq: int) -> list[Event]:
        query = select(events).where(events.c.table_id == table_id, events.c.seq > seq)
        with self.reads.connect() as connection:
            return [Event(*row) for row in connection.execute(query.order_by(events.c.seq))]

    def event_of(self, table_id: str, client: str) -> Event | None:
        """The event that a client's own id led to."""
        query = select(events).where(events.c.table_id == table_id, events.c.client == client)
        with self.reads.connect() as connection:
            row = connection.execute(query).first()
        return Event(*row) if row else None

    def last_seqs(self, ids: Iterable[str]) -> dict[str, int]:
        """The number of the last event of each table."""
        last = (
            select(func.max(events.c.seq)).where(events.c.table_id == tables.c.id).scalar_subquery()
        )
        found: dict[str, int] = {}
        wanted = list(ids)
        with self.reads.connect() as connection:
            for k in range(0, len(wanted), 500):
                query = select(tables.c.id, last).where(tables.c.id.in_(wanted[k : k + 500]))
                found.update((row[0], row[1]) for row in connection.execute(query))
        return found

    def now(self) -> float:
        """PostgreSQL's date, in seconds since 1970."""
        with self.reads.connect() as connection:
            return float(connection.execute(select(_DATABASE_NOW)).scalar_one()) / 1000

    def live_ids(self) -> list[str]:
        query = select(tables.c.id).where(tables.c.status != "over").order_by(tables.c.created_at)
        with self.reads.connect() as connection:
            return [row[0] for row in connection.execute(query)]

    def public_ids(self, most: int, most_of_one: int) -> list[str]:
        """Public tables, newest first, and only so many that were made from one address."""
        newest = tables.c.created_at.desc()
        origin = func.coalesce(tables.c.origin, tables.c.id)
        place = func.row_number().over(partition_by=origin, order_by=newest)
        public = (
            select(tables.c.id, tables.c.created_at, place.label("place"))
            .where(tables.c.status != "over", tables.c.public)
            .subquery()
        )
        query = (
            select(public.c.id)
            .where(public.c.place <= most_of_one)
            .order_by(public.c.created_at.desc())
            .limit(most)
        )
        with self.reads.connect() as connection:
            return [row[0] for row in connection.execute(query)]

    def ids_held_by(self, holder: str, most: int) -> list[str]:
        query = (
            select(tables.c.id)
            .join(holders, holders.c.table_id == tables.c.id)
            .where(
                holders.c.holder == holder,
                holders.c.over_at.is_(None),
                tables.c.status != "over",
            )
            .order_by(tables.c.created_at.desc())
            .limit(most)
        )
        with self.reads.connect() as connection:
            return [row[0] for row in connection.execute(query)]

    def count_made(self, creator: str, origin: str) -> tuple[int, int]:
        """Tables that are not over: made by a key, and made from an address."""
        by = select(func.count()).where(tables.c.creator == creator, tables.c.status != "over")
        here = select(func.count()).where(tables.c.origin == origin, tables.c.status != "over")
        with self.reads.connect() as connection:
            return (
                int(connection.execute(by).scalar_one()),
                int(connection.execute(here).scalar_one()),
            )

    def holds_something(self, holder: str) -> bool:
        """Whether a key holds, or held, a seat at some table."""
        query = select(holders.c.holder).where(holders.c.holder == holder).limit(1)
        with self.reads.connect() as connection:
            return connection.execute(query).first() is not None

    # --- Leases: only with PostgreSQL ----------------------------------------------------

    def claim(self, table_id: str, seconds: float) -> bool:
        """Take or keep a table's lease, unless another living server has it."""
        until = _DATABASE_NOW + int(seconds * 1000)
        fresh = pg_insert(leases).values(table_id=table_id, server=self.server, until=until)
        query = fresh.on_conflict_do_update(
            index_elements=["table_id"],
            set_={"server": self.server, "until": until},
            where=leases.c.server.in_([self.server, ""]) | (leases.c.until < _DATABASE_NOW),
        ).returning(leases.c.table_id)
        with self.reads.connect() as connection:
            return connection.execute(query).first() is not None

    def put_off(self, table_id: str, seconds: float) -> None:
        """Nothing is owed at this table now: look again later."""
        with self.reads.connect() as connection:
            connection.execute(
                update(leases)
                .where(leases.c.table_id == table_id, leases.c.until < _DATABASE_NOW)
                .values(server="", until=_DATABASE_NOW + int(seconds * 1000))
            )

    def expired(self, most: int) -> list[str]:
        """Tables whose lease nobody has, longest first."""
        query = (
            select(leases.c.table_id)
            .where(leases.c.until < _DATABASE_NOW)
            .order_by(leases.c.until)
            .limit(most)
        )
        with self.reads.connect() as connection:
            return [row[0] for row in connection.execute(query)]


def beside(holder: str, deal: str, source: str) -> Select[Any]:
    """A key's attempts at the cards of a table by other deals than this: from another seat."""
    return (
        select(attempts.c.deal)
        .join(shared_deals, shared_deals.c.id == attempts.c.deal)
        .where(attempts.c.holder == holder, attempts.c.deal != deal)
        .where(shared_deals.c.source == source)
        .limit(1)
    )


_DATABASE_NOW = (func.extract("epoch", func.clock_timestamp()) * 1000).cast(leases.c.until.type)


def _as_json(rows: list[Event]) -> str:
    return orjson.dumps([tuple(row) for row in rows]).decode()


def _from_json(columns: Sequence[str]) -> Iterable[str]:
    """Each column as SQLite finds it in a row of `_as_json`."""
    return (f"json_extract(value, '$[{k}]')" for k in range(len(columns)))
