"""Connections that are shown a table: a socket of a browser or a stream of a bot.

Whoever publishes never waits for a reader. What is sent gathers in a bounded outbox that a task of
the connection's own empties; a reader that is too slow is dropped, and starts anew when it returns.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from keltis.server.live.messages import Group
from keltis.server.problems import Problem
from keltis.server.settings import Settings

MOST_MESSAGES = 256
MOST_BYTES = 256 * 1024
_OF_ONE_KEY = 16  # sockets and streams of one player at one table
_FOR_SPECTATORS = 0.75  # of all connections: the rest is kept for players

# Codes that a connection is closed with; docs/protocol.md lists them.
FLOOD = 1008
STOPPING = 1012
BUSY = 1013
NO_SPECTATORS = 4403
NO_TABLE = 4404
TOO_SLOW = 4408


class Viewer:
    """One connection: `deliver` writes a message to it and waits until it is taken."""

    __slots__ = ("_deliver", "_dropped", "_ending", "_on_close", "_on_drop", "_outbox", "_sender",
                 "_size", "address", "came_to_play", "holder", "key", "seats",
                 "stopped")  # fmt: skip

    def __init__(
        self,
        holder: str | None,
        address: str,
        deliver: Callable[[bytes], Awaitable[None]],
        on_close: Callable[[int], Awaitable[None]],
        on_drop: Callable[[], None] = lambda: None,
        key: str | None = None,
    ) -> None:
        self.holder = holder
        self.key = key  # digest of the one that it came with
        self.address = address
        self.seats: tuple[int, ...] = ()
        self.came_to_play = False  # whether it held a seat when it came
        self.stopped = False
        self._deliver = deliver
        self._on_close = on_close
        self._on_drop = on_drop
        self._outbox: deque[bytes | int] = deque()  # a number closes with that code
        self._size = 0
        self._sender: asyncio.Task[None] | None = None
        self._dropped = False
        self._ending = False  # nothing is sent after what closes it

    @property
    def group(self) -> Group:
        return Group(self.seats, self.holder is not None)

    @property
    def is_ending(self) -> bool:
        """What is said on it now is not listened to: it may come from whom it was closed for."""
        return self._ending or self._dropped or self.stopped

    @property
    def is_empty(self) -> bool:
        return not self._outbox

    def send(self, message: bytes) -> None:
        """Send, after what was sent before. What nothing waits before goes, however large."""
        if self._dropped or self._ending or self.stopped:
            return
        is_full = len(self._outbox) >= MOST_MESSAGES or self._size + len(message) > MOST_BYTES
        if is_full and self._outbox:
            self._drop()
            return
        self._outbox.append(message)
        self._size += len(message)
        self._wake()

    def close(self, code: int) -> None:
        """Close once everything before has been sent."""
        if not self._dropped and not self._ending and not self.stopped:
            self._ending = True
            self._outbox.append(code)
            self._wake()

    def stop(self) -> None:
        """The connection is gone."""
        self.stopped = True
        self._outbox.clear()
        if self._sender is not None:
            self._sender.cancel()
            self._sender = None

    def _drop(self) -> None:
        """Too slow: forget what waits, and close."""
        self._on_drop()
        self._dropped = True
        self._outbox.clear()
        self._size = 0
        if self._sender is not None:
            self._sender.cancel()
        self._sender = asyncio.get_running_loop().create_task(self._close(TOO_SLOW))

    def _wake(self) -> None:
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._empty())

    async def _empty(self) -> None:
        try:
            while self._outbox:
                message = self._outbox.popleft()
                if isinstance(message, int):
                    await self._close(message)
                    return
                self._size -= len(message)
                await self._deliver(message)
        except Exception:  # the other end went away: its reader sees that too
            self.stopped = True
            self._outbox.clear()
        finally:
            if not self._dropped:
                self._sender = None

    async def _close(self, code: int) -> None:
        try:
            async with asyncio.timeout(5):
                await self._on_close(code)
        except Exception:
            self.stopped = True


class Audience:
    """How many connections look at tables: of people with a seat, and of spectators.

    They are counted apart, so that spectators never keep a player out.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._here: dict[tuple[str, bool], int] = {}
        self._total = 0

    def enter(self, viewer: Viewer, at_table: list[Viewer]) -> None:
        """Count somebody who comes; raises `Problem` if there are too many."""
        plays = viewer.came_to_play = bool(viewer.seats)
        most = self._settings.connections * (1 if plays else _FOR_SPECTATORS)
        here = self._here.get((viewer.address, plays), 0)
        if self._total >= most or here >= self._settings.connections_per_address:
            raise Problem("busy", "too many connections", retry_after=5)
        if plays:
            if sum(each.holder == viewer.holder for each in at_table) >= _OF_ONE_KEY:
                raise Problem("busy", "you have this table open too often", retry_after=10)
        else:
            self._check_spectator(viewer, at_table)
        self._here[viewer.address, plays] = here + 1
        self._total += 1

    def _check_spectator(self, viewer: Viewer, at_table: list[Viewer]) -> None:
        watching = [each.address for each in at_table if not each.seats]
        if (
            len(watching) >= self._settings.watchers
            or watching.count(viewer.address) >= self._settings.watchers_per_address
        ):
            raise Problem("busy", "too many are watching this table", retry_after=10)

    def leave(self, viewer: Viewer) -> None:
        where = viewer.address, viewer.came_to_play
        self._total -= 1
        self._here[where] -= 1
        if not self._here[where]:
            del self._here[where]
