"""What honest players notice of one address at full malice.

    python -m benchmarks.malice [--seconds S] [--dry-run]

A server with its default settings. Honest people at one address decide at a steady pace, and the
time is measured from sending a decision until the other player sees it: first alone, then while a
process at another address does all at once whatever costs a server most. It makes tables with three
of the strongest bots and stays at them, asks for hints, sends the longest of records to be
replayed, floods sockets with pings and messages, sends headers without end, holds half-sent
requests and watches the honest people's tables. What it is answered is counted. The bar: the p99
of a decision at most doubles.

Both run on the machine of the server, where a real malicious process would have one of its own. So
it takes only the processor time that is left over (nice 10), and the time to compare with is that
of decisions beside a process which burns as much time and does nothing else. The figures go into
docs/server.md.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import httpx
import uvloop

import keltis
from benchmarks import load
from benchmarks.load import Load, Rate, met, percentile, started

HONEST, MALICIOUS = "127.0.0.1", "127.0.0.2"
TABLES, EVERY = 6, 0.5  # honest tables, and seconds between the decisions at one
BEGIN, END = "<!-- written by benchmarks/malice.py -->", "<!-- until here -->"


# --- The malicious process ---------------------------------------------------------------------


class Malice:
    def __init__(self, url: str, tables: list[str], bot: str) -> None:
        self._url = url
        self._port = int(url.rsplit(":", 1)[1])
        self._host = f"{HONEST}:{self._port}"  # else the server refuses all at once
        self._tables = tables
        self._bot = bot
        self.answers: Counter[str] = Counter()

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=self._url,
            transport=httpx.AsyncHTTPTransport(local_address=MALICIOUS),
            timeout=30,
        )

    async def _ask(self, http: httpx.AsyncClient, what: str, path: str, body: Any) -> Any:
        """Count the answer; what it says if it is no refusal."""
        try:
            answer = await (http.post(path, json=body) if body is not None else http.get(path))
        except httpx.HTTPError as fault:
            self.answers[f"{what}: {type(fault).__name__}"] += 1
            return None
        self.answers[f"{what}: {answer.status_code}"] += 1
        return answer.json() if answer.status_code < 300 else None

    async def _line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HONEST, self._port, local_addr=(MALICIOUS, 0))

    async def _socket(self, table: str, cookie: str = "") -> Any:
        reader, writer = await self._line()
        writer.write(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {self._host}\r\n"
            "Upgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n{cookie}"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        head = await asyncio.wait_for(reader.readline(), 10)
        status = head.split()[1].decode() if head.startswith(b"HTTP/") else "no answer"
        self.answers[f"sockets: {status}"] += 1
        return reader, writer

    async def tables(self) -> None:
        """A new key for each table, and a socket, so that its bots go on thinking."""
        held = []
        bots = [{"who": "bot", "level": self._bot}] * 3
        wish = {"seats": [{"who": "me", "name": "Eve"}, *bots], "public": True, "ready": True}
        while True:
            async with self._client() as http:
                made = await self._ask(http, "tables", "/api/tables", wish)
                if made is None:
                    await asyncio.sleep(0.02)
                    continue
                await self._ask(http, "leave", f"/api/tables/{made['table']}/leave", {})
                with contextlib.suppress(OSError):
                    reader, writer = await self._socket(made["table"])
                    held.append((writer, asyncio.create_task(_swallow(reader))))

    async def hints(self) -> None:
        wish = {
            "seats": [{"who": "me", "name": "Eve"}, {"who": "me", "name": "Eva"}],
            "practice": True,
            "ready": True,
        }
        async with self._client() as http:
            while (made := await self._ask(http, "tables", "/api/tables", wish)) is None:
                await asyncio.sleep(0.1)
            while True:
                answer = await self._ask(http, "hints", f"/api/tables/{made['table']}/hint", {})
                if answer is None:
                    await asyncio.sleep(0.02)

    async def replays(self) -> None:
        record = longest_record()
        async with self._client() as http:
            while True:
                if await self._ask(http, "replays", "/api/replay", record) is None:
                    await asyncio.sleep(0.02)

    async def lists(self) -> None:
        async with self._client() as http:
            while True:
                await self._ask(http, "lists", "/api/tables", None)

    async def pings(self) -> None:
        await self._pour("pings", b"\x89\x80\0\0\0\0" * 5000, at=self._tables[0])

    async def messages(self) -> None:
        text = b'{"type": "sync"}'
        frame = b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text
        await self._pour("messages", frame * 10, at=self._tables[0])

    async def headers(self) -> None:
        await self._pour("headers", b"x-more: " + b"a" * 8000 + b"\r\n")

    async def _pour(self, what: str, data: bytes, at: str | None = None) -> None:
        """The same again and again, on a new connection whenever the old one is ended."""
        while True:
            with contextlib.suppress(OSError, TimeoutError, RuntimeError):
                reader, writer = await (self._socket(at) if at else self._line())
                if at is None:
                    writer.write(f"GET /api/info HTTP/1.1\r\nHost: {self._host}\r\n".encode())
                swallowing = asyncio.create_task(_swallow(reader))
                try:
                    while not swallowing.done():
                        writer.write(data)
                        await asyncio.wait_for(writer.drain(), 10)
                        self.answers[f"{what}: bytes sent"] += len(data)
                        await asyncio.sleep(0)
                finally:
                    swallowing.cancel()
                    writer.transport.abort()
            self.answers[f"{what}: connections ended"] += 1
            await asyncio.sleep(0.01)

    async def half_requests(self) -> None:
        held: list[asyncio.StreamWriter] = []
        while True:
            with contextlib.suppress(OSError, RuntimeError):
                _, writer = await self._line()
                head = f"POST /api/tables HTTP/1.1\r\nHost: {self._host}\r\nContent-Le"
                writer.write(head.encode())
                held.append(writer)
                self.answers["half requests: sent"] += 1
            if len(held) > 500:
                held.pop(0).transport.abort()
            await asyncio.sleep(0.005)

    async def spectators(self) -> None:
        held = []
        for k in range(300):
            with contextlib.suppress(OSError, RuntimeError):
                reader, writer = await self._socket(self._tables[k % len(self._tables)])
                held.append((writer, asyncio.create_task(_swallow(reader))))
            await asyncio.sleep(0.02)
        await asyncio.sleep(3600)

    async def all_at_once(self, seconds: float) -> None:
        ways: list[Callable[[], Awaitable[None]]] = [
            self.tables, self.tables, self.hints, self.hints, self.replays, self.replays,
            self.replays, self.lists, self.pings, self.messages, self.headers,
            self.half_requests, self.spectators,
        ]  # fmt: skip
        doing = [asyncio.ensure_future(way()) for way in ways]
        done, _ = await asyncio.wait(doing, timeout=seconds)
        for task in doing:
            task.cancel()
        for task in done:
            self.answers[f"gave up: {task.exception()!r}"[:100]] += 1


async def _swallow(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(1 << 20):
            pass


def longest_record() -> dict[str, Any]:
    """A game that goes round in circles until it is cut off, as far as a body may be large."""
    game = keltis.new_game("board", 4, seed=1)
    while not game.is_over and len(json.dumps(game.record())) < 60_000:
        for _ in range(200):
            if game.is_over:
                break
            legal = game.legal_moves()
            # Discard, and draw what was discarded: the game never ends.
            drawn = [move for move in legal if move.startswith(("x", "<"))]
            game.play((drawn or legal)[0])
    return {**game.record()}


# --- The honest people -------------------------------------------------------------------------


class Pace(NamedTuple):
    p50: float  # milliseconds
    p99: float
    decisions: int
    main: float  # share of a core that the server's main thread used
    others: float  # and its other threads


async def honest_pace(play: Load, process: int, seconds: float) -> Pace:
    rate = Rate(process)
    await play.steady(seconds, EVERY)
    used = rate.stop(play.count)
    p50, p99 = (1000 * percentile(play.times, share) for share in (0.5, 0.99))
    return Pace(p50, p99, play.count, used.main, used.others)


async def measure(url: str, process: int, arguments: argparse.Namespace) -> dict[str, Any]:
    play = Load(url)
    await play.seat(TABLES)
    await honest_pace(play, process, 3)
    alone = await honest_pace(play, process, arguments.seconds)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=_behind)
    beside = await honest_pace(play, process, arguments.seconds)
    busy.kill()
    busy.wait()
    ids = ",".join(board.table for board in play.boards)
    command = [sys.executable, "-m", "benchmarks.malice", "--attack", url, "--at", ids,
               "--bot", arguments.bot, "--seconds", str(arguments.seconds + 6)]  # fmt: skip
    attacking = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=load.ROOT, preexec_fn=_behind
    )
    await asyncio.sleep(4)
    attacked = await honest_pace(play, process, arguments.seconds)
    text, _ = await asyncio.to_thread(attacking.communicate)
    await play.close()
    return {
        "alone": alone,
        "beside": beside,
        "attacked": attacked,
        "answers": json.loads(text.splitlines()[-1]),
        "errors": play.errors,
        "load average": os.getloadavg()[0],
    }


def _behind() -> None:
    os.nice(10)


def report(figures: dict[str, Any]) -> str:
    alone, beside, attacked = figures["alone"], figures["beside"], figures["attacked"]
    ratio = attacked.p99 / beside.p99
    busy = "main thread {:.0%} of a core, other threads {:.0%}"
    rows = [
        ("decision, alone: p50, p99", f"{alone.p50:.1f} ms, {alone.p99:.1f} ms", ""),
        (
            "the same beside a process that only burns time: p50, p99",
            f"{beside.p50:.1f} ms, {beside.p99:.1f} ms",
            "",
        ),
        ("decision, under attack: p50, p99", f"{attacked.p50:.1f} ms, {attacked.p99:.1f} ms", ""),
        ("p99 under attack / beside a busy process", f"{ratio:.2f}", met("at most 2", ratio <= 2)),
        ("honest decisions alone, under attack; of them refused",
         f"{alone.decisions} + {beside.decisions}, {attacked.decisions}; {figures['errors']}", ""),
        ("server busy, alone", busy.format(*alone[3:]), ""),
        ("server busy, under attack", busy.format(*attacked[3:]), ""),
        ("load average; processors", f"{figures['load average']:.1f}; {os.cpu_count()}", ""),
    ]  # fmt: skip
    lines = ["| | measured | bar |", "|---|---|---|"]
    lines += [f"| {what} | {value} | {bar} |" for what, value, bar in rows]
    told = ", ".join(f"{what} {count:,}" for what, count in sorted(figures["answers"].items()))
    return "\n".join([*lines, "", f"What the malicious address was answered: {told}."])


def write(text: str) -> None:
    page = load.PAGE.read_text()
    before, rest = page.split(BEGIN)
    load.PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--bot", default="druid", help="the level that is made to think")
    parser.add_argument("--dry-run", action="store_true", help="leave docs/server.md as it is")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    parser.add_argument("--at", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    uvloop.install()
    if arguments.attack:
        malice = Malice(arguments.attack, arguments.at.split(","), arguments.bot)
        asyncio.run(malice.all_at_once(arguments.seconds))
        print(json.dumps(malice.answers))
        return
    with tempfile.TemporaryDirectory() as folder:
        server, url = started(
            [sys.executable, "-m", "keltis", "serve", "--port", "0"],
            {
                "KELTIS_DATABASE": f"{folder}/{secrets.token_hex(4)}.db",
                "KELTIS_LOG_LEVEL": "warning",
            },
        )
        try:
            figures = asyncio.run(measure(url, server.pid, arguments))
        finally:
            server.kill()
            server.wait()
    text = report(figures)
    print(text)
    if not arguments.dry_run:
        write(text)
        print(f"written to {load.PAGE.relative_to(load.ROOT)} at {time.strftime('%H:%M')}")


if __name__ == "__main__":
    main()
