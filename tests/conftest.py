"""Settings for every test."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Kernels that only tests and training need are not in the library. They run for a moment, so numba
# optimises them as little as will do, and keeps them apart from those that a user waits for.
os.environ.setdefault("NUMBA_OPT", "1")
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "numba"))

# The first example of a test may compile a kernel, so no example has a deadline. CI draws the same
# examples every time; elsewhere they differ from run to run and failures are kept for the next.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# Who runs tests in the background, or in parallel, may have them ignore Ctrl-C; programs that they
# start would do so too, but for a handler, which is not inherited.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda *pressed: None)


# What compiles, trains or breaks databases: a single test of these takes longer than most files.
LONGEST = ("test_uncompiled.py", "tools", "server/test_postgresql.py", "server/test_crash.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that nobody waits for one test in the end."""
    folder = Path(__file__).parent
    first = [folder / name for name in LONGEST]

    def rank(item: pytest.Item) -> int:
        found = (k for k, path in enumerate(first) if item.path.is_relative_to(path))
        return next(found, len(first))

    items.sort(key=rank)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Playwright leaves its event loop running in this thread, where others begin loops of their
    own: a worker that has played in the browser may go on with tests of anything else."""
    loop = asyncio._get_running_loop()
    if item.path.is_relative_to(Path(__file__).parent / "web"):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as processors: much of the time tests wait for servers and browsers."""
    return max(2, 3 * (os.cpu_count() or 1) // 2)
