"""Ctrl-C: at once, whatever goes on, and however often."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.arena import plugins

pytestmark = pytest.mark.slow

# Says that it was asked, then thinks for ever in compiled code.
THINKER = """
import os
from keltis import bots
class Bot:
    def __init__(self, **budget):
        self.search = bots.make("search", seed=1, rollouts=10**12)
    def choose(self, view):
        open(os.environ["ASKED"] + str(os.getpid()), "w").close()
        return self.search.choose(view)
"""


def workers_of(contest: subprocess.Popen[str]) -> list[psutil.Process]:
    return list(psutil.Process(contest.pid).children(recursive=True))


@pytest.mark.parametrize("presses", [1, 2])
@pytest.mark.parametrize("when", ["starting", "thinking", "alone"])
def test_an_interruption_ends_a_contest_at_once(tmp_path: Path, when: str, presses: int) -> None:
    plugins.write(tmp_path, "thinker", THINKER)
    asked = tmp_path / "asked"
    asked.mkdir()
    count = 1 if when == "alone" else 2
    command = f"arena thinker thinker --game board --games 100 --workers {count}".split()
    contest = subprocess.Popen(
        [sys.executable, "-m", "keltis", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "ASKED": f"{asked}/"},
        start_new_session=True,  # as a terminal would, a group gets the signal
    )
    workers: list[psutil.Process] = []
    try:
        while len(list(asked.iterdir())) < count and not (when == "starting" and workers):
            assert contest.poll() is None, contest.communicate()
            time.sleep(0.01)
            workers = workers_of(contest)
        workers = workers_of(contest)
        for _ in range(presses):
            os.killpg(contest.pid, signal.SIGINT)
        out, err = contest.communicate(timeout=60)
    finally:
        if contest.poll() is None:
            os.killpg(contest.pid, signal.SIGKILL)
    assert (contest.returncode, out) == (130, "")
    assert err == "keltis: interrupted\n"
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive
