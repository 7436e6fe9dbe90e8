"""Games to review, quickly played."""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np

import keltis
from benchmarks.review import games_of_heuristic
from keltis import bots

TABLES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]


@functools.cache
def heuristic_record(game: str, players: int, seed: int = 1) -> keltis.Record:
    """The record of a game among heuristics; not to be changed."""
    [one] = games_of_heuristic(game, players, [seed])
    return one.record()


def of_levels(game: str, levels: list[str], seed: int) -> keltis.Game:
    """A game among levels."""
    one = keltis.new_game(game, len(levels), seed=seed)
    made = [bots.make_steady(level, seed + k) for k, level in enumerate(levels)]
    while one.seat is not None:
        one.play(made[one.seat].choose(one.view(one.seat)))
    return one


def at_random(game: str, players: int, seed: int) -> keltis.Game:
    """A game played by chance."""
    chance = random.Random(seed)
    one = keltis.new_game(game, players, seed=seed)
    while not one.is_over:
        one.play(chance.choice(one.legal_moves()))
    return one


def silly_weights(game: str, players: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Weights of a network that has learned nothing."""
    from keltis.bots.weights import network_weights

    count = len(network_weights(game, players))
    return np.random.default_rng(5).normal(0, 0.05, count).astype(np.float32)
