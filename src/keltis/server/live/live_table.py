"""A table in the memory of this server, with all that is not in its log."""

from __future__ import annotations

import asyncio

from keltis.server.live.viewers import Viewer
from keltis.server.tables.table import PERSON, Table


class LiveTable:
    __slots__ = ("advising", "asked", "dirty", "grace_timer", "lease_until", "lock", "remote",
                 "table", "thinking", "timer", "used_at", "viewers")  # fmt: skip

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.lock = asyncio.Lock()  # held from a check until its event is written and published
        self.viewers: list[Viewer] = []
        self.remote: dict[str, tuple[list[int], int, float]] | None = None
        # other servers: seats present there, watchers, until when that is believed
        self.timer: asyncio.TimerHandle | None = None
        self.grace_timer: asyncio.TimerHandle | None = None
        self.thinking = False
        self.asked: tuple[bool, float] | None = None
        # whether for seeds or commitments, and since when people who are there have been asked
        self.advising: set[str] | None = None
        self.dirty = False  # a write failed: the log knows better
        self.lease_until = 0.0
        self.used_at = now
        for seat in table.seats:
            if seat.kind == PERSON:
                seat.absent_since = now

    def take(self) -> bool:
        """Take the lock if nobody has it or waits for it."""
        if self.lock.locked():
            return False
        taking = self.lock.acquire()
        try:
            taking.send(None)
        except StopIteration:
            return True
        taking.close()
        return False

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
            and not self.thinking
            and self.timer is None
            and not self.lock.locked()
            and now - self.used_at > idle
        )
