"""`keltis cache`: where compiled kernels are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from keltis.rules import library
from tests.cli.running import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def fill(folder: Path, name: str, size: int) -> Path:
    made = folder / name
    made.mkdir()
    (made / "kernels.nbc").write_bytes(b"x" * size)
    return made


def test_an_empty_cache_says_so(folder: Path) -> None:
    done = run("cache")
    assert (done.code, done.err) == (0, "")
    assert f"The cache, {folder}, is empty." in done.out
    (folder / "file").write_text("")
    os.environ["NUMBA_CACHE_DIR"] = str(folder / "file")
    assert "is empty" in run("cache").out


def test_its_size_is_told_and_what_is_of_other_versions(folder: Path) -> None:
    fill(folder, library.cache_name("rules"), 1000)
    fill(folder, "bots-kernels-" + 16 * "0", 234)
    assert (
        f"The cache, {folder}, has 1,234 bytes, 234 of them of other versions." in run("cache").out
    )


def test_clearing_leaves_what_others_keep_there(folder: Path) -> None:
    ours = fill(folder, library.cache_name("envs/kernels"), 10)
    others = fill(folder, "somebody-else", 10)
    done = run("cache", "--clear")
    assert (done.code, done.out) == (0, f"10 bytes in 1 folders deleted from {folder}\n")
    assert not ours.exists()
    assert others.exists()


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    """Both games, several layers: one line in all."""
    where = tmp_path / "file"
    where.write_text("in the way")
    program = (
        "from keltis.rules import jit, library\n"
        "print([jit._cache_folder(layer) for layer in library.LAYERS])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(where), "KELTIS_KERNELS": ""},
    )
    assert done.stdout == "[None, None, None, None]\n"
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"keltis: compiled kernels cannot be kept in {where}, ")
