"""The features: each has a place of its own, and the page that lists them is true."""

from pathlib import Path

import numpy as np
import pytest

from keltis.bots.kernels import board_features, features, stones_features
from keltis.bots.kernels.layout import CHANCE, GLOBAL, MOST_ACTIVE, OTHERS_DECIDE, SEAT_GOES_ON
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.weights import heuristic_weights
from keltis.rules import board, both
from tests.bots.kernels.positions import RULES, TABLES, decisions
from tests.parts import from_python
from tools import feature_tables
from tools.train_network import sizes


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_all_that_is_seen_has_a_place_of_its_own(game: str, players: int) -> None:
    h, net = heuristic_scratch(heuristic_weights(game, players))[0], network_scratch()[0]
    most = 0
    of_colour, of_all, _ = sizes(game, players)
    for states in decisions(game, players, 20):
        s, p = states[0], int(states["seat"][0])
        from_python(features.prepare)(s, h, net)
        for c in range(5):
            from_python(features.write_colour)(s, net, p, c, c)
        from_python(features.write_global)(s, h, net, p)
        for row in [*range(5), GLOBAL]:
            count = int(net["active_count"][row])
            most = max(most, count)
            places = net["active"][row, :count].tolist()
            if game == "board" or players < 4:  # where no two players share their places
                assert len(set(places)) == len(places)
            assert min(places) >= 0
            assert max(places) < (of_all if row == GLOBAL else of_colour)
    assert most <= MOST_ACTIVE


@pytest.mark.parametrize("game", RULES)
def test_it_is_told_what_comes_after_an_action(game: str) -> None:
    found = set()
    legal = np.zeros(RULES[game].ACTIONS, np.int64)
    for states in decisions(game, 2, 10):
        for action in legal[: RULES[game].legal_actions(states, 0, legal)].tolist():
            states[1] = states[0]
            following = from_python(features.to_afterstate)(states[1], action)
            found.add(following)
            assert (following == CHANCE) == from_python(both.reveals)(states[0], action)
            if following != CHANCE and states["phase"][1] != RULES[game].OVER:
                assert (following == SEAT_GOES_ON) == (states["seat"][1] == states["seat"][0])
    assert found == {OTHERS_DECIDE, CHANCE, SEAT_GOES_ON}


def test_it_does_not_take_from_discard_piles_for_ever() -> None:
    """B22: after a while only the draw pile is looked at."""
    net = network_scratch()[0]
    list_actions = from_python(features.list_actions)
    for states in decisions("board", 2, 3):
        if states["phase"][0] == board.DRAW and list_actions(states[0], net) > 1:
            states["takes"][0] = 60
            assert list_actions(states[0], net) == 1
            assert net["actions"][0] == board.DRAW_PILE
            states["takes"][0] = 59
            assert list_actions(states[0], net) > 1
            return
    raise AssertionError("no such position was found")


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_table_of_features_is_what_the_network_has(game: str, players: int) -> None:
    """Its groups, as often as they are there, add up to the sizes that the kernels use."""
    others, apart = players - 1, min(players, 3)
    leads = players if players > 2 else 1
    often = {
        "board": (players, others, 1, leads, 1, players, others),
        "stones": (apart, 1, leads, 1, players, 2, others, 1),
    }[game]
    layouts = {"board": board_features, "stones": stones_features}[game].LAYOUTS
    counted = {True: 0, False: 0}
    for layout, times in zip(layouts, often, strict=True):
        assert layout.size == sum(size for size, _ in layout.groups)
        counted[layout.about.startswith("Global")] += times * layout.size
    assert (counted[False], counted[True]) == sizes(game, players)[:2]


def test_the_page_of_features_is_what_the_kernels_write() -> None:
    page = Path(feature_tables.PAGE).read_text()
    assert page == feature_tables.page(), "run: python -m tools.feature_tables"
