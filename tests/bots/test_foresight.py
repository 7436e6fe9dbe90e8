"""What positions of `stones` are worth: all of them are seen, nothing hidden is, and it helps."""

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.bots import search
from keltis.bots import stones_sight as sight
from keltis.bots.experience import A_WIN
from keltis.bots.foresight import POINTS, judge, size, won
from keltis.bots.judgement import follow, network
from keltis.bots.marks import AFTERWARDS, AGAIN, LINES, MOST_MARKS, REST, UNSEEN
from keltis.bots.policy import HIDDEN, thoughts
from keltis.bots.search import SearchBot
from keltis.bots.thinking import position, weights
from keltis.rules import both, stones
from tools.practise import against_heuristic, beginner, learn, practise, write_down

PLAYERS = (2, 3, 4)


def decisions(players: int, games: int) -> Iterator[np.ndarray[Any, Any]]:
    """All decisions of some random games, in the first place of an array with room for another."""
    states = np.zeros(2, stones.STATE)
    out = np.zeros(stones.ACTIONS, np.int64)
    chance = Random(players)
    for seed in range(games):
        stones.deal(states, 0, players, seed)
        while count := stones.legal_actions(states, 0, out):
            yield states
            stones.play(states, 0, int(out[chance.randrange(count)]))


def plain(
    known: np.ndarray[Any, Any], marks: np.ndarray[Any, Any], players: int, head: int
) -> tuple[float, float]:
    """The network in a few lines: the chance to win, and the lead."""
    features, heads = sight.features(players), sight.HEADS
    first = known[: features * HIDDEN].reshape(features, HIDDEN)
    hidden = np.maximum(first[marks].sum(0), 0)
    last = known[features * HIDDEN : -heads * 2].reshape(heads, 2, HIDDEN)
    biases = known[-heads * 2 :].reshape(heads, 2)
    logit, lead = last[head] @ hidden + biases[head]
    return 1 / (1 + math.exp(-logit)), POINTS * lead


@pytest.mark.parametrize("players", PLAYERS)
def test_there_is_a_network_for_each_number_of_players(players: int) -> None:
    known = network("stones", players)
    assert known.shape == (size(players),)
    assert known.dtype == np.float32
    assert np.isfinite(known).all()
    assert np.count_nonzero(known) > known.size / 2


@pytest.mark.parametrize("players", PLAYERS)
def test_all_that_is_seen_has_a_place_of_its_own(players: int) -> None:
    t = thoughts(weights("stones", players))[0]
    most = 0
    for states in decisions(players, 20):
        s, p = states[0], int(states["seat"][0])
        sight.count_unseen(s, t)
        for c in range(5):
            sight.see_colour(s, t, p, c, c)
        sight.see_rest(s, t, p)
        places: list[int] = []
        for line in [*range(5), REST]:
            count = int(t["marked"][line])
            most = max(most, count)
            places += t["marks"][line, :count].tolist()
        assert len(set(places)) == len(places)
        assert min(places) >= 0
        assert max(places) < sight.features(players)
    assert most <= MOST_MARKS


@pytest.mark.parametrize("players", PLAYERS)
def test_what_an_action_leads_to_is_judged_as_by_the_plain_network(players: int) -> None:
    room = thoughts(weights("stones", players))
    known = network("stones", players)
    marks = np.zeros(LINES * MOST_MARKS, np.int32)
    over = 0
    for number, states in enumerate(decisions(players, 5)):
        if number % 4 and states["next"][0] < stones.TILES:
            continue
        count = judge(states, 0, room[0], known)
        values, leads = room["values"][0, :count] / A_WIN, room["leads"][0, :count].copy()
        for k, action in enumerate(room["actions"][0, :count].tolist()):
            seen, head = write_down(states, room[0], action, marks)
            if seen == 0:
                over += 1
                lead = both.lead(states[1], int(states["seat"][0]))
                assert (values[k], leads[k]) == pytest.approx((won(lead), lead))
            else:
                chance, lead = plain(known, marks[:seen], players, head)
                assert (values[k], leads[k]) == pytest.approx((chance, lead), abs=1e-2)
    assert over > 0


def test_it_is_told_what_comes_after_an_action() -> None:
    then = set()
    legal = np.zeros(stones.ACTIONS, np.int64)
    for states in decisions(2, 10):
        for action in legal[: stones.legal_actions(states, 0, legal)].tolist():
            states[1] = states[0]
            what = sight.foresee(states[1], action)
            then.add(what)
            assert (what == UNSEEN) == (action == stones.TURN_OVER)
            if what == UNSEEN:
                assert states[1] == states[0]
            elif states["phase"][1] != stones.OVER:
                assert (what == AGAIN) == (states["seat"][1] == states["seat"][0])
    assert then == {AFTERWARDS, UNSEEN, AGAIN}


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_hidden_makes_no_difference(players: int) -> None:
    room = thoughts(weights("stones", players))
    known = network("stones", players)
    for states in decisions(players, 10):
        count = judge(states, 0, room[0], known)
        values = room["values"][0, :count].copy()
        before = states.copy()
        stones.resample(states, 0, int(states["seat"][0]))
        assert judge(states, 0, room[0], known) == count
        assert (room["values"][0, :count] == values).all()
        states[:] = before


@pytest.mark.parametrize("players", PLAYERS)
def test_it_wins_against_the_heuristic_alone(players: int) -> None:
    """From every seat of the same deals: more than a fair share, beyond luck."""
    found = against_heuristic(players, network("stones", players), 2_000, seed=77)
    assert found["wins"] > 1 / players + found["error"]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_bot_follows_it(players: int) -> None:
    table = keltis.new_game("stones", players=players, seed=11)
    room = thoughts(weights("stones", players))
    bots = [keltis.bots.make(name, seed=2) for name in ("experience", "bard")]
    while table.seat is not None:
        view = table.view(table.seat)
        states = np.repeat(position(view).states, 2)
        best = follow(states, 0, room[0], network("stones", players))
        assert [bot.choose(view) for bot in bots] == 2 * [table._kind.tokens[best]]
        table.play(table._kind.tokens[best])


def test_the_search_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By another network, the same plans in the same worlds are worth something else."""
    table = keltis.new_game("stones", players=2, seed=3)
    while len(table.moves) < 20 or len(table.legal_moves()) < 3:
        table.play(table.legal_moves()[-1])
    assert table.seat is not None
    view = table.view(table.seat)
    with_it = SearchBot(seed=1, rollouts=100).advise(view)
    monkeypatch.setattr(search, "network", lambda game, players: -network(game, players))
    assert SearchBot(seed=1, rollouts=100).advise(view) != with_it


def test_learning_moves_towards_what_is_told() -> None:
    room = thoughts(weights("stones", 2))
    known, strain = beginner(2, np.random.default_rng(1))
    strain[:] = 0.01
    marks = np.arange(0, 600, 30).astype(np.int32)
    before = plain(known, marks, 2, 7)
    for _ in range(300):
        learn(room[0], known, strain, marks, len(marks), 2, 7, 0.9, 12.0, 0.02)
    after = plain(known, marks, 2, 7)
    assert abs(after[0] - 0.9) < 0.05 < abs(before[0] - 0.9)
    assert abs(after[1] - 12) < 2 < abs(before[1] - 12)


@pytest.mark.parametrize("players", PLAYERS)
def test_practice_makes_better(players: int) -> None:
    known, strain = beginner(players, np.random.default_rng(3))
    states = np.zeros(2, stones.STATE)
    states["rng"] = 9
    room = thoughts(weights("stones", players))
    before = against_heuristic(players, known, 50, seed=1)["lead"]
    practise(states, room, known, strain, players, 3_000, 0.1)
    assert np.isfinite(known).all()
    assert against_heuristic(players, known, 50, seed=1)["lead"] > before + 3
