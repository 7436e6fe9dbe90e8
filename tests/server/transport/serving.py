"""A server with real sockets in the test's own process, so that a test can shorten its times."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

from keltis.server import app
from keltis.server.run import prepared
from keltis.server.settings import Settings

PATIENCE = 60.0


class Served(NamedTuple):
    server: app.Server
    port: int
    connections: set[Any]  # those that uvicorn knows


@contextlib.asynccontextmanager
async def serving(
    file: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> AsyncIterator[Served]:
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    server = app.Server(Settings(database=str(file), bot_pace=0, **settings))
    server.store.open()
    listening = socket.create_server(("127.0.0.1", 0))
    is_ready = asyncio.Event()
    uvicorn = prepared(server, is_ready.set)
    serving = asyncio.create_task(uvicorn.serve([listening]))
    try:
        async with asyncio.timeout(PATIENCE):
            await is_ready.wait()
        yield Served(server, listening.getsockname()[1], uvicorn.server_state.connections)
    finally:
        for line in Line.opened:
            line.close()
        Line.opened.clear()
        uvicorn.should_exit = True
        await serving
        listening.close()


class Line:
    """A bare connection."""

    opened: ClassVar[list[Line]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.opened.append(self)

    @classmethod
    async def open(cls, port: int, come_from: str = "127.0.0.1") -> Line:
        return cls(*await asyncio.open_connection("127.0.0.1", port, local_addr=(come_from, 0)))

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def rest(self) -> bytes:
        """All that comes until the connection ends, as it must."""
        got = b""
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionError):
                while data := await self.reader.read(65536):
                    got += data
        return got

    def close(self) -> None:
        self.writer.transport.abort()


async def upgraded(port: int, table: str, headers: bytes = b"") -> Line:
    """A WebSocket at a table, past its handshake."""
    line = await Line.open(port)
    await line.send(
        b"GET /api/tables/%s/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n%s\r\n" % (table.encode(), headers)
    )
    async with asyncio.timeout(PATIENCE):
        head = await line.reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in head.split(b"\r\n")[0], head
    return line
