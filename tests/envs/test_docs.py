"""The page on environments: its tables are those of the code, and its examples run."""

import os
import re
import warnings

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from tools import environment_tables
from tools.environment_tables import PAGE


def test_tables_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert page.count("<!-- table ") == 9
    assert environment_tables.filled(page) == page, "run: python tools/environment_tables.py"


def test_examples_run() -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    assert len(examples) == 7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the frameworks, of their own modules
        for example in examples:
            exec(compile(example, PAGE.name, "exec"), {})
