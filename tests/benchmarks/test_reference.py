"""The C programs play the same games as the kernels: an unequal race would measure nothing."""

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import reference
from benchmarks.playouts import PLAYERS, PLAYOUTS
from keltis.rules import board

GAMES = 20_000
# Both sides are seeded, so the test cannot fail by chance; if either changes its random numbers,
# a difference this large comes once in a million comparisons.
MOST_STANDARD_ERRORS = 5.0


def standard_errors_apart(
    a: tuple[float, float], b: tuple[float, float], games: int = GAMES
) -> float:
    """How far apart two means are, each given with its variance."""
    return abs(a[0] - b[0]) / sqrt((a[1] + b[1]) / games + 1e-12)


def from_sums(total: int, squared: int) -> tuple[float, float]:
    mean = total / GAMES
    return mean, squared / GAMES - mean * mean


def from_values(values: Any) -> tuple[float, float]:
    return float(np.mean(values)), float(np.var(values))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.mark.skipif(
    reference.why_unavailable() is not None, reason=str(reference.why_unavailable())
)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("game", list(PLAYOUTS))
def test_c_and_kernels_agree(game: str, players: int, folder: Path) -> None:
    program = folder / game
    if not program.exists():
        reference.compile_program(game, folder)
    (c,) = reference.run(program, players, GAMES, seed=1)
    kernel = PLAYOUTS[game](players, GAMES, 1)

    pairs = {
        "decisions": (
            from_sums(c.decisions, c.decisions_squared),
            from_values(kernel["decisions"]),
        ),
        "ended by the goal": (
            from_sums(c.by_goal, c.by_goal),
            from_values(kernel["reason"] == board.BY_GOAL) if game == "board" else (0.0, 0.0),
        ),
    }
    for seat in range(players):
        pairs[f"score of seat {seat}"] = (
            from_sums(c.scores[seat], c.scores_squared[seat]),
            from_values(kernel["scores"][:, seat]),
        )
    apart = {what: standard_errors_apart(*pair) for what, pair in pairs.items()}
    assert max(apart.values()) < MOST_STANDARD_ERRORS, apart
