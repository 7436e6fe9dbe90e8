"""The vector environment, against single games and the public API step by step."""

import copy
import os
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.bots.heuristic import HeuristicBot
from keltis.envs import opponents, threads
from keltis.envs.table import Table
from keltis.envs.vector import CUT_OFF, ENDED, ILLEGAL, RUNNING, STAY, Vector
from keltis.game.game import Game
from keltis.game.tokens import CARDS
from keltis.rules import shrunken
from keltis.rules.shrunken import BoardShape
from tests.envs.games import GAMES


def table_like(vector: Vector, i: int) -> Table:
    """A single game at the start of what runs in place i."""
    table = Table(vector.kind.name, vector.players, history=9)
    table.deal(int(vector.slots["deal"][i]))
    return table


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_game_runs_as_it_would_alone(game: str, players: int) -> None:
    vector = Vector(game, players, games=6, seed=5, history=9, reward="both")
    buffers = vector.buffers(informations=True, finals=True)
    vector.reset(buffers, seed=5)
    tables = [table_like(vector, i) for i in range(6)]
    ended = 0
    for _ in range(700):
        assert buffers.observations is not None
        assert buffers.masks is not None
        assert buffers.informations is not None
        for i, table in enumerate(tables):
            seat = table.seat
            assert buffers.seats[i] == seat
            assert (buffers.observations[i] == table.observation(seat)).all()
            assert (buffers.masks[i] == table.mask(seat)).all()
            assert (buffers.informations[i] == table.information(seat)).all()
        actions = vector.sample()
        movers = [table.seat for table in tables]
        vector.step(actions, buffers)
        for i, table in enumerate(tables):
            table.play(int(actions[i]))
            assert buffers.rewards[i].tolist() == pytest.approx(table.rewards(1, 0.01), abs=1e-6)
            assert (buffers.ends[i] == ENDED) == table.ended
            if table.ended:
                ended += 1
                assert buffers.scores[i].tolist() == table.scores()
                assert buffers.finals is not None
                assert (buffers.finals[i] == table.observation(movers[i])).all()
                tables[i] = table_like(vector, i)
    assert ended


def test_a_game_replays_through_the_public_api_token_by_token() -> None:
    for game in ("board", "stones"):
        vector = Vector(game, 2, games=3, seed=1)
        buffers = vector.buffers(observations=False)
        vector.reset(buffers, seed=1)
        kind = vector.kind
        games = [Game(kind, ["a", "b"], {}, vector.states[i : i + 1].copy()) for i in range(3)]
        over = [False] * 3
        while not all(over):
            assert buffers.masks is not None
            actions = vector.sample()
            for i, played in enumerate(games):
                if not over[i]:
                    legal = [kind.tokens[a] for a in np.flatnonzero(buffers.masks[i])]
                    assert legal == played.legal_moves()
                    assert buffers.seats[i] == played.seat
                    played.play(kind.tokens[actions[i]])
            vector.step(actions, buffers)
            for i, played in enumerate(games):
                if not over[i] and buffers.ends[i]:
                    over[i] = True
                    assert played.scores() == buffers.scores[i].tolist()
                    assert keltis.load(played.record()).record() == played.record()


def course(vector: Vector, steps: int = 300) -> list[bytes]:
    buffers = vector.buffers()
    vector.reset(buffers, seed=3)
    seen = []
    for _ in range(steps):
        vector.step(vector.sample(), buffers)
        assert buffers.observations is not None
        seen.append(buffers.observations.tobytes() + buffers.rewards.tobytes())
    return seen


@pytest.mark.parametrize("opponents", [None, "random", "heuristic"])
def test_a_seed_makes_everything_the_same_on_any_number_of_threads(opponents: str | None) -> None:
    settings: dict[str, Any] = {"temperature": 2.0} if opponents == "heuristic" else {}
    one = course(Vector("board", 2, games=40, opponents=opponents, **settings))
    two = course(Vector("board", 2, games=40, opponents=opponents, threads=2, **settings))
    assert one == two
    other = Vector("board", 2, games=40, opponents=opponents, seed=4)
    assert (Vector("board", 2, games=40, seed=3).slots["deal"] != other.slots["deal"]).all()


def test_helpers_that_watch_before_there_is_a_job_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: dict[str, Any] = {"games": 40, "opponents": "heuristic", "threads": 2}
    expected = course(Vector("board", 2, **settings), steps=50)  # and all is compiled

    class Slow(threads.ThreadPool):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            time.sleep(0.2)

    monkeypatch.setattr(threads, "_SPINS", 10**9)
    monkeypatch.setattr("keltis.envs.vector.ThreadPool", Slow)
    vector = Vector("board", 2, **settings)
    assert course(vector, steps=50) == expected
    vector.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_random_steps_are_those_that_sample_would_choose(threads: int) -> None:
    seen: list[list[bytes]] = [[], []]
    for k in range(2):
        vector = Vector("board", 2, games=50, seed=3, threads=threads)
        buffers = vector.buffers()
        for _ in range(250):
            vector.step(vector.sample() if k else None, buffers)
            assert buffers.observations is not None
            seen[k].append(buffers.observations.tobytes() + buffers.rewards.tobytes())
    assert seen[0] == seen[1]


def test_games_go_on_without_buffers_as_with_them() -> None:
    told, silent = (Vector("stones", 3, games=20, seed=5) for _ in range(2))
    buffers = told.buffers()
    for _ in range(100):
        told.step(told.sample(), buffers)
        silent.step(silent.sample())
    assert told.states.tobytes() == silent.states.tobytes()


def test_duplicate_deals_come_in_groups() -> None:
    vector = Vector("board", 3, games=12, seed=2, duplicate=True, opponents="random")
    assert vector.seats.tolist() == [0, 1, 2] * 4
    buffers = vector.buffers(observations=False, masks=False)
    deals: list[list[int]] = [[] for _ in range(12)]
    while min(map(len, deals)) < 3:
        vector.step(vector.sample(), buffers)
        for i in np.flatnonzero(buffers.ends):
            deals[i].append(int(buffers.deals[i]))
    for group in range(0, 12, 3):
        assert deals[group][:3] == deals[group + 1][:3] == deals[group + 2][:3]
    assert len({tuple(played[:3]) for played in deals}) == 4
    with pytest.raises(ValueError, match="grouped"):
        Vector("board", 3, games=10, duplicate=True)


def test_built_in_opponents_leave_one_seat_to_the_caller() -> None:
    for players in (2, 3):
        vector = Vector("board", players, games=9, seed=1, opponents="random")
        buffers = vector.buffers(observations=False, masks=False)
        vector.reset(buffers, seed=1)
        for _ in range(400):
            assert (buffers.seats == vector.seats).all()
            vector.step(vector.sample(), buffers)
    fixed = Vector("stones", 2, games=4, seed=1, opponents="random", seat=1)
    assert fixed.seats.tolist() == [1] * 4


def test_the_heuristic_beats_chance_and_warmth_weakens_it() -> None:
    means = []
    for temperature in (0.0, 20.0):
        vector = Vector(
            "board", 2, games=64, seed=1, opponents="heuristic", temperature=temperature
        )
        buffers = vector.buffers(observations=False, masks=False)
        rewards: list[float] = []
        while len(rewards) < 200:
            vector.step(vector.sample(), buffers)
            over = np.flatnonzero(buffers.ends)
            rewards += buffers.rewards[over, vector.seats[over]].tolist()
        means.append(np.mean(rewards))
    assert means[0] < -0.95
    assert means[1] > means[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rewards_sum_to_zero(players: int) -> None:
    for reward in ("win", "margin", "both"):
        vector = Vector("stones", players, games=200, seed=1, reward=reward)
        buffers = vector.buffers(observations=False, masks=False)
        shares = set()
        for _ in range(200):
            vector.step(vector.sample(), buffers)
            assert np.allclose(buffers.rewards.sum(axis=1), 0, atol=1e-4)
            for i in np.flatnonzero(buffers.ends == ENDED):
                scores = buffers.scores[i].astype(float)
                best = scores.max()
                if reward == "win" and (scores == best).sum() == 1:
                    assert buffers.rewards[i].max() == 1
                    shares.add(round(float(buffers.rewards[i].min()), 4))
                if reward == "margin":
                    others = (scores.sum() - scores) / (players - 1)
                    assert buffers.rewards[i].tolist() == pytest.approx(scores - others, abs=1e-4)
        if reward == "win":
            assert shares == {round(-1 / (players - 1), 4)}


def test_a_game_at_the_cap_is_cut_off_and_pays_nothing() -> None:
    vector = Vector("board", 2, games=5, seed=1, cap=11)
    buffers = vector.buffers(observations=False, masks=False)
    for step in range(1, 34):
        vector.step(vector.sample(), buffers)
        assert (buffers.ends == (CUT_OFF if step % 11 == 0 else RUNNING)).all()
        assert not buffers.rewards.any()


def test_an_illegal_action_raises_and_changes_nothing_or_ends_its_game() -> None:
    vector = Vector("board", 2, games=4, seed=1)
    buffers = vector.buffers()
    actions = vector.sample()
    actions[2] = 121
    before = vector.states.tobytes()
    with pytest.raises(keltis.IllegalMove, match="game 2"):
        vector.step(actions, buffers)
    assert vector.states.tobytes() == before

    vector = Vector("board", 2, games=4, seed=1, illegal="end")
    actions = vector.sample()
    actions[2], actions[3] = 121, 100000
    vector.step(actions, buffers)
    assert buffers.ends.tolist() == [RUNNING, RUNNING, ILLEGAL, ILLEGAL]
    assert buffers.rewards[2].tolist() == [-1, 0]


def test_an_illegal_action_changes_nothing_on_several_threads_either() -> None:
    vector = Vector("stones", 2, games=64, seed=1, threads=3)
    buffers = vector.buffers()
    vector.reset(buffers, seed=1)
    for _ in range(50):
        actions = vector.sample()
        wrong = actions.copy()
        wrong[[20, 63]] = -1
        before = vector.states.tobytes(), buffers.ends.tobytes()
        with pytest.raises(keltis.IllegalMove, match="game 20: action -1"):
            vector.step(wrong, buffers)
        assert (vector.states.tobytes(), buffers.ends.tobytes()) == before
        vector.step(actions, buffers)
    vector.close()
    with pytest.raises(RuntimeError, match="closed"):
        vector.step(actions, buffers)


def test_a_game_can_be_left_as_it_is() -> None:
    vector = Vector("board", 2, games=6, seed=1, opponents="random", history=4)
    buffers = vector.buffers(informations=True)
    vector.reset(buffers, seed=1)
    for _ in range(200):
        actions = vector.sample()
        actions[2:4] = STAY
        before = [array[2:4].copy() for array in vars(buffers).values() if array is not None]
        vector.step(actions, buffers)
        after = [array[2:4] for array in vars(buffers).values() if array is not None]
        assert all((old == new).all() for old, new in zip(before, after, strict=True))


AGAIN = [
    copy.deepcopy,
    lambda both: (copy.copy(both[0]), copy.deepcopy(both[1])),
    lambda both: pickle.loads(pickle.dumps(both)),
]


@pytest.mark.parametrize("again", AGAIN)
def test_a_copy_goes_on_as_the_original_does(again: Any) -> None:
    vector = Vector("stones", 3, games=20, seed=1, opponents="random", history=3, threads=2)
    buffers = vector.buffers(informations=True)
    for _ in range(60):
        vector.step(None, buffers)
    other, copies = again((vector, buffers))
    for _ in range(120):
        vector.step(None, buffers)
        other.step(None, copies)
        for name, array in vars(buffers).items():
            if array is not None:
                assert (vars(copies)[name] == array).all()
    vector.close()
    other.step(None, copies)


def test_levels_have_the_settings_of_the_bots_of_their_names() -> None:
    assert opponents.names()[:2] == ["random", "heuristic"]
    for name in opponents.names()[1:]:
        bot = keltis.bots.make(name)
        assert isinstance(bot, HeuristicBot)
        for game in ("board", "stones"):
            for players in (2, 4):
                vector = Vector(game, players=players, games=1, opponents=name)
                wanted = bot.temperature.get((game, players), 0.0)
                assert vector._settings["temperature"].item() == wanted
        vector = Vector(games=1, opponents=name, temperature=7, sight=0.5)
        assert vector._settings["temperature"].item() == 7


def test_arguments_are_checked() -> None:
    for wrong in (
        {"game": "chess"},
        {"reward": "money"},
        {"reward": "both", "margin_weight": "high"},
        {"opponents": "nobody"},
        {"opponents": "search"},
        {"opponents": 5},
        {"games": 0},
        {"games": "many"},
        {"players": 5},
        {"players": 2.0},
        {"players": True},
        {"cap": 0},
        {"cap": 10.5},
        {"history": -1},
        {"threads": 0},
        {"seed": 1.5},
        {"illegal": "?"},
        {"illegal_reward": float("nan")},
        {"temperature": 1.0},
        {"opponents": "random", "sight": 0.5},
        {"opponents": "heuristic", "sight": 2.0},
        {"opponents": "heuristic", "temperature": float("nan")},
        {"seat": 1},
        {"opponents": "random", "seat": 2},
        {"opponents": "heuristic", "shape": BoardShape(2)},
        {"shape": shrunken.StonesShape(2)},
        {"shape": 2},
        {"options": {"speed": "high"}},
        {"options": 0},
    ):
        with pytest.raises((TypeError, ValueError), match=rf"{list(wrong)[-1]}|opponents"):
            Vector(**{"games": 4, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3, np.int64),
        np.zeros((4, 1), np.int64),
        np.zeros(4),
        np.zeros(4, np.bool_),
        ["R1"] * 4,
        7,
    ],
)
def test_actions_are_checked(actions: Any) -> None:
    vector = Vector(games=4, seed=1)
    with pytest.raises(ValueError, match="actions: expected 4 whole numbers"):
        vector.step(actions, vector.buffers())


def test_any_kind_of_whole_numbers_will_do_as_actions() -> None:
    vector = Vector(games=4, seed=1)
    buffers = vector.buffers()
    vector.step(vector.sample().tolist(), buffers)
    vector.step(vector.sample().astype(np.uint8), buffers)
    vector.step(np.repeat(vector.sample(), 2)[::2], buffers)


def test_arrays_to_write_are_checked() -> None:
    vector = Vector(games=4, seed=1)
    fixed = np.zeros((4, 623), np.int8)
    fixed.flags.writeable = False
    for name, wrong in (
        ("masks", np.zeros((4, 127), np.float32)),
        ("masks", np.zeros((3, 127), np.int8)),
        ("masks", np.zeros((127, 4), np.int8).T),
        ("observations", fixed),
        ("observations", [0] * 623),
        ("rewards", None),
        ("deals", np.zeros(4, np.int64)),
    ):
        buffers = vector.buffers()
        setattr(buffers, name, wrong)
        with pytest.raises((TypeError, ValueError), match=f"{name}: expected"):
            vector.step(vector.sample(), buffers)
    with pytest.raises((TypeError, ValueError), match="actions: expected"):
        vector.sample(np.zeros(4))  # type: ignore[arg-type]


def test_shrunken_games_and_options_reach_the_rules() -> None:
    shape = BoardShape(2, 4, 2, 2, 0, 2)
    vector = Vector("board", games=8, seed=1, shape=shape, options={"end_stone_step": "may"})
    buffers = vector.buffers()
    vector.reset(buffers, seed=1)
    for _ in range(200):
        assert buffers.observations is not None
        seen = vector.layout.named(buffers.observations)
        absent = [k for k, card in enumerate(CARDS) if card[0] not in "RY" or int(card[1:]) > 3]
        assert not seen["hand"][:, absent].any()
        assert seen["end_stone_may"].all()
        vector.step(vector.sample(), buffers)
    small = Vector("stones", games=8, seed=1, shape=shrunken.StonesShape(2, 3))
    assert (small.states["next"] == 55 - 6).all()
    for _ in range(100):
        small.step(small.sample(), small.buffers(observations=False))


def test_there_are_no_more_threads_than_games_and_processors(tmp_path: Path) -> None:
    assert Vector("stones", games=1, threads=64).threads == 1
    assert Vector("stones", games=64, threads=64).threads <= len(os.sched_getaffinity(0))
    (tmp_path / "cpu.max").write_text("max 100000\n")
    free = threads.granted_processors(tmp_path)
    assert free >= 1
    for quota in ("150000 100000\n", "50000 100000\n"):
        (tmp_path / "cpu.max").write_text(quota)
        assert threads.granted_processors(tmp_path) == min(free, 2 if quota.startswith("15") else 1)
    (tmp_path / "cpu.max").write_text("nonsense")
    assert threads.granted_processors(tmp_path) == free


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_row_of_states_can_be_copied_over_another(game: str) -> None:
    vector = Vector(game, 2, games=2, seed=1)
    for _ in range(9):
        vector.step(None)
    vector.states[1] = vector.states[0]
    buffers = vector.buffers()
    vector.step(np.full(2, STAY), buffers)
    assert buffers.observations is not None
    assert buffers.masks is not None
    assert (buffers.observations[0] == buffers.observations[1]).all()
    assert (buffers.masks[0] == buffers.masks[1]).all()


@pytest.mark.parametrize("game", ["board", "stones"])
def test_the_number_of_a_deal_deals_it_again(game: str) -> None:
    vector = Vector(game, 3, games=4, seed=1)
    buffers = vector.buffers()
    vector.reset(buffers, seed=8)
    assert buffers.observations is not None
    for deal, seen in zip(buffers.deals, buffers.observations, strict=True):
        table = Table(game, 3)
        table.deal(int(deal))
        assert (table.observation(0) == seen).all()
        assert table.game().seat == 0
