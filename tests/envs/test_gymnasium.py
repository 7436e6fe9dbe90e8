"""Gymnasium's own checks, run on our environments; then what they do not look at."""

import os
import warnings

import numpy as np
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pygame, of its own modules
    import gymnasium
    import pygame  # noqa: F401
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import AutoresetMode
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    from keltis.envs import batch, single

import keltis
from keltis.rules.shrunken import BoardShape

NAMES = ["keltis/Board-v1", "keltis/Stones-v1"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_check_env(name: str, players: int) -> None:
    check_env(gymnasium.make(name, players=players).unwrapped)


def test_check_env_of_a_shrunken_game() -> None:
    check_env(gymnasium.make(NAMES[0], shape=BoardShape(2, 4, 2, 2, 0, 2)).unwrapped)


@pytest.mark.parametrize("name", NAMES)
def test_one_seat_against_bots_plays_to_the_end(name: str) -> None:
    env = gymnasium.make(name, players=2, opponents="hare", seat=1)
    inside = env.unwrapped
    assert isinstance(inside, single.SeatEnv)
    observation, info = env.reset(seed=1)
    env.action_space.seed(1)
    over = False
    while not over:
        assert (info["action_mask"] == observation["action_mask"]).all()
        assert (inside.action_masks() == info["action_mask"]).all()
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        assert over or reward == 0
    game = inside.table.game()
    assert game.is_over
    assert info["scores"].tolist() == game.scores()
    won, lost = game.winners() == [1], 1 not in game.winners()
    assert reward == (1 if won else -1 if lost else 0)
    assert keltis.load(game.record()).scores() == game.scores()


def test_a_seed_deals_as_the_public_api_does() -> None:
    env = single.SeatEnv(seat=0)
    observation, _ = env.reset(seed=42)
    game = keltis.new_game("board", seed=42)
    hand = env.table.layout.named(observation["observation"])["hand"]
    assert env.table.game().view(0)["hand"] == game.view(0)["hand"]
    assert hand.sum() == 8
    first = {single.SeatEnv().reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert first == {0, 1}


def test_illegal_actions_end_the_game() -> None:
    env = single.SeatEnv()
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(126)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_settings_are_checked() -> None:
    for wrong in (
        {"opponents": "nobody"},
        {"opponents": ["random", "random"]},
        {"seat": 2},
        {"reward": "money"},
        {"opponents": "heuristic", "shape": BoardShape(2)},
    ):
        with pytest.raises(ValueError, match=r".+"):
            single.SeatEnv(**wrong)


@pytest.mark.parametrize("name", NAMES)
def test_vector_env_keeps_to_its_spaces_and_restarts_in_the_same_step(name: str) -> None:
    envs = gymnasium.make_vec(name, num_envs=6, opponents="random")
    assert isinstance(envs.unwrapped, batch.BatchEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    envs = RecordEpisodeStatistics(envs)
    observations, infos = envs.reset(seed=4)
    chance = np.random.default_rng(0)
    ends = 0
    for _ in range(500):
        assert observations in envs.observation_space
        masks = observations["action_mask"]
        assert (infos["action_mask"] == masks).all()
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in masks])
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (6,)
        assert rewards.dtype == np.float64
        over = terminations | truncations
        assert not rewards[~over].any()
        for i in np.flatnonzero(over):
            ends += 1
            assert infos["_final_obs"][i]
            assert infos["final_obs"][i] in envs.single_observation_space
            assert infos["_final_info"][i]
            scores = infos["final_info"]["scores"][i]
            mine, other = scores[i % 2], scores[1 - i % 2]
            assert rewards[i] == np.sign(mine - other)
            assert infos["episode"]["r"][i] == rewards[i]
    assert ends > 5
    envs.close()


def test_vector_env_is_seeded_and_ends_illegal_games() -> None:
    courses = []
    for _ in range(2):
        envs = gymnasium.make_vec(NAMES[0], num_envs=3, opponents="random")
        observations, _ = envs.reset(seed=9)
        course = [observations["observation"].tobytes()]
        for _ in range(40):
            actions = observations["action_mask"].argmax(axis=1)
            observations, *_ = envs.step(actions)
            course.append(observations["observation"].tobytes())
        courses.append(course)
    assert courses[0] == courses[1]
    _, rewards, terminations, _, infos = envs.step(np.array([126, 126, 126]))
    illegal = infos["final_info"]["illegal"]
    assert (rewards[illegal] == -1).all()
    assert terminations[illegal].all()


def test_pictures_of_a_seat() -> None:
    env = single.SeatEnv(render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (720, 960, 3)
    shown = single.SeatEnv("stones", render_mode="human")
    shown.reset(seed=1)
    assert shown.render() is None
    shown.close()
