"""Bots: what a seat may know goes in, a decision comes out.

A bot is made by name. Bots of other packages are found by the entry-point group `keltis.bots`:
an entry point names a callable that takes `seed`, `seconds`, `rollouts` and `threads` by keyword
and returns an object with `choose(view) -> token`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from keltis.bots.registry import (
    ENTRY_POINTS,
    LEVELS,
    Advice,
    AdvisedMove,
    Adviser,
    Bot,
    Entry,
    entries,
    make,
    make_steady,
    names,
    strengths,
)

__all__ = [
    "ENTRY_POINTS", "LEVELS", "Advice", "AdvisedMove", "Adviser", "Bot", "Entry", "entries",
    "evaluate", "make", "make_steady", "names", "strengths",
]  # fmt: skip

if TYPE_CHECKING:
    from keltis.bots.evaluation import Evaluation


def evaluate(view: Mapping[str, Any]) -> Evaluation:
    """The chance to win and the lead to expect, for the seat of a view that is to decide.

    By the value network, without a search; see `keltis.bots.evaluation`.
    """
    from keltis.bots import evaluation

    return evaluation.evaluate(view)
