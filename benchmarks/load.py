"""How many decisions a server carries, as a ratio to a bare echo on the same machine.

    python -m benchmarks.load [--tables N] [--seconds S] [--dry-run]

Three questions, each answered in the same run on the same uvicorn: how many messages a second a
bare Starlette WebSocket echo returns; how many decisions a second the server takes at its peak,
each written durably to SQLite before it is seen by the other player; and how long a decision takes
until the other sees it when 1,000 tables decide once every two seconds. Then the memory of tables
that wait.

A message of the echo is one in and one out; a decision is one in and two out, the acknowledgement
and what the other sees. Both have the same number of open sockets. The clients run in one process
of their own with a minimal WebSocket client; how busy it was is measured too, because a rate that
the clients limit says nothing about the server. The figures go into docs/server.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import orjson
import uvloop

from benchmarks.sockets import Socket, dial

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "server.md"
BEGIN, END = "<!-- written by benchmarks/load.py -->", "<!-- to here -->"
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


def seconds_of(process: int, thread: int | None = None) -> float:
    """Processor time that a process, or one of its threads, has used."""
    place = f"/proc/{process}/stat" if thread is None else f"/proc/{process}/task/{thread}/stat"
    fields = Path(place).read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    rate: float  # a second
    cost: float  # microseconds of the server's processor time for each
    main: float  # share of a core that the server's main thread used
    others: float  # and all its other threads
    clients: float  # and the clients' process


def mean(of: list[Measured]) -> Measured:
    return Measured(*(sum(values) / len(values) for values in zip(*of, strict=True)))


class Rate:
    """How many in how long, and what they cost the process that served them."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._began = self._used()

    def _used(self) -> list[float]:
        process = self._process
        main = seconds_of(process, process)
        total = seconds_of(process)
        return [time.perf_counter(), main, total - main, seconds_of(os.getpid())]

    def stop(self, count: int) -> Measured:
        seconds, main, others, clients = (
            now - then for now, then in zip(self._used(), self._began, strict=True)
        )
        cost = 1e6 * (main + others) / max(1, count)
        return Measured(count / seconds, cost, main / seconds, others / seconds, clients / seconds)


async def echo_rate(url: str, process: int, sockets: int, seconds: float, size: int) -> Measured:
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
        for key, url in zip(self.keys, self.load.urls, strict=True):
            path = f"/api/tables/{self.table}/socket"
            self.sockets.append(await dial(url, path, self.heard, key))

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

    def __init__(self, url: str, other: str | None = None) -> None:
        """`other`: the server that every table's second player is connected to."""
        self.urls = (url, other or url)
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
        joining = {"name": "Ben", "invitation": made["invitation"], "ready": True}
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

    async def peak(self, process: int, seconds: float) -> Measured:
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
    seconds, sockets = arguments.seconds, 2 * arguments.tables
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
    return {
        "tables": arguments.tables,
        "echo": mean(echoes),
        "peak": mean(peaks),
        "peak p50": 1000 * percentile(times, 0.5),
        "peak p99": 1000 * percentile(times, 0.99),
        "steady": load.count / (2 * seconds),
        "steady p50": 1000 * percentile(load.times, 0.5),
        "steady p99": 1000 * percentile(load.times, 0.99),
        "errors": load.errors,
        "load average": os.getloadavg()[0],
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
        "idle": alone / tables / 1024,
        "idle with sockets": connected / tables / 1024,
    }


def serve(database: str) -> tuple[Any, str]:
    return started(
        [sys.executable, "-m", "keltis", "serve", "--port", "0"],
        {
            "KELTIS_DATABASE": database,
            "KELTIS_RATE": "1000000",
            "KELTIS_RATE_ADDRESS": "1000000",
            "KELTIS_WORK": "1000000",
            "KELTIS_WORK_ADDRESS": "1000000",
            "KELTIS_TABLES_PER_CLIENT": "1000000",
            "KELTIS_TABLES_PER_ADDRESS": "1000000",
            "KELTIS_CONNECTIONS_PER_ADDRESS": "100000",
            "KELTIS_LOG_LEVEL": "warning",
        },
    )


def report(figures: dict[str, Any]) -> str:
    """The figures as docs/server.md has them."""
    echo, peak = figures["echo"], figures["peak"]
    tables, ratio = f"{figures['tables']:,}", peak.rate / echo.rate
    busy = "the main thread {:.0%} of a core, other threads {:.0%}, the clients {:.0%}"
    rows = [
        ("bare echo, messages/s", f"{echo.rate:,.0f}", ""),
        (f"peak, decisions/s with {tables} tables", f"{peak.rate:,.0f}", ""),
        ("peak / echo", f"{ratio:.2f}", met("at least 0.25", ratio >= 0.25)),
        (
            "processor time of an echo, of a decision, and their ratio",
            f"{echo.cost:.0f} µs, {peak.cost:.0f} µs, {echo.cost / peak.cost:.2f}",
            "",
        ),
        (
            "until the other sees it, at the peak: p50, p99",
            f"{figures['peak p50']:.0f} ms, {figures['peak p99']:.0f} ms",
            "",
        ),
        (
            f"the same when {tables} tables decide every two seconds ({figures['steady']:.0f}/s)",
            f"{figures['steady p50']:.1f} ms, {figures['steady p99']:.1f} ms",
            met("p99 below 250 ms", figures["steady p99"] < 250),
        ),
        (
            "memory of a table in play that nobody is connected to",
            f"{figures['idle']:.0f} KB",
            met("below 50 KB", figures["idle"] < 50),
        ),
        ("the same with two open sockets", f"{figures['idle with sockets']:.0f} KB", ""),
        ("busy during the echo", busy.format(*echo[2:]), ""),
        ("busy at the peak", busy.format(*peak[2:]), ""),
        (
            "refused or failed; load average; processors",
            f"{figures['errors']}; {figures['load average']:.1f}; {os.cpu_count()}",
            "",
        ),
    ]
    lines = ["| | measured | bar |", "|---|---|---|"]
    lines += [f"| {what} | {value} | {bar} |" for what, value, bar in rows]
    return "\n".join([*lines, "", f"What limits the peak: {limit(peak)}"])


def met(bar: str, reached: bool) -> str:
    return f"{bar}: **{'met' if reached else 'missed'}**"


def limit(peak: Measured) -> str:
    if peak.clients > 0.85:
        return "the clients of this benchmark, so the server could do more."
    if peak.main > 0.85:
        return "the server's one Python thread, which does everything but the writing."
    return (
        "waiting, for a processor that other work has or for the disk: "
        "neither the server's main thread nor the clients had a whole core."
    )


def write(text: str) -> None:
    """Into the page, between its two marks."""
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--idle", type=int, default=500, help="tables for the memory")
    parser.add_argument("--dry-run", action="store_true", help="leave docs/server.md as it is")
    arguments = parser.parse_args()
    uvloop.install()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        server, url = serve(f"{folder}/rates.db")
        echo, echo_url = started([sys.executable, "-c", ECHO], {})
        try:
            figures = asyncio.run(measure_rates(url, server.pid, echo_url, echo.pid, arguments))
        finally:
            for process in (server, echo):
                process.kill()
                process.wait()
        server, url = serve(f"{folder}/memory.db")
        try:
            figures |= asyncio.run(measure_memory(url, server.pid, arguments.idle))
        finally:
            server.kill()
            server.wait()
    text = report(figures)
    print(text)
    if not arguments.dry_run:
        write(text)


if __name__ == "__main__":
    main()
