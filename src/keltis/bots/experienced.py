"""A bot that looks at each decision once, by what games have taught; see `foresight`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from keltis.bots.foresight import foresight, weigh
from keltis.bots.policy import thoughts
from keltis.bots.thinking import choice, position


class ExperiencedBot:
    """Plays what the network likes most: a good chance to win, and points if there is none.

    With a temperature for a game, by its name, it slips there as the heuristic does.
    """

    def __init__(self, seed: int | None = None, temperature: Mapping[str, float] | None = None):
        self._random = Random(seed)
        self._temperature = temperature or {}

    def choose(self, view: dict[str, Any]) -> str:
        kind, states, weights = position(view)
        room = thoughts(weights)
        known = foresight(kind.name, len(view["players"]))
        count = weigh(np.repeat(states, 2), 0, room, known)
        temperature = self._temperature.get(kind.name, 0.0)
        best = choice(room[0].values[:count], temperature, self._random)
        return kind.tokens[int(room[0].actions[best])]
