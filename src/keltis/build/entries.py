"""What there is to compile: the entries that the kernels declare."""

import importlib
from dataclasses import dataclass
from typing import Any

from keltis.rules import library
from keltis.rules.library import Array, Entry


def _modules() -> list[str]:
    """All modules that have kernels."""
    names = []
    for file in library.sources():
        parts = file.relative_to(library.PACKAGE.parent).with_suffix("").parts
        if parts[-1] not in ("__init__", "jit", "library"):
            names.append(".".join(parts))
    return names


def entries() -> list[Entry]:
    """All entries of all kernels."""
    for name in _modules():
        importlib.import_module(name)
    from keltis.rules import kernel

    return [entry for entry in kernel.ENTRIES if library.layer_of(entry.function.__module__)]


@dataclass(frozen=True)
class Variant:
    """An entry for one game, or for both if it has to do with neither."""

    entry: Entry
    place: int  # of the game's record among the types that the entry may take

    @property
    def symbol(self) -> str:
        return f"{self.entry.symbol}.{self.place}"

    def type_of(self, array: Array) -> Any:
        return array.types[self.place if len(array.types) > 1 else 0]

    @property
    def part(self) -> int:
        """Which of the library's modules it is in: one for each game."""
        from keltis.rules.dispatch import STATES

        used = [self.type_of(p) for p in self.entry.parameters.values() if isinstance(p, Array)]
        return next((k for k, state in enumerate(STATES) if state in used), len(STATES) - 1)


def variants(entry: Entry) -> list[Variant]:
    arrays = [p for p in entry.parameters.values() if isinstance(p, Array)]
    return [Variant(entry, k) for k in range(max([1, *(len(array.types) for array in arrays)]))]
