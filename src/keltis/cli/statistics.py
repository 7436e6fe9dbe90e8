"""Whole numbers counted, and intervals that hold the truth in 95 of 100 cases."""

import math
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Z = 1.959963984540054  # the 97.5 % point of the normal distribution


class Counts:
    """How often each whole number came up: exact, and as small as the numbers are few."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, values: NDArray[Any]) -> None:
        numbers, counts = np.unique(values, return_counts=True)
        self._counts.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))

    def __getitem__(self, value: int) -> int:
        return self._counts[value]

    @property
    def total(self) -> int:
        return self._counts.total()

    @property
    def lowest(self) -> int:
        return min(self._counts)

    @property
    def highest(self) -> int:
        return max(self._counts)

    @property
    def mean(self) -> float:
        return sum(value * count for value, count in self._counts.items()) / self.total

    @property
    def sd(self) -> float | None:
        """The standard deviation; one number alone has none."""
        n = self.total
        if n < 2:
            return None
        plain = sum(value * count for value, count in self._counts.items())
        squares = sum(value * value * count for value, count in self._counts.items())
        return math.sqrt((n * squares - plain * plain) / (n * (n - 1)))

    def percentile(self, percent: int) -> int:
        """The lowest number that at least so many percent do not exceed."""
        rank = max(1, -(-percent * self.total // 100))
        reached = 0
        for value in sorted(self._counts):
            reached += self._counts[value]
            if reached >= rank:
                break
        return value


def wilson(count: int, total: int) -> tuple[float, float]:
    """Wilson's interval for a share; all there is if nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    share = count / total
    z = _Z * _Z / total
    middle = (share + z / 2) / (1 + z)
    half = math.sqrt(share * (1 - share) * z + z * z / 4) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(counts: Counts) -> tuple[float, float] | None:
    """The interval for the mean of independent numbers; one number alone has none."""
    if counts.sd is None:
        return None
    half = _Z * counts.sd / math.sqrt(counts.total)
    return counts.mean - half, counts.mean + half
