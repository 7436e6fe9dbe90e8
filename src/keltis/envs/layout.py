"""What stands where in the tensors: `keltis.game.layout`, under the name the environments use."""

from keltis.game.layout import (
    CARDS,
    COLOURS,
    NUMBERS,
    VERSION,
    Layout,
    Part,
    actions,
    information,
    observation,
)

__all__ = [
    "CARDS",
    "COLOURS",
    "NUMBERS",
    "VERSION",
    "Layout",
    "Part",
    "actions",
    "information",
    "observation",
]
