"""The bots' kernels are plain Python too, and decide the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.decisions import decisions

ROOT = Path(__file__).resolve().parents[2]


def test_uncompiled_bots_decide_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bots.decisions"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == decisions(monkeypatch)
