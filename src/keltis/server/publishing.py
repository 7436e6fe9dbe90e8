"""Telling clients what has happened: each gets what its seats may see, and no more."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import orjson

from keltis.server import sight
from keltis.server.botpool import BotPool
from keltis.server.commands import Surroundings
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.room import Room
from keltis.server.settings import Settings
from keltis.server.store import Event, Store
from keltis.server.viewers import Viewer

if TYPE_CHECKING:
    from keltis.server.bus import Bus
    from keltis.server.duties import Duties


class Publishing:
    """The part of the hall that speaks to clients and knows who is there."""

    duties: Duties
    bus: Bus | None

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.bots = BotPool(settings.bot_threads)
        self._substitute = self.bots.substitute
        self.rooms: dict[str, Room] = {}
        self.stopping = False

    def near(self) -> Surroundings:
        return Surroundings(time.monotonic(), self.settings.grace, self._substitute)

    async def fresh(self, room: Room) -> None:
        raise NotImplementedError

    # --- Publishing ----------------------------------------------------------------------

    def publish_move(
        self, room: Room, seat: int, sender: Viewer | None, own_id: str | None
    ) -> None:
        if not room.viewers:
            return
        near, at = self.near(), milliseconds()
        groups = {viewer.seats for viewer in room.viewers}
        messages = sight.moved(room.table, seat, groups, near, at)
        encoded: dict[tuple[int, ...], bytes] = {}
        for viewer in room.viewers:
            seats = viewer.seats
            if viewer is sender:
                viewer.send(orjson.dumps({**messages[seats], "id": own_id}))
                continue
            if seats not in encoded:
                encoded[seats] = orjson.dumps(messages[seats])
            viewer.send(encoded[seats])

    def publish(
        self,
        room: Room,
        happened: dict[str, Any] | None,
        sender: Viewer | None = None,
        own_id: str | None = None,
    ) -> None:
        """Tell everybody the whole state, and what led to it."""
        if happened and happened["kind"] == "started":
            room.turn_remote()
        room.seat_viewers()
        room.note_presence(time.monotonic())
        for viewer in room.viewers:
            message = self.state(room, viewer.holder, happened)
            if viewer is sender and own_id:
                message["id"] = own_id
            viewer.send(orjson.dumps(message))

    def state(
        self, room: Room, holder: str | None, happened: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        table = room.table
        return sight.state(
            table, table.held_by(holder), self.near(), milliseconds(), room.watchers(), happened,
            has_key=holder is not None,
        )  # fmt: skip

    async def snapshot(
        self, room: Room, holder: str | None, since: int | None = None
    ) -> dict[str, Any]:
        """The state for one client, with what it missed."""
        async with room.lock:
            await self.fresh(room)
            return self._snapshot(room, holder, since)

    def _snapshot(self, room: Room, holder: str | None, since: int | None) -> dict[str, Any]:
        message = self.state(room, holder)
        if since is not None:
            steps = sight.missed(room.table, room.table.held_by(holder), since)
            if steps is not None:
                message["missed"] = steps
        return message

    # --- Coming and going ------------------------------------------------------------------

    async def enter(self, room: Room, viewer: Viewer, since: int | None) -> None:
        """Show a table to a connection, from now on."""
        if len(room.viewers) >= self.settings.watchers:
            raise Problem("busy", "too many are watching this table", retry_after=10)
        async with room.lock:
            await self.fresh(room)
            viewer.seats = room.table.held_by(viewer.holder)
            room.viewers.append(viewer)
            self.metrics.viewers.inc()
            changed = room.note_presence(time.monotonic())
            viewer.send(orjson.dumps(self._snapshot(room, viewer.holder, since)))
            self.presence_changed(room, changed, but=viewer)

    def exit(self, room: Room, viewer: Viewer) -> None:
        viewer.stop()
        if viewer in room.viewers:
            room.viewers.remove(viewer)
            self.metrics.viewers.dec()
            room.used_at = time.monotonic()
            if not self.stopping:
                self.duties.spawn(self._gone(room))

    async def _gone(self, room: Room) -> None:
        async with room.lock:
            self.presence_changed(room, room.note_presence(time.monotonic()))

    def presence_changed(
        self, room: Room, changed: list[int], but: Viewer | None = None, *, local: bool = True
    ) -> None:
        """Tell who is there now, and again when a grace time is over."""
        near = self.near()
        table = room.table
        seats = [
            {"seat": k, **sight.presence(table.seats[k], near)}
            for k in (changed or range(len(table.seats)))
        ]
        watchers = room.watchers()
        for viewer in room.viewers:
            if viewer is not but:
                message = {
                    "type": "presence",
                    "seats": seats,
                    "watchers": watchers,
                    "you": sight.you(table, viewer.seats, near, has_key=viewer.holder is not None),
                }
                viewer.send(orjson.dumps(message))
        if local and self.bus is not None:
            self.bus.tell_presence(room)
        if changed:
            self.duties.look(room)
            self.duties.watch_grace(room)


def what(event: Event) -> dict[str, Any]:
    """An event as clients are told of it: nothing of keys, seeds or invitations."""
    told: dict[str, Any] = {"kind": event.kind}
    if event.seat is not None:
        told["seat"] = event.seat
    body = json.loads(event.body)
    for key in ("name", "decisions", "clock", "table"):
        if body.get(key) is not None and event.kind in _TOLD:
            told[key] = body[key]
    return told


_TOLD = {"joined", "replaced", "taken back", "time", "rematch"}


def milliseconds() -> int:
    return time.time_ns() // 1_000_000
