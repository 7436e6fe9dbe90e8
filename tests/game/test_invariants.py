"""Thousands of random games through the compiled rules: nothing is lost, nothing appears.

Many games are played side by side, one decision each, and then all are checked at once with
numpy, by formulas of the tests' own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.rules import board, stones
from tests.reference.board import DARK_STONES, END_STONE
from tests.reference.stones import BONUS_POINTS, CLOVERS, TILES, WISHING_STONES

States = np.ndarray[Any, Any]
CARD = np.arange(55)
STONE_VALUE = np.array([0, -4, -3, -2, 1, 2, 3, 6, 7, 10])
WISHING_VALUE = np.array([-4, -3, 2, 3, 6, 10])
ROW_VALUE = np.array([0, -4, -3, 2, 3, 6, 10])
CLOVER, WISHING_STONE = 4, 5
GAMES = 500  # side by side


def bits(masks: States) -> States:
    """Bit masks of cards as ones and zeros along a new last axis of 55 cards."""
    return masks[..., None] >> CARD & 1


def play_side_by_side(
    rules: Any, states: States, over: int, rng: Random, keen: bool
) -> Iterator[States]:
    """Plays one decision in each running game, and yields which games were running, until all end.

    Keen players lay or take what is lowest, and step: two colours first; others do anything.
    """
    out = np.zeros(rules.ACTIONS, np.int64)
    for _ in range(keltis.DECISION_CAP):
        running = states["phase"] != over
        if not running.any():
            return
        for i in np.flatnonzero(running):
            count = rules.legal_actions(states, i, out)
            assert count > 0
            actions = out[:count].tolist()
            lays = [a for a in actions if a < 55] if keen else []
            if lays and rng.random() < 0.9:
                seat = int(states["seat"][i])
                _, _, action = min(((a // 11 - seat) % 5 > 1, a % 11, a) for a in lays)
            else:
                steps = [a for a in actions if 110 <= a < 120] if keen else []
                choice = steps or actions
                action = choice[int(rng.random() * len(choice))]
            rules.play(states, i, action)
        yield running
    pytest.fail("a game hit the cap")


def scores_of(rules: Any, states: States) -> States:
    out = np.zeros(4, np.int64)
    scores = []
    for i in range(len(states)):
        rules.scores(states, i, out)
        scores.append(out.copy())
    return np.array(scores)


@pytest.mark.parametrize("keen", [False, True])
@pytest.mark.parametrize("options", [0, board.END_STONE_MAY, board.CLOVER_MUST | board.OWN_DISCARD])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_board_games(players: int, options: int, keen: bool) -> None:
    states = np.zeros(GAMES, board.STATE)
    rng = Random(players)
    for i in range(GAMES):
        board.deal(states, i, players, np.uint64(rng.getrandbits(64)), options)
    assert_tiles_are_laid_out(states)
    before = states.copy()
    for round_number, running in enumerate(play_side_by_side(board, states, board.OVER, rng, keen)):
        assert (states[~running] == before[~running]).all()
        assert_figures(states, before, players)
        assert_tiles(states, before)
        if round_number % 4 == 0:
            assert_cards(states, players)
        if round_number % 32 == 0:
            assert (scores_of(board, states) == board_scores(states, players)).all()
        before = states.copy()
    assert_cards(states, players)
    assert (scores_of(board, states) == board_scores(states, players)).all()
    by_goal = (states["stone"] >= 7).sum((1, 2)) == 5
    assert (states["reason"] == np.where(by_goal, 1, 2)).all()  # B18, B19
    assert (states["next"][~by_goal] == 110).all()
    assert (states["next"][by_goal] < 110).all()
    assert by_goal.any() or not keen


def assert_tiles_are_laid_out(states: States) -> None:
    """B5, B6."""
    for path, colour in enumerate("RYVGB"):
        stones_with_tiles = {*DARK_STONES[colour], END_STONE}
        for stone in range(10):
            assert ((states["tile"][:, path, stone] > 0) == (stone in stones_with_tiles)).all()
    for code, number in [(1, 2), (2, 3), (3, 2), (CLOVER, 9), (WISHING_STONE, 9)]:
        assert ((states["tile"] == code).sum((1, 2)) == number).all()
    layouts = {states["tile"][i].tobytes() for i in range(len(states))}
    assert len(layouts) == len(states)


def assert_cards(states: States, players: int) -> None:
    """B3: 110 cards, each of the 55 twice, wherever they are."""
    hands = (bits(states["held"]) + bits(states["twice"])).sum(1)
    rows = (bits(states["laid"]) + bits(states["laid_twice"])).sum(1)
    piles = np.zeros_like(hands)
    in_pile = np.arange(22) < states["pile_size"][..., None]
    game, _, _ = np.nonzero(in_pile)
    np.add.at(piles, (game, states["pile"][in_pile]), 1)
    unseen = np.zeros_like(hands)
    place = np.arange(110)
    removed = (place >= 8 * players) & (place < 8 * players + (30 if players == 2 else 0))
    lying = removed | (place >= states["next"][:, None])
    game, _ = np.nonzero(lying)
    np.add.at(unseen, (game, states["deck"][lying]), 1)
    assert (hands + rows + piles + unseen == 2).all()

    # Two of a kind only where there is one, and what is known is held.
    for once, twice in (("held", "twice"), ("laid", "laid_twice"), ("known", "known_twice")):
        assert (states[twice] & ~states[once] == 0).all()
    assert (states["known"] & ~states["held"] == 0).all()
    assert (states["known_twice"] & ~states["twice"] == 0).all()
    held = (bits(states["held"]) + bits(states["twice"])).sum(2)[:, :players]
    playing = np.arange(players) == states["seat"][:, None]
    mid_turn = np.isin(states["phase"], [board.FIGURE, board.CLOVER, board.END_STONE, board.DRAW])
    mid_turn |= states["reason"] == 1  # B18: the mover does not draw
    assert (held == 8 - (playing & mid_turn[:, None])).all()


def assert_figures(states: States, before: States, players: int) -> None:
    """B4, B10: five figures a player, at most one on a path, never back, one stone at a time."""
    assert not states["stone"][:, players:].any()
    stone = states["stone"][:, :players]
    assert ((stone >= 0) & (stone <= END_STONE)).all()
    large = states["large"][:, :players]
    small = states["small"][:, :players]
    on_paths = (stone > 0).sum(2)
    assert ((small >= 0) & (small <= 4)).all()
    assert (small + (large < 0) + on_paths == 5).all()
    of_large = np.take_along_axis(stone, np.maximum(large, 0)[..., None].astype(int), 2)[..., 0]
    assert ((large < 0) | (of_large > 0)).all()
    moved = states["stone"].astype(int) - before["stone"]
    assert ((moved >= 0) & (moved <= 1)).all()
    assert (moved.sum((1, 2)) <= 1).all()
    assert (states["goal"] == (stone >= 7).sum((1, 2))).all()
    assert (states["goal"] <= 5).all()
    assert ((states["goal"] < 5) | (states["phase"] == board.OVER)).all()
    # So a player always has a figure that can move, and a clover is always asked.
    running = states["phase"] != board.OVER
    assert (stone[running] < END_STONE).any(2).all()


def assert_tiles(states: States, before: States) -> None:
    """B13, B15, B18: what the stone that was stepped onto brings, and nothing else."""
    tiles = states["tile"]
    assert ((tiles == WISHING_STONE).sum((1, 2)) + states["wishing"].sum(1) == 9).all()
    assert ((tiles != 0).sum((1, 2)) + states["wishing"].sum(1) == 25).all()
    gains = (states["points"].astype(int) - before["points"], states["wishing"] - before["wishing"])
    expected_points = np.zeros_like(gains[0])
    expected_wishing = np.zeros_like(gains[1])
    game, seat, path = np.nonzero(states["stone"] != before["stone"])
    counts = states["reason"][game] != 1
    game, seat, path = game[counts], seat[counts], path[counts]
    landed = before["tile"][game, path, states["stone"][game, seat, path]]
    expected_points[game, seat] = np.where(landed <= 3, landed, 0)
    expected_wishing[game, seat] = landed == WISHING_STONE
    assert (gains[0] == expected_points).all()
    assert (gains[1] == expected_wishing).all()
    assert (states["phase"][game[landed == CLOVER]] == board.CLOVER).all()
    assert (before["seat"][game] == seat).all()


def board_scores(states: States, players: int) -> States:
    """B20."""
    values = STONE_VALUE[states["stone"]]
    is_large = np.arange(5) == states["large"][..., None]
    scores = states["points"] + values.sum(2) + np.where(is_large, values, 0).sum(2)
    scores = scores + WISHING_VALUE[np.minimum(states["wishing"], 5)]
    scores[:, players:] = 0
    return np.asarray(scores)


@pytest.mark.parametrize("keen", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_stones_games(players: int, keen: bool) -> None:
    states = np.zeros(GAMES, stones.STATE)
    rng = Random(players)
    for i in range(GAMES):
        stones.deal(states, i, players, np.uint64(rng.getrandbits(64)))
    assert (np.sort(states["deck"], axis=1) == CARD).all()  # S1
    before = states.copy()
    for round_number, running in enumerate(
        play_side_by_side(stones, states, stones.OVER, rng, keen)
    ):
        assert (states[~running] == before[~running]).all()
        assert_stones_tiles(states, players)
        assert (states["deck"] == before["deck"]).all()
        assert (states["next"] >= before["next"]).all()
        if round_number % 16 == 0:
            assert (scores_of(stones, states) == stones_scores(states, players)).all()
        before = states.copy()
    assert (scores_of(stones, states) == stones_scores(states, players)).all()
    assert (states["next"] == 55).all()  # S7
    assert (states["reason"] == 2).all()


def assert_stones_tiles(states: States, players: int) -> None:
    """S1: 55 tiles, each in one place."""
    assert not states["rows"][:, players:].any()
    where = bits(states["rows"]).sum(1) + bits(states["open"])
    turned = np.flatnonzero(states["tile"] >= 0)
    where[turned, states["tile"][turned]] += 1
    assert ((states["tile"] >= 0) == (states["phase"] == stones.TILE)).all()
    game, place = np.nonzero(np.arange(55) >= states["next"][:, None])
    where[game, states["deck"][game, place]] += 1
    assert (where == 1).all()


def stones_scores(states: States, players: int) -> States:
    """S8."""
    tiles = bits(states["rows"])
    lengths = tiles.reshape(len(states), 4, 5, 11).sum(3)
    wishing = tiles @ np.array([tile in WISHING_STONES for tile in TILES], int)
    bonus = tiles @ np.array([BONUS_POINTS.get(tile, 0) for tile in TILES])
    scores = ROW_VALUE[np.minimum(lengths, 6)].sum(2) + WISHING_VALUE[np.minimum(wishing, 5)]
    scores = scores + bonus
    scores[:, players:] = 0
    return np.asarray(scores)


def test_the_symbols_of_stones() -> None:
    """S2: each kind of symbol twice, twice, once and once a colour, never two on a tile."""
    for colour in "RYVGB":
        numbers = [f"{colour}{number}" for number in range(11)]
        assert sum(tile in WISHING_STONES for tile in numbers) == 2
        assert sum(tile in CLOVERS for tile in numbers) == 2
        assert sorted(BONUS_POINTS.get(tile, 0) for tile in numbers)[-2:] == [1, 3]
    assert len({*WISHING_STONES, *CLOVERS, *BONUS_POINTS}) == 30
