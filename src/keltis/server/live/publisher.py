"""Telling clients what has happened: each gets what its seats may see, and no more."""

from __future__ import annotations

from typing import Any

import orjson

from keltis.server.clock import Clock
from keltis.server.live import messages
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import NO_SPECTATORS, Viewer
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.tables.drafts import Seats, Surroundings
from keltis.server.tables.events import Event
from keltis.server.tables.table import OVER

# What is told to several: of the table (None), and the views of some seats.
Parts = dict[Seats | None, orjson.Fragment]


class Publisher:
    def __init__(self, clock: Clock, settings: Settings, substitute: str) -> None:
        self._clock = clock
        self._settings = settings
        self._substitute = substitute

    def near(self) -> Surroundings:
        settings = self._settings
        return Surroundings(
            self._clock.now(), self._clock.wall(), settings.grace, self._substitute,
            settings.link_time,
        )  # fmt: skip

    # --- To everybody at a table -------------------------------------------------------------

    def event(
        self,
        live: LiveTable,
        event: Event,
        sender: Viewer | None = None,
        own_id: str | None = None,
    ) -> None:
        """Tell of an event that was folded; to its sender that is the acknowledgement."""
        if event.kind != "moved":
            self.state_to_all(live, messages.happened(event), sender, own_id)
            return
        self._decision(live, event, sender, own_id)
        if live.table.status == OVER:
            self.state_to_all(live, {"kind": "over"})

    def _decision(
        self, live: LiveTable, event: Event, sender: Viewer | None, own_id: str | None
    ) -> None:
        if not live.viewers:
            return
        near = self.near()
        groups = {viewer.group for viewer in live.viewers}
        told = messages.moved(live.table, event, groups, near, live.elapsed(near.now))
        encoded: dict[messages.Group, bytes] = {}
        for viewer in live.viewers:
            group = viewer.group
            if viewer is sender:
                viewer.send(orjson.dumps({**told[group], "id": own_id}))
                continue
            if group not in encoded:
                encoded[group] = orjson.dumps(told[group])
            viewer.send(encoded[group])

    def state_to_all(
        self,
        live: LiveTable,
        happened: dict[str, Any],
        sender: Viewer | None = None,
        own_id: str | None = None,
    ) -> None:
        """Tell the whole state, and what led to it."""
        if happened["kind"] == "started":
            live.turn_remote()
        live.seat_viewers()
        live.note_presence(self._clock.now())
        parts: Parts = {}
        told: dict[Any, bytes] = {}  # by holder; those without a seat are told the same
        for viewer in live.viewers:
            if not live.table.may_be_watched_by(viewer.seats):
                viewer.send(orjson.dumps({"type": "error", **no_spectators().body()}))
                viewer.close(NO_SPECTATORS)
                continue
            who = viewer.holder if viewer.seats else viewer.group
            if who not in told or viewer is sender:
                message = self._state(live, viewer.holder, happened, parts)
                if viewer is sender and own_id:
                    viewer.send(orjson.dumps({**message, "id": own_id}))
                    continue
                told[who] = orjson.dumps(message)
            viewer.send(told[who])

    def presence(self, live: LiveTable, changed: list[int], but: Viewer | None = None) -> None:
        """Tell who is there now; of all seats if none has changed."""
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
                    "you": messages.you(table, viewer.group, near),
                }
                viewer.send(orjson.dumps(message))

    # --- To one client -----------------------------------------------------------------------

    def _state(
        self,
        live: LiveTable,
        holder: str | None,
        happened: dict[str, Any] | None,
        parts: Parts,
    ) -> dict[str, Any]:
        """`parts`: those of the message that others are told too, if they are made already."""
        table, near = live.table, self.near()
        group = messages.Group(table.held_by(holder), holder is not None)
        if None not in parts:
            public = messages.public(table, near, live.elapsed(near.now), live.watchers())
            parts[None] = orjson.Fragment(orjson.dumps(public))
        if group.seats not in parts:
            parts[group.seats] = orjson.Fragment(orjson.dumps(messages.views(table, group.seats)))
        return {
            **messages.state(table, group, near, happened),
            "table": parts[None],
            "views": parts[group.seats],
            "devices": messages.own_devices(table, holder, near),
        }

    def snapshot(
        self, live: LiveTable, holder: str | None, since: int | None = None
    ) -> dict[str, Any]:
        """The state for one client, with what it missed."""
        message = self._state(live, holder, None, {})
        if since is not None:
            steps = messages.missed(live.table, live.table.held_by(holder), since)
            if steps is not None:
                message["missed"] = steps
        return message


def no_spectators() -> Problem:
    return Problem("no_spectators", "only those who play see this table")
