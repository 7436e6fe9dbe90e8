"""The threat model names tests: they exist, and no line of it goes without."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
THREATS = PAGE.partition("## Who may want what")[2].partition("\n## ")[0]


def rows() -> list[list[str]]:
    lines = [line for line in THREATS.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] not in ("wants", "happens")]


def test_every_threat_names_tests_that_exist() -> None:
    sources = [file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    there = {name for text in sources for name in re.findall(r"^(?:async )?def (test_\w+)", text,
                                                             re.MULTILINE)}  # fmt: skip
    assert len(rows()) > 20
    for row in rows():
        assert len(row) == 3, row
        named = re.findall(r"`(test_\w+)`", row[2])
        assert named, f"no test: {row[0]}"
        assert set(named) <= there, set(named) - there


def test_what_is_left_and_how_to_report_are_said() -> None:
    left = PAGE.partition("## What is left")[2].partition("\n## ")[0]
    for who in ("runs the server", "stolen device", "in league", "TLS"):
        assert who in left
    assert "## How to report" in PAGE
