"""Connections that are shown a table: a socket of a browser or a stream of a bot.

Whoever publishes never waits for a reader. Messages gather in a bounded outbox that a task of the
connection's own empties; a reader that is too slow is dropped, and starts anew when it returns.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

MOST_MESSAGES = 256
MOST_BYTES = 1_000_000


class Viewer:
    """One connection; `deliver` writes a message to it and may wait."""

    __slots__ = ("_deliver", "_dropped", "_outbox", "_sender", "_size", "address", "holder",
                 "on_close", "seats", "stopped")  # fmt: skip

    def __init__(
        self,
        holder: str | None,
        address: str,
        deliver: Callable[[bytes], Coroutine[Any, Any, None]],
        on_close: Callable[[int], Awaitable[None]],
    ) -> None:
        self.holder = holder
        self.address = address
        self.seats: tuple[int, ...] = ()
        self.on_close = on_close
        self.stopped = False
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
        if self._sender is None:
            self._begin(self._deliver(message))
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

    def _begin(self, delivery: Coroutine[Any, Any, None]) -> None:
        """Run a delivery until it waits, which it rarely does; only then it needs a task."""
        try:
            waits_for = delivery.send(None)
        except StopIteration:
            return
        except Exception:  # the other end went away: its reader sees that too
            self.stopped = True
            return
        rest = self._empty(_Rest(delivery, waits_for))
        self._sender = asyncio.get_running_loop().create_task(rest)

    def _wake(self) -> None:
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._empty())

    async def _empty(self, begun: Awaitable[None] | None = None) -> None:
        try:
            if begun is not None:
                await begun
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


class _Rest:
    """What is left of a coroutine that has begun and waits for a future."""

    def __init__(self, begun: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self._begun = begun
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._waits_for
        try:
            while True:
                try:
                    value = yield waits_for
                except BaseException as fault:
                    waits_for = self._begun.throw(fault)
                else:
                    waits_for = self._begun.send(value)
        except StopIteration:
            return
