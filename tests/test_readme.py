"""What the README shows in Python runs as it stands."""

import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_examples_in_the_readme_run() -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
    assert examples
    for example in examples:
        exec(compile(example, str(README), "exec"), {})


def test_the_links_in_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text("utf-8"))
    for link in links:
        assert "://" in link or (README.parent / link).exists(), link
