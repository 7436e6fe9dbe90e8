"""What a table owes by itself: to start, a bot's decision, a clock that runs out.

After every event the hall asks here. With one server all duties are its own. With PostgreSQL a
server does a table's duties only while it has the table's lease; a dead server's leases run
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
from keltis.server.commands import Draft
from keltis.server.problems import Problem
from keltis.server.room import Room
from keltis.server.table import OVER, PERSON, PLAYING, WAITING

if TYPE_CHECKING:
    from keltis.server.hall import Hall

_log = logging.getLogger("keltis.duties")

SEEDS_WITHIN = 15.0  # seconds that a game waits for the seeds of people who are present
_OUTAGE = 15.0  # seconds late: no server was there, and the person could not decide
_PUT_OFF = 60.0  # until tables that owe nothing are looked at again
_SWEPT = 50  # tables taken over in one look


class Duties:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
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
            self._hall.metrics.faults.inc()
            _log.exception("duty failed")

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for room in self._hall.rooms.values():
            for timer in (room.timer, room.grace_timer):
                if timer is not None:
                    timer.cancel()

    # --- What is owed --------------------------------------------------------------------

    def look(self, room: Room, *, mine: bool = False) -> None:
        """See what a table owes now; `mine`: this server wrote its last event."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        due = self._due(room)
        if due is None or self._hall.stopping or room.thinking:
            return
        loop = asyncio.get_running_loop()
        if self._hall.store.shared and not mine and room.lease_until < time.monotonic():
            due += 0.2  # the server that wrote the last event comes first
        if due <= 0:
            self._start(room)
        else:
            room.timer = loop.call_later(due, self._start, room)

    def _due(self, room: Room) -> float | None:
        """Seconds until something is owed; None if nothing is."""
        table = room.table
        status = table.status
        if status == OVER:
            return None
        if status == WAITING:
            if not table.is_full:
                return None
            if all(seat.seed is not None for seat in table.seats):
                return 0.0
            if any(seat.absent_since is not None for seat in table.seats):
                return None
            return max(0.0, table.last_at / 1000 + SEEDS_WITHIN - time.time())
        turn = table.turn
        if turn is None or len(table.steps) >= keltis.DECISION_CAP:
            return 0.0
        if table.seats[turn].played_by is not None:
            return 0.0
        out = table.time_out()
        return None if out is None else max(0.0, out[0] / 1000 - time.time())

    def _start(self, room: Room) -> None:
        room.timer = None
        if not room.thinking and not self._hall.stopping:
            room.thinking = True
            self.spawn(self._do(room))

    async def _do(self, room: Room) -> None:
        again = 0.0
        try:
            if await self._have_lease(room):
                again = await self._do_now(room)
            else:
                again = 1.0
        except BaseException:
            again = 1.0
            raise
        finally:
            room.thinking = False
            if again and not self._hall.stopping:
                if room.timer is not None:
                    room.timer.cancel()
                room.timer = asyncio.get_running_loop().call_later(again, self.look, room)
            else:
                self.look(room, mine=True)

    async def _have_lease(self, room: Room) -> bool:
        store = self._hall.store
        if not store.shared:
            return True
        seconds = self._hall.settings.lease
        if room.lease_until - time.monotonic() > seconds / 2:
            return True
        asked = time.monotonic()
        if not await asyncio.to_thread(store.claim, room.table.id, seconds):
            room.lease_until = 0.0
            return False
        room.lease_until = asked + seconds
        # While we did not have it, another server may have gone on.
        last = await asyncio.to_thread(store.last_seqs, [room.table.id])
        await self._hall.catch_up(room, last.get(room.table.id, 0))
        return True

    async def _do_now(self, room: Room) -> float:
        """Do what is owed now; returns seconds after which to look again, 0 for at once."""
        async with room.lock:
            due = self._due(room)
            if due is None or due > 0:
                return 0.0
            table = room.table
            if table.status == WAITING:
                await self._hall.append(room, Draft("started", None, "{}"))
                return 0.0
            turn = table.turn
            if turn is None or len(table.steps) >= keltis.DECISION_CAP:
                await self._hall.append(room, Draft("ended", None, '{"why":"cap"}'))
                return 0.0
            level = table.seats[turn].played_by
            if level is None:
                at, clock = table.time_out() or (0, "move")
                if time.time() - at / 1000 > _OUTAGE:
                    await self._hall.append(room, Draft("resumed", None, "{}"))
                    return 0.0
                body = {"clock": clock, "level": self._hall.bots.substitute}
                await self._hall.append(room, Draft("time", turn, json.dumps(body)))
                return 0.0
            assert table.game is not None
            view, position = table.game.view(turn), table.position
        await self._bot_decides(room, turn, level, view, position)
        return 0.0

    async def _bot_decides(
        self, room: Room, turn: int, level: str, view: dict[str, Any], position: int
    ) -> None:
        hall = self._hall
        began = time.monotonic()
        move = await hall.bots.choose(level, view)
        hall.metrics.thinking.observe(time.monotonic() - began)
        pace = hall.settings.bot_pace
        if pace and any(seat.kind == PERSON for seat in room.table.seats):
            await asyncio.sleep(pace - (time.monotonic() - began) % pace)
        async with room.lock:
            table = room.table
            unchanged = table.status == PLAYING and table.position == position
            if unchanged and not room.dirty and table.seats[turn].played_by is not None:
                await hall.move(room, turn, move)

    # --- Absence ---------------------------------------------------------------------------

    def watch_grace(self, room: Room) -> None:
        """Tell the others when a seat has been left alone for long enough."""
        if room.grace_timer is not None:
            room.grace_timer.cancel()
            room.grace_timer = None
        now, grace = time.monotonic(), self._hall.settings.grace
        over = [
            seat.absent_since + grace - now
            for seat in room.table.seats
            if seat.is_a_persons and seat.absent_since is not None
        ]
        ahead = [seconds for seconds in over if seconds > 0]
        if ahead and room.viewers and room.table.status != OVER:
            loop = asyncio.get_running_loop()
            room.grace_timer = loop.call_later(min(ahead) + 0.05, self._grace_over, room)

    def _grace_over(self, room: Room) -> None:
        room.grace_timer = None
        if not self._hall.stopping:
            self.spawn(self._tell_grace(room))

    async def _tell_grace(self, room: Room) -> None:
        async with room.lock:
            self._hall.presence_changed(room, [], local=False)
        self.watch_grace(room)

    # --- After a failure, a start, and by and by -----------------------------------------------

    def recover(self, room: Room) -> None:
        """A write failed: read the table again as soon as the database answers."""
        if not self._hall.stopping:
            self.spawn(self._recover(room))

    async def _recover(self, room: Room) -> None:
        wait = 0.2
        while room.dirty:
            await asyncio.sleep(wait)
            wait = min(2 * wait, 5.0)
            try:
                async with room.lock:
                    await self._hall.fresh(room)
            except Exception as fault:
                _log.warning("the database does not answer: %s", type(fault).__name__)
        self.look(room, mine=True)

    async def go_on(self) -> None:
        """After a start with SQLite: go on with every table that is not over."""
        ids = await asyncio.to_thread(self._hall.store.live_ids)
        for table_id in ids:
            if self._hall.stopping:
                return
            room = await self._hall.room(table_id)
            async with room.lock:
                if room.table.clock and room.table.status == PLAYING:
                    await self._hall.append(room, Draft("resumed", None, "{}"))
            await asyncio.sleep(0)  # people come first
        if ids:
            _log.info("went on with tables", extra={"tables": len(ids)})

    async def sweep(self) -> None:
        """With PostgreSQL, for ever: take over what nobody does, and catch up without a notice."""
        hall, store = self._hall, self._hall.store
        while True:
            await asyncio.sleep(hall.settings.poll)
            try:
                for table_id in await asyncio.to_thread(store.expired, _SWEPT):
                    room = await hall.room(table_id)
                    due = self._due(room)
                    if due != 0 or room.thinking:
                        later = _PUT_OFF if due is None else min(due + 1, _PUT_OFF)
                        await asyncio.to_thread(store.put_off, table_id, later)
                    if not room.thinking:
                        self.look(room, mine=True)
                last = await asyncio.to_thread(store.last_seqs, list(hall.rooms))
                for table_id, seq in last.items():
                    found = hall.rooms.get(table_id)
                    if found is not None and found.table.seq < seq:
                        await hall.catch_up(found, seq)
            except Problem as problem:
                _log.warning("sweep: %s", problem.code)
            except Exception as fault:
                _log.warning("the database does not answer: %s", type(fault).__name__)

    async def tidy(self) -> None:
        """For ever: let tables go that nobody has been at for long."""
        hall = self._hall
        while True:
            await asyncio.sleep(min(30.0, hall.settings.idle))
            now = time.monotonic()
            for table_id, room in list(hall.rooms.items()):
                if room.is_idle(now, hall.settings.idle):
                    del hall.rooms[table_id]
            hall.metrics.tables.set(len(hall.rooms))
            hall.metrics.waiting.set(hall.bots.waiting)
