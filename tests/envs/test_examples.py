"""The example that needs no more than what the tests need runs as it is."""

import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_seats_and_scores(tmp_path: Path) -> None:
    program = EXAMPLES / "seats_and_scores.py"
    subprocess.run(
        [sys.executable, program, "--games", "40", "--out", tmp_path],
        check=True,
        capture_output=True,
    )
    cases = json.loads((tmp_path / "seats-and-scores.json").read_text())
    assert len(cases) == 12
    assert all(abs(sum(case["share_by_seat"]) - 1) < 0.001 for case in cases)
    assert (tmp_path / "seats-and-scores.png").stat().st_size > 10_000
