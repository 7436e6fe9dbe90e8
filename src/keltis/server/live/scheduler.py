"""What happens at a table by itself: it starts, a bot decides, a clock runs out.

The service looks here after every event. With one server all of it is its own work. With
PostgreSQL a server does it only while it has the table's lease; a dead server's leases run
out, and whoever looks next takes them over.

Whatever repeats by itself is bounded: what led to no event is tried again after a pause that grows.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from keltis.server.live.live_table import LiveTable
from keltis.server.problems import Problem
from keltis.server.tables import commands, opening
from keltis.server.tables.drafts import Draft, Seats, Surroundings
from keltis.server.tables.table import OVER, PERSON, WAITING, Table

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.scheduler")

_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 30.0  # seconds until something is tried again
_PUT_OFF = 60.0  # until tables that owe nothing are looked at again
_SWEPT = 50  # tables taken over in one look


class Scheduler:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._clock = service.clock
        self._behind: set[LiveTable] = set()  # a write went wrong: the log knows better
        self._catching_up = False

    # --- What is due --------------------------------------------------------------------------

    def look(self, live: LiveTable, *, mine: bool = False) -> None:
        """See what is due at a table; `mine`: this server wrote its last event."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        due = self._due(live)
        if due is None or self._service.stopping or live.acting:
            return
        if self._service.store.shared and not mine and live.lease_until < time.monotonic():
            due += 0.2  # the server that wrote the last event comes first
        self._start_in(live, due)

    def _start_in(self, live: LiveTable, seconds: float) -> None:
        if seconds <= 0:
            self._start(live)
        else:
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(seconds, self._start, live)

    def forget(self, live: LiveTable) -> None:
        for timer in (live.timer, live.grace_timer):
            if timer is not None:
                timer.cancel()
        live.timer = live.grace_timer = None

    def _due(self, live: LiveTable) -> float | None:
        """Seconds until something happens by itself; None if nothing will."""
        table = live.table
        status = table.status
        if status == OVER or live.is_old:
            return None
        if table.is_endless:
            return 0.0
        if status == WAITING:
            return self._opening_due(live)
        turn = table.turn
        if turn is None:
            return 0.0
        if table.seats[turn].played_by is not None:
            return 0.0 if live.is_attended(self._clock.now()) else None  # bots alone wait
        limit = table.time_limit()
        if limit is None:
            return None
        return max(0.0, (limit[0] - live.elapsed(self._clock.now())) / 1000)

    def _opening_due(self, live: LiveTable) -> float | None:
        """Seconds until a waiting table goes on; people have their time from when all are there."""
        step = opening.next_step(live.table)
        if step is None:
            live.awaiting = None
            return None
        if step.now:
            return 0.0
        if live.awaiting is None or live.awaiting[0] != step.kind:
            live.awaiting = (step.kind, self._clock.now())
        return max(0.0, live.awaiting[1] + self._service.settings.seed_time - self._clock.now())

    def _start(self, live: LiveTable) -> None:
        live.timer = None
        if not live.acting and not self._service.stopping:
            live.acting = True
            self._service.background.spawn(self._do(live))

    async def _do(self, live: LiveTable) -> None:
        went_on = False
        try:
            if await self._have_lease(live):
                went_on = await self._do_now(live)
        finally:
            live.acting = False
            live.stalls = 0 if went_on else live.stalls + 1
            if went_on:
                self.look(live, mine=True)
            else:
                self._try_again(live)

    def _try_again(self, live: LiveTable) -> None:
        """What was due led to no event, so that it would be due again at once."""
        due = self._due(live)
        if due is None or self._service.stopping:
            return
        pause = min(_FIRST_PAUSE * 2 ** min(live.stalls, 10), _LONGEST_PAUSE)
        if live.timer is not None:
            live.timer.cancel()
        self._start_in(live, max(due, pause))

    async def _have_lease(self, live: LiveTable) -> bool:
        store = self._service.store
        if not store.shared:
            return True
        seconds = self._service.settings.lease
        if live.lease_until - time.monotonic() > seconds / 2:
            return True
        asked = time.monotonic()
        if not await asyncio.to_thread(store.claim, live.table.id, seconds):
            live.lease_until = 0.0
            live.stalls = 1  # somebody else does it: look again now and then, not ever less
            return False
        live.lease_until = asked + seconds
        # While we did not have it, another server may have gone on.
        last = await asyncio.to_thread(store.last_seqs, [live.table.id])
        await self._service.catch_up(live, last.get(live.table.id, 0))
        return True

    async def _do_now(self, live: LiveTable) -> bool:
        """Do what is due; whether the table went on."""
        table = live.table
        turn = table.turn
        level = None if turn is None else table.seats[turn].played_by
        if turn is None or level is None or table.is_endless:
            written = await self._service.act(
                live, lambda table, seats, near: self._owed(live, table, near)
            )
            return written.changed
        return await self._bot_decides(live, turn, level)

    def _owed(self, live: LiveTable, table: Table, near: Surroundings) -> Draft | None:
        """The event that is due now and is no bot's decision."""
        if self._due(live) != 0:
            return None
        if table.is_endless:
            return commands.cut_off()
        if table.status == WAITING:
            return opening.go_on(table)
        limit = table.time_limit()
        if limit is None or table.running is None:
            return None
        return commands.time_over(table.running, limit[1], near)

    async def _bot_decides(self, live: LiveTable, turn: int, level: str) -> bool:
        service, table = self._service, live.table
        assert table.game is not None
        view, position = table.game.view(turn), table.position
        began = time.monotonic()
        seed = table.bot_seed(view)
        if seed is None:
            move = await service.bots.choose(level, view, live.asker)
        else:
            move = await service.bots.choose_alike(level, view, live.asker, seed)
        service.metrics.thinking.observe(time.monotonic() - began)
        pace = service.settings.bot_pace
        if pace and any(seat.kind == PERSON for seat in live.table.seats):
            await asyncio.sleep(pace - (time.monotonic() - began) % pace)

        def decide(table: Table, seats: Seats, near: Surroundings) -> Draft | None:
            return commands.decide_as_bot(table, turn, move, position)

        return (await service.act(live, decide)).changed

    # --- Absence ------------------------------------------------------------------------------

    def watch_grace(self, live: LiveTable) -> None:
        """Tell the others when a seat has been left alone for long enough."""
        if live.grace_timer is not None:
            live.grace_timer.cancel()
            live.grace_timer = None
        now, grace = self._clock.now(), self._service.settings.grace
        over = [
            seat.absent_since + grace - now
            for seat in live.table.seats
            if seat.is_a_persons and seat.absent_since is not None
        ]
        ahead = [seconds for seconds in over if seconds > 0]
        if ahead and live.viewers and live.table.status != OVER:
            loop = asyncio.get_running_loop()
            live.grace_timer = loop.call_later(min(ahead) + 0.05, self._grace_over, live)

    def _grace_over(self, live: LiveTable) -> None:
        live.grace_timer = None
        if not self._service.stopping:
            self._service.presence_changed(live, [], local=False)
            self.watch_grace(live)

    # --- After a failure, a start, and by and by ----------------------------------------------

    def catch_up_later(self, live: LiveTable) -> None:
        """Nobody knows how a write went: read the log as soon as the database answers."""
        self._behind.add(live)
        if not self._catching_up and not self._service.stopping:
            self._catching_up = True
            self._service.background.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """For all tables at once, so that they do not ask a database in trouble one by one."""
        pause = _FIRST_PAUSE
        while self._behind:
            await asyncio.sleep(pause)
            for live in list(self._behind):
                try:
                    await self._service.catch_up(live)
                except Problem:
                    pass  # it is set apart
                except Exception as fault:
                    _log.warning("the database does not answer: %s", type(fault).__name__)
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    break
                self._behind.discard(live)
        self._catching_up = False

    async def go_on(self) -> None:
        """After a start with SQLite: go on with every table that is not over."""
        ids = await asyncio.to_thread(self._service.store.live_ids)
        for table_id in ids:
            await self.wake(table_id)
            await asyncio.sleep(0)  # people come first
        if ids:
            _log.info("went on with tables", extra={"tables": len(ids)})

    async def wake(self, table_id: str) -> None:
        """Read a table, whose load looks at what is due; whatever is wrong with it is its own."""
        pause = _FIRST_PAUSE
        while not self._service.stopping:
            try:
                await self._service.find(table_id)
            except SQLAlchemyError as fault:
                _log.warning("the database does not answer: %s", type(fault).__name__)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            except Problem:
                pass
            return

    async def sweep(self) -> None:
        """With PostgreSQL, for ever: take over what nobody does, and catch up without a notice."""
        service, store = self._service, self._service.store
        while True:
            await asyncio.sleep(service.settings.poll)
            try:
                await asyncio.to_thread(self._clock.agree, store.now)
                for table_id in await asyncio.to_thread(store.expired, _SWEPT):
                    await self._take_over(table_id)
                known = {live.table.id: live for live in service.registry}
                last = await asyncio.to_thread(store.last_seqs, list(known))
                for table_id, seq in last.items():
                    if known[table_id].table.seq < seq:
                        await self._follow(known[table_id], seq)
            except Exception as fault:
                _log.warning("the database does not answer: %s", type(fault).__name__)

    async def _take_over(self, table_id: str) -> None:
        store = self._service.store
        try:
            live = await self._service.find(table_id)
        except Problem:
            await asyncio.to_thread(store.put_off, table_id, _PUT_OFF)
            return
        due = self._due(live)
        if due != 0 or live.acting:
            later = _PUT_OFF if due is None else min(due + 1, _PUT_OFF)
            await asyncio.to_thread(store.put_off, table_id, later)
        if not live.acting:
            self.look(live, mine=True)

    async def _follow(self, live: LiveTable, seq: int) -> None:
        try:
            await self._service.catch_up(live, seq)
        except Problem as problem:
            _log.warning("a table does not follow: %s", problem.code)

    async def tidy(self) -> None:
        """For ever: let tables go that nobody has been at for long."""
        service = self._service
        while True:
            await asyncio.sleep(min(30.0, service.settings.idle))
            service.registry.let_go(service.settings.idle)
            service.metrics.waiting.set(service.bots.waiting)
