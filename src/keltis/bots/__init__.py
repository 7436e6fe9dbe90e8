"""Bots: what a seat may know goes in, a decision comes out.

A bot is made by name. Bots of other packages are found by the entry-point group `keltis.bots`:
an entry point names a callable that takes `seed`, `seconds`, `rollouts` and `threads` by keyword
and returns an object with `choose(view) -> token`.
"""

from keltis.bots.registry import (
    ENTRY_POINTS,
    LEVELS,
    Bot,
    Entry,
    entries,
    make,
    names,
    strengths,
)

__all__ = ["ENTRY_POINTS", "LEVELS", "Bot", "Entry", "entries", "make", "names", "strengths"]
