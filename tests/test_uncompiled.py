"""Rules, environments and bots as plain Python do the same as the compiled ones."""

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


def uncompiled(module: str) -> str:
    """What a module prints that is run without the compiler."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", module],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_uncompiled_rules_play_the_same_games() -> None:
    assert json.loads(uncompiled("tests.rules.state_hashes")) == hashes()


def test_uncompiled_environments_write_the_same() -> None:
    assert uncompiled("tests.envs.fingerprint") == fingerprint()


def test_uncompiled_bots_decide_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uncompiled("tests.bots.decisions").splitlines() == decisions(monkeypatch)
