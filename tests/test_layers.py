"""The shape of the project: imports point one way, and its files hold on any machine."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "keltis"

# Each layer imports only from itself and from those before it.
LAYERS = ["rules", "game", "bots", "reviews", "arena", "envs", "server", "web", "cli", "build"]

# Rules are pure: besides the standard library they know only these.
RULES_MAY_IMPORT = {"numpy", "numba", "llvmlite", "platformdirs"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The full names of all that a module imports, inside functions too."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = [*above, node.module] if node.module else above
            # What is imported may itself be a module: `from keltis import rules`.
            yield from (".".join([*source, alias.name]) for alias in node.names)


def layer(module: str) -> str | None:
    """The layer a module of ours belongs to; None for `keltis` itself and what is not ours."""
    parts = module.split(".")
    if parts[0] != "keltis" or len(parts) == 1:
        return None
    return parts[1] if parts[1] in LAYERS else None


def test_every_folder_of_the_package_is_a_layer() -> None:
    folders = {path.relative_to(PACKAGE).parts[0] for path in MODULES if path.parent != PACKAGE}
    assert folders <= set(LAYERS)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_imports_only_from_those_before_it(name: str) -> None:
    allowed = [None, *LAYERS[: LAYERS.index(name) + 1]]
    wrong = [
        f"{module_name(path)} imports {imported}"
        for path in MODULES
        if layer(module_name(path)) == name
        for imported in imports(path)
        if layer(imported) not in allowed
    ]
    assert not wrong


def test_rules_import_nothing_of_ours() -> None:
    allowed = RULES_MAY_IMPORT | sys.stdlib_module_names
    wrong = [
        f"{module_name(path)} imports {imported}"
        for path in MODULES
        if layer(module_name(path)) == "rules"
        for imported in imports(path)
        if imported.split(".")[0] not in allowed and layer(imported) != "rules"
    ]
    assert not wrong


@pytest.mark.parametrize("module", ["keltis", "keltis.cli"])
def test_importing_the_package_or_the_program_loads_nothing_else(module: str) -> None:
    """So it is quick; and what comes before the program's `main`, Ctrl-C ends with a traceback."""
    program = (
        "import sys; before = set(sys.modules)\n"
        f"import {module}\n"
        f"print(*sorted(set(sys.modules) - before - {{'__future__', 'keltis', {module!r}}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_what_is_public_is_there_without_an_import_of_its_own() -> None:
    program = (
        "import keltis\n"
        "print(keltis.bots.names()[0], keltis.arena.Contest.__name__, keltis.envs.__name__)\n"
        "print(keltis.reviews.FORMAT, keltis.IllegalMove)\n"
        "print(set(keltis.__all__) <= set(dir(keltis)))\n"
        "from keltis import *\n"
        "print(new_game(seed=1).seat)\n"
        "try: keltis.nothing\n"
        "except AttributeError as fault: print(fault)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "random Contest keltis.envs",
        "keltis-review/1 <class 'keltis.IllegalMove'>",
        "True",
        "0",
        "module 'keltis' has no attribute 'nothing'",
    ]


def test_every_library_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [project["dependencies"], *project["optional-dependencies"].values()]
    declared = {name_of(requirement) for group in wanted for requirement in group}
    providers = packages_distributions()
    imported = {name.split(".")[0] for path in MODULES for name in imports(path)}
    undeclared = {
        name
        for name in imported - sys.stdlib_module_names - {"keltis"}
        if not declared & {name_of(provider) for provider in providers.get(name, [name])}
    }
    assert not undeclared


def name_of(requirement: str) -> str:
    """A distribution's name, in the one spelling of several: `Ruff>=0.9` is `ruff`."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [path for name in listed.stdout.decode().split("\0") if (path := ROOT / name).is_file()]


def test_no_file_names_a_machine_or_a_package_index() -> None:
    # Written in two halves, so that this file does not find itself.
    homes = ["/" + "work/", "/" + "root/", "/" + "home/", "/" + "Users/"]
    indexes = ["pypi" + ".org", "files.python" + "hosted", "registry.npm" + "js"]
    wrong = re.compile("|".join(map(re.escape, homes + indexes)).encode())
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in tracked_files()
        for match in wrong.finditer(path.read_bytes())
    ]
    assert not found


def test_constraints_are_plain_pins() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line


def test_every_make_target_has_a_line_of_help() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    for target in phony[1].split():
        assert re.search(rf"^{target}:.*  ## \S", makefile, re.MULTILINE), target
    targets = re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE)
    assert sorted(targets) == sorted(phony[1].split())
