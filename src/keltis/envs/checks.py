"""What all environments check of their settings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from keltis.game.checks import check_number, check_whole
from keltis.game.errors import quoted
from keltis.game.setups import check_count
from keltis.rules.shrunken import BoardShape, StonesShape

if TYPE_CHECKING:
    from collections.abc import Sequence

REWARDS = {"win": (1.0, 0.0), "margin": (0.0, 1.0), "both": (1.0, 1.0)}
_SHAPES: dict[str, type] = {"board": BoardShape, "stones": StonesShape}


def at_least(value: object, least: int, what: str) -> int:
    """A whole number that is not too small."""
    number = check_whole(value, what)
    if number < least:
        raise ValueError(f"{what}: expected at least {least}, not {number}")
    return number


def number(value: object, what: str) -> float:
    """Any number but those that are none."""
    result = check_number(value, what)
    if not math.isfinite(result):
        raise ValueError(f"{what}: expected a number, not {result}")
    return result


def player_count(value: object) -> int:
    """How many play."""
    return check_count(check_whole(value, "players"), "players")


def one_seat(value: object, players: int) -> int:
    """A seat of this many."""
    seat = check_whole(value, "seat")
    if not 0 <= seat < players:
        raise ValueError(f"seat: {seat} is not one of {players} seats")
    return seat


def reward_weights(reward: str, margin_weight: float) -> tuple[float, float]:
    """What winning counts, and what a point of margin."""
    if reward not in REWARDS:
        raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, not {quoted(reward)}")
    win, margin = REWARDS[reward]
    weight = number(margin_weight, "margin_weight")
    return win, margin * (weight if reward == "both" else 1)


def shape_of(game: str, shape: Any) -> Any:
    """A shape that belongs to the game, or None."""
    if shape is not None and not isinstance(shape, _SHAPES[game]):
        raise TypeError(f"shape: expected a {_SHAPES[game].__name__}, not {quoted(shape)}")
    return shape


def render_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """One of the modes in which an environment can be shown, or None."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode: expected one of {', '.join(modes)}, not {quoted(mode)}")
    return mode
