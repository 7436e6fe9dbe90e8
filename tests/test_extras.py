"""Light to install: what works without any extra, and what a command says that lacks its own."""

import itertools
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from keltis.cli.extras import EXTRAS
from keltis.cli.serve import tables
from tests.test_layers import LAYERS, MODULES, ROOT, imports, layer, module_name, name_of

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# What each layer may import besides the library itself.
EXTRAS_OF_LAYER = {
    "arena": ["arena", "cluster"],
    "envs": ["envs", "data"],  # data when a data set is written
    "server": ["server"],
}

# What `all` leaves out: it is large, and there is no use for it on one machine.
LARGE = {"cluster"}

# Those that can be compiled, where the library does not do.
KERNELS = ("rules", "game", "envs", "build")

# uvicorn's own choices of a faster loop and parser, and a driver that SQLAlchemy loads by name.
NEVER_IMPORTED = {"uvloop"}


@pytest.fixture(scope="session")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what `pip install keltis` installs, and nothing else."""
    folder = tmp_path_factory.mktemp("light")
    waiting, done = {name_of(wanted) for wanted in PROJECT["dependencies"]}, set[str]()
    while waiting - done:
        name = (waiting - done).pop()
        done.add(name)
        found = distribution(name)
        for top in {Path(file).parts[0] for file in found.files or []} - {".."}:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(str(found.locate_file(top))))
        waiting |= {name_of(wanted) for wanted in found.requires or [] if applies(wanted)}
    return folder


def applies(requirement: str) -> bool:
    """Whether a plain installation on this machine brings it."""
    marker = Requirement(requirement).marker
    return marker is None or marker.evaluate({"extra": ""})


def python(light: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        capture_output=True,
        text=True,
        cwd=light,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{light}"},
    )


def test_the_library_needs_no_extra(light: Path) -> None:
    program = (
        "import keltis, keltis.bots, keltis.arena, keltis.envs.vector, keltis.server.tables.deals\n"
        "game = keltis.new_game('board', 2, seed=7)\n"
        "for seat, name in enumerate(['heuristic', 'random']):\n"
        "    game.play(keltis.bots.make(name, seed=1).choose(game.view(game.seat)))\n"
        "keltis.arena.arena(['heuristic', 'random'], games=2)\n"
        "vector = keltis.envs.vector.Vector(games=2)\n"
        "vector.step(vector.sample())\n"
    )
    done = python(light, "-c", program)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "serve --help",
        "tables export --help",
        "rules stones --lang fr",
        "simulate --games 50",
        "bots",
        "arena heuristic random --games 2",
        "arena heuristic random --games 2 --round-robin",
    ],
)
def test_the_terminal_needs_no_extra(light: Path, command: str) -> None:
    done = python(light, "-m", "keltis", *command.split())
    assert (done.returncode, done.stderr) == (0, "")


LACKING = [
    ("serve", "server"),
    ("tables backup copy.db", "server"),
    ("tables check", "server"),
    ("tables delete-person", "server"),
    ("tables export records.jsonl", "server"),
    ("tables export-person person.jsonl", "server"),
    ("tables forget-names", "server"),
    ("tables prune", "server"),
    ("tables restore copy.db", "server"),
    ("export records.jsonl", "data"),
    ("arena heuristic random --games 2 --out contest", "arena"),
    ("arena heuristic random --games 2 --cluster auto", "cluster"),
]


def test_every_command_about_tables_is_tried_below() -> None:
    tried = {command.split()[1] for command, _ in LACKING if command.startswith("tables ")}
    assert tried == {
        command.name or command.callback.__name__  # type: ignore[union-attr]
        for command in tables.registered_commands
    }


@pytest.mark.parametrize(("command", "extra"), LACKING)
def test_a_command_names_the_extra_that_it_lacks(light: Path, command: str, extra: str) -> None:
    done = python(light, "-m", "keltis", *command.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("keltis: ")
    assert done.stderr.count("\n") == 1
    assert f"pip install 'keltis[{extra}]'" in done.stderr
    assert not (light / "contest").exists()


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_modules_looked_for_are_those_that_the_extra_installs(extra: str) -> None:
    declared = {name_of(wanted) for wanted in PROJECT["optional-dependencies"][extra]}
    providers = packages_distributions()
    looked_for = {name_of(provider) for name in EXTRAS[extra] for provider in providers[name]}
    assert looked_for <= declared | {"psycopg-binary"}
    assert declared - NEVER_IMPORTED <= looked_for


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_imports_only_what_its_extra_installs(name: str) -> None:
    wanted = list(PROJECT["dependencies"])
    for extra in EXTRAS_OF_LAYER.get(name, []):
        wanted += PROJECT["optional-dependencies"][extra]
    if name in KERNELS:
        wanted += PROJECT["optional-dependencies"]["kernels"]
    if name == "cli":
        wanted += PROJECT["optional-dependencies"]["server"]  # after `require`
    declared = {name_of(requirement) for requirement in wanted}
    providers = packages_distributions()
    wrong = [
        f"{module_name(path)} imports {imported}"
        for path in MODULES
        if layer(module_name(path)) == name
        for imported in imports(path)
        for top in [imported.split(".")[0]]
        if top not in sys.stdlib_module_names | {"keltis"}
        and not declared & {name_of(provider) for provider in providers.get(top, [top])}
    ]
    assert not wrong


def test_all_holds_every_extra_of_a_part() -> None:
    extras = PROJECT["optional-dependencies"]
    [everything] = extras["all"]
    assert (
        set(re.findall(r"\w+", everything))
        == {"keltis", *itertools.chain(*EXTRAS_OF_LAYER.values())} - LARGE
    )


def test_the_page_on_installing_has_every_extra_and_what_all_brings() -> None:
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    extras = PROJECT["optional-dependencies"]
    rows = re.findall(r"^\| `(\w+)` \| ", page, re.MULTILINE)
    further = re.findall(
        r"`(\w+)`", page.split("are for work on Keltis itself")[0].splitlines()[-1]
    )
    assert sorted(rows + further) == sorted(extras)
    assert rows.index("all") == 4
    [everything] = extras["all"]
    assert set(rows[:4]) == set(re.findall(r"\w+", everything)) - {"keltis"}
