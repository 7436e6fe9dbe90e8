"""Threads for work that takes long, shared fairly between people.

Addresses take turns, and so do the keys of each address, so that whoever asks for a hundred things
waits for them, and nobody else does.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from keltis.server.problems import Problem

Result = TypeVar("Result")

_MOST = 1000  # of one address that wait at once
_NICE = 5  # how far the threads stay behind the one that decides for everybody


class Asker(NamedTuple):
    """Whom work is done for."""

    address: str
    key: str  # a key's digest, or "" without a key


class Queue(NamedTuple):
    """How many wait when some work begins."""

    others: int  # addresses
    own: int  # pieces of work for the same address


class _Job(NamedTuple):
    work: Callable[[Queue], Any]
    done: asyncio.Future[Any]


def stay_behind() -> None:
    """Let this thread work when those that people wait for have nothing to do.

    Linux has priorities for threads; elsewhere it works like any other.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


class FairPool:
    """`ahead`: another pool; what nobody waits for here begins only when nothing waits there, too.

    As this pool has threads of its own, nothing there waits for what has begun here.
    """

    def __init__(self, threads: int, name: str, ahead: FairPool | None = None) -> None:
        self.threads = threads
        self._ahead = ahead
        self._following: list[FairPool] = []
        if ahead is not None:
            ahead._following.append(self)
        self.waiting = 0
        self._pool = ThreadPoolExecutor(threads, name, stay_behind)
        self._running = 0
        self._lines: OrderedDict[str, OrderedDict[str, deque[_Job]]] = OrderedDict()
        self._counts: dict[str, int] = {}
        self._behind: deque[_Job] = deque()

    async def run(self, asker: Asker, work: Callable[[Queue], Result]) -> Result:
        """What `work` returns, once it had its turn; raises `Problem` if too much waits."""
        address, key = asker
        if self._counts.get(address, 0) >= _MOST:
            raise Problem("rate_limited", "too much of yours waits already", retry_after=5)
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        lines = self._lines.setdefault(address, OrderedDict())
        lines.setdefault(key, deque()).append(_Job(work, done))
        self._counts[address] = self._counts.get(address, 0) + 1
        self.waiting += 1
        self._begin()
        return await done

    async def run_behind(self, work: Callable[[Queue], Result]) -> Result:
        """What `work` returns, which nobody waits for: it begins when nothing else waits."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._behind.append(_Job(work, done))
        self._begin()
        return await done

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        while self._running < self.threads and (self._lines or self._behind):
            if not self._lines and self._ahead is not None and self._ahead._lines:
                return
            address, job = self._next() if self._lines else ("", self._behind.popleft())
            if job.done.done():  # nobody waits for it any more
                continue
            own = self._counts.get(address, 0)
            queue = Queue(len(self._lines) - bool(own), own)
            try:
                doing = asyncio.get_running_loop().run_in_executor(self._pool, job.work, queue)
            except RuntimeError:  # the pool has stopped
                job.done.cancel()
                continue
            self._running += 1
            doing.add_done_callback(partial(self._finished, job))

    def _next(self) -> tuple[str, _Job]:
        address, lines = next(iter(self._lines.items()))
        key, line = next(iter(lines.items()))
        job = line.popleft()
        lines.move_to_end(key)
        self._lines.move_to_end(address)
        if not line:
            del lines[key]
        if not lines:
            del self._lines[address]
        self.waiting -= 1
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]
        return address, job

    def _finished(self, job: _Job, doing: asyncio.Future[Any]) -> None:
        self._running -= 1
        if not job.done.done():
            if doing.cancelled():
                job.done.cancel()
            elif (fault := doing.exception()) is not None:
                job.done.set_exception(fault)
            else:
                job.done.set_result(doing.result())
        self._begin()
        for pool in self._following:
            pool._begin()
