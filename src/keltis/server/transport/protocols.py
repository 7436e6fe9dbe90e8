"""What a connection may send, and for how long, before any application sees it.

uvicorn's protocols parse HTTP and WebSockets; the limits here are those that they lack. A request
has a size and a time, a socket has so many frames, an answer is read within a time, and a
connection that is being closed is gone after a moment. One task looks after all of them.

To read what somebody sends takes time too, the more the smaller its pieces are. So it is read a
little at a time, with others in between, and an address that has used up its share of the time is
read more slowly: it waits, and nobody else does.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from keltis.server.transport.limits import Bucket, Buckets, network

HEAD_SIZE = 16 * 1024  # bytes of a request line and its headers together
REQUEST_SIZE = 512 * 1024  # bytes of a whole request, with whatever an encoding adds to its body
MOST_HEADERS = 100

HEAD_WITHIN = 10.0  # seconds from a connection, or a request's first byte, to its last header
REQUEST_WITHIN = 30.0  # and to the end of its body
READ_WITHIN = 30.0  # in which a client takes what waits for it
MOST_WAITING = 32 * 2**20  # bytes that wait for one address to take them
GONE_WITHIN = 10.0  # from the end of a conversation to the end of its connection
_FAREWELL = 1.0  # in which the reason for an end arrives
IDLE = 30  # between two requests

_LOOK_EVERY = 1.0
_AT_ONCE = 500  # connections looked at before others have their turn
_SLICE = 1024  # bytes that are parsed before others have their turn
# Seconds that a request, and the opening of a socket, take beside what is measured here.
_REQUEST, _OPENING = 0.0005, 0.002
_SHARE = 0.001  # seconds of reading for each request a second that an address may make
_BURST = 5.0  # seconds for which its share is saved up
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Gate:
    """How many connections there are, in all and from each address, whatever is said on them; how
    long each address may be read; and how much waits until it reads.

    A trusted proxy speaks for many: of its connections only the sum is limited.
    """

    def __init__(
        self, most: int, most_per_address: int, rate: float, is_trusted: Callable[[str], bool]
    ) -> None:
        """`rate`: requests a second from one address."""
        self._most = most
        self._most_per_address = most_per_address
        self._is_trusted = is_trusted
        self._inside: dict[asyncio.BaseTransport, str] = {}
        self._by_address: dict[str, int] = {}
        self._slow: dict[str, set[asyncio.Transport]] = {}  # by address: those with much to take
        self._shares = Buckets(rate * _SHARE, rate * _SHARE * _BURST)

    def enter(self, transport: asyncio.BaseTransport) -> bool:
        where = self._where(transport)
        count = self._by_address.get(where, 0)
        if len(self._inside) >= self._most or (where and count >= self._most_per_address):
            return False
        self._inside[transport] = where
        self._by_address[where] = count + 1
        return True

    def share(self, transport: asyncio.BaseTransport) -> Bucket | None:
        """The time for which its address is read; None: as long as it likes."""
        where = self._where(transport)
        return self._shares.of(where) if where else None

    def is_slow(self, transport: asyncio.Transport) -> None:
        """Something waits for a connection to take it; end the worst of those that let too much of
        it gather."""
        where = self._inside.get(transport)
        if not where:  # a proxy, or on its way out
            return
        slow = self._slow.setdefault(where, set())
        slow.add(transport)
        waiting = {each: each.get_write_buffer_size() for each in slow if not each.is_closing()}
        while sum(waiting.values()) > MOST_WAITING:
            worst = max(waiting, key=waiting.__getitem__)
            del waiting[worst]
            worst.abort()

    def is_quick(self, transport: asyncio.Transport) -> None:
        """It has taken what waited, or is gone."""
        where = self._inside.get(transport, "")
        if (slow := self._slow.get(where)) is not None:
            slow.discard(transport)
            if not slow:
                del self._slow[where]

    def _where(self, transport: asyncio.BaseTransport) -> str:
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else "?"
        return "" if self._is_trusted(address) else network(address)

    def leave(self, transport: asyncio.Transport) -> None:
        self.is_quick(transport)
        where = self._inside.pop(transport, None)
        if where is None:
            return
        self._by_address[where] -= 1
        if not self._by_address[where]:
            del self._by_address[where]


class _Valve:
    """A transport of which uvicorn and we stop the reading, each for reasons of their own."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._shut: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def pause_reading(self, why: str = "uvicorn") -> None:
        self._shut.add(why)
        if not self.is_closing():
            self._transport.pause_reading()

    def resume_reading(self, why: str = "uvicorn") -> None:
        self._shut.discard(why)
        if not self._shut and not self.is_closing():
            self._transport.resume_reading()


class _Bounded:
    """What HTTP and WebSocket connections have in common: they are read bit by bit, and end."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _gate: Gate
    _paused_at: float | None = None
    _closing_at: float | None = None
    _turn: asyncio.Handle | None = None

    def _begin(self, transport: asyncio.Transport) -> asyncio.Transport:
        """The transport as the connection is to know it."""
        self._pieces: deque[bytes] = deque()
        self._share = self._gate.share(transport)
        return transport if isinstance(transport, _Valve) else cast(Any, _Valve(transport))

    def data_received(self, data: bytes) -> None:
        self._pieces.extend(data[k : k + _SLICE] for k in range(0, len(data), _SLICE))
        if self._turn is None:
            self._read_on()

    def _parse(self, data: bytes) -> None:
        raise NotImplementedError

    def _read_on(self) -> None:
        """Read the next piece when it is our address's turn, and then let others have theirs."""
        self._turn = None
        wait = self._wait()
        if self._pieces and not wait and not self.transport.is_closing():
            began = time.perf_counter()
            self._parse(self._pieces.popleft())
            self._owe(time.perf_counter() - began)
        valve = cast(_Valve, self.transport)
        if valve.is_closing() or valve.get_protocol() is not self:  # or it is a socket's now
            self._pieces.clear()
        if not self._pieces:
            valve.resume_reading(why=type(self).__name__)
            return
        valve.pause_reading(why=type(self).__name__)
        if wait:
            self._turn = self.loop.call_later(wait, self._read_on)
        else:
            self._turn = self.loop.call_soon(self._read_on)

    def _wait(self) -> float:
        return 0.0 if self._share is None else self._share.wait(0)

    def _owe(self, seconds: float) -> None:
        if self._share is not None:
            self._share.owe(seconds)

    def pause_writing(self) -> None:
        cast(Any, super()).pause_writing()
        self._paused_at = self.loop.time()
        self._gate.is_slow(self.transport)

    def resume_writing(self) -> None:
        cast(Any, super()).resume_writing()
        self._paused_at = None
        self._gate.is_quick(self.transport)

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
        self._size = self._lines = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(self._begin(transport))
        if not self._gate.enter(self.transport):
            self.transport.write(_FULL)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gate.leave(self.transport)
        super().connection_lost(exc)

    def _parse(self, data: bytes) -> None:
        if self._began is None:
            self._began, self._size, self._lines = self.loop.time(), 0, 0
        self._size += len(data)
        H11Protocol.data_received(self, data)
        if self.conn.their_state is h11.IDLE:  # its headers are still coming
            self._lines += data.count(b"\n")
            if self._lines > MOST_HEADERS:
                self.send_400_response("Too many headers.")
        elif self.conn.their_state is not h11.SEND_BODY:
            self._began = None
        elif self._size > REQUEST_SIZE:
            self.transport.abort()

    def handle_events(self) -> None:
        """Also called when a request is answered and others were sent behind it."""
        if self.transport.is_closing():
            return
        if wait := self._wait():
            self.loop.call_later(wait, self.handle_events)
            return
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._owe(_REQUEST)

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


class SocketProtocol(_Bounded, WebSocketsSansIOProtocol):
    def __init__(self, *, gate: Gate, frames: float, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._gate = gate
        self._frames = Bucket(frames, 10 * frames + 300)

    def connection_lost(self, exc: Exception | None) -> None:
        self._gate.leave(self.transport)
        super().connection_lost(exc)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(self._begin(transport))
        self._owe(_OPENING)

    def _parse(self, data: bytes) -> None:
        WebSocketsSansIOProtocol.data_received(self, data)

    def handle_events(self) -> None:
        if self._frames.take(len(self.conn.events)) == 0:
            super().handle_events()
            return
        self.conn.events_received()
        if not self.close_sent:
            self.conn.fail(1008, "too many frames")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            # To end it with something left to read would take away what was just written.
            self._pieces.clear()
            cast(_Valve, self.transport).pause_reading(why="over")
            self.loop.call_later(_FAREWELL, self.transport.close)


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
