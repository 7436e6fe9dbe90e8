"""PettingZoo's own tests, run on our environments; then what they do not look at."""

import copy
import os
import pickle
import time
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo and pygame, of their own modules
    import pettingzoo
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        performance_benchmark,
        render_test,
        seed_test,
    )
    from pettingzoo.utils import BaseWrapper

    from keltis.envs.pettingzoo import env as make
    from keltis.envs.pettingzoo import raw_env

import keltis
from keltis.game.tokens import BOARD
from keltis.rules.shrunken import StonesShape

# What the API test remarks of every environment whose observations hold a mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:The base environment"),
]


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_api(game: str, players: int) -> None:
    api_test(make(game, players=players), num_cycles=300)


def test_api_with_information_states() -> None:
    api_test(make("board", information=True, history=20), num_cycles=300)


@pytest.mark.parametrize("game", ["board", "stones"])
def test_seeds(game: str) -> None:
    seed_test(lambda: make(game, players=3), 300)


@pytest.mark.parametrize("game", ["board", "stones"])
def test_rendering(game: str) -> None:
    render_test(lambda render_mode: make(game, render_mode=render_mode))


def test_performance_benchmark_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lasts five seconds by the clock; one that runs ten times as fast will do."""
    monkeypatch.setattr(time, "time", lambda: 10 * time.monotonic())
    performance_benchmark(make("board"))


def test_rewards_and_masks_agree_with_the_public_api() -> None:
    env = make("board", players=3, reward="margin")
    for seed in range(3):
        env.reset(seed=seed)
        game = keltis.new_game("board", 3, seed=seed)
        chance = np.random.default_rng(seed)
        for agent in env.agent_iter():
            observation, _, terminated, _, info = env.last()
            if terminated:
                break
            assert env.possible_agents.index(agent) == game.seat
            mask = observation["action_mask"]
            assert (info["action_mask"] == mask).all()
            assert [BOARD[a] for a in np.flatnonzero(mask)] == game.legal_moves()
            action = int(chance.choice(np.flatnonzero(mask)))
            env.step(action)
            game.play(BOARD[action])
        scores = game.scores()
        assert game.is_over
        margins = [score - (sum(scores) - score) / 2 for score in scores]
        assert list(env.rewards.values()) == pytest.approx(margins)


def test_an_illegal_action_ends_the_game_as_in_the_classics() -> None:
    env = make("board")
    env.reset(seed=1)
    env.step(121)
    assert all(env.terminations.values())
    assert env.rewards["player_0"] == -1


class Discarding(BaseWrapper):  # type: ignore[misc]
    """PettingZoo's test samples without a mask; this answers with the last legal action.

    That is a discard, then a draw: two decisions a turn, as many for each agent.
    """

    def action_space(self, agent: str) -> Any:
        return SimpleNamespace(
            sample=lambda: int(np.flatnonzero(self.table.mask(self.table.seat))[-1])
        )


class Cycles:
    """A cycle is as many decisions as there are agents, whosoever they are."""

    def __init__(self, max_cycles: int) -> None:
        self.env = Discarding(make(max_cycles=max_cycles))
        self.action_space = self.env.action_space

    def reset(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self.env.reset(seed=1)
        self.agents = self.env.agents
        return {}, {}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        for agent in actions:
            self.env.step(self.action_space(agent).sample())
        return {}, self.env.rewards, self.env.terminations, self.env.truncations, {}


def test_max_cycles() -> None:
    module = SimpleNamespace(
        parallel_env=Cycles,
        env=lambda max_cycles: Discarding(make(max_cycles=max_cycles)),
    )
    max_cycles_test(module)


def test_a_game_that_is_cut_off_pays_nothing() -> None:
    env = make("board", max_cycles=5)
    env.reset(seed=1)
    for _ in range(10):
        assert not any(env.truncations.values())
        mask = env.last()[0]["action_mask"]
        env.step(int(np.flatnonzero(mask)[-1]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_where_the_original_was(again: Any) -> None:
    for env in (
        make("stones", players=4),
        raw_env("board", render_mode="ansi"),
    ):
        env.reset(seed=3)
        for _ in range(9):
            env.step(int(env.last()[0]["action_mask"].argmax()))
        other = again(env)
        for _ in range(9):
            seen, agent = env.last()[0], env.agent_selection
            assert other.agent_selection == agent
            assert (other.last()[0]["observation"] == seen["observation"]).all()
            env.step(int(seen["action_mask"].argmax()))
            other.step(int(seen["action_mask"].argmax()))


def test_settings_are_checked() -> None:
    for wrong in (
        {"players": "2"},
        {"players": 5},
        {"max_cycles": 0},
        {"history": -1},
        {"reward": "money"},
        {"render_mode": "svg"},
        {"shape": StonesShape(2)},
    ):
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
            make("board", **wrong)
    env = raw_env("board")
    for seed in (-3, 2**70):
        env.reset(seed=seed)
    with pytest.raises(TypeError, match="seed"):
        env.reset(seed="x")  # type: ignore[arg-type]
    for action in (None, 1.5):
        with pytest.raises(TypeError, match="action"):
            env.step(action)  # type: ignore[arg-type]
    with pytest.raises(keltis.IllegalMove):
        env.step(121)


def test_environments_are_registered() -> None:
    made = pettingzoo.make("aec", "keltis/Stones-v1", players=3)
    made.reset(seed=1)
    assert made.num_agents == 3


def test_pictures_and_texts() -> None:
    for game in ("board", "stones"):
        env = make(game, render_mode="rgb_array")
        env.reset(seed=1)
        picture = env.render()
        assert picture.shape == (720, 960, 3)
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    text = make("board", render_mode="ansi")
    text.reset(seed=1)
    assert text.render().startswith("board, you are seat 0; card: you to decide")
