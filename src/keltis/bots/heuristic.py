"""A bot that looks at each decision once: no search, a fraction of a millisecond."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from keltis.bots.kernels.heuristic import values_of
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.position import choice, position
from keltis.bots.registry import Temperature
from keltis.bots.weights import heuristic_weights


class HeuristicBot:
    """Plays what its rules of thumb like most.

    With a temperature for a game and a number of players it slips there, see `choice`. `sight` from
    0 to 1 is how much it sees beyond its own hand and rows: what is still to come, and what others
    may do.
    """

    def __init__(
        self,
        seed: int | None = None,
        temperature: Temperature | None = None,
        sight: float = 1.0,
    ) -> None:
        self._random = Random(seed)
        self.temperature: Temperature = temperature or {}
        self.sight = sight

    def __repr__(self) -> str:
        return f"<HeuristicBot{', slipping' if self.temperature else ''}, sight {self.sight:g}>"

    def choose(self, view: Mapping[str, Any]) -> str:
        kind, players, states = position(view)
        scratch = heuristic_scratch(heuristic_weights(kind.name, players, self.sight))
        count = values_of(states, scratch)
        temperature = self.temperature.get((kind.name, players), 0.0)
        best = choice(scratch[0].values[:count], temperature, self._random)
        return kind.tokens[int(scratch[0].actions[best])]
