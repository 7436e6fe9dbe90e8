"""Compiled kernels are kept until a source changes that they are made of."""

from pathlib import Path

import pytest

from keltis.rules import jit, library

SOURCES = (
    "rules/board.py",
    "bots/registry.py",
    "bots/kernels/heuristic.py",
    "envs/vector.py",
    "envs/kernels/vector.py",
    "game/kernels/either.py",
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "keltis"
    for name in SOURCES:
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("before = 1\n")
    monkeypatch.setattr(library, "PACKAGE", package)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return package


def folders():
    """Where each layer's kernels are kept."""
    return {layer: jit._cache_folder.__wrapped__(layer) for layer in library.LAYERS}


@pytest.mark.parametrize(
    ("edited", "compiled_anew"),
    [
        ("rules/board.py", ["rules", "game/kernels", "bots/kernels", "envs/kernels"]),
        ("game/kernels/either.py", ["game/kernels", "bots/kernels", "envs/kernels"]),
        ("bots/kernels/heuristic.py", ["bots/kernels", "envs/kernels"]),
        ("envs/kernels/vector.py", ["envs/kernels"]),
        ("bots/registry.py", []),
        ("envs/vector.py", []),
    ],
)
def test_an_edit_throws_away_only_what_is_made_of_it(package, edited, compiled_anew):
    before = folders()
    (package / edited).write_text("after = 2\n")
    after = folders()
    assert [layer for layer in after if after[layer] != before[layer]] == compiled_anew
