"""Luck: what came against all that could have come."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keltis
from benchmarks.review import games_of_heuristic, wins_and_leads
from keltis.reviews.luck import Judge, adjusted, luck_of
from tests.reviews.games import TABLES, at_random, silly_weights

GAMES = 60  # of each table
THOUSANDS = 350  # of each of six tables


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_luck_of_draws_is_zero_on_average_for_every_seat(game: str, players: int) -> None:
    """Over 2,100 games, and the luck of the deal below."""
    games = games_of_heuristic(game, players, list(range(THOUSANDS)))
    check_mean(np.array([luck_of(one, deal=False) for one in games]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_luck_of_deals_is_zero_on_average_for_every_seat(players: int) -> None:
    dealt = [keltis.new_game("board", players, seed=seed) for seed in range(GAMES)]
    check_mean(np.array([luck_of(one) for one in dealt]))


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 3), ("stones", 2)])
def test_luck_is_zero_on_average_whatever_the_network_thinks(game: str, players: int) -> None:
    weights = silly_weights(game, players)
    games = games_of_heuristic(game, players, list(range(GAMES)))
    check_mean(np.array([luck_of(one, weights=weights, deal=False) for one in games]))


def test_luck_is_zero_on_average_however_one_plays() -> None:
    check_mean(np.array([luck_of(at_random("stones", 2, seed)) for seed in range(GAMES)]))


def check_mean(found: np.ndarray) -> None:
    """Within four standard errors, by seat, in wins and in lead."""
    errors = found.std(axis=0, ddof=1) / math.sqrt(len(found))
    assert (errors > 0).all()
    assert (np.abs(found.mean(axis=0)) < 4 * errors).all()


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 4), ("stones", 3)])
def test_the_cards_that_could_have_come_make_up_for_each_other(game: str, players: int) -> None:
    """The same draw with every other card on top of the pile: the luck adds up to zero."""
    [one] = games_of_heuristic(game, players, [3])
    moves = one.moves
    step = [k for k, move in enumerate(moves) if move == "?"][8]
    table = one.restarted()
    for move in moves[:step]:
        table.play(move)
    judge = Judge(one._kind, players)
    before = table._states
    pool = [*range(before["next"].item(), before["deck"].shape[1])]
    if game == "board":
        pool = [*range(before["removed_from"].item(), before["drawn_from"].item()), *pool]
    action = np.array([one._kind.actions["?"]], np.int64)
    found = []
    for place in pool:
        start = before.copy()
        top = start["next"].item()
        start["deck"][0, [top, place]] = start["deck"][0, [place, top]]
        judged, _ = judge.analysed(start, action, luck_only=True)
        assert judged[0]["shown"] == before["deck"][0, place]
        found.append((judged[0]["wins"], judged[0]["lead"]))
    assert np.abs(found).max() > 0.001
    assert np.sum(found, axis=0) == pytest.approx([0, 0], abs=1e-4)


def test_the_last_card_brings_no_luck() -> None:
    """It ends the game, whatever it is (B19); the last tile is known before it is turned over."""
    for game in ("board", "stones"):
        one = next(
            found
            for found in games_of_heuristic(game, 2, list(range(40)))
            if found.reason == "deck"
        )
        actions = np.array([one._kind.actions[move] for move in one.moves], np.int64)
        judged, _ = Judge(one._kind, 2).analysed(one._start, actions, luck_only=True)
        last = judged[judged["shown"] >= 0][-1]
        assert (last["wins"], last["lead"]) == (0, 0)


def test_results_less_luck_vary_less_and_keep_their_sum() -> None:
    games = list(games_of_heuristic("stones", 2, list(range(40))))
    results = [wins_and_leads(one)[1] for one in games]
    less = [
        adjusted(result, [seat.lead for seat in luck_of(one)])
        for one, result in zip(games, results, strict=True)
    ]
    assert np.var(less, axis=0).mean() < np.var(results, axis=0).mean()
    assert np.sum(less) == pytest.approx(np.sum(results))


def test_a_game_that_runs_has_the_luck_so_far() -> None:
    one = keltis.new_game("board", 3, seed=1)
    before = luck_of(one)
    one.play(one.legal_moves()[-1])
    one.play("?")
    after = luck_of(one)
    assert before[0] != after[0]
    assert before[1:] == after[1:]
