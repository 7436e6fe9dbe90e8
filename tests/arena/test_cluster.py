"""Contests on a real Ray: the same games as here, even if a worker is lost; nothing stays."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from keltis.arena import arena, cluster
from tests.arena.test_arena import facts
from tests.cli.running import run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A Ray of two workers on this machine, to which this process is connected."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.ALONE.items():
            patch.setenv(name, value)
        import ray

        context = ray.init(
            num_cpus=2,
            include_dashboard=False,
            object_store_memory=80_000_000,
            log_to_driver=False,
            logging_level="error",
        )
        yield context.address_info["gcs_address"]
        ray.shutdown()


class Mortal:
    """Plays the first move there is; but its worker is lost at its first decision of all."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def choose(self, view: dict[str, Any]) -> str:
        try:
            self._mark.touch(exist_ok=False)
        except FileExistsError:
            return str(view["legal_moves"][0])
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class Faulty:
    def choose(self, view: dict[str, Any]) -> str:
        raise ZeroDivisionError("no idea")


def test_nobody_from_outside_reaches_a_ray_that_is_started_here(address: str) -> None:
    assert address.startswith("127.0.0.1:")


def test_a_contest_on_a_cluster_is_the_contest_here(address: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "games": 30, "seed": 3}
    shown: list[tuple[int, int]] = []
    there = arena(
        ["fox", "random"],
        cluster="auto",
        out=tmp_path,
        progress=lambda done, deals, wins: shown.append((done, deals)),
        **settings,
    )
    here = arena(["fox", "random"], workers=1, **settings)
    assert facts(there) == facts(here)
    assert shown == [(deal, 15) for deal in range(1, 16)]
    records = tmp_path / "records.jsonl"
    assert len(records.read_text().splitlines()) == 30
    # What was interrupted there is taken up there, and the same as if it never had been.
    records.write_text("".join(records.read_text().splitlines(keepends=True)[:9]))
    assert facts(arena(["fox", "random"], cluster="auto", out=tmp_path, **settings)) == facts(here)


def test_bots_that_are_kernels_play_there_too(address: str) -> None:
    settings: dict[str, Any] = {"players": 3, "games": 30, "seed": 4}
    there = arena(["heuristic", "random"], cluster="auto", **settings)
    assert facts(there) == facts(arena(["heuristic", "random"], **settings))


def test_a_worker_that_is_lost_changes_nothing(address: str, tmp_path: Path) -> None:
    mark = tmp_path / "lost"
    settings: dict[str, Any] = {"game": "stones", "games": 6, "seed": 5}
    there = arena([("mortal", Mortal(mark)), "random"], cluster="auto", **settings)
    assert mark.exists()
    here = arena([("mortal", Mortal(mark)), "random"], workers=1, **settings)
    assert facts(there) == facts(here)


def test_what_goes_wrong_there_is_raised_here(address: str) -> None:
    with pytest.raises(Exception, match="no idea"):
        arena([("faulty", Faulty()), "random"], game="stones", games=200, cluster="auto")
    while under_way():
        time.sleep(0.05)


def test_another_keltis_on_a_machine_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "bots_as_they_are", lambda: "otherwise")
    with pytest.raises(ValueError, match=r"has another Keltis .* install the same on all"):
        arena(["fox", "random"], game="stones", games=2, cluster="auto")


def test_the_command_plays_on_a_cluster(address: str) -> None:
    command = ["arena", "fox", "random", "--game", "stones", "--games", "4", "--json"]
    there, here = run(*command, "--cluster", address), run(*command, "--workers", "1")
    assert (there.code, there.err) == (0, "")
    timeless = [json.loads(done.out)["lines"][0]["wins"] for done in (there, here)]
    assert timeless[0] == timeless[1]


def test_an_interrupted_command_leaves_nothing_behind(address: str, tmp_path: Path) -> None:
    command = f"arena fox hare --games 1000000 --cluster {address} --out".split()
    with subprocess.Popen(
        [sys.executable, "-m", "keltis", *command, str(tmp_path / "out")],
        stderr=subprocess.PIPE,
        text=True,
    ) as contest:
        records = tmp_path / "out" / "records.jsonl"
        while not records.exists():
            assert contest.poll() is None
            time.sleep(0.05)
        assert under_way()
        contest.send_signal(signal.SIGINT)
        _, said = contest.communicate()
    assert (contest.returncode, said) == (130, "keltis: interrupted\n")
    while under_way():
        time.sleep(0.05)


def test_no_cluster_is_an_error_in_words() -> None:
    """In a process of its own: this one is connected already."""
    program = (
        "import sys\nfrom keltis.cli import main\n"
        "main(['arena', 'fox', 'random', '--cluster', '127.0.0.1:1'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no Ray cluster at 127.0.0.1:1" in done.stderr
    assert done.stderr.count("\n") == 1


def under_way() -> list[str]:
    """The tasks of ours that are done on this machine now; Ray calls a process by what it does."""
    names = [
        " ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])
    ]
    return [name for name in names if name.startswith("ray::_done")]
