"""All tables of this server: what is asked of them is checked, written, and then published."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

import orjson
from sqlalchemy.exc import SQLAlchemyError

import keltis
from keltis.server import keys
from keltis.server.live import messages
from keltis.server.live.bus import Bus
from keltis.server.live.live_table import LiveTable
from keltis.server.live.publishing import Publishing, milliseconds, what
from keltis.server.live.scheduler import Scheduler
from keltis.server.live.viewers import Viewer
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.storage.store import Outcome, Store, Unit
from keltis.server.tables import commands
from keltis.server.tables.drafts import Draft, Surroundings
from keltis.server.tables.events import Event, Head
from keltis.server.tables.table import OVER, PERSON, PLAYING, WAITING, Table

_log = logging.getLogger("keltis.service")

_TRIES = 5  # of a command that other servers' events overtake
_LONGEST_ID = 64
_LISTED = 100


class Written:
    """How a command went: its event's number, and what it led to."""

    __slots__ = ("more", "seq")

    def __init__(self, seq: int, **more: Any) -> None:
        self.seq = seq
        self.more = more


class Service(Publishing):
    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        super().__init__(settings, store, metrics)
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self.scheduler = Scheduler(self)
        self.bus = Bus(self) if store.shared else None
        self._listed: tuple[float, list[dict[str, Any]]] = (-1e9, [])

    # --- Tables in memory ----------------------------------------------------------------

    async def find(self, table_id: str) -> LiveTable:
        """A table by its id, from memory or the log."""
        live = self.live_tables.get(table_id)
        if live is not None:
            live.used_at = time.monotonic()
            return live
        if len(table_id) != keys.ID_LENGTH or not table_id.isascii() or not table_id.isalnum():
            raise _unknown_table()
        waiting = self._loading.get(table_id)
        if waiting is None:
            waiting = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
            waiting.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(waiting)

    async def _load(self, table_id: str) -> LiveTable:
        table = await asyncio.to_thread(self._read, table_id)
        if table is None:
            raise _unknown_table()
        live = self.live_tables[table_id] = LiveTable(table, time.monotonic())
        self.metrics.tables.set(len(self.live_tables))
        self.scheduler.look(live)
        return live

    def _read(self, table_id: str) -> Table | None:
        head = self.store.head(table_id)
        if head is None:
            return None
        table = Table(head)
        for event in self.store.events_after(table_id, 0):
            table.apply(event)
        return table

    async def fresh(self, live: LiveTable) -> None:
        """After a failed write the log decides what has happened."""
        if not live.dirty:
            return
        table = await asyncio.to_thread(self._read, live.table.id)
        if table is None:
            raise _unknown_table()
        now = time.monotonic()
        live.table = table
        for seat in table.seats:
            if seat.kind == PERSON:
                seat.absent_since = now
        live.dirty = False
        self.publish(live, {"kind": "resumed"})

    async def create(self, game: str, public: bool, body: dict[str, Any], holder: str) -> LiveTable:
        await self._check_count(holder)
        head, event = self._new_table(game, public, body, holder)
        await self._write(Unit([event], head=head, holders=[(holder, head.id)]))
        table = Table(head)
        table.apply(event)
        live = self.live_tables[head.id] = LiveTable(table, time.monotonic())
        self.metrics.tables.set(len(self.live_tables))
        self.metrics.events.labels("created").inc()
        self.scheduler.look(live)
        return live

    def _new_table(
        self, game: str, public: bool, body: dict[str, Any], holder: str
    ) -> tuple[Head, Event]:
        now = milliseconds()
        head = Head(
            keys.new_table_id(), game, public, WAITING, holder, keys.new_server_seed(), now, None
        )
        return head, Event(head.id, 1, now, "created", None, json.dumps(body), None)

    async def _check_count(self, holder: str) -> None:
        most = self.settings.tables_per_client
        if await asyncio.to_thread(self.store.count_made_by, holder) >= most:
            raise Problem(
                "too_many_tables", f"you have {most} tables that are not over: end some first"
            )

    async def public_tables(self) -> list[dict[str, Any]]:
        """The list of public tables, at most a second old."""
        now = time.monotonic()
        if now - self._listed[0] > 1:
            ids = await asyncio.to_thread(self.store.public_ids, _LISTED)
            live_tables = [await self.find(table_id) for table_id in ids]
            self._listed = (
                now, [messages.listed(live.table, live.watchers()) for live in live_tables]
            )  # fmt: skip
        return self._listed[1]

    async def tables_of(self, holder: str) -> list[dict[str, Any]]:
        ids = await asyncio.to_thread(self.store.ids_held_by, holder, 20)
        live_tables = [await self.find(table_id) for table_id in ids]
        return [
            messages.listed(live.table, live.watchers())
            for live in live_tables
            if live.table.status != OVER and live.table.held_by(holder)
        ]

    # --- Commands ------------------------------------------------------------------------

    async def decide(
        self,
        live: LiveTable,
        holder: str | None,
        move: str,
        seq: int,
        own_id: str,
        viewer: Viewer | None,
    ) -> Written:
        client = _client(holder, own_id)
        for _ in range(_TRIES):
            async with live.lock:
                await self.fresh(live)
                table = live.table
                seats = viewer.seats if viewer else table.held_by(holder)
                try:
                    seat = commands.check_decide(table, seats, seq)
                except Problem:
                    # Perhaps it is the same decision again, and has been taken.
                    if seats and (written := await self._earlier(table, client)) is not None:
                        return written
                    raise
                if await self.move(live, seat, move, client, viewer, own_id):
                    return Written(live.table.seq)
                if (written := await self._earlier(live.table, client)) is not None:
                    return written
        raise _busy()

    async def move(
        self,
        live: LiveTable,
        seat: int,
        move: str,
        client: str | None = None,
        viewer: Viewer | None = None,
        own_id: str | None = None,
    ) -> bool:
        """Play and write a decision of the seat whose turn it is; under the table's lock."""
        event, unit = self._play(live.table, seat, move, client)
        if not await self._checked_write(live, unit):
            return False
        self._played(live, event, viewer, own_id)
        return True

    def decide_at_once(
        self,
        live: LiveTable,
        viewer: Viewer,
        move: str,
        seq: int,
        own_id: str,
        otherwise: Callable[[], None],
    ) -> bool:
        """`decide` without a task that waits, as nearly all decisions can be taken.

        False if this one cannot: nothing has changed, and `decide` will say why. `otherwise` is
        called if it could not be written: `decide` has to find out what the log holds.
        """
        if self.stopping or live.dirty or not live.take():
            return False
        try:
            seat = commands.check_decide(live.table, viewer.seats, seq)
            event, unit = self._play(live.table, seat, move, _client(viewer.holder, own_id))
        except Exception:
            live.lock.release()
            return False
        live.dirty = True  # until we know that it is written

        def done(outcome: Outcome) -> None:
            try:
                if outcome is True:
                    live.dirty = False
                    self._played(live, event, viewer, own_id)
            finally:
                live.lock.release()
            if outcome is not True:
                self.scheduler.recover(live)
                otherwise()

        unit.done = done
        self.store.put(unit)
        return True

    def _play(self, table: Table, seat: int, move: str, client: str | None) -> tuple[Event, Unit]:
        """Play a decision, and what is to be written of it."""
        assert table.game is not None
        try:
            table.game.play(move)
        except keltis.IllegalMove as fault:
            raise Problem("illegal_move", str(fault), move=str(move)[:40]) from None
        at = max(milliseconds(), table.last_at)
        event = Event(table.id, table.seq + 1, at, "moved", seat, move, client)
        return event, Unit([event], (table.id, OVER, at) if table.game.is_over else None)

    def _played(
        self, live: LiveTable, event: Event, viewer: Viewer | None, own_id: str | None
    ) -> None:
        """A decision is written: tell it."""
        table = live.table
        table.apply(event, played=True)
        self.metrics.decisions += 1
        self._tell_others(table)
        assert event.seat is not None
        self.publish_move(live, event.seat, viewer, own_id)
        if table.status == OVER:
            self.publish(live, {"kind": "over"})
        self.scheduler.look(live, mine=True)

    async def command(
        self,
        live: LiveTable,
        holder: str | None,
        draft: Callable[[Table, tuple[int, ...], Surroundings], Draft | None],
        own_id: str | None = None,
        viewer: Viewer | None = None,
    ) -> Written:
        """Check and write anything but a decision: `draft` checks, and makes the event."""
        client = _client(holder, own_id) if own_id else None
        for _ in range(_TRIES):
            async with live.lock:
                await self.fresh(live)
                table = live.table
                if client and (written := await self._earlier(table, client)) is not None:
                    return written
                made = draft(table, table.held_by(holder), self.near())
                if made is None:
                    return Written(table.seq, unchanged=True)
                if await self.append(live, made, client, viewer, own_id):
                    return Written(live.table.seq, seat=made.seat)
        raise _busy()

    async def append(
        self,
        live: LiveTable,
        draft: Draft,
        client: str | None = None,
        viewer: Viewer | None = None,
        own_id: str | None = None,
        beside: tuple[Head, Event] | None = None,
    ) -> bool:
        """Write an event that is no decision, and a new table beside it; under its lock."""
        table = live.table
        at = max(milliseconds(), table.last_at)
        event = Event(table.id, table.seq + 1, at, draft.kind, draft.seat, draft.body, client)
        status: tuple[str, str, int | None] | None = None
        if draft.kind == "started":
            status = (table.id, PLAYING, None)
        elif draft.kind == "ended" or (draft.kind == "left" and _closes(table, draft)):
            status = (table.id, OVER, at)
        unit = Unit([event], status)
        if beside:
            unit.head = beside[0]
            unit.events.append(beside[1])
            holders = {holder for seat in table.seats for holder in seat.holders}
            unit.holders = [(holder, beside[0].id) for holder in sorted(holders)]
        elif draft.holder is not None:
            unit.holders = [(draft.holder, table.id)]
        if not await self._checked_write(live, unit):
            return False
        table.apply(event)
        self.metrics.events.labels(draft.kind).inc()
        self._tell_others(table)
        self.publish(live, what(event), viewer, own_id)
        self.scheduler.look(live, mine=True)
        return True

    async def rematch(
        self, live: LiveTable, holder: str, own_id: str | None = None, viewer: Viewer | None = None
    ) -> Written:
        await self._check_count(holder)
        for _ in range(_TRIES):
            async with live.lock:
                await self.fresh(live)
                table = live.table
                if table.rematch is not None and table.held_by(holder):
                    return Written(table.seq, table=table.rematch, unchanged=True)
                body = commands.rematch_body(table, table.held_by(holder))
                beside = self._new_table(table.game_name, table.public, body, holder)
                made = Draft("rematch", None, json.dumps({"table": beside[0].id}))
                client = _client(holder, own_id) if own_id else None
                if await self.append(live, made, client, viewer, own_id, beside):
                    return Written(live.table.seq, table=beside[0].id)
        raise _busy()

    async def hint(self, live: LiveTable, holder: str | None) -> dict[str, Any]:
        """Advice for the seat whose turn it is, from its own view."""
        async with live.lock:
            await self.fresh(live)
            table = live.table
            seat = commands.check_decide(table, table.held_by(holder), table.seq)
            assert holder is not None
            assert table.game is not None
            if not table.hints:
                raise Problem("not_allowed", "there are no hints at this table")
            if live.advising is None:
                live.advising = set()
            if holder in live.advising:
                raise Problem("not_allowed", "a hint is on its way")
            live.advising.add(holder)
            view, seq = table.game.view(seat), table.seq
        try:
            advice = await self.bots.advise(view)
        finally:
            live.advising.discard(holder)
        if seat not in live.table.held_by(holder):
            raise Problem("not_allowed", "you hold no seat at this table")
        return {"seq": seq, "seat": seat, **advice}

    async def why(self, live: LiveTable, holder: str | None, move: str) -> dict[str, Any]:
        async with live.lock:
            await self.fresh(live)
            table = live.table
            commands.check_decide(table, table.held_by(holder), table.seq)
            assert table.game is not None
            return {"move": move, "reason": table.game.why(move)}

    # --- Writing -------------------------------------------------------------------------

    async def _checked_write(self, live: LiveTable, unit: Unit) -> bool:
        """Write for a table; whenever that fails it is read anew from the log."""
        live.dirty = True  # until we know that it is written
        try:
            written = await self._write(unit)
        except BaseException:
            self.scheduler.recover(live)
            raise
        if not written:
            await self.fresh(live)
            return False
        live.dirty = False
        return True

    async def _write(self, unit: Unit) -> bool:
        if self.stopping:
            raise Problem("stopping", "the server is being stopped", retry_after=2)
        try:
            return await self.store.write(unit)
        except SQLAlchemyError:
            raise Problem("busy", "the database does not answer", retry_after=2) from None

    async def _earlier(self, table: Table, client: str) -> Written | None:
        """What the same command has led to before."""
        event = await asyncio.to_thread(self.store.seq_of, table.id, client)
        if event is None:
            return None
        more = json.loads(event.body) if event.kind == "rematch" else {}
        return Written(event.seq, unchanged=True, seat=event.seat, **more)

    async def catch_up(self, live: LiveTable, seq: int) -> None:
        """Another server has written: read and publish what this one has not seen."""
        async with live.lock:
            await self.fresh(live)
            if live.table.seq >= seq:
                return
            events = await asyncio.to_thread(self.store.events_after, live.table.id, live.table.seq)
            for event in events:
                live.table.apply(event)
                if event.kind == "moved":
                    assert event.seat is not None
                    self.publish_move(live, event.seat, None, None)
                    if live.table.status == OVER:
                        self.publish(live, {"kind": "over"})
                else:
                    self.publish(live, what(event))
            self.scheduler.look(live)

    def _tell_others(self, table: Table) -> None:
        if self.bus is not None:
            self.bus.tell(table.id, table.seq)

    # --- Stopping --------------------------------------------------------------------------

    async def stop(self) -> None:
        """No more events; everybody is told to connect again."""
        self.stopping = True
        self.scheduler.stop()
        for live in list(self.live_tables.values()):
            for viewer in list(live.viewers):
                wait = 500 + keys.below(2500)
                viewer.send(orjson.dumps({"type": "bye", "reconnect_after": wait}))
                viewer.close(1012)
        if self.bus is not None:
            await self.bus.stop()
        self.bots.stop()


def _closes(table: Table, draft: Draft) -> bool:
    """Whether the last person leaves a table that waits."""
    if table.are_seats_fixed:
        return False
    going = json.loads(draft.body)["seats"]
    return all(k in going for k, seat in enumerate(table.seats) if seat.kind == "person")


def _client(holder: str | None, own_id: str) -> str:
    if len(own_id) > _LONGEST_ID:
        raise Problem("bad_request", f"id: longer than {_LONGEST_ID} characters")
    if not own_id.isprintable():
        raise Problem("bad_request", "id: it has characters that cannot be printed")
    return f"{(holder or '')[:12]}:{own_id}"


def _unknown_table() -> Problem:
    return Problem("unknown_table", "there is no such table")


def _busy() -> Problem:
    return Problem("busy", "others were faster again and again; try once more", retry_after=1)
