"""Limits on how much one client may ask for."""

from __future__ import annotations

import time
from collections import OrderedDict


class Bucket:
    """So many a second, with some saved up for a burst."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self._burst = burst if burst is not None else max(2 * rate, 5)
        self._left = self._burst
        self._at = time.monotonic()

    def take(self) -> float:
        """0 if it may, else the seconds to wait."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._rate


class Buckets:
    """A bucket for each address or key that was seen lately."""

    def __init__(self, rate: float, most: int = 50_000) -> None:
        self._rate = rate
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> float:
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        return bucket.take()


class Connections:
    """How many are open, in all and from each address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._by_address: dict[str, int] = {}
        self.total = 0

    def open(self, address: str) -> bool:
        count = self._by_address.get(address, 0)
        if self.total >= self._most or count >= self._most_per_address:
            return False
        self._by_address[address] = count + 1
        self.total += 1
        return True

    def close(self, address: str) -> None:
        self.total -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
