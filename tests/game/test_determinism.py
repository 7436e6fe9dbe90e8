"""The same seed, the same game: for ever within a minor release."""

from __future__ import annotations

import json

import pytest

import keltis
from tests.game.pin_seeds import FILE, pins, play_to_the_end


def test_seeds_give_the_pinned_games() -> None:
    """If the change is meant, `python -m tests.game.pin_seeds` writes the file anew."""
    assert pins() == json.loads(FILE.read_text())


@pytest.mark.parametrize("kind", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_undo_to_the_start_and_back(kind: str, players: int) -> None:
    game = keltis.new_game(kind, players=players, seed=11)
    seats = (*range(players), None)
    positions = [[game.record(), *(game.view(seat) for seat in seats)]]
    follower = game.copy()
    tokens = play_to_the_end(game, 11)
    for token in tokens:
        follower.play(token)
        positions.append([follower.record(), *(follower.view(seat) for seat in seats)])
    for token, position in zip(reversed(tokens), positions[-2::-1], strict=True):
        assert game.undo() == token
        assert [game.record(), *(game.view(seat) for seat in seats)] == position
    with pytest.raises(keltis.IllegalMove):
        game.undo()
    for token, position in zip(tokens, positions[1:], strict=True):
        game.play(token)
        assert [game.record(), *(game.view(seat) for seat in seats)] == position


@pytest.mark.parametrize("kind", ["board", "stones"])
def test_seeds_matter(kind: str) -> None:
    setups = {
        json.dumps(keltis.new_game(kind, players=2, seed=seed).record()["setup"])
        for seed in range(50)
    }
    assert len(setups) == 50


@pytest.mark.parametrize("kind", ["board", "stones"])
def test_without_a_seed_deals_differ(kind: str) -> None:
    deals = [keltis.new_game(kind, players=2).record()["setup"] for _ in range(3)]
    assert deals[0] != deals[1] != deals[2]
