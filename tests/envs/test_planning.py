"""Single games of a vector environment saved, put back, cloned, set up, and dealt anew."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import keltis
from keltis.envs.vector import STAY, Buffers, Vector


def stepped(vector: Vector, steps: int) -> Buffers:
    buffers = vector.buffers(informations=True)
    for _ in range(steps):
        vector.step(vector.sample(), buffers)
    return buffers


def same(a: Buffers, b: Buffers, i: int, j: int) -> bool:
    return all(
        np.array_equal(getattr(a, name)[i], getattr(b, name)[j])
        for name in ("observations", "masks", "informations", "seats", "ends", "rewards")
    )


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("opponents", [None, "hare"])
def test_a_game_put_back_goes_on_as_it_would_have(game: str, opponents: str | None) -> None:
    vector = Vector(game, 2, games=6, seed=1, opponents=opponents, history=3)
    stepped(vector, 30)
    saved = pickle.loads(pickle.dumps(vector.save([2, 4])))
    assert len(saved) == 2
    first = stepped(vector, 40)
    vector.restore(saved, [5, 2])
    again = stepped(vector, 40)
    assert same(again, first, 5, 2)
    assert same(again, first, 2, 4)
    assert repr(saved) == f"<Saved 2 games of {game}, 2 players>"


def test_one_game_is_cloned_into_many_rows() -> None:
    vector = Vector("board", 3, games=5, seed=2, history=2)
    stepped(vector, 17)
    vector.restore(vector.save(3))
    buffers = vector.buffers(informations=True)
    vector.look(buffers)
    assert all(same(buffers, buffers, i, 0) for i in range(5))
    vector.reseed(seed=4)
    vector.look(buffers)
    assert all(same(buffers, buffers, i, 0) for i in range(5))
    assert len(set(vector.sample().tolist())) > 1


def test_clones_are_worlds_that_the_seat_cannot_tell_apart() -> None:
    vector = Vector("board", 2, games=40, seed=2)
    stepped(vector, 60)
    vector.restore(vector.save(0))
    before, after = vector.buffers(informations=True), vector.buffers(informations=True)
    vector.look(before)
    vector.resample(seed=1)
    vector.look(after)
    assert all(same(before, after, i, i) for i in range(40))
    other = 1 - int(after.seats[0])
    assert len({tuple(row) for row in vector.states["held"][:, [other]].tolist()}) > 20
    hands = vector.states["held"].copy()
    vector.resample(seed=1)
    assert not np.array_equal(vector.states["held"], hands)  # it deals what it finds anew
    assert (vector.states["held"][:, 1 - other] == hands[:, 1 - other]).all()


@pytest.mark.parametrize("game", ["board", "stones"])
def test_rows_go_on_from_any_game(game: str) -> None:
    begun = keltis.new_game(game, 2, seed=5)
    for _ in range(25):
        begun.play(begun.legal_moves()[0])
    for given in (begun, keltis.position(begun.position()), keltis.load(begun.record())):
        vector = Vector(game, 2, games=3, seed=1)
        buffers = vector.buffers()
        vector.place(given, 1)
        vector.look(buffers)
        assert given.seat is not None
        assert (buffers.observations[1] == given.observation(given.seat)).all()
        assert (buffers.masks[1] == given.mask()).all()
        twin = given.copy()
        action = int(buffers.masks[1].argmax())
        vector.step(np.array([STAY, action, STAY]), buffers)
        twin.play(twin.token(action))
        assert given.moves != twin.moves
        assert twin.seat is not None
        assert (buffers.observations[1] == twin.observation(twin.seat)).all()


def test_opponents_play_up_to_the_seat_s_own_decision() -> None:
    begun = keltis.new_game("board", 2, seed=5)
    vector = Vector("board", 2, games=2, seed=1, opponents="heuristic")
    vector.place(begun)
    buffers = vector.buffers()
    vector.look(buffers)
    assert buffers.seats.tolist() == [0, 1]
    assert (buffers.observations[0] == begun.observation(0)).all()
    assert not (buffers.observations[1] == begun.observation(1)).all()


def test_what_does_not_fit_is_refused() -> None:
    vector = Vector("board", 2, games=3, seed=1)
    for rows in ([3], -1, [[0]], "a", [0.5]):
        with pytest.raises(ValueError, match="rows: expected"):
            vector.save(rows)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="saved: 2 games do not fit 3 rows"):
        vector.restore(vector.save([0, 1]))
    with pytest.raises(ValueError, match="saved: games of stones for 2 players"):
        vector.restore(Vector("stones", 2, games=1, seed=1).save())
    with pytest.raises(ValueError, match="saved: a history of 4 decisions"):
        vector.restore(Vector("board", 2, games=1, seed=1, history=4).save(), 0)
    with pytest.raises(ValueError, match="game: stones for 2 players"):
        vector.place(keltis.new_game("stones", 2, seed=1))
    over = keltis.new_game("board", 2, seed=1)
    over.cut_off()
    with pytest.raises(ValueError, match="game: it is over"):
        vector.place(over)


# --- Without a copy ----------------------------------------------------------------------


def test_buffers_are_taken_over_without_a_copy() -> None:
    vector = Vector("board", 2, games=7, seed=1)
    buffers = vector.buffers(informations=True, finals=True)
    for name, array in vars(buffers).items():
        assert array.ctypes.data % 64 == 0, name
        shared = np.from_dlpack(array)  # what torch and JAX do too
        assert np.shares_memory(shared, array)
        assert memoryview(array).nbytes == array.nbytes
    seen = np.from_dlpack(buffers.observations)
    stepped = seen.copy()
    vector.step(vector.sample(), buffers)
    assert not np.array_equal(seen, stepped)
    assert np.array_equal(seen, buffers.observations)
    assert repr(buffers).startswith(
        "<InformedBuffers observations int8[7, 623], masks int8[7, 127]"
    )


def test_what_is_public_has_a_name_to_read() -> None:
    assert repr(Vector("stones", 2, games=3, seed=1)) == (
        "<Vector of 3 games of stones, 2 players, 1 threads>"
    )


def test_what_is_saved_and_what_is_shown_can_be_compared() -> None:
    vector = Vector("board", games=4, seed=1)
    buffers = vector.buffers()
    vector.reset(buffers, seed=1)
    saved = vector.save(1)
    for twin in (copy.copy(saved), copy.deepcopy(saved), pickle.loads(pickle.dumps(saved))):
        assert twin == saved
        assert hash(twin) == hash(saved)
    vector.step(vector.sample(), buffers)
    assert vector.save(1) != saved
    assert saved != vector.save([0, 1])
    assert saved != 1
    assert buffers == buffers
    assert copy.deepcopy(buffers) != buffers  # arrays that change are only equal to themselves
    layout = pickle.loads(pickle.dumps(vector.layout))
    assert (layout, hash(layout)) == (vector.layout, hash(vector.layout))
    assert layout != Vector("board", players=3).layout
    game = keltis.new_game("stones", seed=1)
    assert keltis.show(game) == keltis.show(game.record()) == copy.copy(keltis.show(game))
    assert len({keltis.show(game), keltis.show(keltis.new_game("board", seed=1))}) == 2
