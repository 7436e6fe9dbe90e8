"""What games have taught: it fits all positions, sees nothing hidden, and helps."""

from random import Random

import numpy as np
import pytest

import keltis
from keltis.bots import search
from keltis.bots.experience import experience
from keltis.bots.policy import best_action, thoughts
from keltis.bots.search import SearchBot
from keltis.bots.stones_experience import SIZE, entries, follow
from keltis.bots.thinking import weights
from keltis.rules import both, stones


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_tables_for_the_tile_game_and_none_for_the_board_game(players: int) -> None:
    known = experience("stones", players)
    assert known.shape == (SIZE,)
    assert known.dtype == np.float32
    assert np.isfinite(known).all()
    assert np.count_nonzero(known) > SIZE / 10
    assert len(experience("board", players)) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_entries_are_in_the_tables_and_each_once(players: int) -> None:
    """In all positions of some random games, whatever comes next."""
    room = thoughts(weights("stones", players))
    states = np.zeros(1, stones.STATE)
    chance = Random(players)
    out = np.zeros(stones.ACTIONS, np.int64)
    for seed in range(30):
        stones.deal(states, 0, players, seed)
        while count := stones.legal_actions(states, 0, out):
            for seat in range(players):
                for coming in range(3):
                    n = entries(states[0], seat, coming, room[0])
                    places = room[0]["places"][:n]
                    assert n <= len(room[0]["places"])
                    assert (places >= 0).all()
                    assert (places < SIZE).all()
            stones.play(states, 0, int(out[chance.randrange(count)]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_lies_face_down_makes_no_difference(players: int) -> None:
    room = thoughts(weights("stones", players))
    known = experience("stones", players)
    states = np.zeros(2, stones.STATE)
    for seed in range(20):
        stones.deal(states, 0, players, seed)
        while states["phase"][0] != stones.OVER:
            chosen = follow(states, 0, room[0], known)
            seen = states[0].copy()
            stones.resample(states, 0, int(states["seat"][0]))
            assert follow(states, 0, room[0], known) == chosen
            states[0] = seen
            assert stones.play(states, 0, chosen)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_wins_against_the_heuristic_alone(players: int) -> None:
    """From every seat of the same deals; in the long run it leads by some points more."""
    room = thoughts(weights("stones", players))
    known = experience("stones", players)
    states = np.zeros(2, stones.STATE)
    gained = 0
    deals = 400
    for seed in range(deals):
        leads = []
        for own in [-1, *range(players)]:
            stones.deal(states, 0, players, seed)
            while states["phase"][0] != stones.OVER:
                if states["seat"][0] == own:
                    stones.play(states, 0, follow(states, 0, room[0], known))
                else:
                    stones.play(states, 0, best_action(states[0], room[0]))
            seats = range(players) if own < 0 else [own]
            leads.append(np.mean([both.lead(states[0], seat) for seat in seats]))
        gained += np.mean(leads[1:]) - leads[0]
    assert gained / deals > 1


def test_the_search_follows_it_in_the_tile_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, the same plans in the same worlds end otherwise."""
    table = keltis.new_game("stones", players=2, seed=3)
    for _ in range(20):
        table.play(table.legal_moves()[-1])
    assert table.seat is not None
    view = table.view(table.seat)
    with_it = SearchBot(seed=1, rollouts=100).advise(view)
    monkeypatch.setattr(search, "experience", lambda game, players: np.zeros(SIZE, np.float32))
    assert SearchBot(seed=1, rollouts=100).advise(view) != with_it
