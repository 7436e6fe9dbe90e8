"""What equals may expect: the values of a graph, so that it begins where chances are even.

The network's values are those of a seat that goes on by the network against heuristics. Among
equals that is too hopeful, the more so the more of the game is left. `benchmarks/review.py even`
measured by how much, in games among heuristics: the log-odds of a win are lowered by `shift` and
the lead by `lead`, both times the share of the pile that is left, to the power `power`. Differences
between moves are left alone: this is for what is shown, and nothing is decided by it.
"""

from __future__ import annotations

import functools
import json
import math
from importlib import resources
from typing import Any

from keltis.rules import board, stones

_LEAST = 1e-6  # of a chance, so that its odds are a number


@functools.cache
def measured() -> dict[str, dict[str, dict[str, float]]]:
    """The figures by game and number of players."""
    file = resources.files("keltis.reviews") / "even.json"
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def pile(game: str, players: int) -> int:
    """How many cards or tiles there are to draw or turn over at first."""
    if game == "stones":
        return stones.TILES
    return int(board.DECK - board.HAND * players - board.removed(players))


def corrected(game: str, players: int, drawn: int, wins: float, lead: float) -> tuple[float, float]:
    """A chance and a lead as among equals, after so many draws."""
    found = measured()[game][str(players)]
    weight = max(0.0, 1 - drawn / pile(game, players)) ** found["power"]
    chance = min(max(wins, _LEAST), 1 - _LEAST)
    odds = math.log(chance / (1 - chance)) - weight * found["shift"]
    return 1 / (1 + math.exp(-odds)), lead - weight * found["lead"]


def start(game: str, players: int) -> tuple[float, float]:
    """What a game is worth before anything is dealt, among equals."""
    return 1 / players, measured()[game][str(players)]["start"]
