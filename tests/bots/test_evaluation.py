"""What a position is worth, as a function of a view."""

from __future__ import annotations

import random

import pytest

import keltis
from keltis import bots

CASES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]


def played(game: str, players: int, moves: int) -> keltis.Game:
    chance = random.Random(players)
    one = keltis.new_game(game, players=players, seed=3)
    for _ in range(moves):
        if not one.is_over:
            one.play(chance.choice(one.legal_moves()))
    return one


@pytest.mark.parametrize(("game", "players"), CASES)
def test_a_value_is_a_chance_and_a_lead(game: str, players: int) -> None:
    one = played(game, players, 20)
    assert one.seat is not None
    found = bots.evaluate(one.view(one.seat))
    assert 0 <= found.wins <= 1
    assert -100 < found.lead < 100
    assert bots.evaluate(one.view(one.seat)) == found


@pytest.mark.parametrize(("game", "players"), CASES)
def test_a_value_holds_nothing_that_is_hidden(game: str, players: int) -> None:
    one = played(game, players, 20)
    view = one.view(one.seat)
    assert bots.evaluate(keltis.resample(view, seed=9).view(one.seat)) == bots.evaluate(view)


@pytest.mark.parametrize(("game", "players"), CASES)
def test_the_end_is_worth_what_it_was(game: str, players: int) -> None:
    one = played(game, players, 10_000)
    for seat in range(players):
        found = bots.evaluate(one.view(seat))
        winners, scores = one.winners(), one.scores()
        assert found.wins == (1 / len(winners) if seat in winners else 0)
        assert found.lead == scores[seat] - max(s for k, s in enumerate(scores) if k != seat)


def test_who_is_not_to_decide_has_no_value() -> None:
    one = keltis.new_game("board", seed=1)
    with pytest.raises(ValueError, match="it is seat 0's decision"):
        bots.evaluate(one.view(1))
    with pytest.raises(ValueError, match="a spectator's"):
        bots.evaluate(one.view(None))
    one.cut_off()
    with pytest.raises(ValueError, match="cut off"):
        bots.evaluate(one.view(0))


@pytest.mark.parametrize(("game", "players"), CASES)
def test_the_network_advises_what_it_plays(game: str, players: int) -> None:
    one = played(game, players, 12)
    view = one.view(one.seat)
    bot = bots.make("network", seed=1)
    advice = bot.advise(view)
    assert advice["move"] == bot.choose(view) == advice["moves"][0]["move"]
    assert sorted(entry["move"] for entry in advice["moves"]) == sorted(view["legal_moves"])
    best = bots.evaluate(view)
    assert advice["moves"][0]["wins"] == pytest.approx(best.wins, abs=0.001)
    assert advice["moves"][0]["value"] == pytest.approx(best.lead, abs=0.01)


def test_who_leads_by_far_is_likelier_to_win() -> None:
    """The heuristic against chance: its last decision is worth more than its first."""
    one = keltis.new_game("board", seed=2)
    strong, weak = bots.make("heuristic", seed=1), bots.make("random", seed=1)
    values = []
    while (seat := one.seat) is not None:
        view = one.view(seat)
        if seat == 0:
            values.append(bots.evaluate(view))
        one.play((strong if seat == 0 else weak).choose(view))
    assert values[-1].wins > 0.95 > values[0].wins
    assert values[-1].lead > values[0].lead
