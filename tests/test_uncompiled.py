"""The library's kernels, numba's and plain Python do the same: rules, environments and bots."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.decisions import decisions
from tests.envs.fingerprint import fingerprint
from tests.rules.state_hashes import hashes

ROOT = Path(__file__).resolve().parents[1]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),  # where nothing is cached, numba compiles all of it
]
OTHER_WAYS = {"plain": {"NUMBA_DISABLE_JIT": "1"}, "jit": {"KELTIS_KERNELS": "jit"}}


@pytest.fixture(params=OTHER_WAYS)
def other_way(request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of another way than that of the tests, which run on the library."""
    settings: dict[str, str] = OTHER_WAYS[request.param]
    return settings


def printed(module: str, settings: dict[str, str]) -> str:
    """What a module prints that is run with other settings."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", module],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_rules_play_the_same_games(other_way: dict[str, str]) -> None:
    assert json.loads(printed("tests.rules.state_hashes", other_way)) == hashes()


def test_environments_write_the_same(other_way: dict[str, str]) -> None:
    assert printed("tests.envs.fingerprint", other_way) == fingerprint()


def test_bots_decide_the_same(other_way: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed("tests.bots.decisions", other_way).splitlines() == decisions(monkeypatch)
