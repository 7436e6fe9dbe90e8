"""A bot that judges what each decision leads to by the value network."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.kernels.value_network import weigh
from keltis.bots.position import choice, position
from keltis.bots.weights import heuristic_weights, network_weights


class NetworkBot:
    """Plays what the network likes most: a good chance to win, and points if there is none.

    With a temperature for a game, by its name, it slips there as the heuristic does.
    """

    def __init__(self, seed: int | None = None, temperature: Mapping[str, float] | None = None):
        self._random = Random(seed)
        self._temperature = temperature or {}

    def choose(self, view: dict[str, Any]) -> str:
        kind, players, states = position(view)
        h = heuristic_scratch(heuristic_weights(kind.name, players))
        net = network_scratch()
        count = weigh(np.repeat(states, 2), h, net, network_weights(kind.name, players))
        best = choice(net[0].values[:count], self._temperature.get(kind.name, 0.0), self._random)
        return kind.tokens[int(net[0].actions[best])]
