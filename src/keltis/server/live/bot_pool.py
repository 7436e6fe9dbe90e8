"""Bots think here: in a few threads, fairly between the people whom they play with.

With many in the queue each bot gets less time, so that all stay prompt; most of that time is taken
from those who have the most bots. Kernels release the GIL, so the server goes on.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from keltis import bots
from keltis.server.live.fair_pool import Asker, FairPool, Queue

View = Mapping[str, Any]

_log = logging.getLogger("keltis.bots")

LONGEST = 2.0  # seconds that a bot may think when few wait
SHORTEST = 0.05

T = TypeVar("T")


class BotPool:
    def __init__(self, threads: int) -> None:
        self._pool = FairPool(threads, "bot")
        self._reviews = FairPool(1, "review", ahead=self._pool)
        self._made = threading.local()  # bots by name and seconds, one set for each thread
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

    @property
    def waiting(self) -> int:
        return self._pool.waiting

    async def choose(self, name: str, view: View, asker: Asker) -> str:
        """A legal move for the view's seat, whatever the bot does."""
        return await self._pool.run(asker, lambda queue: self._choose(name, view, queue, None))

    async def choose_alike(self, name: str, view: View, asker: Asker, seed: int) -> str:
        """The same move for the same view and seed, however many wait."""
        return await self._pool.run(asker, lambda queue: self._choose(name, view, queue, seed))

    async def choose_behind(self, name: str, view: View, seed: int) -> str:
        """The same, when nobody waits for anything."""
        return await self._pool.run_behind(lambda queue: self._choose(name, view, queue, seed))

    async def review(self, asker: Asker, work: Callable[[], T]) -> T:
        """Look back at a game for somebody who waits for it, in a thread that is not the bots'."""
        return await self._reviews.run(asker, lambda _: work())

    async def review_behind(self, work: Callable[[], T]) -> T:
        """The same, when nobody waits for anything, and no bot either."""
        return await self._reviews.run_behind(lambda _: work())

    async def advise(self, view: View, asker: Asker) -> View:
        """The strongest bot's move, with figures where it has some."""
        return await self._pool.run(asker, lambda queue: self._advise(self.strongest, view, queue))

    def stop(self) -> None:
        self._reviews.stop()
        self._pool.stop()

    # --- In a thread of the pool ---------------------------------------------------------

    def _seconds(self, queue: Queue) -> float:
        """A fair share: the more wait for each thread, the less time for each of them."""
        share = LONGEST / (1 + (queue.others + queue.own) / self._pool.threads)
        seconds = LONGEST
        while seconds > max(share, SHORTEST):
            seconds /= 2  # few different budgets, so that bots can be kept
        return seconds

    def _bot(self, name: str, seconds: float) -> Any:
        kept: dict[tuple[str, float], Any] = self._made.__dict__.setdefault("bots", {})
        if (name, seconds) not in kept:
            kept[name, seconds] = bots.make(name, seconds=seconds)
        return kept[name, seconds]

    def _choose(self, name: str, view: View, queue: Queue, seed: int | None) -> str:
        legal: list[str] = view["legal_moves"]
        try:
            if seed is None:
                move: str = self._bot(name, self._seconds(queue)).choose(view)
            else:
                move = bots.make_steady(name, seed).choose(view)
            if move in legal:
                return move
            _log.error("bot chose an illegal move", extra={"bot": name})
        except (Exception, SystemExit) as fault:
            _log.error("bot failed", extra={"bot": name, "fault": type(fault).__name__})
        return random.Random(seed).choice(legal)

    def _advise(self, name: str, view: View, queue: Queue) -> dict[str, Any]:
        bot = self._bot(name, self._seconds(queue))
        advise: Callable[[View], dict[str, Any]] | None = getattr(bot, "advise", None)
        advice = advise(view) if advise else {"move": bot.choose(view)}
        return {"level": name, "moves": [], "reason": None, **advice}
