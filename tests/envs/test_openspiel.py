"""OpenSpiel's own tests and algorithms, run on our games; then what they do not look at."""

import pickle

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    get_all_states,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)
from open_spiel.python.observation import make_observation

import keltis
import keltis.envs.openspiel
from keltis.game.game import Game
from keltis.game.tokens import BOARD, STONES

TINY = {
    "colours": 1, "numbers": 2, "copies": 2, "hand": 1, "removed": 0, "tiles": "none",
    "last_figure": 1, "max_decisions": 8, "reward": "margin",
}  # fmt: skip
SMALL = {
    "colours": 2, "numbers": 4, "hand": 2, "removed": 1, "last_figure": 2, "max_decisions": 80,
}  # fmt: skip
BOARD_GAME, STONES_GAME = "python_keltis_board", "python_keltis_stones"


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (BOARD_GAME, TINY),
        (BOARD_GAME, SMALL),
        (BOARD_GAME, {**SMALL, "players": 4, "tiles": "fixed", "end_stone_step": "may"}),
        (STONES_GAME, {"colours": 2, "numbers": 4, "reward": "both", "players": 3}),
    ],
)
def test_random_simulations_of_shrunken_games(name: str, parameters: dict[str, object]) -> None:
    game = pyspiel.load_game(name, parameters)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [BOARD_GAME, STONES_GAME])
def test_random_simulations_of_the_full_games(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


def played(
    game: pyspiel.Game, chance: np.random.Generator, decisions: int = 10**6
) -> pyspiel.State:
    """A state that random play leads to."""
    state = game.new_initial_state()
    while not state.is_terminal() and decisions:
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            state.apply_action(int(chance.choice(outcomes, p=odds)))
        else:
            decisions -= 1
            state.apply_action(int(chance.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", [BOARD_GAME, STONES_GAME])
def test_games_replay_through_the_public_api_token_by_token(name: str) -> None:
    state = played(pyspiel.load_game(name, {"reward": "margin"}), np.random.default_rng(1))
    table = state.table()
    tokens = BOARD if name == BOARD_GAME else STONES
    start = table.start.copy()
    # The order of the draw pile is chance's to tell as it comes: put what came in its place.
    if name == BOARD_GAME:
        start["deck"] = table.states["deck"]
        hands = start["deck"][0, :16].tolist()
        assert sorted(hands) == sorted(table.start["deck"][0, :16].tolist())
    else:
        start["deck"] = table.states["deck"]
    game = Game(table.kind, ["a", "b"], {}, start)
    for _, action, _ in table.moves:
        game.play(tokens[action])
    assert game.is_over
    scores = game.scores()
    assert state.returns() == [scores[0] - scores[1], scores[1] - scores[0]]
    assert keltis.load(game.record()).scores() == scores


def test_resampled_games_cannot_be_told_apart() -> None:
    chance = np.random.default_rng(3)
    for parameters, decisions in ((SMALL, 9), (SMALL, 26), ({}, 60), ({"players": 3}, 90)):
        game = pyspiel.load_game(BOARD_GAME, parameters)
        state = played(game, chance, decisions)
        hands = set()
        for player in range(game.num_players()):
            known = state.information_state_string(player)
            tensor = state.information_state_tensor(player)
            for _ in range(8):
                other = state.resample_from_infostate(player, chance.random)
                assert other.information_state_string(player) == known
                assert other.information_state_tensor(player) == tensor
                assert other.observation_string(player) == state.observation_string(player)
                assert other.current_player() == state.current_player()
                assert other.is_terminal() == state.is_terminal()
                hands.add(other.table().states["held"].tobytes())
        assert len(hands) > 3


def test_resampling_is_uniform_over_what_may_be() -> None:
    """One colour, two numbers, two copies, one card each: what the other holds is 1 in 3 or 2."""
    game = pyspiel.load_game(BOARD_GAME, {**TINY, "hand": 1})
    state = game.new_initial_state()
    for card in (0, 1):
        state.apply_action(card)
    chance = np.random.default_rng(0)
    same = sum(
        state.resample_from_infostate(0, chance.random).table().states["held"][0, 1] == 1
        for _ in range(600)
    )
    assert same / 600 == pytest.approx(1 / 3, abs=0.06)


def test_serialisation_and_pickling() -> None:
    game = pyspiel.load_game(BOARD_GAME, SMALL)
    state = played(game, np.random.default_rng(5), 15)
    text = pyspiel.serialize_game_and_state(game, state)
    _, restored = pyspiel.deserialize_game_and_state(text)
    for other in (restored, pickle.loads(pickle.dumps(state)), state.clone()):
        assert other.history() == state.history()
        assert str(other) == str(state)
        assert other.legal_actions() == state.legal_actions()
        assert other.information_state_string(0) == state.information_state_string(0)


def test_parameters_are_checked_and_any_seed_lays_out_tiles() -> None:
    for wrong in (
        {"players": 5},
        {"reward": "money"},
        {"max_decisions": 0},
        {"tiles": "many"},
        {"end_stone_step": "perhaps"},
        {"colours": 6},
        {"hand": 8, "colours": 1},
    ):
        with pytest.raises(ValueError, match=r"shape|" + next(iter(wrong))):
            pyspiel.load_game(BOARD_GAME, wrong)
    laid = set()
    for seed in (-1, 0, 1):
        game = pyspiel.load_game(BOARD_GAME, {**SMALL, "tiles": "fixed", "tile_seed": seed})
        laid.add(played(game, np.random.default_rng(1), 1).table().states["tile"].tobytes())
    assert len(laid) == 3


@pytest.mark.parametrize("draws", [0, 1])
@pytest.mark.parametrize(
    ("name", "parameters"), [(BOARD_GAME, SMALL), (STONES_GAME, {"colours": 2, "numbers": 4})]
)
def test_chance_cannot_bring_what_is_not_there(
    name: str, parameters: dict[str, object], draws: int
) -> None:
    """Neither in the deal nor in a draw; the attempt changes nothing."""
    state = pyspiel.load_game(name, parameters).new_initial_state()
    while not state.is_chance_node() or len(state.moves()) < draws:
        dealing = state.is_chance_node()
        choice = [one for one, _ in state.chance_outcomes()] if dealing else state.legal_actions()
        state.apply_action(choice[-1])
    there = {outcome for outcome, _ in state.chance_outcomes()}
    before = str(state)
    for missing in set(range(55)) - there:
        with pytest.raises(Exception, match="none left"):
            state.apply_action(missing)
    assert str(state) == before


def test_observers_name_their_parts() -> None:
    game = pyspiel.load_game(BOARD_GAME, SMALL)
    state = played(game, np.random.default_rng(5), 15)
    now = make_observation(game)
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    now.set_from(state, 0)
    recall.set_from(state, 0)
    assert now.tensor.tolist() == state.observation_tensor(0)
    assert recall.tensor.tolist() == state.information_state_tensor(0)
    assert now.dict["hand"].sum() == recall.dict["hand"].sum()
    assert "piles" in recall.dict
    assert "piles" not in now.dict
    with pytest.raises(ValueError, match="observer"):
        game.make_py_observer(
            pyspiel.IIGObservationType(
                perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
            )
        )


def test_ismcts_plays_a_shrunken_game_and_the_full_one() -> None:
    chance = np.random.RandomState(1)
    for parameters, decisions in ((SMALL, 30), ({}, 3)):
        game = pyspiel.load_game(BOARD_GAME, parameters)
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 8, random_state=chance)
        state = game.new_initial_state()
        while decisions and not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(chance.choice(outcomes, p=odds)))
                continue
            decisions -= 1
            action = int(bot.step(state))
            assert action in state.legal_actions()
            state.apply_action(action)


def test_mccfr_comes_nearer_to_equilibrium_on_a_shrunken_deck() -> None:
    np.random.seed(1)
    game = pyspiel.load_game(BOARD_GAME, TINY)
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        game, external_sampling_mccfr.AverageType.SIMPLE
    )
    solver.iteration()
    first = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(60):
        solver.iteration()
    last = exploitability.nash_conv(game, solver.average_policy())
    assert last < first / 2
    other = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(5):
        other.iteration()


def test_a_tiny_game_is_solved_exactly() -> None:
    game = pyspiel.load_game(BOARD_GAME, TINY)
    states = get_all_states.get_all_states(game, include_chance_states=True)
    assert len(states) < 5000
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.01


def test_the_rl_environment_runs() -> None:
    env = rl_environment.Environment(pyspiel.load_game(BOARD_GAME, SMALL))
    env.seed(3)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert len(step.rewards) == 2
