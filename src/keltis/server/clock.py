"""Time as the server lives it.

Dates come from the machine's clock, and where servers share a database from that of the database:
their own may be apart.

Durations come from a monotonic clock, so that setting the machine's clock neither gives nor takes
time. They leave out what the process slept through (a stopped process, a suspended machine): nobody
loses time in which the server could not hear them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

TICK = 0.5  # seconds between looks at the clock while nothing happens
_QUICK = 1.0  # seconds; a slower answer says too little of the time
PAUSE = 3.0  # seconds without a look: the process was not running


class Clock:
    """`now` for durations, in seconds; `wall` for dates, in milliseconds since 1970."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._seen = monotonic()
        self._slept = 0.0
        self.pauses = 0  # how often the process was found to have slept
        self._offset = 0.0  # seconds by which this machine's date is behind the common one

    def now(self) -> float:
        """Seconds that the process has been running, from some start; it never goes back."""
        seen = self._monotonic()
        gap = seen - self._seen
        self._seen = seen
        if not 0 <= gap <= PAUSE:
            self._slept += gap
            self.pauses += 1
        return seen - self._slept

    def wall(self) -> int:
        return int((self._wall() + self._offset) * 1000)

    def agree(self, ask: Callable[[], float]) -> None:
        """Take dates from a clock that several servers share; `ask` takes a moment to answer."""
        began = self._monotonic()
        common = ask()
        took = self._monotonic() - began
        if 0 <= took < _QUICK:
            self._offset = common + took / 2 - self._wall()

    async def watch(self, after_a_pause: Callable[[], None]) -> None:
        """For ever: look at the clock, so that a pause is noticed."""
        noticed = self.pauses
        while True:
            await asyncio.sleep(TICK)
            self.now()
            if self.pauses != noticed:
                noticed = self.pauses
                after_a_pause()
