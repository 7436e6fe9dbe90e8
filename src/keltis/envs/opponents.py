"""The bots that play inside the compiled code."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis import bots
from keltis.bots.heuristic import HeuristicBot
from keltis.bots.registry import Temperature
from keltis.bots.weights import heuristic_weights
from keltis.envs.kernels.vector import EXTERNAL, HEURISTIC, RANDOM
from keltis.game.errors import quoted


class Opponent(NamedTuple):
    """A bot as the kernels know it."""

    number: int
    temperature: float = 0.0
    weights: NDArray[np.float64] = np.zeros(0)


def names() -> list[str]:
    """Those that there are: chance, the heuristic, and the levels that are settings of it."""
    return ["random", *_heuristics()]


def opponent(
    game: str,
    players: int,
    name: str | None,
    temperature: float | None,
    sight: float | None,
    *,
    shrunken: bool,
) -> Opponent:
    """The bot of a name, or the heuristic with other settings than that name has."""
    if name == "random" or name is None:
        if temperature is not None or sight is not None:
            raise ValueError("temperature and sight are for the heuristic alone")
        return Opponent(EXTERNAL if name is None else RANDOM)
    known = _heuristics()
    if not isinstance(name, str) or name not in known:
        raise ValueError(
            f"opponents: expected None or one of {', '.join(names())}, "
            f"which play in compiled code, not {quoted(name)}"
        )
    if shrunken:
        raise ValueError('opponents: a shrunken game is played by "random" alone')
    usual, far = known[name]
    temperature = usual.get((game, players), 0.0) if temperature is None else temperature
    sight = far if sight is None else sight
    if not temperature >= 0 or not 0 <= sight <= 1:
        raise ValueError(f"temperature is 0 or more, sight 0 to 1, not {temperature} and {sight}")
    return Opponent(HEURISTIC, temperature, heuristic_weights(game, players, sight))


@functools.cache
def _heuristics() -> dict[str, tuple[Temperature, float]]:
    """Temperature and sight of the bots that are the heuristic."""
    made = {name: bots.make(name) for name in ("heuristic", *bots.LEVELS)}
    return {
        name: (bot.temperature, bot.sight)
        for name, bot in made.items()
        if isinstance(bot, HeuristicBot)
    }
