"""Telling clients what has happened: each gets what its seats may see, and no more."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import orjson

from keltis.server.live import messages
from keltis.server.live.bot_pool import BotPool
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import Viewer
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.storage.store import Store
from keltis.server.tables.drafts import Surroundings
from keltis.server.tables.events import Event

if TYPE_CHECKING:
    from keltis.server.live.bus import Bus
    from keltis.server.live.scheduler import Scheduler


class Publishing:
    """The part of the service that speaks to clients and knows who is there."""

    scheduler: Scheduler
    bus: Bus | None

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.metrics = metrics
        self.bots = BotPool(settings.bot_threads)
        self._substitute = self.bots.substitute
        self.live_tables: dict[str, LiveTable] = {}
        self.stopping = False

    def near(self) -> Surroundings:
        return Surroundings(
            time.monotonic(), milliseconds(), self.settings.grace, self._substitute,
            self.settings.link_time,
        )  # fmt: skip

    async def fresh(self, live: LiveTable) -> None:
        raise NotImplementedError

    # --- Publishing ----------------------------------------------------------------------

    def publish_move(
        self, live: LiveTable, seat: int, sender: Viewer | None, own_id: str | None
    ) -> None:
        if not live.viewers:
            return
        near, at = self.near(), milliseconds()
        groups = {viewer.seats for viewer in live.viewers}
        told = messages.moved(live.table, seat, groups, near, at)
        encoded: dict[tuple[int, ...], bytes] = {}
        for viewer in live.viewers:
            seats = viewer.seats
            if viewer is sender:
                viewer.send(orjson.dumps({**told[seats], "id": own_id}))
                continue
            if seats not in encoded:
                encoded[seats] = orjson.dumps(told[seats])
            viewer.send(encoded[seats])

    def publish(
        self,
        live: LiveTable,
        happened: dict[str, Any] | None,
        sender: Viewer | None = None,
        own_id: str | None = None,
    ) -> None:
        """Tell everybody the whole state, and what led to it."""
        if happened and happened["kind"] == "started":
            live.turn_remote()
        live.seat_viewers()
        live.note_presence(time.monotonic())
        for viewer in live.viewers:
            message = self.state(live, viewer.holder, happened)
            if viewer is sender and own_id:
                message["id"] = own_id
            viewer.send(orjson.dumps(message))

    def state(
        self, live: LiveTable, holder: str | None, happened: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        table = live.table
        return messages.state(
            table, table.held_by(holder), self.near(), milliseconds(), live.watchers(), happened,
            holder=holder,
        )  # fmt: skip

    async def snapshot(
        self, live: LiveTable, holder: str | None, since: int | None = None
    ) -> dict[str, Any]:
        """The state for one client, with what it missed."""
        async with live.lock:
            await self.fresh(live)
            return self._snapshot(live, holder, since)

    def _snapshot(self, live: LiveTable, holder: str | None, since: int | None) -> dict[str, Any]:
        message = self.state(live, holder)
        if since is not None:
            steps = messages.missed(live.table, live.table.held_by(holder), since)
            if steps is not None:
                message["missed"] = steps
        return message

    # --- Coming and going ------------------------------------------------------------------

    async def enter(self, live: LiveTable, viewer: Viewer, since: int | None) -> None:
        """Show a table to a connection, from now on."""
        if len(live.viewers) >= self.settings.watchers:
            raise Problem("busy", "too many are watching this table", retry_after=10)
        async with live.lock:
            await self.fresh(live)
            viewer.seats = live.table.held_by(viewer.holder)
            live.viewers.append(viewer)
            self.metrics.viewers.inc()
            changed = live.note_presence(time.monotonic())
            viewer.send(orjson.dumps(self._snapshot(live, viewer.holder, since)))
            self.presence_changed(live, changed, but=viewer)

    def exit(self, live: LiveTable, viewer: Viewer) -> None:
        viewer.stop()
        if viewer in live.viewers:
            live.viewers.remove(viewer)
            self.metrics.viewers.dec()
            live.used_at = time.monotonic()
            if not self.stopping:
                self.scheduler.spawn(self._gone(live))

    async def _gone(self, live: LiveTable) -> None:
        async with live.lock:
            self.presence_changed(live, live.note_presence(time.monotonic()))

    def presence_changed(
        self, live: LiveTable, changed: list[int], but: Viewer | None = None, *, local: bool = True
    ) -> None:
        """Tell who is there now, and again when a grace time is over."""
        near = self.near()
        table = live.table
        seats = [
            {"seat": k, **messages.presence(table.seats[k], near)}
            for k in (changed or range(len(table.seats)))
        ]
        watchers = live.watchers()
        for viewer in live.viewers:
            if viewer is not but:
                message = {
                    "type": "presence",
                    "seats": seats,
                    "watchers": watchers,
                    "you": messages.you(
                        table, viewer.seats, near, has_key=viewer.holder is not None
                    ),
                }
                viewer.send(orjson.dumps(message))
        if local and self.bus is not None:
            self.bus.tell_presence(live)
        if changed:
            self.scheduler.look(live)
            self.scheduler.watch_grace(live)


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


_TOLD = {"joined", "replaced", "taken back", "time", "rematch", "device added"}


def milliseconds() -> int:
    return time.time_ns() // 1_000_000
