"""Streams of a table's events over HTTP: whoever goes is gone, however early."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from keltis.server.app import Server
from keltis.server.live import viewers
from tests.server.live.playing import run, serving, started, until


class Stream:
    """A request for a stream, straight at the ASGI application, as uvicorn makes it."""

    def __init__(self, server: Server, table: str, *, reads: bool = True) -> None:
        self.gone = asyncio.Event()
        self.reads = asyncio.Event()
        if reads:
            self.reads.set()
        self.begun = False
        self.body = b""
        path = f"/api/tables/{table}/events"
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "scheme": "http",
            "http_version": "1.1", "method": "GET", "path": path, "raw_path": path.encode(),
            "query_string": b"", "root_path": "", "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 80),
        }  # fmt: skip
        self.task = asyncio.ensure_future(server.asgi(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.begun = True
        self.body += message.get("body", b"")
        await self.reads.wait()

    @property
    def messages(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines() if line]


@pytest.mark.parametrize("early", [True, False])
def test_who_goes_is_gone_however_early(early: bool, tmp_path: Path) -> None:
    """`early`: before a byte was taken, as after other answers that nobody reads. Else the seat
    would count as attended for ever, and so would the connection."""

    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            stream = Stream(server, live.table.id, reads=not early)
            await until(lambda: stream.begun if early else stream.messages)
            assert len(live.viewers) == 1
            stream.gone.set()
            await stream.task
            assert live.viewers == []
            assert server.service.audience._total == 0

    run(play())


def test_what_waits_for_a_slow_reader_is_bounded(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            stream = Stream(server, live.table.id)
            await until(lambda: stream.messages)
            stream.reads.clear()
            half = b'"%s"' % (b"x" * (viewers.MOST_BYTES // 2 - 100))
            sent = 0
            while not live.viewers[0].is_ending:
                live.viewers[0].send(half)
                sent += 1
                assert sent < 8
                await asyncio.sleep(0.01)
            stream.gone.set()
            await stream.task

    run(play())


def test_a_message_of_any_size_comes_to_whoever_waits_for_nothing_else(tmp_path: Path) -> None:
    """A long game's state may be larger than what gathers for a reader."""

    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            stream = Stream(server, live.table.id)
            await until(lambda: stream.messages)
            large = b'"%s"' % (b"x" * 2 * viewers.MOST_BYTES)
            live.viewers[0].send(large)
            await until(lambda: len(stream.body) > len(large))
            assert not live.viewers[0].is_ending
            stream.gone.set()
            await stream.task

    run(play())
