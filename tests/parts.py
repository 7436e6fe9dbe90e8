"""Parts of kernels as functions for Python, which cannot call them: numba compiles them here."""

from collections.abc import Callable
from typing import Any


def from_python(part: Any) -> Callable[..., Any]:
    """A part of kernels, or what chooses one by the game, as a function for tests."""

    def call(*arguments: Any) -> Any:
        chosen = part.of_game(arguments[0]) if hasattr(part, "of_game") else part
        return getattr(chosen, "compiled", chosen)(*arguments)

    return call
