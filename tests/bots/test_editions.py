"""Bots play by the rules of every edition, and come to an end by them."""

import pytest

import keltis
from keltis import bots
from keltis.game.kinds import kind

EDITIONS = kind("board").editions


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_every_edition_comes_to_its_end(edition: str, players: int) -> None:
    options = EDITIONS[edition]
    game = keltis.new_game("board", players, seed=players, options=options)
    seats = [bots.make("heuristic", seed=seat) for seat in range(players)]
    while not game.is_over and len(game.moves) < keltis.DECISION_CAP:
        seat = game.seat
        assert seat is not None
        game.play(seats[seat].choose(game.view(seat)))
    assert game.reason in ("goal", "deck")
