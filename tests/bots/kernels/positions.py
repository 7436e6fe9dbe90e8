"""Positions for the tests of the network, and a network in a few lines to compare with."""

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from keltis.bots.kernels.layout import GLOBAL
from keltis.bots.kernels.scratch import (
    COLOUR_UNITS,
    HIDDEN_UNITS,
    heuristic_scratch,
    network_scratch,
)
from keltis.bots.kernels.value_network import POINTS, judge, size, won
from keltis.bots.weights import heuristic_weights
from keltis.rules import board, both, stones
from tests.parts import from_python
from tools.train_network import NO_HEAD, SAMPLE, sizes, write_sample

Numbers = NDArray[Any]
RULES: dict[str, Any] = {"board": board, "stones": stones}
TABLES = [(game, players) for game in RULES for players in (2, 3, 4)]


def deal(game: str, states: np.ndarray[Any, Any], players: int, seed: int) -> None:
    RULES[game].deal(states, 0, players, seed, *([0] if game == "board" else []))


def decisions(game: str, players: int, games: int) -> Iterator[np.ndarray[Any, Any]]:
    """All decisions of some random games, in the first place of an array with room for another."""
    states = np.zeros(2, RULES[game].STATE)
    out = np.zeros(RULES[game].ACTIONS, np.int64)
    chance = Random(players)
    for seed in range(games):
        deal(game, states, players, seed)
        while count := RULES[game].legal_actions(states, 0, out):
            yield states
            RULES[game].play(states, 0, int(out[chance.randrange(count)]))


def plain(game: str, players: int, weights: Numbers, sample: Any, head: int) -> tuple[float, float]:
    """The mean of an ensemble in a few lines: the chance to win, and the lead."""
    of_colour, of_all, heads = sizes(game, players)
    shapes = [
        (of_colour, COLOUR_UNITS),
        (COLOUR_UNITS, HIDDEN_UNITS),
        (of_all, HIDDEN_UNITS),
        (heads, 2, HIDDEN_UNITS),
    ]
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    active, counts = sample["active"], sample["active_count"]
    outputs = []
    for member in weights.reshape(-1, size(of_colour, of_all, heads)):
        parts: list[Numbers] = np.split(member, ends)
        first, joint, global_part, last = (
            part.reshape(shape) for part, shape in zip(parts, shapes, strict=False)
        )
        hidden = global_part[active[GLOBAL, : counts[GLOBAL]]].sum(0)
        for c in range(5):
            hidden = hidden + np.maximum(first[active[c, : counts[c]]].sum(0), 0) @ joint
        outputs.append(last[head] @ np.maximum(hidden, 0) + parts[4].reshape(heads, 2)[head])
    logit, lead = np.mean(outputs, axis=0)
    return 1 / (1 + math.exp(-logit)), POINTS * lead


def assert_judged_as_by_the_plain_network(
    game: str, players: int, weights: Numbers, states: np.ndarray[Any, Any]
) -> int:
    """All actions of a decision; return how many end the game.

    What falls short by 0.05 is judged by the first member alone, and shifted as its favourite is.
    """
    h, net = heuristic_scratch(heuristic_weights(game, players))[0], network_scratch()[0]
    sample = np.zeros(1, SAMPLE)[0]
    count = from_python(judge)(states, 0, h, net, weights)
    judged = np.stack([net["values"][:count], net["leads"][:count]], axis=1)
    first, together = np.zeros((2, count, 2))
    ended = np.zeros(count, bool)
    for k, action in enumerate(net["actions"][:count].tolist()):
        write_sample(states, h, net, action, sample)
        if sample["head"] == NO_HEAD:
            ended[k] = True
            lead = from_python(both.lead)(states[1], int(states["seat"][0]))
            first[k] = together[k] = from_python(won)(lead), lead
        else:
            member = weights[: size(*sizes(game, players))]
            first[k] = plain(game, players, member, sample, sample["head"])
            together[k] = plain(game, players, weights, sample, sample["head"])
    worth = first @ [1, 0.005]
    best = int(worth.argmax())
    shifted = first + together[best] - first[best]
    for k in range(count):
        off = worth[best] - worth[k]
        fits = [together[k]] if off < 0.051 or ended[k] else []
        fits += [shifted[k]] if off > 0.049 and not ended[k] else []
        assert any(judged[k] == pytest.approx(fit, abs=1e-2) for fit in fits), (judged[k], fits)
    return int(ended.sum())
