"""Work that nobody waits for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from keltis.server.metrics import Metrics
from keltis.server.problems import Problem

_log = logging.getLogger("keltis.background")

_P = ParamSpec("_P")
_T = TypeVar("_T")


def timed(work: Callable[_P, _T], *args: _P.args, **more: _P.kwargs) -> tuple[_T, float]:
    """What some work returns, and the seconds of a processor that it took."""
    began = time.thread_time()
    return work(*args, **more), time.thread_time() - began


class Background:
    """Tasks of their own; a fault is logged and ends only that task."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # it may have been stopped before it began

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Problem as problem:
            if problem.code != "stopping":
                _log.warning("refused in the background: %s", problem.code)
        except Exception:
            self._metrics.faults.inc()
            _log.exception("failed in the background")

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
