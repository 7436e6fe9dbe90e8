"""`keltis cache`: where compiled kernels come from, and where numba's are kept."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from keltis.cli.failure import Failure, plain, unwritable
from keltis.rules import library


def cache(*, clear: bool) -> None:
    folder = library.cache()
    found = _ours(folder)
    if clear:
        size = sum(map(_size, found))
        for each in found:
            try:
                shutil.rmtree(each)
            except OSError as fault:
                raise Failure(unwritable(each, fault)) from None
        print(plain(f"{size:,} bytes in {len(found)} folders deleted from {folder}"))
        return
    print(_kernels())
    if not found:
        print(plain(f"The cache, {folder}, is empty."))
        return
    current = {library.cache_name(layer) for layer in library.LAYERS}
    old = [each for each in found if each.name not in current]
    print(plain(f"The cache, {folder}, has {sum(map(_size, found)):,} bytes"), end="")
    print(f", {sum(map(_size, old)):,} of them of other versions." if old else ".")


def _kernels() -> str:
    """Where this program's kernels come from."""
    from keltis.rules import kernel

    if kernel.PLAIN:
        return "Kernels are not compiled: NUMBA_DISABLE_JIT is set."
    if kernel.LIBRARY is not None:
        return "Kernels come compiled with the package; the cache is not needed."
    return "Kernels are compiled as they are needed, and kept in the cache."


def _ours(folder: Path) -> list[Path]:
    """The folders in the cache that are Keltis'; NUMBA_CACHE_DIR may hold those of others too."""
    layers = "|".join(layer.replace("/", "-") for layer in library.LAYERS)
    name = re.compile(rf"({layers})-[0-9a-f]{{16}}")
    try:
        return sorted(each for each in folder.iterdir() if name.fullmatch(each.name))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
