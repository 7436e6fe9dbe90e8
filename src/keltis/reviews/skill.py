"""The skill number: points of lead lost per real decision, as the value network judges.

It is compared with what the levels lose, which `benchmarks/review.py` measured. Forced decisions
and those in which no move costs much are left out.
"""

from __future__ import annotations

import functools
import json
import math
from importlib import resources
from typing import Any

from keltis.bots import LEVELS

SCALE = LEVELS[:4]
"""The levels that a number is compared with: the last of them stands for itself and all above.

The judge is the network that Bard plays by, so it finds nothing lost by Bard where Bard never
slips, and it cannot tell where Druid, who looks ahead, knows better.
"""
REAL = 0.5  # points of lead: what the worst move of a real decision costs at least
_Z = 1.96  # an interval of 95 %


@functools.cache
def calibration() -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """What each level loses, by game, number of players and level."""
    file = resources.files("keltis.reviews") / "calibration.json"
    measured: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return measured


def losses(decisions: list[dict[str, Any]], seat: int) -> list[float]:
    """The points lost in each of a seat's real decisions."""
    return [
        one["loss"]["lead"]
        for one in decisions
        if one["seat"] == seat and one["lead"] - min(m["lead"] for m in one["moves"]) >= REAL
    ]


def of_seat(
    game: str, players: int, decisions: list[dict[str, Any]], seat: int
) -> dict[str, Any] | None:
    """A seat's skill number, and which levels lose as much; None with fewer than two decisions."""
    lost = losses(decisions, seat)
    if len(lost) < 2:
        return None
    mean = sum(lost) / len(lost)
    variance = sum((value - mean) ** 2 for value in lost) / (len(lost) - 1)
    error = math.sqrt(variance / len(lost))
    return {
        "lost": round(mean, 2),
        "decisions": len(lost),
        "error": round(error, 2),
        "like": like(game, players, mean),
        "low": like(game, players, mean + _Z * error),
        "high": like(game, players, mean - _Z * error),
    }


def like(game: str, players: int, lost: float) -> str | None:
    """The level that loses most nearly as much; None where nothing has been measured."""
    measured = calibration().get(game, {}).get(str(players), {})
    levels = [level for level in SCALE if level in measured]
    return min(levels, key=lambda level: abs(measured[level]["lost"] - lost), default=None)
