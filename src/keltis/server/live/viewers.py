"""Connections that are shown a table: a socket of a browser or a stream of a bot.

Whoever publishes never waits for a reader. What a connection does not take at once gathers in a
bounded outbox that a task of its own empties; a reader that is too slow is dropped, and starts anew
when it returns.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_MESSAGES = 256
MOST_BYTES = 1_000_000


class Viewer:
    """One connection. `push` writes a message to it, or tells by False that it would have to wait;
    `deliver` writes it and waits."""

    __slots__ = ("_deliver", "_dropped", "_outbox", "_push", "_sender", "_size", "address",
                 "holder", "on_close", "seats", "stopped")  # fmt: skip

    def __init__(
        self,
        holder: str | None,
        address: str,
        push: Callable[[bytes], bool],
        deliver: Callable[[bytes], Awaitable[None]],
        on_close: Callable[[int], Awaitable[None]],
    ) -> None:
        self.holder = holder
        self.address = address
        self.seats: tuple[int, ...] = ()
        self.on_close = on_close
        self.stopped = False
        self._push = push
        self._deliver = deliver
        self._outbox: deque[bytes | int] = deque()  # a number closes with that code
        self._size = 0
        self._sender: asyncio.Task[None] | None = None
        self._dropped = False

    @property
    def is_empty(self) -> bool:
        return not self._outbox

    def send(self, message: bytes) -> None:
        """Send, now if the connection takes it without waiting, else in turn."""
        if self._dropped or self.stopped:
            return
        if self._sender is None and self._push(message):
            return
        if len(self._outbox) >= MOST_MESSAGES or self._size + len(message) > MOST_BYTES:
            self.drop()
            return
        self._outbox.append(message)
        self._size += len(message)
        self._wake()

    def close(self, code: int) -> None:
        """Close once everything before has been sent."""
        if not self._dropped and not self.stopped:
            self._outbox.append(code)
            self._wake()

    def drop(self) -> None:
        """Too slow: forget what waits, and close."""
        self._dropped = True
        self._outbox.clear()
        self._size = 0
        if self._sender is not None:
            self._sender.cancel()
        self._sender = asyncio.get_running_loop().create_task(self._close(4408))

    def stop(self) -> None:
        """The connection is gone."""
        self.stopped = True
        self._outbox.clear()
        if self._sender is not None:
            self._sender.cancel()
            self._sender = None

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
                await self.on_close(code)
        except Exception:
            self.stopped = True
