"""What happens at a table by itself: it starts, a bot decides, a clock runs out.

The service looks here after every event. With one server all of it is its own work. With
PostgreSQL a server does it only while it has the table's lease; a dead server's leases run
out, and whoever looks next takes them over.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import keltis
from keltis.server.live.live_table import LiveTable
from keltis.server.problems import Problem
from keltis.server.tables import opening
from keltis.server.tables.drafts import Draft
from keltis.server.tables.table import OVER, PERSON, PLAYING, WAITING

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.scheduler")

_OUTAGE = 15.0  # seconds late: no server was there, and the person could not decide
_PUT_OFF = 60.0  # until tables that owe nothing are looked at again
_SWEPT = 50  # tables taken over in one look


class Scheduler:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run in the background; a fault is logged and ends only this piece of work."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Problem as problem:
            if problem.code != "stopping":
                _log.warning("duty refused: %s", problem.code)
        except Exception:
            self._service.metrics.faults.inc()
            _log.exception("duty failed")

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for live in self._service.live_tables.values():
            for timer in (live.timer, live.grace_timer):
                if timer is not None:
                    timer.cancel()

    # --- What is owed --------------------------------------------------------------------

    def look(self, live: LiveTable, *, mine: bool = False) -> None:
        """See what a table owes now; `mine`: this server wrote its last event."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        due = self._due(live)
        if due is None or self._service.stopping or live.thinking:
            return
        loop = asyncio.get_running_loop()
        if self._service.store.shared and not mine and live.lease_until < time.monotonic():
            due += 0.2  # the server that wrote the last event comes first
        if due <= 0:
            self._start(live)
        else:
            live.timer = loop.call_later(due, self._start, live)

    def _due(self, live: LiveTable) -> float | None:
        """Seconds until something is owed; None if nothing is."""
        table = live.table
        status = table.status
        if status == OVER:
            return None
        if status == WAITING:
            return self._opening_due(live)
        turn = table.turn
        if turn is None or len(table.steps) >= keltis.DECISION_CAP:
            return 0.0
        if table.seats[turn].played_by is not None:
            return 0.0
        out = table.time_out()
        return None if out is None else max(0.0, out[0] / 1000 - time.time())

    def _opening_due(self, live: LiveTable) -> float | None:
        """Seconds until a waiting table goes on; people have their time from when all are there."""
        step = opening.next_step(live.table)
        if step is None:
            live.asked = None
            return None
        if step.now:
            return 0.0
        phase, now = live.table.sealed is not None, time.monotonic()
        if live.asked is None or live.asked[0] != phase:
            live.asked = (phase, now)
        return max(0.0, live.asked[1] + self._service.settings.seed_time - now)

    def _start(self, live: LiveTable) -> None:
        live.timer = None
        if not live.thinking and not self._service.stopping:
            live.thinking = True
            self.spawn(self._do(live))

    async def _do(self, live: LiveTable) -> None:
        again = 0.0
        try:
            if await self._have_lease(live):
                again = await self._do_now(live)
            else:
                again = 1.0
        except BaseException:
            again = 1.0
            raise
        finally:
            live.thinking = False
            if again and not self._service.stopping:
                if live.timer is not None:
                    live.timer.cancel()
                live.timer = asyncio.get_running_loop().call_later(again, self.look, live)
            else:
                self.look(live, mine=True)

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
            return False
        live.lease_until = asked + seconds
        # While we did not have it, another server may have gone on.
        last = await asyncio.to_thread(store.last_seqs, [live.table.id])
        await self._service.catch_up(live, last.get(live.table.id, 0))
        return True

    async def _do_now(self, live: LiveTable) -> float:
        """Do what is owed now; returns seconds after which to look again, 0 for at once."""
        async with live.lock:
            due = self._due(live)
            if due is None or due > 0:
                return 0.0
            table = live.table
            if table.status == WAITING:
                step = opening.next_step(table)
                assert step is not None
                await self._service.append(live, Draft(step.kind, None, "{}"))
                return 0.0
            turn = table.turn
            if turn is None or len(table.steps) >= keltis.DECISION_CAP:
                await self._service.append(live, Draft("ended", None, '{"why":"cap"}'))
                return 0.0
            level = table.seats[turn].played_by
            if level is None:
                at, clock = table.time_out() or (0, "move")
                if time.time() - at / 1000 > _OUTAGE:
                    await self._service.append(live, Draft("resumed", None, "{}"))
                    return 0.0
                body = {"clock": clock, "level": self._service.bots.substitute}
                await self._service.append(live, Draft("time", turn, json.dumps(body)))
                return 0.0
            assert table.game is not None
            view, position = table.game.view(turn), table.position
        await self._bot_decides(live, turn, level, view, position)
        return 0.0

    async def _bot_decides(
        self, live: LiveTable, turn: int, level: str, view: dict[str, Any], position: int
    ) -> None:
        service = self._service
        began = time.monotonic()
        move = await service.bots.choose(level, view)
        service.metrics.thinking.observe(time.monotonic() - began)
        pace = service.settings.bot_pace
        if pace and any(seat.kind == PERSON for seat in live.table.seats):
            await asyncio.sleep(pace - (time.monotonic() - began) % pace)
        async with live.lock:
            table = live.table
            unchanged = table.status == PLAYING and table.position == position
            if unchanged and not live.dirty and table.seats[turn].played_by is not None:
                await service.move(live, turn, move)

    # --- Absence ---------------------------------------------------------------------------

    def watch_grace(self, live: LiveTable) -> None:
        """Tell the others when a seat has been left alone for long enough."""
        if live.grace_timer is not None:
            live.grace_timer.cancel()
            live.grace_timer = None
        now, grace = time.monotonic(), self._service.settings.grace
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
            self.spawn(self._tell_grace(live))

    async def _tell_grace(self, live: LiveTable) -> None:
        async with live.lock:
            self._service.presence_changed(live, [], local=False)
        self.watch_grace(live)

    # --- After a failure, a start, and by and by -----------------------------------------------

    def recover(self, live: LiveTable) -> None:
        """A write failed: read the table again as soon as the database answers."""
        if not self._service.stopping:
            self.spawn(self._recover(live))

    async def _recover(self, live: LiveTable) -> None:
        wait = 0.2
        while live.dirty:
            await asyncio.sleep(wait)
            wait = min(2 * wait, 5.0)
            try:
                async with live.lock:
                    await self._service.fresh(live)
            except Exception as fault:
                _log.warning("the database does not answer: %s", type(fault).__name__)
        self.look(live, mine=True)

    async def go_on(self) -> None:
        """After a start with SQLite: go on with every table that is not over."""
        ids = await asyncio.to_thread(self._service.store.live_ids)
        for table_id in ids:
            if self._service.stopping:
                return
            live = await self._service.find(table_id)
            async with live.lock:
                if live.table.clock and live.table.status == PLAYING:
                    await self._service.append(live, Draft("resumed", None, "{}"))
            await asyncio.sleep(0)  # people come first
        if ids:
            _log.info("went on with tables", extra={"tables": len(ids)})

    async def sweep(self) -> None:
        """With PostgreSQL, for ever: take over what nobody does, and catch up without a notice."""
        service, store = self._service, self._service.store
        while True:
            await asyncio.sleep(service.settings.poll)
            try:
                for table_id in await asyncio.to_thread(store.expired, _SWEPT):
                    live = await service.find(table_id)
                    due = self._due(live)
                    if due != 0 or live.thinking:
                        later = _PUT_OFF if due is None else min(due + 1, _PUT_OFF)
                        await asyncio.to_thread(store.put_off, table_id, later)
                    if not live.thinking:
                        self.look(live, mine=True)
                last = await asyncio.to_thread(store.last_seqs, list(service.live_tables))
                for table_id, seq in last.items():
                    found = service.live_tables.get(table_id)
                    if found is not None and found.table.seq < seq:
                        await service.catch_up(found, seq)
            except Problem as problem:
                _log.warning("sweep: %s", problem.code)
            except Exception as fault:
                _log.warning("the database does not answer: %s", type(fault).__name__)

    async def tidy(self) -> None:
        """For ever: let tables go that nobody has been at for long."""
        service = self._service
        while True:
            await asyncio.sleep(min(30.0, service.settings.idle))
            now = time.monotonic()
            for table_id, live in list(service.live_tables.items()):
                if live.is_idle(now, service.settings.idle):
                    del service.live_tables[table_id]
            service.metrics.tables.set(len(service.live_tables))
            service.metrics.waiting.set(service.bots.waiting)
