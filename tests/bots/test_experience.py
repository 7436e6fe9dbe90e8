"""What games have taught: it sees all positions, sees nothing hidden, and helps."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.bots import search
from keltis.bots.experience import (
    GENERAL,
    NOTHING,
    OF_ACTION,
    OF_COLOUR,
    SEEN,
    SIZE,
    WIDTH,
    experience,
    follow,
    judge,
    see_action,
    see_colour,
    see_position,
)
from keltis.bots.policy import best_action, best_first, evaluate, thoughts
from keltis.bots.search import SearchBot
from keltis.bots.thinking import position, weights
from keltis.rules import board, both, stones
from tools.learn import Network, gather, learned, look

RULES: dict[str, Any] = {"board": board, "stones": stones}
TABLES = [(game, players) for game in RULES for players in (2, 3, 4)]
EMPTY = np.zeros(SIZE, np.float32)


def deal(game: str, states: np.ndarray[Any, Any], players: int, seed: int) -> None:
    RULES[game].deal(states, 0, players, seed, *([0] if game == "board" else []))


def decisions(game: str, players: int, games: int) -> Iterator[np.ndarray[Any, Any]]:
    """All decisions of some random games, one state after the other in the same place."""
    states = np.zeros(1, RULES[game].STATE)
    out = np.zeros(RULES[game].ACTIONS, np.int64)
    chance = Random(players)
    for seed in range(games):
        deal(game, states, players, seed)
        while count := RULES[game].legal_actions(states, 0, out):
            if count > 1:
                yield states
            RULES[game].play(states, 0, int(out[chance.randrange(count)]))


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_there_is_a_network_for_each_table(game: str, players: int) -> None:
    known = experience(game, players)
    assert known.shape == (SIZE,)
    assert known.dtype == np.float32
    assert np.isfinite(known).all()
    assert np.count_nonzero(known) > SIZE / 2


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_all_that_is_seen_has_its_place_and_is_of_moderate_size(game: str, players: int) -> None:
    room = thoughts(weights(game, players))
    for states in decisions(game, players, 20):
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


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_an_empty_network_leaves_all_to_the_heuristic(game: str, players: int) -> None:
    room = thoughts(weights(game, players))
    for states in decisions(game, players, 20):
        best = best_action(states[0], room[0])
        for known in (NOTHING, EMPTY):
            assert follow(states[0], room[0], known) == best


@pytest.mark.parametrize("game", RULES)
def test_the_compiled_network_says_what_the_plain_one_says(game: str) -> None:
    room = thoughts(weights(game, 2))
    known = experience(game, 2)
    for number, states in enumerate(decisions(game, 2, 3)):
        if number % 5:
            continue
        s, t = states[0], room[0]
        count = judge(s, t, evaluate(s, t, False), known, WIDTH)
        judged = t["values"][:count].copy()
        best_first(t, evaluate(s, t, False), count)
        seen = np.zeros((WIDTH, SEEN), np.float32)
        look(states, room, count, seen)
        plain, _ = Network(known).judge(seen[:count])
        if count > 1:
            assert judged == pytest.approx(plain, abs=1e-3)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_is_hidden_makes_no_difference(game: str, players: int) -> None:
    room = thoughts(weights(game, players))
    known = experience(game, players)
    for number, states in enumerate(decisions(game, players, 20)):
        if number % 3:
            continue
        chosen = follow(states[0], room[0], known)
        before = states.copy()
        RULES[game].resample(states, 0, int(states["seat"][0]))
        assert follow(states[0], room[0], known) == chosen
        states[:] = before


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_wins_against_the_heuristic_alone(game: str, players: int) -> None:
    """From every seat of the same deals; in the long run it leads by some points more."""
    room = thoughts(weights(game, players))
    known = experience(game, players)
    states = np.zeros(1, RULES[game].STATE)
    gained = 0.0
    deals = 200
    for seed in range(deals):
        leads = []
        for own in [-1, *range(players)]:
            deal(game, states, players, seed)
            while states["phase"][0] != RULES[game].OVER:
                if states["seat"][0] == own:
                    action = follow(states[0], room[0], known)
                else:
                    action = best_action(states[0], room[0])
                assert RULES[game].play(states, 0, action)
            seats = range(players) if own < 0 else [own]
            leads.append(float(np.mean([both.lead(states[0], seat) for seat in seats])))
        gained += float(np.mean(leads[1:])) - leads[0]
    assert gained / deals > 1


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_bot_follows_it_and_bard_slips_in_stones_alone(game: str, players: int) -> None:
    table = keltis.new_game(game, players=players, seed=11)
    room = thoughts(weights(game, players))
    bots = [keltis.bots.make(name, seed=2) for name in ("experience", "bard")]
    slips = 0
    while table.seat is not None:
        view = table.view(table.seat)
        best = follow(position(view).states[0], room[0], experience(game, players))
        plain, bard = (bot.choose(view) for bot in bots)
        assert plain == table._kind.tokens[best]
        slips += bard != plain
        table.play(plain)
    assert (slips > 0) == (game == "stones")


@pytest.mark.parametrize("game", RULES)
def test_the_search_follows_it(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, the same plans in the same worlds end otherwise."""
    table = keltis.new_game(game, players=2, seed=3)
    while len(table.moves) < 20 or len(table.legal_moves()) < 3:
        table.play(table.legal_moves()[-1])
    assert table.seat is not None
    view = table.view(table.seat)
    with_it = SearchBot(seed=1, rollouts=100).advise(view)
    monkeypatch.setattr(search, "experience", lambda game, players: EMPTY)
    assert SearchBot(seed=1, rollouts=100).advise(view) != with_it


@pytest.mark.parametrize("game", RULES)
def test_a_network_learns_from_rollouts(game: str) -> None:
    seen, worth = gather(game, 3, NOTHING, seed=5, seconds=0.3)
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
