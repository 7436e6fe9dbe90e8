"""Packages with bots, written to a folder as pip would leave them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keltis.bots import registry


def write(folder: Path, name: str, code: str, version: str = "1.0") -> Path:
    """A package with the bot `name`, which is the class `Bot` of its only module."""
    module = folder / f"{name}_bot.py"
    module.write_text(code, "utf-8")
    for old in folder.glob(f"{name}_bot-*.dist-info"):
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
    facts = folder / f"{name}_bot-{version}.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}-bot\nVersion: {version}\n"
    )
    (facts / "entry_points.txt").write_text(f"[keltis.bots]\n{name} = {name}_bot:Bot\n")
    return module


@contextlib.contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the packages of a folder had just been installed for this process."""

    def forget() -> None:
        registry._entries.cache_clear()
        registry.plugins.cache_clear()
        for found in folder.glob("*_bot*"):
            sys.modules.pop(found.stem, None)

    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setattr(sys, "dont_write_bytecode", True)
        forget()
        try:
            yield
        finally:
            forget()
