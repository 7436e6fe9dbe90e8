"""Threads that step the games of a vector environment together.

A call of 100 microseconds is over before a thread that sleeps, or that waits for the interpreter,
has begun. So helpers stay in compiled code, and watch for the next call for a while before they go
to sleep. Each has games of its own, which so stay in its cache; the caller's thread takes over what
a helper has not begun when it has itself finished.
"""

import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs.kernels import vector as kernels

_SPINS = 100_000  # how long to watch for work: some 300 microseconds
_BLOCKS = 8  # a thread's games are handed out in this many parts


def granted_processors(group: Path = Path("/sys/fs/cgroup")) -> int:
    """How many processors this process may use: by its affinity, and by its container's quota."""
    if hasattr(os, "sched_getaffinity"):
        granted = len(os.sched_getaffinity(0))
    else:
        granted = os.cpu_count() or 1
    try:
        quota, period = (group / "cpu.max").read_text().split()
        granted = min(granted, max(1, -(-int(quota) // int(period))))
    except (OSError, ValueError):  # no such file, or no limit: "max"
        pass
    return granted


class ThreadPool:
    """A caller's thread and its helpers, for one set of games."""

    def __init__(self, threads: int, states: NDArray[Any]) -> None:
        self._states = states
        self._job = np.zeros(kernels.TICKET + kernels.APART * threads, np.int64)
        self._job[kernels.THREADS] = threads
        self._job[kernels.BLOCKS] = 1 if threads == 1 else _BLOCKS
        self._job[kernels.TICKET :] = _BLOCKS  # nothing to do
        self._awake = threading.Condition()
        self._asleep = 0
        self._closed = False
        for me in range(1, threads):
            threading.Thread(target=self._help, args=(me,), daemon=True).start()

    def prepare(self, first: int, *arrays: NDArray[Any]) -> None:
        """Put arrays into the job, from a place on; the caller keeps them alive."""
        for k, array in enumerate(arrays):
            self._job[first + 2 * k] = array.ctypes.data
            self._job[first + 2 * k + 1] = array.size

    def work(self, what: int) -> int:
        """Do this with all games and the arrays of the job; tell how many actions are illegal."""
        if self._closed:
            raise RuntimeError("the vector environment is closed")
        self._job[kernels.WHAT] = what
        if self._asleep:
            with self._awake:
                self._awake.notify_all()
        illegal: int = kernels.work(self._states, self._job, 0, True, _SPINS)
        while illegal == kernels.UNFINISHED:  # a helper was held up in its block
            time.sleep(0)
            illegal = kernels.work(self._states, self._job, 0, False, _SPINS)
        return illegal

    def _help(self, me: int) -> None:
        while not self._closed:
            kernels.work(self._states, self._job, me, False, _SPINS)
            with self._awake:
                self._asleep += 1
                if not self._closed:
                    self._awake.wait()
                self._asleep -= 1

    def close(self) -> None:
        """Send the helpers home."""
        with self._awake:
            self._closed = True
            self._job[kernels.CLOSED] = 1
            self._awake.notify_all()
