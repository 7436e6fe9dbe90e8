"""From a game, a record or a view to the tensors of the vector environment, and back to moves."""

from __future__ import annotations

import json

import numpy as np
import pytest

import keltis
from keltis.envs import layout
from keltis.envs.table import Table
from keltis.envs.vector import Vector
from tests.envs.games import GAMES


@pytest.mark.parametrize(("game", "players"), [*GAMES, ("stones", 3)])
def test_a_game_writes_what_the_vector_environment_writes(game: str, players: int) -> None:
    vector = Vector(game, players, games=1, seed=3, history=4)
    buffers = vector.buffers(informations=True)
    vector.reset(buffers, seed=3)
    start = Table(game, players)
    start.begin(vector.states.copy())
    twin = start.game()
    chance = np.random.default_rng(1)
    assert buffers.observations is not None
    assert buffers.masks is not None
    assert buffers.informations is not None
    for step in range(120):
        seat = twin.seat
        if seat is None:
            break
        assert seat == buffers.seats[0]
        assert (twin.observation(seat) == buffers.observations[0]).all()
        assert (twin.mask() == buffers.masks[0]).all()
        others = []
        if step % 13 == 0:
            view = json.loads(json.dumps(twin.view(seat)))
            others = [
                Table.from_game(twin, history=4),
                Table.from_game(keltis.load(twin.record()), history=4),
                Table.from_view(view, seed=5, history=4),
            ]
        for table in others:
            assert (table.observation(seat) == buffers.observations[0]).all()
            assert (table.information(seat) == buffers.informations[0]).all()
            assert (table.mask(seat) == buffers.masks[0]).all()
        action = int(chance.choice(np.flatnonzero(buffers.masks[0])))
        twin.play(twin.token(action))
        vector.step(np.array([action]), buffers)


@pytest.mark.parametrize("game", ["board", "stones"])
def test_actions_and_tokens_are_each_other_s(game: str) -> None:
    one = keltis.new_game(game, seed=1)
    legal = [one.token(int(action)) for action in np.flatnonzero(one.mask())]
    assert legal == one.legal_moves()
    for action in range(len(one.mask())):
        assert one.action(one.token(action)) == action


@pytest.mark.parametrize("token", ["R11", "", 7, None, "xx", ["R7"]])
def test_what_is_no_move_has_no_number(token: object) -> None:
    with pytest.raises(ValueError, match=r"token: .* is not a move of stones"):
        keltis.new_game("stones", seed=1).action(token)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "words"), [(-1, "expected 0 to 126, not -1"), (127, "0 to 126"), (True, "whole")]
)
def test_what_is_no_action_has_no_token(action: int, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"action: .*{words}"):
        keltis.new_game(seed=1).token(action)


def test_a_seat_that_is_not_there_sees_nothing() -> None:
    game = keltis.new_game("board", players=3, seed=1)
    with pytest.raises(ValueError, match="seat: expected 0 to 2, not 3"):
        game.observation(3)
    with pytest.raises(TypeError, match="seat: expected a whole number"):
        game.observation(None)  # type: ignore[arg-type]


def test_an_observation_holds_nothing_that_is_hidden() -> None:
    game = keltis.new_game("board", players=3, seed=8)
    chance = np.random.default_rng(2)
    for _ in range(40):
        for seat in range(3):
            world = keltis.resample(game.view(seat), seed=1)
            assert (world.observation(seat) == game.observation(seat)).all()
        game.play(str(chance.choice(game.legal_moves())))


def test_when_the_game_is_over_nothing_is_legal() -> None:
    game = keltis.new_game("board", seed=1)
    game.play(game.legal_moves()[0])
    game.cut_off()
    assert not game.mask().any()
    table = Table.from_game(game)
    assert table.is_over
    assert table.cut_off
    assert not table.mask(0).any()


def test_a_table_goes_on_from_a_game_and_leaves_it_alone() -> None:
    game = keltis.new_game("board", seed=1, names=["Ann", "Ben"])
    game.play(game.legal_moves()[0])
    table = Table.from_game(game)
    table.play(table.legal_actions()[0])
    assert len(game.moves) == 1
    assert table.game().players == ["Ann", "Ben"]
    assert table.game().moves[:1] == game.moves
    with pytest.raises(TypeError, match="game: expected a Game"):
        Table.from_game(game.record())  # type: ignore[arg-type]


def test_a_table_takes_numbers_alone() -> None:
    with pytest.raises(TypeError, match='action: expected a whole number, not "R7"'):
        Table("board").play("R7")  # type: ignore[arg-type]


def test_a_layout_is_of_a_game_that_there_is() -> None:
    with pytest.raises(ValueError, match='game: expected board or stones, not "go"'):
        layout.observation("go", 2)
    with pytest.raises(ValueError, match='game: expected board or stones, not "go"'):
        layout.actions("go")
    with pytest.raises(ValueError, match="players: 2 to 4 can play, not 9"):
        layout.information("board", 9, 0)
    with pytest.raises(ValueError, match="history: expected at least 0, not -1"):
        layout.information("board", 2, -1)
    with pytest.raises(ValueError, match=r"expected 623 numbers along the last axis, not .*\(3,\)"):
        layout.observation("board", 2).named(np.zeros(3))
