"""The heuristic: it sees what it may see, and is the same in compiled code and through views."""

import json
from importlib import resources
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis import bots
from keltis.bots.heuristic import HeuristicBot
from keltis.bots.kernels import board_heuristic, heuristic, stones_heuristic
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.weights import heuristic_weights
from keltis.rules import board, stones
from keltis.rules.kernel import RESULT

GAMES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]
RULES: dict[str, Any] = {"board": board, "stones": stones}
HEURISTICS: dict[str, Any] = {"board": board_heuristic, "stones": stones_heuristic}
NO_ACTIONS = np.zeros((0, 0), np.int16)


def values(states: Any, own: Any) -> dict[int, float]:
    scratch = heuristic_scratch(own)
    count = heuristic.values_of(states, scratch)
    actions, worth = scratch["actions"][0, :count], scratch["values"][0, :count]
    return dict(zip(actions.tolist(), worth.tolist(), strict=True))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_it_values_exactly_the_legal_actions(game: str, players: int) -> None:
    rules = RULES[game]
    chance = Random(players)
    out = np.empty(rules.ACTIONS, np.int64)
    for seed in range(5):
        table = keltis.new_game(game, players=players, seed=seed)
        while not table.is_over:
            count = rules.legal_actions(table._states, 0, out)
            assert (
                sorted(values(table._states, heuristic_weights(game, players)))
                == out[:count].tolist()
            )
            table.play(chance.choice(table.legal_moves()))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_what_a_seat_cannot_know_changes_nothing(game: str, players: int) -> None:
    rules = RULES[game]
    chance = Random(players)
    own = heuristic_weights(game, players)
    for seed in range(5):
        table = keltis.new_game(game, players=players, seed=seed)
        while (seat := table.seat) is not None:
            other = table._states.copy()
            other["rng"] = chance.getrandbits(64)
            rules.resample(other, 0, seat)
            assert values(other, own) == values(table._states, own)
            table.play(chance.choice(table.legal_moves()))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_through_views_it_plays_as_in_compiled_code(game: str, players: int) -> None:
    rules = RULES[game]
    own = heuristic_weights(game, players)
    bot = HeuristicBot(seed=0)
    table = keltis.new_game(game, players=players, seed=11)
    states = table._states.copy()
    while (seat := table.seat) is not None:
        worth = values(states, own)
        best = max(worth, key=lambda action: worth[action])
        move = bot.choose(table.view(seat))
        assert move == table._kind.tokens[best]
        table.play(move)
        rules.play(states, 0, best)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_weights_are_those_that_the_heuristic_names(game: str, players: int) -> None:
    file = resources.files("keltis.bots.weights") / f"heuristic-{game}-{players}.json"
    assert list(json.loads(file.read_text())["weights"]) == list(HEURISTICS[game].WEIGHTS)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_it_beats_random_players(game: str, players: int) -> None:
    won = 0
    results = np.zeros(100, RESULT)
    states = np.zeros(1, RULES[game].STATE)
    for seat in range(players):
        thinks = np.arange(players) == seat
        table = heuristic_scratch(*[heuristic_weights(game, players)] * players)
        seeds = np.arange(1, 101, dtype=np.uint64)
        heuristic.contest(states, players, table, thinks, seeds, 10_000, results, NO_ACTIONS)
        scores = results["scores"][:, :players]
        won += int((scores.argmax(axis=1) == seat).sum())
    assert won >= 0.9 * 100 * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_never_stalls(players: int) -> None:
    """B22: among its own kind and among random players, every game ends by itself."""
    results = np.zeros(200, RESULT)
    states = np.zeros(1, board.STATE)
    table = heuristic_scratch(*[heuristic_weights("board", players)] * players)
    for thinkers in range(1, players + 1):
        thinks = np.arange(players) < thinkers
        seeds = np.arange(1000, 1200, dtype=np.uint64)
        heuristic.contest(states, players, table, thinks, seeds, 10_000, results, NO_ACTIONS)
        assert (results["reason"] != board.RUNNING).all()
        assert results["decisions"].max() < 2_000


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_temperature_makes_mistakes_and_a_seed_repeats_them(game: str) -> None:
    view = keltis.new_game(game, seed=3).view(0)
    if game == "stones":
        table = keltis.new_game(game, seed=3)
        for _ in range(12):
            table.play(table.legal_moves()[-1])
        assert table.seat is not None
        view = table.view(table.seat)
    moves = [HeuristicBot(seed, {(game, 2): 50.0}).choose(view) for seed in range(40)]
    assert len(set(moves)) > 1
    assert moves == [HeuristicBot(seed, {(game, 2): 50.0}).choose(view) for seed in range(40)]
    assert len({HeuristicBot(seed).choose(view) for seed in range(5)}) == 1
    elsewhere = {("stones" if game == "board" else "board", 2): 50.0, (game, 3): 50.0}
    assert len({HeuristicBot(seed, elsewhere).choose(view) for seed in range(5)}) == 1


def test_it_ends_a_game_that_it_wins_by_ending() -> None:
    """B18: with the lead, the fifth figure goes in; without it, it stays out."""
    for lead, expected in ((30, True), (-60, False)):
        table = keltis.new_game("board", seed=1)
        states = table._states
        held = int(states["held"][0, 0])
        card = (held & -held).bit_length() - 1  # the lowest card in hand
        path = card // board.NUMBERS
        states["goal"] = board.LAST_FIGURE - 1
        states["stone"][0, 0, path] = board.GOAL - 1
        states["small"][0, 0] -= 1
        states["points"][0, 0] = lead
        worth = values(states, heuristic_weights("board", 2))
        best = max(worth, key=lambda action: worth[action])
        goes_in = best < board.DISCARD and best // board.NUMBERS == path
        assert goes_in == expected


def test_the_levels_are_made_of_it() -> None:
    assert isinstance(bots.make("raven"), HeuristicBot)
