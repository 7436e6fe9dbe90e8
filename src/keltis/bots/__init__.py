"""Bots: what a seat may know goes in, a decision comes out."""

from collections.abc import Callable
from typing import Any, Protocol

from keltis.bots.random import RandomBot


class Bot(Protocol):
    def choose(self, view: dict[str, Any]) -> str:
        """One of the view's legal moves; asked only when the decision is the view's own."""


_MAKERS: dict[str, Callable[[int | None], Bot]] = {"random": RandomBot}  # the weakest first


def names() -> list[str]:
    """The bots there are, the weakest first."""
    return list(_MAKERS)


def make(name: str, seed: int | None = None) -> Bot:
    """A bot for one seat of one game; the same seed makes the same decisions."""
    if name not in _MAKERS:
        raise ValueError(f'there is no bot "{name}"; there are: {", ".join(names())}')
    return _MAKERS[name](seed)
