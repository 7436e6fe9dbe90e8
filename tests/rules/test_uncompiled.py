"""The rules as plain Python play the same games as the compiled ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.rules.state_hashes import hashes

ROOT = Path(__file__).parents[2]


def test_uncompiled_rules_play_the_same_games() -> None:
    uncompiled = subprocess.run(
        [sys.executable, "-m", "tests.rules.state_hashes"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert uncompiled.returncode == 0, uncompiled.stderr
    assert json.loads(uncompiled.stdout) == hashes()
