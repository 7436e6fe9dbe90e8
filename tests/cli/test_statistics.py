"""Counting and intervals, against numbers from elsewhere."""

import numpy as np
import pytest

from keltis.cli.statistics import Counts, mean_interval, wilson


def counted(*values: int) -> Counts:
    counts = Counts()
    counts.add(np.array(values))
    return counts


def test_counts_are_those_of_numpy() -> None:
    values = np.random.default_rng(1).integers(-30, 60, 999)
    counts = Counts()
    counts.add(values[:500])
    counts.add(values[500:])
    assert counts.total == 999
    assert (counts.lowest, counts.highest) == (values.min(), values.max())
    assert counts.mean == pytest.approx(values.mean())
    assert counts.sd == pytest.approx(values.std(ddof=1))
    for percent in (0, 5, 25, 50, 75, 95, 100):
        assert counts.percentile(percent) == np.percentile(values, percent, method="inverted_cdf")


def test_one_number_has_no_spread() -> None:
    assert counted(5).sd is None
    assert mean_interval(counted(5)) is None


def test_the_interval_of_a_mean() -> None:
    low, high = mean_interval(counted(1, 2, 3, 4)) or (0, 0)
    assert [low, high] == pytest.approx([1.2349, 3.7651], abs=1e-4)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # The four examples of Newcombe (1998).
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=6e-5)


def test_nothing_counted_may_be_anything() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
