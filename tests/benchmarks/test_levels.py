"""Levels in compiled code play as they do through views."""

import itertools

import numpy as np
import pytest

from benchmarks import levels
from keltis import bots
from keltis.arena import arena


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 3), ("stones", 4)])
def test_who_never_slips_plays_the_same_games(game: str, players: int) -> None:
    names = ["bard", "raven"]
    through_views = arena(names, game=game, players=players, games=4, seed=3, workers=1)
    compiled = levels.contest(names, game, players, 4, 3)
    for one, other in zip(through_views.outcomes, compiled.outcomes, strict=True):
        assert (one.deal, one.order, one.scores) == (other.deal, other.order, other.scores)
        assert one.winners == other.winners
        assert 0 <= sum(one.decisions) - sum(other.decisions) < players
    assert compiled.lines[0].wins.value == through_views.lines[0].wins.value


@pytest.mark.parametrize("game", ["board", "stones"])
def test_levels_slip_as_much(game: str) -> None:
    """The mean scores of both agree as far as chance allows."""
    names = ["fox", "fawn"]
    through_views = arena(names, game=game, games=80, seed=4, workers=1)
    compiled = levels.contest(names, game, 2, 4_000, 4)
    for one, other in zip(through_views.lines, compiled.lines, strict=True):
        error = np.hypot(one.score.error, other.score.error)
        assert abs(one.score.value - other.score.value) < 4 * error


@pytest.mark.parametrize("game", ["board", "stones"])
def test_levels_are_evenly_spaced(game: str) -> None:
    """Two in three to four in five against the level below, of those that don't search."""
    quick = bots.LEVELS[:-1]
    for below, level in itertools.pairwise(quick):
        wins = levels.contest([level, below], game, 2, 4_000, 5).lines[0].wins
        assert 0.65 - 0.02 < wins.value < 0.80


def test_a_level_that_searches_is_refused() -> None:
    with pytest.raises(TypeError, match="does not play in compiled code"):
        levels.contest(["druid", "fawn"], "stones", 2, 2, 1)
