"""The environments' kernels are plain Python too, and do the same."""

import os
import subprocess
import sys
from pathlib import Path

from tests.envs.fingerprint import fingerprint

ROOT = Path(__file__).resolve().parents[2]


def test_uncompiled_kernels_write_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.envs.fingerprint"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == fingerprint()
