"""What positions are worth: nothing hidden is seen, and all members of an ensemble are heard."""

from typing import Any

import numpy as np
import pytest

from keltis.bots.kernels.heuristic import values_of
from keltis.bots.kernels.scratch import MOST_MEMBERS, heuristic_scratch, network_scratch
from keltis.bots.kernels.value_network import favourite, follow, glance, judge, size, weigh
from keltis.bots.weights import heuristic_weights, network_weights
from tests.bots.kernels.positions import (
    RULES,
    TABLES,
    assert_judged_as_by_the_plain_network,
    decisions,
)
from tests.parts import from_python
from tools.train_network import against_heuristic, sizes


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_there_is_a_network_for_each_table(game: str, players: int) -> None:
    weights = network_weights(game, players)
    members, left = divmod(len(weights), size(*sizes(game, players)))
    assert left == 0
    assert 1 <= members <= MOST_MEMBERS
    assert weights.dtype == np.float32
    assert np.isfinite(weights).all()
    assert np.count_nonzero(weights) > weights.size / 2


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_an_action_leads_to_is_judged_as_by_the_plain_network(game: str, players: int) -> None:
    weights = network_weights(game, players)
    ended = 0
    for number, states in enumerate(decisions(game, players, 10)):
        if number % 5 == 0:
            ended += assert_judged_as_by_the_plain_network(game, players, weights, states)
    assert ended > 0


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_is_hidden_makes_no_difference(game: str, players: int) -> None:
    h, net = heuristic_scratch(heuristic_weights(game, players))[0], network_scratch()[0]
    weights = network_weights(game, players)
    for number, states in enumerate(decisions(game, players, 10)):
        if number % 3:
            continue
        count = from_python(judge)(states, 0, h, net, weights)
        values = net["values"][:count].copy()
        before = states.copy()
        RULES[game].resample(states, 0, int(states["seat"][0]))
        assert from_python(judge)(states, 0, h, net, weights) == count
        assert (net["values"][:count] == values).all()
        states[:] = before


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_wins_against_the_heuristic_alone(game: str, players: int) -> None:
    """From every seat of the same deals: more than a fair share, beyond luck."""
    found = against_heuristic(game, players, network_weights(game, players), 1_000, seed=77)
    assert found["wins"] > 1 / players + found["error"]


@pytest.mark.parametrize("game", RULES)
def test_points_count_a_little_besides_the_chance_to_win(game: str) -> None:
    h, net, weights = memory(game)
    otherwise = 0
    for states in decisions(game, 2, 3):
        count = from_python(judge)(states, 0, h[0], net[0], weights)
        chances, leads = net["values"][0, :count].copy(), net["leads"][0, :count].copy()
        assert weigh(states, h, net, weights) == count
        assert net["values"][0, :count] == pytest.approx(chances + leads / 200)
        assert (net["leads"][0, :count] == leads).all()
        chosen = net["actions"][0, np.argmax(chances + leads / 200)]
        assert from_python(follow)(states, 0, h[0], net[0], weights) == chosen
        otherwise += chosen != net["actions"][0, np.argmax(chances)]
    assert otherwise


def memory(game: str) -> tuple[Any, Any, Any]:
    """Scratch memory and the network of a game for two."""
    h = heuristic_scratch(heuristic_weights(game, 2))
    return h, network_scratch(), network_weights(game, 2)


def by_action(scratch: np.ndarray[Any, Any], count: int) -> dict[int, float]:
    values: list[float] = scratch["values"][0, :count].tolist()
    return dict(zip(scratch["actions"][0, :count].tolist(), values, strict=True))


@pytest.mark.parametrize("game", RULES)
def test_a_glance_is_at_what_the_heuristic_likes_best(game: str) -> None:
    """One member judges these actions as it does by itself."""
    h, net, weights = memory(game)
    weights = weights[: size(*sizes(game, 2))]
    ensemble = np.concatenate([weights * np.float32(0.9), weights])
    fewer = 0
    for states in decisions(game, 2, 3):
        liked = by_action(h, values_of(states, h))
        count = from_python(judge)(states, 0, h[0], net[0], weights)
        alone = by_action(net, count)
        kept = from_python(glance)(states, 0, h[0], net[0], 2, 1, ensemble)
        assert kept == min(2, len(liked))
        seen = by_action(net, kept)
        assert sorted(liked[action] for action in seen) == sorted(liked.values())[-kept:]
        assert seen == {action: alone[action] for action in seen}
        worth = net["values"][0, :kept] + net["leads"][0, :kept] / 200
        assert from_python(favourite)(net[0], kept) == np.argmax(worth)
        fewer += kept < count
    assert fewer
