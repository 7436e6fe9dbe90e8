"""The project's own files agree with each other: checks, hooks, versions, and what is shipped."""

import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import keltis
from keltis.web import FILES
from tests.test_layers import ROOT, tracked_files

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def recipe(target: str) -> list[str]:
    """The commands of a target, with its variables put in."""
    variables = dict(re.findall(r"^(\w+) [:?]= (.*)$", MAKEFILE, re.MULTILINE))
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found
    text = found[1]
    while "$(" in text:
        text = re.sub(r"\$\((\w+)\)", lambda name: variables[name[1]], text)
    return [line.strip() for line in text.splitlines()]


def test_the_hooks_check_what_make_lint_checks() -> None:
    [local] = HOOKS["repos"]
    assert local["repo"] == "local"  # nothing is fetched
    hooks = [shlex.split(hook["entry"]) for hook in local["hooks"]]
    assert hooks == [shlex.split(command) for command in recipe("lint")]


def test_a_hook_looks_at_the_whole_project_as_make_lint_does() -> None:
    for hook in HOOKS["repos"][0]["hooks"]:
        assert (hook["language"], hook["pass_filenames"]) == ("system", False)


def test_every_test_has_a_time_limit(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("timeout")
    assert 0 < float(pytestconfig.getini("timeout")) <= 600


def test_the_version_to_cite_is_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == keltis.__version__
    assert citation["cff-version"] == "1.2.0"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert citation["license"] == project["license"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in project["authors"]
    ]


def test_contributing_names_files_and_targets_that_there_are() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", CONTRIBUTING)
    paths = re.findall(r"`((?:src|tests|docs|tools|benchmarks|examples)/[\w./-]*)`", CONTRIBUTING)
    assert links
    assert paths
    gone = [name for name in links + paths if "LANG" not in name and not (ROOT / name).exists()]
    assert [name for name in gone if not name.endswith("NAME.js")] == []
    targets = re.findall(r"^([a-z]+):(?!=)", MAKEFILE, re.MULTILINE)
    assert set(re.findall(r"\bmake ([a-z]+)(?=[ `]| *#)", CONTRIBUTING)) <= set(targets)


def test_no_line_of_the_pages_markup_is_wider_than_the_screen() -> None:
    # ESLint looks after the scripts; Prettier leaves comments as they are.
    files = [*FILES.glob("*.html"), *FILES.glob("css/*.css")]
    assert files
    assert [
        f"{file.name}:{number}"
        for file in files
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if len(line) > 100
    ] == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is in the wheel that is built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    [file] = folder.glob("*.whl")
    assert file.name.startswith(f"keltis-{keltis.__version__}-")
    return zipfile.ZipFile(file).namelist()


def test_the_wheel_holds_the_package_and_no_logs(wheel: list[str]) -> None:
    package = ROOT / "src" / "keltis"
    files = {
        path.relative_to(package.parent).as_posix()
        for path in tracked_files()
        if package in path.parents
    }
    assert files <= set(wheel)
    assert [name for name in wheel if name.endswith(".log")] == []
    information = f"keltis-{keltis.__version__}.dist-info"
    assert {Path(name).parts[0] for name in wheel} == {"keltis", information}
