"""What the others may hold: it agrees with the view, and it learns from what they did."""

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import keltis
from keltis import bots
from keltis.bots.position import DEALS, likely_deals


def hand(states: NDArray[Any], seat: int) -> list[float]:
    """How often each card is in a hand, on average over states."""
    held, twice = states["held"][:, seat], states["twice"][:, seat]
    cards = np.arange(55)
    often: list[float] = (
        ((held[:, None] >> cards & 1) + (twice[:, None] >> cards & 1)).mean(0).tolist()
    )
    return often


def by_heuristic(players: int, seed: int, decisions: int) -> keltis.Game:
    """A game of heuristics that has gone on for some decisions, up to one with a choice."""
    table = keltis.new_game("board", players=players, seed=seed)
    bot = bots.make("heuristic", seed=1)
    while table.seat is not None and (len(table.moves) < decisions or len(table.legal_moves()) < 3):
        table.play(bot.choose(table.view(table.seat)))
    assert table.seat is not None
    return table


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("decisions", [0, 1, 20, 90])
def test_every_deal_agrees_with_the_view(players: int, decisions: int) -> None:
    """The seat sees the same in it, and all 110 cards are where they can be."""
    for random in (False, True):
        table = by_heuristic(players, decisions, 0 if random else decisions)
        chance = Random(decisions)
        while random and len(table.moves) < decisions:  # what no heuristic would do
            table.play(chance.choice(table.legal_moves()))
        if table.seat is None:
            continue
        truth = table._states[0]
        deals = likely_deals(table.view(table.seat), seed=3)
        assert len(deals) == DEALS
        hidden = {"held", "twice", "deck", "rng"}
        for deal in deals:
            for name in truth.dtype.names:
                if name not in hidden:
                    assert (deal[name] == truth[name]).all(), name
            assert deal["held"][table.seat] == truth["held"][table.seat]
            assert deal["twice"][table.seat] == truth["twice"][table.seat]
            cards = np.zeros(55, int)
            for seat in range(players):
                own = np.array(hand(np.array([deal]), seat))
                assert own.sum() == np.array(hand(table._states, seat)).sum()
                known = int(deal["known"][seat])
                assert known & ~int(deal["held"][seat]) == 0
                cards += own.astype(int)
            out = range(int(deal["removed_from"]), int(deal["drawn_from"]))
            left = range(int(deal["next"]), 110)
            for place in [*out, *left]:
                cards[deal["deck"][place]] += 1
            for seat in range(players):
                laid, twice = int(deal["laid"][seat]), int(deal["laid_twice"][seat])
                cards += [(laid >> card & 1) + (twice >> card & 1) for card in range(55)]
            for colour in range(5):
                for place in range(int(deal["pile_size"][colour])):
                    cards[deal["pile"][colour, place]] += 1
            assert (cards == 2).all()


def test_deals_follow_from_the_view_and_the_seed() -> None:
    table = by_heuristic(3, 4, 60)
    assert table.seat is not None
    view = table.view(table.seat)
    deals = likely_deals(view, seed=8)
    for seed in range(2):
        other = keltis.resample(view, seed=seed)
        assert (likely_deals(other.view(table.seat), seed=8)["held"] == deals["held"]).all()
    assert (likely_deals(view, seed=9)["held"] != deals["held"]).any()


def test_what_the_others_did_tells_what_they_hold() -> None:
    """Over many positions, the cards that they hold are found to be likelier than even."""
    gained = []
    for seed in range(40):
        table = by_heuristic(2, 100 + seed, 40 + seed)
        assert table.seat is not None
        other = 1 - table.seat
        known = int(table._states["known"][0, other])
        believed = hand(likely_deals(table.view(table.seat), seed=1), other)
        true = hand(table._states, other)
        evenly = [
            hand(keltis.resample(table.view(table.seat), seed=k)._states, other) for k in range(30)
        ]
        for card in range(55):
            if not known >> card & 1:
                even = sum(one[card] for one in evenly) / len(evenly)
                gained.append(true[card] * (believed[card] - even))
    assert sum(gained) > 3 * np.std(gained) * len(gained) ** 0.5


def test_little_time_finds_fewer_deals() -> None:
    table = by_heuristic(2, 5, 50)
    assert table.seat is not None
    assert 0 < len(likely_deals(table.view(table.seat), seed=1, deadline=0.0)) < DEALS


@pytest.mark.parametrize(("rollouts", "guessed"), [(1, 1), (30, 15), (4_000, DEALS), (None, DEALS)])
def test_a_search_guesses_no_more_deals_than_it_can_look_at(
    monkeypatch: pytest.MonkeyPatch, rollouts: int | None, guessed: int
) -> None:
    """And those are the first of all that it would guess."""
    table = by_heuristic(2, 5, 50)
    assert table.seat is not None
    view = table.view(table.seat)
    found = []

    def counted(*given: Any) -> NDArray[Any]:
        deals = likely_deals(*given)
        found.append(len(deals))
        return deals

    monkeypatch.setattr("keltis.bots.search.likely_deals", counted)
    bot = bots.make("search", seed=1, rollouts=rollouts, seconds=None if rollouts else 10)
    monkeypatch.setattr("keltis.bots.search.PlanSearch.best", lambda *given: 0)
    bot.choose(view)
    assert found == [guessed]
    some = likely_deals(view, seed=1, most=guessed)
    assert some.tobytes() == likely_deals(view, seed=1)[:guessed].tobytes()


def test_nothing_is_hidden_in_stones() -> None:
    table = keltis.new_game("stones", players=3, seed=2)
    deals = likely_deals(table.view(0), seed=1)
    assert len(deals) == 1
    assert deals[0]["seat"] == 0
