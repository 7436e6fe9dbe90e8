"""Threads that help to step the games of a vector environment.

A call of 200 microseconds is over before a sleeping thread is awake, so a helper that has nothing
to do watches for the next call for a moment before it goes to sleep. Helpers take blocks of games
from a counter in memory: one that comes late finds less to do, and holds nobody up.
"""

import threading
import time
from typing import Any

import numpy as np

from keltis.envs.kernels import vector as kernels

_SPINS = 100_000  # how long to watch: some 50 microseconds
_BLOCKS = 16  # a call's games are handed out in this many parts


class Team:
    """A caller's thread and its helpers."""

    def __init__(self, threads: int) -> None:
        self._calls = np.zeros(1, np.int64)  # how many there have been
        self._job: tuple[Any, ...] = ()
        self._condition = threading.Condition()
        self._closed = False
        self._helpers = [
            threading.Thread(target=self._help, daemon=True) for _ in range(threads - 1)
        ]
        for helper in self._helpers:
            helper.start()

    def step(self, games: int, *arguments: Any) -> None:
        """Step all games; returns when every one of them is done."""
        counters = np.zeros(2, np.int64)
        if not self._helpers:
            kernels.step(counters, games, *arguments)
            return
        job = (counters, -(-games // _BLOCKS), *arguments)
        with self._condition:
            self._job = job
            self._calls[0] += 1
            self._condition.notify_all()
        kernels.step(*job)
        while not kernels.wait(counters, kernels.DONE, games, _SPINS):
            time.sleep(0)
        self._job = ()

    def _help(self) -> None:
        seen = 0
        while not self._closed:
            if not kernels.wait(self._calls, 0, seen + 1, _SPINS):
                with self._condition:
                    while self._calls[0] == seen and not self._closed:
                        self._condition.wait()
            seen = int(self._calls[0])
            job = self._job
            if job:
                kernels.step(*job)

    def close(self) -> None:
        """Send the helpers home."""
        with self._condition:
            self._closed = True
            self._calls[0] += 1
            self._condition.notify_all()
