"""How many decisions a server carries, as a ratio to a bare echo on the same machine.

    python -m benchmarks.load [--tables N] [--seconds S]

Three questions, each answered in the same run on the same uvicorn: how many messages a second a
bare Starlette WebSocket echo returns; how many decisions a second the server takes at its peak,
each written durably to SQLite before it is seen by the other player; and how long a decision takes
until the other sees it when 1,000 tables decide once every two seconds. Then the memory of tables
that wait. The clients run in a process of their own with a minimal WebSocket client.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import orjson
import uvloop

ROOT = Path(__file__).resolve().parents[1]
ECHO = """
import sys, socket, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
async def echo(websocket):
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)
listening = socket.socket(); listening.bind(("127.0.0.1", 0)); listening.listen(2048)
print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
app = Starlette(routes=[WebSocketRoute("/", echo)])
config = uvicorn.Config(app, log_level="error", access_log=False, ws="websockets-sansio",
                        ws_per_message_deflate=False, ws_max_size=16384)
uvicorn.Server(config).run([listening])
"""


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


def seconds_of(process: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Rate:
    """How many in how long, and what they cost the process that served them."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._began, self._used = time.perf_counter(), seconds_of(process)

    def stop(self, count: int) -> tuple[float, float]:
        """Per second, and microseconds of processor time for each."""
        used = seconds_of(self._process) - self._used
        return count / (time.perf_counter() - self._began), 1e6 * used / max(1, count)


async def echo_rate(
    url: str, process: int, sockets: int, seconds: float, size: int
) -> tuple[float, float]:
    """Messages a second, each sent again when it comes back."""
    count = 0

    def heard(socket: Socket, text: bytes) -> None:
        nonlocal count
        count += 1
        socket.send(text)

    opened = [await dial(url, "/", heard) for _ in range(sockets)]
    for socket in opened:
        socket.send(b"x" * size)
    await asyncio.sleep(0.5)
    count = 0
    rate = Rate(process)
    await asyncio.sleep(seconds)
    result = rate.stop(count)
    for socket in opened:
        assert socket.transport is not None
        socket.transport.abort()
    return result


class Board:
    """Two people at one table: whoever may decide does, at once or when `allowed`."""

    def __init__(self, load: Load, table: str, keys: tuple[str, str]) -> None:
        self.load = load
        self.table = table
        self.keys = keys
        self.sockets: list[Socket] = []
        self.sent = 0.0
        self.ready: tuple[Socket, bytes] | None = None  # a decision that may be sent
        self.over = False

    async def sit(self) -> None:
        for key in self.keys:
            path = f"/api/tables/{self.table}/socket"
            self.sockets.append(await dial(self.load.url, path, self.heard, key))

    def heard(self, socket: Socket, text: bytes) -> None:
        if text.startswith(b'{"type":"presence"'):
            return
        message = orjson.loads(text)
        kind = message["type"]
        if kind == "moved" and "id" not in message:
            self.load.seen(self)
        if kind not in ("moved", "state"):
            if kind == "error":
                self.load.errors += 1
            return
        if message["you"]["may"]["decide"] is None:
            if message["views"] and message["views"][0]["result"] and not self.over:
                self.over = True
                self.load.ended(self)
            return
        seq = message["seq"]
        # Mostly from discard pile to discard pile, so that games last and their making does not
        # count; now and then a card is laid.
        move = message["views"][0]["legal_moves"][0 if seq % 16 == 0 else -1]
        body = b'{"type":"decide","move":"%s","seq":%d,"id":"%d"}' % (move.encode(), seq, seq)
        self.ready = (socket, body)
        if self.load.at_once:
            self.decide()

    def decide(self) -> None:
        if self.ready is not None:
            socket, body = self.ready
            self.ready = None
            self.sent = time.perf_counter()
            socket.send(body)

    def leave(self) -> None:
        for socket in self.sockets:
            if socket.transport is not None:
                socket.transport.abort()


class Load:
    """Many tables; counts decisions when the other player has seen them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.at_once = False
        self.errors = 0
        self.count = 0
        self.times: list[float] = []
        self.boards: list[Board] = []
        self._http = httpx.AsyncClient(base_url=url, timeout=60)
        self._tasks: set[asyncio.Task[None]] = set()
        self._keys: tuple[str, str] | None = None

    async def seat(self, tables: int) -> None:
        if self._keys is None:
            first, second = [(await self._http.post("/api/keys")).json()["key"] for _ in "12"]
            self._keys = first, second
        for _ in range(tables):
            self.boards.append(await self.make())

    async def make(self, *, sit: bool = True) -> Board:
        assert self._keys is not None
        first, second = ({"authorization": f"Bearer {key}"} for key in self._keys)
        wish = {"seats": [{"who": "me", "name": "Ann"}, {"who": "open"}], "ready": True}
        made = (await self._http.post("/api/tables", json=wish, headers=first)).json()
        path = f"/api/tables/{made['table']}/join"
        joining = {"name": "Ben", "invitation": made["invitation"], "seed": ""}
        await self._http.post(path, json=joining, headers=second)
        board = Board(self, made["table"], self._keys)
        if sit:
            await board.sit()
        return board

    def seen(self, board: Board) -> None:
        self.count += 1
        self.times.append(time.perf_counter() - board.sent)

    def ended(self, board: Board) -> None:
        """A game is over: the next one begins, so that the number of tables stays."""
        self.boards.remove(board)
        board.leave()
        task = asyncio.get_running_loop().create_task(self._next())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _next(self) -> None:
        self.boards.append(await self.make())

    async def peak(self, process: int, seconds: float) -> tuple[float, float]:
        """Decisions a second when every decision follows the last at once."""
        self.at_once = True
        for board in self.boards:
            board.decide()
        await asyncio.sleep(1)
        self.count, self.times = 0, []
        rate = Rate(process)
        await asyncio.sleep(seconds)
        result = rate.stop(self.count)
        self.at_once = False
        await asyncio.sleep(1)
        return result

    async def steady(self, seconds: float, every: float) -> None:
        """Each table decides once in so many seconds, spread evenly; fills `times`."""
        self.count, self.times = 0, []
        began = time.perf_counter()
        k = 0
        while time.perf_counter() - began < seconds:
            due = began + k * every / len(self.boards)
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            self.boards[k % len(self.boards)].decide()
            k += 1
        await asyncio.sleep(0.5)

    async def close(self) -> None:
        for board in self.boards:
            board.leave()
        await self._http.aclose()


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def memory(process: int) -> int:
    """Bytes of a process that are its own."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no such line")


def started(arguments: list[str], environment: dict[str, str]) -> tuple[Any, str]:
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src", **environment},
    )  # fmt: skip
    assert process.stdout is not None
    return process, re.findall(r"http://\S+", process.stdout.readline())[0].rstrip("/")


async def measure_rates(
    url: str, process: int, echo: str, echo_process: int, arguments: argparse.Namespace
) -> dict[str, Any]:
    """The echo is measured before and after, so that a change of the machine's mood shows."""
    seconds, sockets = arguments.seconds, arguments.sockets
    load = Load(url)
    await load.seat(arguments.tables)
    echoes, peaks = [], []
    times: list[float] = []
    for _ in range(arguments.rounds):
        echoes.append(await echo_rate(echo, echo_process, sockets, seconds, 100))
        peaks.append(await load.peak(process, seconds))
        times += load.times
    echoes.append(await echo_rate(echo, echo_process, sockets, seconds, 100))
    await load.steady(2 * seconds, 2.0)
    await load.close()
    echo_rate_mean = sum(rate for rate, _ in echoes) / len(echoes)
    echo_cost = sum(cost for _, cost in echoes) / len(echoes)
    peak_rate = sum(rate for rate, _ in peaks) / len(peaks)
    peak_cost = sum(cost for _, cost in peaks) / len(peaks)
    return {
        "tables": arguments.tables,
        "echo messages/s": round(echo_rate_mean),
        "peak decisions/s": round(peak_rate),
        "peak / echo": round(peak_rate / echo_rate_mean, 3),
        "echo cpu us": round(echo_cost),
        "decision cpu us": round(peak_cost),
        "echo cpu / decision cpu": round(echo_cost / peak_cost, 3),
        "peak p50 ms": round(1000 * percentile(times, 0.5), 1),
        "peak p99 ms": round(1000 * percentile(times, 0.99), 1),
        "steady decisions/s": round(load.count / (2 * seconds)),
        "steady p50 ms": round(1000 * percentile(load.times, 0.5), 1),
        "steady p99 ms": round(1000 * percentile(load.times, 0.99), 1),
        "errors": load.errors,
        "load average": round(os.getloadavg()[0], 1),
    }


async def measure_memory(url: str, process: int, tables: int) -> dict[str, Any]:
    """Of a server that has only waiting tables: first with nobody at them, then with two each."""
    load = Load(url)
    await load.seat(20)  # so that what is allocated once does not count
    await asyncio.sleep(1)
    before = memory(process)
    for _ in range(tables):
        await load.make(sit=False)
    await asyncio.sleep(1)
    alone = memory(process) - before
    before = memory(process)
    await load.seat(tables)
    await asyncio.sleep(1)
    connected = memory(process) - before
    await load.close()
    return {
        "KB per idle table": round(alone / tables / 1024, 1),
        "KB per idle table with two sockets": round(connected / tables / 1024, 1),
    }


def serve(folder: str) -> tuple[Any, str]:
    return started(
        [sys.executable, "-m", "keltis", "serve", "--port", "0"],
        {
            "KELTIS_DATABASE": f"{folder}/{secrets.token_hex(4)}.db",
            "KELTIS_RATE": "1000000",
            "KELTIS_RATE_ADDRESS": "1000000",
            "KELTIS_TABLES_PER_CLIENT": "1000000",
            "KELTIS_CONNECTIONS_PER_ADDRESS": "100000",
            "KELTIS_LOG_LEVEL": "warning",
        },
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--sockets", type=int, default=200, help="of the echo")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--idle", type=int, default=500, help="tables for the memory")
    arguments = parser.parse_args()
    uvloop.install()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        server, url = serve(folder)
        echo, echo_url = started([sys.executable, "-c", ECHO], {})
        try:
            figures = asyncio.run(measure_rates(url, server.pid, echo_url, echo.pid, arguments))
        finally:
            for process in (server, echo):
                process.kill()
                process.wait()
        server, url = serve(folder)
        try:
            figures |= asyncio.run(measure_memory(url, server.pid, arguments.idle))
        finally:
            server.kill()
            server.wait()
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
