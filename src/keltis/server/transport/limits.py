"""Limits on how much one client may ask for.

Whatever a client does counts twice: for its key, and for its address, because anybody can have many
keys. Of IPv6 an address is the network of one household, a /64.

Two things are counted. *Messages* are requests and what is said on sockets. *Work* is what costs
far more than a message, in seconds of a processor.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from ipaddress import ip_address, ip_network

from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.tables.table import Table

# Seconds of work, about as much as each costs at most.
WORK = {
    "key": 1.0,
    "table": 3.0,
    "hint": 2.0,
    "replay": 2.0,
    "verify": 1.0,
    "person": 3.0,
    "review": 1.0,
    "judge": 2.0,
    "look": 0.1,  # at a shared deal, a calendar of them, or a review that is there
    "games": 0.1,
    "summary": 0.5,
}

_STEPS = 2_500  # decisions, by views, that are told in the time of a message
_SAVED = 60.0  # seconds for which work is saved up
_QUEUE_SECONDS = 2.0  # that somebody waits instead of being refused
_QUEUE = 5  # clients of one address that do so at once


def plain(address: str) -> str:
    """An address as it is counted: without a port, and that of IPv4 as such.

    A server that listens at both kinds with one socket hears of `::ffff:192.0.2.7`, and some
    proxies tell a port too.
    """
    host = address.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        found = ip_address(host)
    except ValueError:
        return host
    return str(getattr(found, "ipv4_mapped", None) or found)


def network(address: str) -> str:
    """The address, or of IPv6 the network that one household has."""
    host = plain(address)
    try:
        if ip_address(host).version == 6:
            return str(ip_network(f"{host.split('%')[0]}/64", strict=False))
    except ValueError:
        return "?"
    return host


class Bucket:
    """So much a second, with some saved up for a burst."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self._burst = burst if burst is not None else max(2 * rate, 5)
        self._left = self._burst
        self._at = time.monotonic()

    def wait(self, cost: float = 1) -> float:
        """Seconds until so much is there; 0 if it is."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        return max(0.0, (cost - self._left) / self._rate)

    def take(self, cost: float = 1) -> float:
        """Take it if it is there; else the seconds to wait. What costs more than can be saved up
        takes all of that."""
        cost = min(cost, self._burst)
        wait = self.wait(cost)
        if not wait:
            self._left -= cost
        return wait

    def owe(self, cost: float) -> None:
        """Take it though it may not be there yet."""
        self._left -= cost


class Buckets:
    """A bucket for each address or key that was seen lately."""

    def __init__(self, rate: float, burst: float | None = None, most: int = 50_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, who: str) -> Bucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        return bucket


class Limits:
    """What every client of one server may do, whichever way it comes."""

    def __init__(self, settings: Settings) -> None:
        self._messages = Buckets(settings.rate)
        self._messages_here = Buckets(settings.rate_address)
        self._work = Buckets(settings.work, _SAVED * settings.work)
        self._work_here = Buckets(settings.work_address, _SAVED * settings.work_address)
        self._queues: dict[str, int] = {}

    def message(self, holder: str | None, address: str, count: float = 1) -> None:
        """Count one message, or one as heavy as several; raises `Problem` if there are too many."""
        wait = self._messages_here.of(address).take(count)
        if not wait and holder is not None:
            wait = self._messages.of(holder).take(count)
        if wait:
            raise _slower(wait)

    def state(self, holder: str | None, address: str, table: Table, views: int = 1) -> None:
        """Count what a long game makes a state of it heavier than other messages."""
        if more := len(table.steps) * max(1, views) // _STEPS:
            self.message(holder, address, more)

    async def work(self, what: str, holder: str | None, address: str) -> None:
        """Count work that is about to be done. Who is only a little too fast waits here."""
        cost = WORK[what]
        buckets = [self._work_here.of(address)]
        if holder is not None:
            buckets.append(self._work.of(holder))
        wait = max(bucket.wait(cost) for bucket in buckets)
        if wait > _QUEUE_SECONDS or (wait and self._queues.get(address, 0) >= _QUEUE):
            raise _slower(wait)
        for bucket in buckets:
            bucket.owe(cost)
        if wait:
            self._queues[address] = self._queues.get(address, 0) + 1
            try:
                await asyncio.sleep(wait)
            finally:
                self._queues[address] -= 1
                if not self._queues[address]:
                    del self._queues[address]

    async def pay(self, seconds: float, holder: str | None, address: str) -> None:
        """Count work that was done and is to go on, and wait until as much may be done again."""
        buckets = [self._work_here.of(address)]
        if holder is not None:
            buckets.append(self._work.of(holder))
        for bucket in buckets:
            bucket.owe(seconds)
        await asyncio.sleep(max(bucket.wait(0) for bucket in buckets))


def _slower(wait: float) -> Problem:
    return Problem(
        "rate_limited", "too much at once; wait a moment", retry_after=round(wait + 0.005, 2)
    )
