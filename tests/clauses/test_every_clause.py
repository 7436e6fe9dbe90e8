"""Every clause of the rules has a test that is named for it."""

import re
from pathlib import Path

import pytest

CLAUSES = [f"B{n}" for n in range(1, 23)] + [f"S{n}" for n in range(1, 11)]
NAMED = [
    clause
    for path in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def test_(\w+)\(", path.read_text("utf-8"), re.MULTILINE)
    for clause in re.findall(r"(?:^|_)([BS]\d+)(?=_)", name)
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_the_clause_has_a_test(clause: str) -> None:
    assert clause in NAMED


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    assert set(NAMED) <= set(CLAUSES)
