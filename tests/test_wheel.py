"""The wheel in an empty environment, outside of the source tree, without numba."""

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

from benchmarks.starts import GAMES, Place, Server, serving
from keltis.cli.words import catalogue
from keltis.rules import library
from tests.test_layers import ROOT, name_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    order = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel"]
    order += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(order, check=True, cwd=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return message_from_string(archive.read(name).decode())


@pytest.fixture(scope="module")
def installed(wheel: Path, metadata: Message, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with the wheel and what it asks for with the server, and nothing else.

    The packages are those of the tests, by links: nothing is downloaded.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    python = folder / "bin" / "python"
    order = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    order += ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(order, check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    waiting = wanted(metadata.get_all("Requires-Dist", []), {"server"})
    done: set[str] = set()
    while waiting:
        name, extras = waiting.pop()
        if name in done:
            continue
        done.add(name)
        found = distribution(name)
        for top in {Path(file).parts[0] for file in found.files or []} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(found.locate_file(top))))
        waiting += wanted(found.requires or [], extras)
    return Place(python)


def wanted(requirements: list[str], extras: set[str]) -> list[tuple[str, set[str]]]:
    """The packages that some requirements ask for here, with the extras of each."""
    found = []
    for text in requirements:
        each = Requirement(text)
        if each.marker is None or any(
            each.marker.evaluate({"extra": extra}) for extra in extras | {""}
        ):
            found.append((name_of(each.name), set(each.extras)))
    return found


def run(place: Place, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(place.python.with_name("keltis")), *arguments],
        cwd=folder,
        env={**place.variables, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_pip_installs_to_build_with_is_found(tmp_path: Path) -> None:
    """pip keeps it apart from the environment that it installs to, and names it in PYTHONPATH."""
    venv.create(tmp_path / "env")
    program = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from hatch_build import KernelsHook\n"
        "hook = KernelsHook(sys.argv[1], {}, None, None, sys.argv[1], 'wheel')\n"
        "print(hook._built(sys.argv[2]))\n"
    )
    done = subprocess.run(
        [str(tmp_path / "env" / "bin" / "python"), "-c", program, str(ROOT), library.PATH.name],
        env={**os.environ, "PYTHONPATH": str(Path(np.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{library.PATH}\n", "")


def test_it_has_the_kernels_and_does_not_ask_for_numba(wheel: Path, metadata: Message) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert f"keltis/{library.PATH.name}" in names
    assert all(name.split("/")[0].startswith("keltis") for name in names)
    assert wheel.stem.endswith(f"-py3-none-linux_{library.PLATFORM[1]}")
    plain = {name for name, _ in wanted(metadata.get_all("Requires-Dist", []), set())}
    assert not plain & {"numba", "llvmlite"}
    assert "numpy" in plain


def test_the_library_serves_where_there_is_no_numba(installed: Place, tmp_path: Path) -> None:
    program = (
        "import importlib.util, keltis.rules.kernel as k;"
        "print(k.LIBRARY is not None, importlib.util.find_spec('numba'), k.__file__)"
    )
    done = subprocess.run(
        installed.command("-c", program),
        cwd=tmp_path,
        env=installed.variables,
        capture_output=True,
        text=True,
        check=True,
    )
    used, numba, file = done.stdout.split()
    assert (used, numba, done.stderr) == ("True", "None", "")
    assert Path(file).is_relative_to(installed.python.parents[1])


def test_alone_it_says_what_there_is(installed: Place, tmp_path: Path) -> None:
    done = run(installed, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 5
    assert str(catalogue("en")["overview.serve"]) in done.stdout


@pytest.mark.parametrize(
    "command", ["arena raven fox --games 2", "simulate --games 20", "rules board", "bots"]
)
def test_the_terminal_works(installed: Place, tmp_path: Path, command: str) -> None:
    done = run(installed, tmp_path, *command.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def server(installed: Place) -> Iterator[Server]:
    with serving(installed) as started:
        yield started


@pytest.mark.parametrize("level", ["fox", "bard", "druid"])
@pytest.mark.parametrize("game", GAMES)
def test_bots_play_and_nothing_is_compiled(server: Server, game: str, level: str) -> None:
    """Seconds of the processor: how long it takes depends on what else the machine does."""
    assert server.first_move(game, level).processor < 4.0


@pytest.mark.skipif("INSTALL_WHEEL" not in os.environ, reason="downloads all packages: .ci/run")
def test_pip_installs_it(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    order = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    order += ["-c", str(ROOT / "constraints.txt"), f"keltis[server] @ {wheel.as_uri()}"]
    subprocess.run(order, check=True)
    with serving(Place(python)) as started:
        assert started.first_move("board", "druid").wall > 0
