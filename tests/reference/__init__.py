"""A slow, literal reading of the rules, kept apart from the package and used only by the tests.

Nothing here imports keltis: hands, rows and piles are lists of card strings, a decision is a
token, and every clause is written out where it applies. What the package computes with bit masks
is compared with this at every decision of many games.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.reference.board import BoardReference, deal_board
from tests.reference.stones import StonesReference, deal_stones

Reference = BoardReference | StonesReference


def reference_for(record: Mapping[str, Any]) -> Reference:
    """The reference at the end of a record's moves, the record's result left aside."""
    kind = BoardReference if record["game"] == "board" else StonesReference
    game = kind(record["setup"], record["options"], record["players"])
    for token in record["moves"]:
        game.play(token)
    return game


def deal(game: str, rng: Random, players: int, shape: str = "even") -> dict[str, Any]:
    """A random `setup` of either game; the shapes are those of `deal_board`."""
    return deal_board(rng, players, shape) if game == "board" else deal_stones(rng, shape)


__all__ = [
    "BoardReference",
    "Reference",
    "StonesReference",
    "deal",
    "deal_board",
    "deal_stones",
    "reference_for",
]
