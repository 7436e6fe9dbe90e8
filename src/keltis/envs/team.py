"""Threads that step the games of a vector environment together.

A call of 200 microseconds is over before a thread that sleeps, or that waits for the interpreter,
has begun. So helpers stay in compiled code, and watch for the next call for a while before they go
to sleep. Each has games of its own, which so stay in its cache; the caller's thread takes over what
a helper has not begun, if that is not there in time.
"""

import threading
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs.kernels import vector as kernels

_SPINS = 100_000  # how long to watch for work: some 100 microseconds
_BLOCKS = 8  # a thread's games are handed out in this many parts


class Team:
    """A caller's thread and its helpers, for one set of games."""

    def __init__(self, threads: int, games: int, *fixed: Any) -> None:
        self._games = games
        self._counters = np.zeros(kernels.TICKET + kernels.APART * threads, np.int64)
        self._counters[kernels.TICKET :] = _BLOCKS  # nothing to do
        self._job = np.zeros(kernels.JOB, np.int64)
        blocks = 1 if threads == 1 else _BLOCKS
        self._arguments = (self._counters, self._job, threads, blocks, *fixed)
        self._awake = threading.Condition()
        self._asleep = 0
        for me in range(1, threads):
            threading.Thread(target=self._help, args=(me,), daemon=True).start()

    def prepare(self, first: int, *arrays: NDArray[Any]) -> None:
        """Put arrays into the job, from a place on; the caller keeps them alive."""
        for k, array in enumerate(arrays):
            self._job[first + 2 * k] = array.ctypes.data
            self._job[first + 2 * k + 1] = array.size

    def work(self, what: int) -> int:
        """Do this with all games and the arrays of the job; tell how many actions are illegal."""
        self._job[kernels.WHAT] = what
        if self._asleep:
            with self._awake:
                self._awake.notify_all()
        if not kernels.work(*self._arguments, 0, _SPINS):
            while self._counters[kernels.DONE] < self._games:  # a helper was held up in its block
                time.sleep(0)
        return int(self._counters[kernels.FOUND])

    def _help(self, me: int) -> None:
        while not self._counters[kernels.CLOSED]:
            kernels.work(*self._arguments, me, _SPINS)
            with self._awake:
                self._asleep += 1
                if not self._counters[kernels.CLOSED]:
                    self._awake.wait()
                self._asleep -= 1

    def close(self) -> None:
        """Send the helpers home."""
        with self._awake:
            self._counters[kernels.CLOSED] = 1
            self._awake.notify_all()
