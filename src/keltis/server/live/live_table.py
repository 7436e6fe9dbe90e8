"""A table in the memory of this server, with all that is not in its log."""

from __future__ import annotations

import asyncio

from keltis.server.live.fair_pool import Asker
from keltis.server.live.viewers import Viewer
from keltis.server.tables.events import Event
from keltis.server.tables.table import PERSON, Table

ATTENDED = 60.0  # seconds for which somebody who asked over HTTP counts as being there
_NOBODY = Asker("", "")


class LiveTable:
    """`table` is always what the log says up to event `table.seq`: an event is folded when it is
    committed, never before."""

    __slots__ = ("_asked", "acting", "advising", "asked_at", "attended_at", "attended_by",
                 "awaiting", "grace_timer", "in_step", "is_apart", "lease_until", "lock", "remote",
                 "stalls", "table", "timer", "used_at", "viewers", "writing")  # fmt: skip

    def __init__(self, table: Table, now: float, elapsed: float = 0.0) -> None:
        """`elapsed`: seconds that the running decision has taken so far."""
        self.table = table
        self.lock = asyncio.Lock()  # from a check until its event is folded: `Service.act` only
        self.in_step = True  # whether the log is known to hold nothing after `table.seq`
        self.is_apart = False  # its log is damaged: `table` is of no use any more
        self.writing: asyncio.Future[bool] | None = None  # the last event given to the store
        self.viewers: list[Viewer] = []
        self.remote: dict[str, tuple[list[int], int, float]] | None = None
        # other servers: seats present there, watchers, until when that is believed
        self.timer: asyncio.TimerHandle | None = None
        self.grace_timer: asyncio.TimerHandle | None = None
        self.acting = False  # something that happens by itself is under way
        self.stalls = 0  # how often in a row that led to nothing
        self.awaiting: tuple[str, float] | None = None
        # before the deal: the event that people may still take part in, and since when
        self.advising: set[str] | None = None
        self.lease_until = 0.0
        self.attended_at = now - ATTENDED
        self.attended_by = _NOBODY  # who was last there over HTTP
        self.used_at = now
        self._asked = table.asked
        self.asked_at = now - elapsed  # when the running decision was asked, by our clock
        for seat in table.seats:
            if seat.kind == PERSON:
                seat.absent_since = now

    def fold(self, event: Event, now: float) -> None:
        """Follow a committed event; raises `BadEvent`."""
        self.table.apply(event)
        if self._asked != self.table.asked:
            self._asked, self.asked_at = self.table.asked, now

    def elapsed(self, now: float) -> int:
        """Milliseconds that the running decision has taken so far."""
        return max(0, int(1000 * (now - self.asked_at)))

    # --- Who is there ----------------------------------------------------------------------

    def is_attended(self, now: float) -> bool:
        """Whether anybody is there to see what a bot does."""
        return bool(self.viewers or self.remote) or now - self.attended_at < ATTENDED

    def attend(self, asker: Asker, now: float) -> None:
        """Somebody with a seat asks or says something, connected or not."""
        self.attended_at, self.attended_by = now, asker

    @property
    def asker(self) -> Asker:
        """Whom the bots here play for: somebody with a seat, else whoever is there."""
        viewer = next((each for each in self.viewers if each.seats), None)
        if viewer is None and self.attended_by is _NOBODY and self.viewers:
            viewer = self.viewers[0]
        return self.attended_by if viewer is None else Asker(viewer.address, viewer.holder or "")

    def watchers(self) -> int:
        there = sum(count for _, count, _ in (self.remote or {}).values())
        return there + sum(not viewer.seats for viewer in self.viewers)

    def present(self) -> set[int]:
        """Seats whose holder is connected, here or elsewhere."""
        seats = {seat for viewer in self.viewers for seat in viewer.seats}
        for there, _, _ in (self.remote or {}).values():
            seats.update(there)
        return seats

    def note_presence(self, now: float) -> list[int]:
        """Bring every seat's absence up to date; the seats where it changed."""
        present = self.present()
        changed = []
        for k, seat in enumerate(self.table.seats):
            if seat.kind != PERSON:
                continue
            if k in present and seat.absent_since is not None:
                seat.absent_since = None
                changed.append(k)
            elif k not in present and seat.absent_since is None:
                seat.absent_since = now
                changed.append(k)
        return changed

    def seat_viewers(self) -> None:
        """Find out again who holds what: somebody joined, left, or seats turned."""
        for viewer in self.viewers:
            viewer.seats = self.table.held_by(viewer.holder)

    def turn_remote(self) -> None:
        """The seats have turned at the start: other servers' old numbers turn with them."""
        places = len(self.table.seats)
        for server, (seats, watchers, until) in (self.remote or {}).items():
            assert self.remote is not None
            turned = [(seat - self.table.turned) % places for seat in seats]
            self.remote[server] = (turned, watchers, until)

    def is_idle(self, now: float, idle: float) -> bool:
        return (
            not self.viewers
            and not self.acting
            and self.timer is None
            and self.in_step
            and not self.lock.locked()
            and now - self.used_at > idle
        )
