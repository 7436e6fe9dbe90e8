"""A bot that judges what each decision leads to by the value network."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from keltis.bots.evaluation import weighed
from keltis.bots.position import choice
from keltis.bots.registry import Temperature


class NetworkBot:
    """Plays what the network likes most: a good chance to win, and points if there is none.

    With a temperature for a game and a number of players it slips there as the heuristic does.
    """

    def __init__(self, seed: int | None = None, temperature: Temperature | None = None):
        self._random = Random(seed)
        self.temperature: Temperature = temperature or {}

    def __repr__(self) -> str:
        return f"<NetworkBot{', slipping' if self.temperature else ''}>"

    def choose(self, view: Mapping[str, Any]) -> str:
        found = weighed(view)
        worths = np.array([one.worth for one in found])
        temperature = self.temperature.get((view["game"], len(view["players"])), 0.0)
        return found[choice(worths, temperature, self._random)].move

    def advise(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """A decision with its reason in figures: every move, the best first.

        `wins` is how often the seat is expected to win after it, `value` by how many points to
        lead at the end. They are the network's, so there are neither errors nor worlds. It does
        not slip.
        """
        found = sorted(weighed(view), key=lambda one: -one.worth)
        moves = [
            {
                "move": one.move,
                "wins": round(one.evaluation.wins, 3),
                "value": round(one.evaluation.lead, 2),
            }
            for one in found
        ]
        return {"move": found[0].move, "moves": moves}
