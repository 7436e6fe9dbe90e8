"""What games of `board` have taught: it sees all positions, sees nothing hidden, and helps."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.bots import search
from keltis.bots.board_features import see_action, see_colour, see_position
from keltis.bots.experience import (
    GENERAL,
    OF_ACTION,
    OF_COLOUR,
    SEEN,
    SIZE,
    WIDTH,
    judge,
)
from keltis.bots.judgement import follow, network
from keltis.bots.policy import best_action, best_first, evaluate, thoughts
from keltis.bots.search import SearchBot
from keltis.bots.thinking import position, weights
from keltis.rules import board, both
from tools.learn import NOTHING, Layers, gather, learned, look

PLAYERS = (2, 3, 4)


def decisions(players: int, games: int) -> Iterator[np.ndarray[Any, Any]]:
    """All decisions of some random games, one state after the other in the same place."""
    states = np.zeros(1, board.STATE)
    out = np.zeros(board.ACTIONS, np.int64)
    chance = Random(players)
    for seed in range(games):
        board.deal(states, 0, players, seed, 0)
        while count := board.legal_actions(states, 0, out):
            if count > 1:
                yield states
            board.play(states, 0, int(out[chance.randrange(count)]))


@pytest.mark.parametrize("players", PLAYERS)
def test_there_is_a_network_for_each_number_of_players(players: int) -> None:
    known = network("board", players)
    assert known.shape == (SIZE,)
    assert known.dtype == np.float32
    assert np.isfinite(known).all()
    assert np.count_nonzero(known) > SIZE / 2


@pytest.mark.parametrize("players", PLAYERS)
def test_all_that_is_seen_has_its_place_and_is_of_moderate_size(players: int) -> None:
    room = thoughts(weights("board", players))
    for states in decisions(players, 20):
        s, t = states[0], room[0]
        count = evaluate(s, t, False)
        best_first(t, count, count)
        see_position(s, t)
        assert has_its_place(t, GENERAL, 10)
        for c in range(5):
            see_colour(s, t, c)
            assert has_its_place(t, OF_COLOUR, 30)
        for k in range(count):
            assert -1 <= see_action(s, t, k) < 5
            assert has_its_place(t, OF_ACTION, 10)


def has_its_place(t: Any, places: int, most: float) -> bool:
    """Whether what has been noted stands at different places, in order, and nowhere too much."""
    noted, seen = t["places"][: t["noted"]], t["seen"][: t["noted"]]
    in_order = (np.diff(noted) > 0).all() and (noted >= 0).all() and (noted < places).all()
    return bool(in_order and seen.all() and np.abs(seen).max() <= most)


@pytest.mark.parametrize("players", PLAYERS)
def test_an_empty_network_leaves_all_to_the_heuristic(players: int) -> None:
    room = thoughts(weights("board", players))
    for states in decisions(players, 20):
        best = best_action(states[0], room[0])
        assert follow(states, 0, room[0], NOTHING) == best


def test_the_compiled_network_says_what_the_plain_one_says() -> None:
    room = thoughts(weights("board", 2))
    known = network("board", 2)
    for number, states in enumerate(decisions(2, 3)):
        if number % 5:
            continue
        s, t = states[0], room[0]
        count = judge(s, t, known, WIDTH)
        judged = t["values"][:count].copy()
        best_first(t, evaluate(s, t, False), count)
        seen = np.zeros((WIDTH, SEEN), np.float32)
        look(states, room, count, seen)
        plain, _ = Layers(known).judge(seen[:count])
        if count > 1:
            assert judged == pytest.approx(plain, abs=1e-3)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_hidden_makes_no_difference(players: int) -> None:
    room = thoughts(weights("board", players))
    known = network("board", players)
    for number, states in enumerate(decisions(players, 20)):
        if number % 3:
            continue
        chosen = follow(states, 0, room[0], known)
        before = states.copy()
        board.resample(states, 0, int(states["seat"][0]))
        assert follow(states, 0, room[0], known) == chosen
        states[:] = before


@pytest.mark.parametrize("players", PLAYERS)
def test_it_wins_against_the_heuristic_alone(players: int) -> None:
    """From every seat of the same deals; in the long run it leads by some points more."""
    room = thoughts(weights("board", players))
    known = network("board", players)
    states = np.zeros(1, board.STATE)
    gained = 0.0
    deals = 200
    for seed in range(deals):
        leads = []
        for own in [-1, *range(players)]:
            board.deal(states, 0, players, seed, 0)
            while states["phase"][0] != board.OVER:
                if states["seat"][0] == own:
                    action = follow(states, 0, room[0], known)
                else:
                    action = best_action(states[0], room[0])
                assert board.play(states, 0, action)
            seats = range(players) if own < 0 else [own]
            leads.append(float(np.mean([both.lead(states[0], seat) for seat in seats])))
        gained += float(np.mean(leads[1:])) - leads[0]
    assert gained / deals > 1


@pytest.mark.parametrize("players", PLAYERS)
def test_the_bot_follows_it(players: int) -> None:
    table = keltis.new_game("board", players=players, seed=11)
    room = thoughts(weights("board", players))
    bots = [keltis.bots.make(name, seed=2) for name in ("experience", "bard")]
    while table.seat is not None:
        view = table.view(table.seat)
        best = follow(position(view).states, 0, room[0], network("board", players))
        assert [bot.choose(view) for bot in bots] == 2 * [table._kind.tokens[best]]
        table.play(table._kind.tokens[best])


def test_the_search_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, the same plans in the same worlds end otherwise."""
    table = keltis.new_game("board", players=2, seed=3)
    while len(table.moves) < 20 or len(table.legal_moves()) < 3:
        table.play(table.legal_moves()[-1])
    assert table.seat is not None
    view = table.view(table.seat)
    with_it = SearchBot(seed=1, rollouts=100).advise(view)
    monkeypatch.setattr(search, "network", lambda game, players: NOTHING)
    assert SearchBot(seed=1, rollouts=100).advise(view) != with_it


def test_a_network_learns_from_rollouts() -> None:
    seen, worth = gather(3, NOTHING, seed=5, seconds=0.3)
    assert seen.shape == (len(worth), WIDTH, SEEN)
    assert not np.isnan(worth[:, :2]).any()  # there is always a choice
    known, gains = learned(NOTHING, seen, worth, np.random.default_rng(1))
    assert np.isfinite(known).all()
    assert np.isfinite(gains).all()


def test_learning_finds_what_is_better() -> None:
    """Decisions in which one thing that is seen decides, and the heuristic has no opinion."""
    random = np.random.default_rng(2)
    seen = np.zeros((6_000, WIDTH, SEEN), np.float16)
    place = GENERAL + OF_COLOUR + 5
    seen[:, :, place] = random.integers(0, 2, (6_000, WIDTH))
    worth = 2.0 * seen[:, :, place].astype(np.float32) + random.normal(0, 1, (6_000, WIDTH))
    _, gains = learned(NOTHING, seen, worth.astype(np.float32), random)
    assert gains.mean() > 0.8  # at best 2 * (1 - 1/64) - 1 = 0.97
