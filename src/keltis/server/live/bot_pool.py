"""Bots think here: in a few threads, in the order in which their turns came.

A table has one decision in the queue at most, so the order is fair. With many in the queue each
bot gets less time, so that all stay prompt. Kernels release the GIL, so the server goes on.
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from keltis import bots

_log = logging.getLogger("keltis.bots")

LONGEST = 2.0  # seconds that a bot may think when few wait
SHORTEST = 0.05

View = dict[str, Any]
Answer = TypeVar("Answer")


class BotPool:
    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._made = threading.local()  # bots by name and seconds, one set for each thread
        self._lock = threading.Lock()
        self.waiting = 0
        self.entries = bots.entries()
        self.levels = list(bots.LEVELS)  # weakest first
        self.others = [name for name in self.entries if name not in self.levels]

    @property
    def strongest(self) -> str:
        return self.levels[-1]

    @property
    def substitute(self) -> str:
        """Who takes over for a person: good, and quick."""
        return self.levels[len(self.levels) // 2]

    def knows(self, name: str) -> bool:
        return name in self.entries

    async def choose(self, name: str, view: View) -> str:
        """A legal move for the view's seat, whatever the bot does."""
        return await self._run(self._choose, name, view)

    async def advise(self, view: dict[str, Any]) -> dict[str, Any]:
        """The strongest bot's move, with figures where it has some."""
        return await self._run(self._advise, self.strongest, view)

    async def _run(self, work: Callable[[str, View], Answer], name: str, view: View) -> Answer:
        with self._lock:
            self.waiting += 1
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, name, view)

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    # --- In a thread of the pool ---------------------------------------------------------

    def _seconds(self) -> float:
        """A fair share: with n bots waiting for each thread each gets a part of the time."""
        with self._lock:
            self.waiting -= 1
            waiting = self.waiting
        share = LONGEST / (1 + waiting / self._threads)
        seconds = LONGEST
        while seconds > max(share, SHORTEST):
            seconds /= 2  # few different budgets, so that bots can be kept
        return seconds

    def _bot(self, name: str, seconds: float) -> Any:
        kept: dict[tuple[str, float], Any] = self._made.__dict__.setdefault("bots", {})
        if (name, seconds) not in kept:
            kept[name, seconds] = bots.make(name, seconds=seconds)
        return kept[name, seconds]

    def _choose(self, name: str, view: dict[str, Any]) -> str:
        seconds = self._seconds()
        legal: list[str] = view["legal_moves"]
        try:
            move: str = self._bot(name, seconds).choose(view)
            if move in legal:
                return move
            _log.error("bot chose an illegal move", extra={"bot": name})
        except Exception as fault:
            _log.error("bot failed", extra={"bot": name, "fault": type(fault).__name__})
        return random.choice(legal)

    def _advise(self, name: str, view: View) -> View:
        bot = self._bot(name, self._seconds())
        advise: Callable[[View], View] | None = getattr(bot, "advise", None)
        advice = advise(view) if advise else {"move": bot.choose(view)}
        return {"level": name, "moves": [], "reason": None, **advice}
