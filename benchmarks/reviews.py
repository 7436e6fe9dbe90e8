"""What people who play against bots notice of a hundred reviews asked at once.

    python -m benchmarks.reviews [--reviews N] [--seconds S] [--dry-run]

A server with its default settings. People at a few tables decide at once, each against a bot, and
the server itself measures how long a bot takes from its turn to its decision: first alone, then
while a hundred people at twenty-five addresses have each asked for the review of another game. The
bar: the mean grows by no more than the pace at which bots' decisions are shown (`--bot-pace`, 0.3
s), so that what is seen comes one beat later at most. The figures go into docs/server.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import secrets
import sys
import tempfile
import time
from typing import Any, NamedTuple

import httpx

import keltis
from benchmarks.load import PAGE, ROOT, met, started

TABLES, ADDRESSES, PACE = 4, 25, 0.3
BEGIN, END = "<!-- written by benchmarks/reviews.py -->", "<!-- up to here -->"


class Bots(NamedTuple):
    """How long bots took from their turn to their decision, as the server counts it."""

    decisions: int
    mean: float
    slow: float  # 95 of 100 were quicker, by the histogram's limits


def a_record(seed: int) -> keltis.Record:
    chance, game = random.Random(seed), keltis.new_game("board", 2, seed=seed)
    while not game.is_over:
        game.play(chance.choice(game.legal_moves()))
    return game.record()


class Person:
    """Somebody who decides as soon as it is their turn, game after game."""

    def __init__(self, url: str, bot: str) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=60)
        self._bot = bot

    async def play(self) -> None:
        chance, number = random.Random(1), 0
        while True:
            wish = {"seats": [{"who": "me"}, {"who": "bot", "level": self._bot}], "ready": True}
            made = (await self._http.post("/api/tables", json=wish)).raise_for_status().json()
            path = f"/api/tables/{made['table']}"
            while True:
                state = (await self._http.get(path)).raise_for_status().json()
                if state["table"]["status"] == "over":
                    break
                if state["you"]["may"]["decide"] is None:
                    await asyncio.sleep(0.1)
                    continue
                number += 1
                move = chance.choice(state["views"][0]["legal_moves"])
                body = {"move": move, "seq": state["seq"], "id": f"d{number}"}
                await self._http.post(f"{path}/decide", json=body)
                await asyncio.sleep(0.1)


async def counted(http: httpx.AsyncClient) -> dict[float, float]:
    """The server's histogram, with the sum as that of -1."""
    text = (await http.get("/metrics")).text
    found = {
        float(limit): float(count)
        for limit, count in re.findall(r'keltis_bot_seconds_bucket\{le="([^"]+)"\} (\S+)', text)
    }
    total = re.search(r"keltis_bot_seconds_sum (\S+)", text)
    assert total
    return {**found, -1.0: float(total[1])}


async def bots_in(http: httpx.AsyncClient, seconds: float) -> Bots:
    before = await counted(http)
    await asyncio.sleep(seconds)
    after = await counted(http)
    grown = {limit: after[limit] - before.get(limit, 0.0) for limit in after}
    total = grown.pop(-1.0)
    count = grown[float("inf")]
    slow = next(limit for limit in sorted(grown) if grown[limit] >= 0.95 * count)
    return Bots(int(count), total / max(1, count), slow)


async def ask(url: str, address: str, record: keltis.Record) -> float | None:
    """How long the first answer took; None if it was refused."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=url, transport=transport, timeout=120) as http:
        key = (await http.post("/api/keys")).json()["key"]
        headers = {"authorization": f"Bearer {key}"}
        answer = await http.post("/api/review", json=record, headers=headers)
    return time.perf_counter() - began if answer.status_code == 200 else None


async def measure(url: str, arguments: argparse.Namespace) -> dict[str, Any]:
    records = [a_record(seed) for seed in range(arguments.reviews)]
    playing = [asyncio.create_task(Person(url, arguments.bot).play()) for _ in range(TABLES)]
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        await asyncio.sleep(3)
        alone = await bots_in(http, arguments.seconds)
        asking = [
            asyncio.create_task(ask(url, f"127.0.1.{1 + k % ADDRESSES}", record))
            for k, record in enumerate(records)
        ]
        beside = await bots_in(http, arguments.seconds)
        first = await asyncio.gather(*asking)
        text = (await http.get("/metrics")).text
    for task in playing:
        task.cancel()
    passes = dict(re.findall(r'keltis_reviews_total\{pass="(\w+)"\} (\S+)', text))
    return {
        "alone": alone,
        "beside": beside,
        "first": sorted(each for each in first if each is not None),
        "refused": sum(each is None for each in first),
        "passes": passes,
        "load": os.getloadavg()[0],
    }


def report(figures: dict[str, Any], arguments: argparse.Namespace) -> str:
    alone, beside, first = figures["alone"], figures["beside"], figures["first"]
    more = beside.mean - alone.mean
    rows = [
        (f"{arguments.bot} alone: decisions, mean, 95 % within",
         f"{alone.decisions}, {alone.mean:.3f} s, {alone.slow:g} s", ""),
        (f"the same while {arguments.reviews} reviews are made",
         f"{beside.decisions}, {beside.mean:.3f} s, {beside.slow:g} s", ""),
        ("longer, on average", f"{more:+.3f} s", met(f"at most {PACE} s", more <= PACE)),
        ("first answers: median, slowest; refused",
         f"{first[len(first) // 2]:.1f} s, {first[-1]:.1f} s; {figures['refused']}"
         if first else "none", ""),
        ("reviews by the network; searched to the end meanwhile",
         f"{float(figures['passes'].get('network', 0)):.0f}; "
         f"{float(figures['passes'].get('search', 0)):.0f}", ""),
        ("load average; processors", f"{figures['load']:.1f}; {os.cpu_count()}", ""),
    ]  # fmt: skip
    lines = ["| | measured | bar |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {what} | {value} | {bar} |" for what, value, bar in rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--bot", default="raven", help="the level that people play against")
    parser.add_argument("--dry-run", action="store_true", help="leave docs/server.md as it is")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, url = started(
            [sys.executable, "-m", "keltis", "serve", "--port", "0"],
            {
                "KELTIS_DATABASE": f"{folder}/{secrets.token_hex(4)}.db",
                "KELTIS_LOG_LEVEL": "warning",
            },
        )
        try:
            figures = asyncio.run(measure(url, arguments))
        finally:
            server.kill()
            server.wait()
    text = report(figures, arguments)
    print(text)
    if not arguments.dry_run:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
        print(f"written to {PAGE.relative_to(ROOT)} at {time.strftime('%H:%M')}")


if __name__ == "__main__":
    main()
