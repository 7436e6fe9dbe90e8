"""Changes: what a server sends of a view after a decision."""

import random

import pytest

import keltis


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 4), ("stones", 3)])
def test_changes_and_the_view_before_give_the_view_after(game: str, players: int) -> None:
    chance = random.Random(players)
    played = keltis.new_game(game, players, seed=players)
    seats = [*range(players), None]
    views = [played.view(seat) for seat in seats]
    with pytest.raises(keltis.IllegalMove):
        played.changes(seats)
    while not played.is_over:
        played.play(chance.choice(played.legal_moves()))
        for k, change in enumerate(played.changes(seats)):
            step = change.pop("step")
            views[k] = {**views[k], **change, "history": [*views[k]["history"], step]}
        assert views == [played.view(seat) for seat in seats]
