"""What a connection may send, and for how long, before any application sees it.

uvicorn's protocols parse HTTP and WebSockets; the limits here are those that they lack. A request
has a size and a time, a socket has so many frames, an answer is read within a time, and a
connection that is being closed is gone after a moment. One task looks after all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from keltis.server.transport.limits import Bucket, network

HEAD_SIZE = 16 * 1024  # bytes of a request line and its headers together
REQUEST_SIZE = 512 * 1024  # bytes of a whole request, with whatever an encoding adds to its body
MOST_HEADERS = 100

HEAD_WITHIN = 10.0  # seconds from a connection, or a request's first byte, to its last header
REQUEST_WITHIN = 30.0  # and to the end of its body
READ_WITHIN = 30.0  # in which a client takes what waits for it
GONE_WITHIN = 10.0  # from the end of a conversation to the end of its connection
IDLE = 30  # between two requests

_LOOK_EVERY = 1.0
_AT_ONCE = 500  # connections looked at before others have their turn
_SLICE = 4096  # bytes of frames that are parsed before anybody counts them
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Gate:
    """How many connections there are, in all and from each address, whatever is said on them.

    A trusted proxy speaks for many: of its connections only the sum is limited.
    """

    def __init__(self, most: int, most_per_address: int, is_trusted: Callable[[str], bool]) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._is_trusted = is_trusted
        self._inside: dict[asyncio.BaseTransport, str] = {}
        self._by_address: dict[str, int] = {}

    def enter(self, transport: asyncio.BaseTransport) -> bool:
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else "?"
        where = "" if self._is_trusted(address) else network(address)
        count = self._by_address.get(where, 0)
        if len(self._inside) >= self._most or (where and count >= self._most_per_address):
            return False
        self._inside[transport] = where
        self._by_address[where] = count + 1
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        where = self._inside.pop(transport, None)
        if where is None:
            return
        self._by_address[where] -= 1
        if not self._by_address[where]:
            del self._by_address[where]


class _Bounded:
    """What HTTP and WebSocket connections have in common: an end."""

    transport: asyncio.Transport
    _paused_at: float | None = None
    _closing_at: float | None = None

    def is_overdue(self, now: float) -> bool:
        """Whether the other end has had its time."""
        if self.transport.is_closing():
            self._closing_at = self._closing_at or now
            return now - self._closing_at > GONE_WITHIN
        return self._paused_at is not None and now - self._paused_at > READ_WITHIN


class HttpProtocol(_Bounded, H11Protocol):
    def __init__(self, *, gate: Gate, socket: Callable[..., Any], **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self.ws_protocol_class = cast(Any, socket)
        self._gate = gate
        self._began: float | None = self.loop.time()  # None: no request is being received
        self._size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self._gate.enter(transport):
            transport.write(_FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._began is None:
            self._began, self._size = self.loop.time(), 0
        self._size += len(data)
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._began = None
        elif self._size > REQUEST_SIZE:
            self.transport.abort()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if len(self.headers) > MOST_HEADERS:
            self.send_400_response("Too many headers.")
        else:
            super().handle_websocket_upgrade(event)

    def is_overdue(self, now: float) -> bool:
        if super().is_overdue(now):
            return True
        if self._began is None:
            return False
        within = HEAD_WITHIN if self.conn.their_state is h11.IDLE else REQUEST_WITHIN
        return now - self._began > within

    def pause_writing(self) -> None:
        super().pause_writing()
        self._paused_at = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._paused_at = None


class SocketProtocol(_Bounded, WebSocketsSansIOProtocol):
    def __init__(self, *, gate: Gate, frames: float, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._gate = gate
        self._frames = Bucket(frames, 10 * frames + 300)

    def connection_lost(self, exc: Exception | None) -> None:
        self._gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A little at a time: the smallest frames have six bytes, and each costs as much as any."""
        for k in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[k : k + _SLICE])

    def handle_events(self) -> None:
        if self._frames.take(len(self.conn.events)) == 0:
            super().handle_events()
            return
        self.conn.events_received()
        if not self.close_sent:
            self.conn.fail(1008, "too many frames")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._paused_at = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._paused_at = None


async def end_overdue(connections: Iterable[Any]) -> None:
    """For ever: end connections whose time is over."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        for k, each in enumerate(list(connections)):
            if each.is_overdue(loop.time()):
                each.transport.abort()
            if k % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
