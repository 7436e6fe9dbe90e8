"""What clients can ask of the tables, and the one way in which a table changes.

`act` is that way, for people, bots, clocks and whatever else: check, commit, fold, publish. Nothing
is changed in memory before it is committed, so memory is always what the log says up to some event.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

import orjson
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from keltis.server import keys
from keltis.server.clock import Clock
from keltis.server.live import messages
from keltis.server.live.background import Background, timed
from keltis.server.live.bot_pool import BotPool
from keltis.server.live.bus import Bus
from keltis.server.live.days import Days
from keltis.server.live.duplicates import Duplicates
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.person_keys import PersonKeys
from keltis.server.live.publisher import Publisher, no_spectators
from keltis.server.live.registry import Registry, unreadable
from keltis.server.live.reviews import Reviews
from keltis.server.live.scheduler import Scheduler
from keltis.server.live.viewers import NO_TABLE, STOPPING, Audience, Viewer
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.storage import attempts, person_keys, privacy
from keltis.server.storage.faults import cause
from keltis.server.storage.store import Store, Unit
from keltis.server.tables import chain, commands, results, shared
from keltis.server.tables.drafts import Check, Draft
from keltis.server.tables.events import BadEvent, Event
from keltis.server.tables.table import OVER, Table, replayed

_log = logging.getLogger("keltis.service")

_P = ParamSpec("_P")
_T = TypeVar("_T")
_TRIES = 5  # of a command that other servers' events overtake
_LISTED = 100
_LISTED_OF_ONE = 10  # public tables that were made from one address


class Written:
    """How a command went: its event's number, and what it led to."""

    __slots__ = ("changed", "seat", "seq")

    def __init__(self, seq: int, seat: int | None = None, *, changed: bool = True) -> None:
        self.seq = seq
        self.seat = seat
        self.changed = changed  # by this very command, just now


class Service:
    def __init__(self, settings: Settings, store: Store, metrics: Metrics, clock: Clock) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.clock = clock
        self.stopping = False
        self.bots = BotPool(settings.bot_threads)
        self.registry = Registry(store, clock, metrics)
        self.publisher = Publisher(clock, settings, self.bots.substitute)
        self.background = Background(metrics)
        self.audience = Audience(settings)
        self.scheduler = Scheduler(self)
        self.registry.on_load = self.scheduler.look
        self.bus = Bus(self) if store.shared else None
        self.days = Days(self)
        self.duplicates = Duplicates(self)
        self.person_keys = PersonKeys(self)
        self.reviews = Reviews(self)
        self._personal = asyncio.Lock()  # one table at a time, whoever wants to be forgotten
        self._listed: tuple[float, list[dict[str, Any]]] = (-1e9, [])
        self._listing: asyncio.Future[None] | None = None

    @property
    def issuer(self) -> keys.Issuer:
        """Makes keys, and knows which ones it made."""
        return keys.Issuer(self.store.secret)

    # --- The one way --------------------------------------------------------------------------

    async def act(
        self,
        live: LiveTable,
        check: Check,
        holder: str | None = None,
        own_id: str | None = None,
        sender: Viewer | None = None,
    ) -> Written:
        """Check, commit, fold, publish; or `busy` after the time that the database has for it.

        `check` makes the event, refuses by a `Problem`, or gives None if there is nothing to do;
        it is asked again when another server was first. With a client's own id the same command
        is carried out once, however often it comes.
        """
        return await self.in_time(self._act(live, check, holder, own_id, sender))

    async def ask(self, question: Callable[_P, _T], *args: _P.args, **more: _P.kwargs) -> _T:
        """What a question to the database finds; or `busy` after the time that it has for it."""
        return await self.in_time(asyncio.to_thread(question, *args, **more))

    async def in_time(self, work: Awaitable[_T]) -> _T:
        """What hangs on the database is given up after a while: nobody waits for ever.

        What was being written may still be: the table reads its log before anything else.
        """
        try:
            async with asyncio.timeout(self.settings.database_timeout):
                return await work
        except TimeoutError as fault:
            self.store.on_fault(cause(fault))
            _log.error("the database did not answer", extra={"cause": cause(fault)})
            raise Problem("busy", "the database does not answer", retry_after=2) from None

    async def to_its_end(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What some work leads to, or `busy` after a while; whoever gives up waiting does not end
        the work."""
        going_on = asyncio.ensure_future(work)
        going_on.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await self.in_time(asyncio.shield(going_on))

    async def _act(
        self,
        live: LiveTable,
        check: Check,
        holder: str | None,
        own_id: str | None,
        sender: Viewer | None,
    ) -> Written:
        client = _client(holder, own_id) if own_id else None
        for _ in range(_TRIES):
            async with live.lock:
                if not live.in_step or live.is_old:
                    await self._catch_up(live)
                table = live.table
                seats = table.held_by(holder)
                try:
                    draft = check(table, seats, self.publisher.near())
                except Problem:
                    if seats and client and (earlier := await self._earlier(live, client)):
                        return earlier
                    raise
                if draft is None:
                    earlier = await self._earlier(live, client) if seats and client else None
                    return earlier or Written(table.seq, changed=False)
                event = self._event(live, draft, client)
                unit = _unit(event, draft, table)
                if table.attempt is not None and draft.status == OVER:
                    unit.result = await self._result(table, table.attempt, draft)
                if await self._commit(live, unit):
                    self._follow(live, event, sender, own_id)
                    live.in_step = True
                    self._count(event)
                    if unit.result is not None:
                        self.days.stale(unit.result[0].deal)
                    if self.bus is not None:
                        self.bus.tell(table.id, event.seq)
                    self.scheduler.look(live, mine=True)
                    return Written(event.seq, event.seat)
                # Another server was first, or the same id came before.
                await self._catch_up(live)
                if client and (earlier := await self._earlier(live, client)):
                    return earlier
        raise Problem("busy", "others were faster again and again; try once more", retry_after=1)

    async def _result(
        self, table: Table, attempt: shared.Attempt, draft: Draft
    ) -> tuple[shared.Attempt, shared.Result] | None:
        """What the end of an attempt is written as."""
        day = chain.day_deal(attempt.deal)
        late = day is not None and await self.days.is_closed(day.day)
        result = shared.result(table, attempt, draft, late=late)
        return None if result is None else (attempt, result)

    def _event(self, live: LiveTable, draft: Draft, client: str | None) -> Event:
        table = live.table
        spent = None
        if table.stops_clock(draft.kind, draft.seat, draft.body):
            spent = live.elapsed(self.clock.now())
        at = max(self.clock.wall(), table.last_at)
        return Event(table.id, table.seq + 1, at, draft.kind, draft.seat, draft.body, client, spent)

    async def _commit(self, live: LiveTable, unit: Unit) -> bool:
        """True: it is in the log. False: something else is. Else nobody knows until `_catch_up`."""
        live.in_step = False
        try:
            return await self._write(unit, live)
        except BaseException:
            self.scheduler.catch_up_later(live)
            raise

    async def _write(self, unit: Unit, live: LiveTable | None = None) -> bool:
        if self.stopping:
            raise Problem("stopping", "the server is being stopped", retry_after=2)
        writing = self.store.write(unit)
        if live is not None:
            live.writing = writing
        try:
            return await asyncio.shield(writing)  # it is written, whoever goes away
        except IntegrityError:
            raise
        except (SQLAlchemyError, sqlite3.Error):
            raise Problem("busy", "the database does not answer", retry_after=2) from None

    def _follow(
        self,
        live: LiveTable,
        event: Event,
        sender: Viewer | None = None,
        own_id: str | None = None,
    ) -> None:
        """Fold a committed event, and publish it."""
        try:
            live.fold(event, self.clock.now())
        except BadEvent as fault:
            raise self._set_apart(live, fault) from None
        self.publisher.event(live, event, sender, own_id)

    def _count(self, event: Event) -> None:
        if event.kind == "moved":
            self.metrics.decisions += 1
        else:
            self.metrics.events.labels(event.kind).inc()

    async def _catch_up(self, live: LiveTable) -> None:
        """Follow what the log holds and memory does not; under the table's lock."""
        if live.is_apart:
            raise unreadable()
        if live.is_old:
            raise Problem("busy", "the table is being read anew", retry_after=1)
        table = live.table
        live.in_step = False
        if live.writing is not None:  # whoever wrote it may have gone before it was written
            await asyncio.wait([live.writing])
        try:
            events = await asyncio.to_thread(self.store.events_after, table.id, table.seq)
        except SQLAlchemyError:
            self.scheduler.catch_up_later(live)
            raise
        for event in events:
            self._follow(live, event)
        live.in_step = True

    async def catch_up(self, live: LiveTable, seq: int | None = None) -> None:
        """Follow the log if it may have reached event `seq` without us."""
        async with live.lock:
            if live.in_step and seq is not None and live.table.seq >= seq:
                return
            await self._catch_up(live)
        self.scheduler.look(live)

    async def _earlier(self, live: LiveTable, client: str) -> Written | None:
        """What the same command has led to before."""
        event = await asyncio.to_thread(self.store.event_of, live.table.id, client)
        return None if event is None else Written(event.seq, event.seat, changed=False)

    def _set_apart(self, live: LiveTable, fault: BadEvent) -> Problem:
        """The log of a table at which people are turns out to be damaged."""
        live.is_apart = True
        problem = self.registry.set_apart(live.table.id, fault)
        self.scheduler.forget(live)
        for viewer in live.viewers:
            viewer.send(orjson.dumps({"type": "error", **problem.body()}))
            viewer.close(NO_TABLE)
        return problem

    # --- Commands -----------------------------------------------------------------------------

    async def create(
        self,
        game: str,
        public: bool,
        body: dict[str, Any],
        asker: Asker,
        seed: str | None = None,
        attempt: shared.Beginning | None = None,
    ) -> LiveTable:
        """A new table; `seed` of a deal that is given, `attempt` at it that this one is.

        Raises `IntegrityError` if there is such an attempt already, `KnowsCards` if there is one at
        the same cards.
        """
        origin = await self._check_count(asker)
        near = self.publisher.near()
        made = commands.new_table(game, public, body, asker.key, origin, near, seed)
        holding = [(each, made.head.id) for each in made.holders]
        unit = Unit([made.event], head=made.head, holders=holding, attempt=attempt)
        await self.in_time(self._write(unit))
        live = self.registry.add(replayed(made.head, [made.event]))
        self._count(made.event)
        live.attend(asker, self.clock.now())
        self.scheduler.look(live, mine=True)
        return live

    async def decide(
        self,
        live: LiveTable,
        holder: str | None,
        move: str,
        seq: int,
        own_id: str,
        sender: Viewer | None = None,
    ) -> Written:
        return await self.act(
            live,
            lambda table, seats, near: commands.decide(table, seats, move, seq),
            holder,
            own_id,
            sender,
        )

    async def rematch(
        self,
        live: LiveTable,
        asker: Asker,
        own_id: str | None = None,
        sender: Viewer | None = None,
    ) -> Written:
        origin = await self._check_count(asker)
        gone = await self.person_keys.signed_out_of(live.table)
        return await self.act(
            live,
            lambda table, seats, near: commands.rematch(
                table, seats, asker.key, origin, near, gone
            ),
            asker.key,
            own_id,
            sender,
        )

    async def _check_count(self, asker: Asker) -> str:
        """Refuse more tables than somebody may have made; what is stored of the address."""
        origin = self.issuer.origin(asker.address)
        most, most_here = self.settings.tables_per_client, self.settings.tables_per_address
        own, here = await self.ask(self.store.count_made, asker.key, origin)
        if own >= most:
            raise Problem(
                "too_many_tables", f"you have {most} tables that are not over: end some first"
            )
        if here >= most_here:
            raise Problem(
                "too_many_tables", f"your address has {most_here} tables that are not over"
            )
        return origin

    async def knows(self, key: str) -> bool:
        """Whether a key was issued here, or holds something from a time before keys were marked."""
        if self.issuer.has_issued(key):
            return True
        return await self.ask(self.store.holds_something, keys.digest(key))

    # --- Questions ----------------------------------------------------------------------------

    async def find(self, table_id: str) -> LiveTable:
        live = self.registry.get(table_id)  # most are: no time is to be kept
        if live is not None:
            live.used_at = self.clock.now()
            return live
        return await self.in_time(self.registry.find(table_id))

    async def public_tables(self) -> list[dict[str, Any]]:
        """The list of public tables, at most a second old; made once for all who ask meanwhile."""
        if self.clock.now() - self._listed[0] > 1:
            if self._listing is None or self._listing.done():
                self._listing = asyncio.ensure_future(self.in_time(self._list_tables()))
            await asyncio.shield(self._listing)
        return self._listed[1]

    async def _list_tables(self) -> None:
        now = self.clock.now()
        found = await self._find_all(self.store.public_ids, _LISTED, _LISTED_OF_ONE)
        listed = [
            messages.listed(live.table, live.watchers())
            for live in found
            if live.table.status != OVER and live.table.may_be_watched_by(())
        ]
        self._listed = (now, listed)

    async def find_held_by(self, holder: str, most: int = 1000) -> list[LiveTable]:
        """The tables that are not over at which a key holds a seat."""
        return await self._find_all(self.store.ids_held_by, holder, most)

    async def tables_of(self, holder: str, most: int = 20) -> list[dict[str, Any]]:
        found = await self.in_time(self.find_held_by(holder, most))
        return [
            messages.listed(live.table, live.watchers())
            | {
                "your_seats": seats,
                "your_turn": commands.decides(live.table, seats) is not None,
                "deal": live.table.attempt and live.table.attempt.deal,
            }
            for live in found
            if live.table.status != OVER and (seats := live.table.held_by(holder))
        ]

    async def _find_all(self, ids: Callable[..., list[str]], *wanted: Any) -> list[LiveTable]:
        return await self.registry.find_all(await self.ask(ids, *wanted))

    # --- What is stored of a person -----------------------------------------------------------

    async def export_person(
        self, holder: str, pay: Callable[[float], Awaitable[None]]
    ) -> AsyncIterator[dict[str, Any]]:
        """All that is stored of a key, table by table; `pay` is told what each took, in seconds."""
        ids = await self.ask(privacy.tables_of, self.store, holder)  # before anything is answered
        return self._exported(holder, ids, pay)

    async def _exported(
        self, holder: str, ids: list[str], pay: Callable[[float], Awaitable[None]]
    ) -> AsyncIterator[dict[str, Any]]:
        for table_id in ids:
            async with self._one_person():
                found, seconds = await self.ask(
                    timed, privacy.export_one, self.store, table_id, holder
                )
            await pay(seconds)
            if found is not None:
                yield found
        for rest in (attempts.export, person_keys.export):
            if (found := await self.ask(rest, self.store, holder)) is not None:
                yield found

    @contextlib.asynccontextmanager
    async def _one_person(self) -> AsyncIterator[None]:
        await self.in_time(self._personal.acquire())
        try:
            yield
        finally:
            self._personal.release()

    async def forget_person(self, holder: str) -> tuple[int, int]:
        """Take a key out of all tables; how many, and how many are damaged and left."""
        count = damaged = 0
        self.store.has_deleted = True
        for table_id in await self.ask(privacy.tables_of, self.store, holder):
            async with self._one_person():
                done = await self.to_its_end(self._forget_at(table_id, holder))
            count += done
            damaged += not done
        await self.ask(privacy.forget_elsewhere, self.store, holder)
        await self.person_keys.forget(holder)
        return count, damaged

    async def _forget_at(self, table_id: str, holder: str) -> bool:
        try:
            live = await self.find(table_id)
        except Problem as problem:
            if problem.code == "unreadable":
                return False
            if problem.code != "unknown_table":
                raise
            live = None
        async with live.lock if live is not None else contextlib.nullcontext():
            if live is not None and live.writing is not None:
                await asyncio.wait([live.writing])
            near = self.publisher.near()
            try:
                seq = await asyncio.to_thread(privacy.forget_at, self.store, table_id, holder, near)
            finally:
                if live is not None:
                    self.read_anew(live)
        if self.bus is not None and seq is not None:
            self.bus.tell_rewritten(table_id)
        return seq is not None

    def read_anew(self, live: LiveTable) -> None:
        """The log of a table was rewritten: forget it, and let its people connect again."""
        self.registry.drop(live)
        self.scheduler.forget(live)
        for viewer in list(live.viewers):
            viewer.send(orjson.dumps({"type": "bye", "reconnect_after": 100}))
            viewer.close(STOPPING)
        if live.table.status != OVER:
            self.background.spawn(self.scheduler.wake(live.table.id))

    async def hint(self, live: LiveTable, asker: Asker) -> dict[str, Any]:
        """Advice for the seat whose turn it is, from its own view; noted before it is given."""
        holder = asker.key
        if live.advising is None:
            live.advising = set()
        if holder in live.advising:
            raise Problem("not_allowed", "a hint is on its way")
        live.advising.add(holder)
        try:
            await self.act(live, commands.ask_hint, holder)
            table = live.table
            seat, seq = commands.check_turn(table, table.held_by(holder), table.seq), table.seq
            assert table.game is not None
            advice = await self.bots.advise(table.game.view(seat), asker)
        finally:
            live.advising.discard(holder)
        if seat not in live.table.held_by(holder):
            raise Problem("not_allowed", "you hold no seat at this table")
        return {"seq": seq, "seat": seat, **advice}

    def why(self, live: LiveTable, holder: str | None, move: str) -> dict[str, Any]:
        table = live.table
        commands.check_turn(table, table.held_by(holder), table.seq)
        assert table.game is not None
        return {"move": move, "reason": table.game.why(move)}

    # --- Coming and going ---------------------------------------------------------------------

    def visit(self, live: LiveTable, asker: Asker) -> None:
        """Somebody comes over HTTP; raises `Problem` if they may not see the table."""
        seats = live.table.held_by(asker.key)
        if not live.table.may_be_watched_by(seats):
            raise no_spectators()
        if seats:
            now = self.clock.now()
            slept = not live.is_attended(now)
            live.attend(asker, now)
            if slept:
                self.scheduler.look(live)

    def enter(self, live: LiveTable, viewer: Viewer, since: int | None) -> None:
        """Show a table to a connection, from now on; raises `Problem` if it may not."""
        viewer.seats = live.table.held_by(viewer.holder)
        if not live.table.may_be_watched_by(viewer.seats):
            raise no_spectators()
        self.audience.enter(viewer, live.viewers)
        live.viewers.append(viewer)
        self.metrics.viewers.inc()
        changed = live.note_presence(self.clock.now())
        viewer.send(orjson.dumps(self.publisher.snapshot(live, viewer.holder, since)))
        self.presence_changed(live, changed, but=viewer)

    def exit(self, live: LiveTable, viewer: Viewer) -> None:
        viewer.stop()
        if viewer in live.viewers:
            live.viewers.remove(viewer)
            self.audience.leave(viewer)
            self.metrics.viewers.dec()
            live.used_at = self.clock.now()
            if not self.stopping:
                self.presence_changed(live, live.note_presence(self.clock.now()))

    def presence_changed(
        self,
        live: LiveTable,
        changed: list[int],
        but: Viewer | None = None,
        *,
        local: bool = True,
    ) -> None:
        """Tell who is there now, here and on other servers; `local`: it changed here."""
        self.publisher.presence(live, changed, but)
        if local and self.bus is not None:
            self.bus.tell_presence(live)
        self.scheduler.look(live)  # bots that were alone go on when somebody comes
        if changed:
            self.scheduler.watch_grace(live)

    def after_a_pause(self) -> None:
        """The process slept: clients have counted that time, and the server has not."""
        self.metrics.pauses.inc()
        _log.warning("the server was not running for a while; clocks go on from where they were")
        for live in self.registry:
            if live.table.time_limit() is not None:
                self.publisher.state_to_all(live, {"kind": "resumed"})
                self.scheduler.look(live)

    # --- Stopping -----------------------------------------------------------------------------

    async def stop(self) -> None:
        """No more events; everybody is told to connect again."""
        self.stopping = True
        self.background.stop()
        for live in self.registry:
            self.scheduler.forget(live)
            for viewer in list(live.viewers):
                wait = 500 + keys.below(2500)
                viewer.send(orjson.dumps({"type": "bye", "reconnect_after": wait}))
                viewer.close(STOPPING)
        if self.bus is not None:
            await self.bus.stop()
        self.bots.stop()


def _unit(event: Event, draft: Draft, table: Table) -> Unit:
    """All that is written together with an event."""
    unit = Unit([event])
    if draft.status == OVER:
        unit.results = results.after(table, event)
    if draft.status is not None:
        unit.status = (event.table_id, draft.status, event.at if draft.status == OVER else None)
    if draft.holder is not None:
        unit.holders = [(draft.holder, event.table_id)]
    unit.duplicate = draft.duplicate
    if draft.beside is not None:
        unit.head = draft.beside.head
        unit.events.append(draft.beside.event)
        unit.holders = [(holder, draft.beside.head.id) for holder in draft.beside.holders]
    return unit


def _client(holder: str | None, own_id: str) -> str:
    if not own_id.isprintable():
        raise Problem("bad_request", "id: it has characters that cannot be printed")
    return keys.client_prefix(holder) + own_id
