"""What games have taught: it fits all positions, sees nothing hidden, and helps."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.bots import search
from keltis.bots.board_experience import SIZE as RELATIONS
from keltis.bots.board_experience import believe
from keltis.bots.experience import experience
from keltis.bots.heuristic import HeuristicBot
from keltis.bots.policy import best_action, thoughts
from keltis.bots.search import SearchBot
from keltis.bots.stones_experience import SIZE, entries, follow
from keltis.bots.thinking import weights
from keltis.game.resample import state_from_view
from keltis.rules import board, both, stones


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("game", "size"), [("board", RELATIONS), ("stones", SIZE)])
def test_there_is_a_table_for_every_game(game: str, size: int, players: int) -> None:
    known = experience(game, players)
    assert known.shape == (size,)
    assert known.dtype == np.float32
    assert np.isfinite(known).all()
    assert np.count_nonzero(known) > size / 10


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


def all_cards(states: Any) -> Counter[int]:
    """The cards of a board state, wherever they are: hands, rows, piles, draw pile, removed."""
    s = states[0]
    cards: Counter[int] = Counter()
    for masks in ("held", "twice", "laid", "laid_twice"):
        for mask in s[masks][: s["players"]].tolist():
            cards.update(card for card in range(board.CARDS) if mask >> card & 1)
    for colour in range(board.COLOURS):
        cards.update(s["pile"][colour, : s["pile_size"][colour]].tolist())
    cards.update(s["deck"][s["next"] :].tolist())
    cards.update(s["deck"][s["removed_from"] : s["drawn_from"]].tolist())
    return cards


@pytest.mark.parametrize("players", [2, 3, 4])
def test_believing_keeps_all_cards_and_what_the_seat_knows(players: int) -> None:
    room = thoughts(weights("board", players))
    known = experience("board", players)
    chance = Random(players)
    for seed in range(15):
        table = keltis.new_game("board", players=players, seed=seed)
        while table.seat is not None:
            seat = table.seat
            if chance.random() < 0.2:
                states = state_from_view(table.view(seat)).copy()
                before = states.copy()
                board.resample(states, 0, seat)
                believe(states[0], seat, room[0], known)
                assert all_cards(states) == Counter(dict.fromkeys(range(board.CARDS), 2))
                for name in board.STATE.names:
                    if name not in ("rng", "deck", "held", "twice"):
                        assert (states[0][name] == before[0][name]).all(), name
                assert states[0]["held"][seat] == before[0]["held"][seat]
                assert states[0]["twice"][seat] == before[0]["twice"][seat]
                for other in range(players):
                    hand, taken = int(states[0]["held"][other]), int(states[0]["known"][other])
                    assert hand & taken == taken
                    size = hand.bit_count() + int(states[0]["twice"][other]).bit_count()
                    assert size == hand_size(table, other)
            table.play(chance.choice(table.legal_moves()))


def hand_size(table: keltis.Game, seat: int) -> int:
    s = table._states[0]
    return int(s["held"][seat]).bit_count() + int(s["twice"][seat]).bit_count()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_believed_hands_are_likelier_than_dealt_ones(players: int) -> None:
    """In games of the heuristic, more of what others really hold is guessed."""
    room = thoughts(weights("board", players))
    known = experience("board", players)
    dealt = believed = 0
    for seed in range(60):
        table = keltis.new_game("board", players=players, seed=seed)
        bot = HeuristicBot(seed)
        while (seat := table.seat) is not None:
            if len(table.moves) % 10 == 0:
                truth = table._states[0]
                states = table._states.copy()
                for guess in range(10):
                    states["rng"] = 1000 * seed + guess
                    board.resample(states, 0, seat)
                    for other in set(range(players)) - {seat}:
                        right = int(states[0]["held"][other]) & int(truth["held"][other])
                        dealt += right.bit_count()
                    believe(states[0], seat, room[0], known)
                    for other in set(range(players)) - {seat}:
                        right = int(states[0]["held"][other]) & int(truth["held"][other])
                        believed += right.bit_count()
            table.play(bot.choose(table.view(seat)))
    assert believed > 1.05 * dealt
