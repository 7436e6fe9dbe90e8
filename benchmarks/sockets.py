"""A WebSocket client that costs little, so that a benchmark measures the server."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from collections.abc import Callable
from typing import Any


class Socket(asyncio.Protocol):
    """A WebSocket client that does no more than it must; `heard` gets each text message."""

    def __init__(self, heard: Callable[[Socket, bytes], None]) -> None:
        self._heard = heard
        self._buffer = b""
        self._open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, split, buffer = buffer.partition(b"\r\n\r\n")
            if not split:
                self._buffer = head
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self._open = True
            self.opened.set_result(None)
        while len(buffer) >= 2:
            size, start = buffer[1], 2
            if size == 126:
                if len(buffer) < 4:
                    break
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                if len(buffer) < 10:
                    break
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                break
            payload, code = buffer[start : start + size], buffer[0] & 15
            buffer = buffer[start + size :]
            if code == 1:
                self._heard(self, payload)
            elif code == 9:
                self._frame(0x8A, payload)
        self._buffer = buffer

    def send(self, text: bytes) -> None:
        self._frame(0x81, text)

    def _frame(self, head: int, payload: bytes) -> None:
        """Masked with zeros: the content goes out as it is."""
        assert self.transport is not None
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes([head]) + length + b"\0\0\0\0" + payload)


async def dial(
    url: str, path: str, heard: Callable[[Socket, bytes], None], key: str | None = None
) -> Socket:
    host, port = re.findall(r"//([^:/]+):(\d+)", url)[0]
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(heard), host, int(port))
    nonce = base64.b64encode(os.urandom(16)).decode()
    secret = f"Authorization: Bearer {key}\r\n" if key else ""
    assert socket.transport is not None
    socket.transport.write(
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {nonce}\r\n"
        f"Sec-WebSocket-Version: 13\r\n{secret}\r\n".encode()
    )
    await socket.opened
    return socket
