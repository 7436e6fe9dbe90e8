"""Gymnasium's own checks, run on our environments; then what they do not look at."""

import copy
import os
import pickle
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
    from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics

    import keltis.envs.gymnasium
    from keltis.envs.gymnasium_vector import SeatVectorEnv

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
    assert isinstance(inside, keltis.envs.gymnasium.SeatEnv)
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
    env = keltis.envs.gymnasium.SeatEnv(seat=0)
    observation, _ = env.reset(seed=42)
    game = keltis.new_game("board", seed=42)
    hand = env.table.layout.named(observation["observation"])["hand"]
    assert env.table.game().view(0)["hand"] == game.view(0)["hand"]
    assert hand.sum() == 8
    first = {keltis.envs.gymnasium.SeatEnv().reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert first == {0, 1}


def test_illegal_actions_end_the_game() -> None:
    env = keltis.envs.gymnasium.SeatEnv()
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
        {"seat": "first"},
        {"reward": "money"},
        {"players": "2"},
        {"cap": 0},
        {"illegal_reward": "much"},
        {"render_mode": "svg"},
        {"shape": 3},
        {"opponents": "heuristic", "shape": BoardShape(2)},
    ):
        with pytest.raises((TypeError, ValueError), match=rf"{list(wrong)[-1]}|opponents"):
            keltis.envs.gymnasium.SeatEnv(**wrong)
    env = keltis.envs.gymnasium.SeatEnv()
    env.reset(seed=1)
    for action in (None, "R7", 3.5, np.array([3])):
        with pytest.raises(TypeError, match="action: expected a whole number"):
            env.step(action)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_vector_env_keeps_to_its_spaces_and_restarts_in_the_same_step(name: str) -> None:
    envs = gymnasium.make_vec(name, num_envs=6, opponents="random")
    assert isinstance(envs.unwrapped, SeatVectorEnv)
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


@pytest.mark.parametrize("name", NAMES)
def test_vector_env_restarts_in_the_next_step_if_asked_to(name: str) -> None:
    same = gymnasium.make_vec(name, num_envs=6, opponents="random")
    envs = gymnasium.make_vec(name, num_envs=6, opponents="random", autoreset_mode="NextStep")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    flat = FlattenObservation(RecordEpisodeStatistics(envs))
    flat.reset(seed=4)
    observations, _ = envs.reset(seed=4)
    expected, _ = same.reset(seed=4)
    ends = 0
    over = np.zeros(6, np.bool_)
    for _ in range(300):
        assert observations in envs.observation_space
        actions = observations["action_mask"].argmax(axis=1)
        was = over
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        over = terminations | truncations
        assert not rewards[was].any()
        assert not over[was].any()
        assert not observations["action_mask"][over].any()
        assert (infos["action_mask"] == observations["action_mask"]).all()
        for i in np.flatnonzero(over):
            ends += 1
            assert infos["_scores"][i]
            mine, other = infos["scores"][i][i % 2], infos["scores"][i][1 - i % 2]
            assert rewards[i] == np.sign(mine - other)
        if ends == 0:  # up to the first end both modes are the same
            expected, *_ = same.step(actions)
            assert (expected["observation"] == observations["observation"]).all()
    assert ends > 5
    for wrong in ("Disabled", "sometimes"):
        with pytest.raises(ValueError, match=r"sometimes|autoreset_mode"):
            SeatVectorEnv(2, autoreset_mode=wrong)
    with pytest.raises(ValueError, match="opponents"):
        SeatVectorEnv(2, opponents=None)  # type: ignore[arg-type]


def test_copies_go_on_where_the_original_was() -> None:
    env = keltis.envs.gymnasium.SeatEnv(opponents="hare", seat=0)
    envs = SeatVectorEnv(4)
    _, info = env.reset(seed=5)
    observations, _ = envs.reset(seed=5)
    for _ in range(10):
        *_, info = env.step(info["action_mask"].argmax())
        observations, *_ = envs.step(observations["action_mask"].argmax(axis=1))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    batches = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
    for _ in range(10):
        action = info["action_mask"].argmax()
        seen, *_, info = env.step(action)
        for other in others:
            assert (other.step(action)[0]["observation"] == seen["observation"]).all()
        actions = observations["action_mask"].argmax(axis=1)
        observations, *_ = envs.step(actions)
        for many in batches:
            assert (many.step(actions)[0]["observation"] == observations["observation"]).all()


def test_gymnasium_runs_games_in_processes_of_their_own() -> None:
    envs = gymnasium.make_vec(
        "keltis.envs.gymnasium:keltis/Stones-v1",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
    )
    observations, _ = envs.reset(seed=[7, 8])  # type: ignore[arg-type]
    alone = keltis.envs.gymnasium.SeatEnv("stones")
    assert (alone.reset(seed=8)[0]["observation"] == observations["observation"][1]).all()
    envs.step(observations["action_mask"].argmax(axis=1))
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


def test_vector_env_takes_a_list_of_opponents_as_make_does() -> None:
    one, listed = (
        gymnasium.make_vec(NAMES[1], num_envs=3, players=3, opponents=opponents)
        for opponents in ("fox", ["fox", "fox"])
    )
    first, again = (envs.reset(seed=4)[0] for envs in (one, listed))
    assert (first["observation"] == again["observation"]).all()
    for wrong, words in (
        (["fox"], "opponents: 1 for 2 seats"),
        (["fox", "hare"], "all under one name"),
        ("druid", "which play in compiled code"),
        ([Wrong, Wrong], "which play in compiled code, not a type"),
    ):
        with pytest.raises(ValueError, match=words):
            gymnasium.make_vec(NAMES[1], num_envs=3, players=3, opponents=wrong)


class Wrong:
    def choose(self, view: object) -> str:
        return "R99"


def test_an_opponent_that_answers_with_no_move_is_named() -> None:
    env = keltis.envs.gymnasium.SeatEnv("stones", opponents=Wrong, seat=1)
    with pytest.raises(keltis.IllegalMove, match='opponents: Wrong answered "R99": "R99" is not'):
        env.reset(seed=1)


def test_pictures_of_a_seat() -> None:
    env = keltis.envs.gymnasium.SeatEnv(render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (720, 960, 3)
    shown = keltis.envs.gymnasium.SeatEnv("stones", render_mode="human")
    shown.reset(seed=1)
    assert shown.render() is None
    shown.close()
