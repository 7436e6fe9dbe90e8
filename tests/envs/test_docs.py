"""The page on environments: its tables are those of the code, and its examples run."""

import os
import re
import warnings
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from keltis.envs import tables

PAGE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"


def test_tables_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert page.count("<!-- table ") == 9
    assert tables.filled(page) == page, f"run: python -m keltis.envs.tables {PAGE.name}"


def test_examples_run() -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    assert len(examples) == 5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the frameworks, of their own modules
        for example in examples:
            exec(compile(example, PAGE.name, "exec"), {})
