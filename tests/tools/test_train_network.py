"""Training: it moves towards what it is told, makes better, goes on, and makes ensembles."""

import json
from pathlib import Path

import numpy as np
import pytest

from keltis.bots.kernels.layout import ROWS
from keltis.bots.kernels.scratch import network_scratch
from keltis.bots.weights import network_weights
from tests.bots.kernels.positions import (
    RULES,
    TABLES,
    Numbers,
    assert_judged_as_by_the_plain_network,
    deal,
    decisions,
    plain,
)
from tools import train_network
from tools.train_network import SAMPLE, Trainer, against_heuristic, learn, sizes, untrained


@pytest.mark.parametrize("game", RULES)
def test_learning_moves_towards_what_is_told(game: str) -> None:
    states = np.zeros(1, RULES[game].STATE)
    deal(game, states, 2, 1)
    weights, sums = untrained(*sizes(game, 2), np.random.default_rng(1))
    sums[:] = 0.01
    sample = np.zeros(1, SAMPLE)[0]
    sample["active"][:, :20] = np.tile(np.arange(0, 200, 10), (ROWS, 1))
    sample["active_count"] = 20
    sample["head"] = 7
    net = network_scratch()[0]
    before = plain(game, 2, weights, sample, 7)
    for _ in range(300):
        learn(states[0], net, weights, sums, sample, 0.9, 12.0, 0.02)
    after = plain(game, 2, weights, sample, 7)
    assert abs(after[0] - 0.9) < 0.05 < abs(before[0] - 0.9)
    assert abs(after[1] - 12) < 2 < abs(before[1] - 12)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_training_makes_better(game: str, players: int) -> None:
    trainer = Trainer(game, players, np.random.default_rng(3))
    trainer.states["rng"] = 9
    before = against_heuristic(game, players, trainer.weights, 50, seed=1)["lead"]
    trainer.play(1_000, 0.1, 4.0, True)
    trainer.play(1_000, 0.1, 4.0, False)
    assert np.isfinite(trainer.weights).all()
    assert against_heuristic(game, players, trainer.weights, 50, seed=1)["lead"] > before + 3


def test_the_same_options_train_the_same_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_network, "against_heuristic", lambda *given: {"wins": 0.5})
    networks = []
    for folder, seed in ((tmp_path / "one", 4), (tmp_path / "again", 4), (tmp_path / "other", 5)):
        train_network.run("board", 2, 400, seed, folder, resume=False)
        with np.load(folder / "value-board-2.npz") as stored:
            networks.append(stored["network"])
        last = json.loads((folder / "value-board-2.log").read_text().splitlines()[-1])
        assert last["trained"] == 400
    assert (networks[0] == networks[1]).all()
    assert (networks[0] != networks[2]).any()


def test_training_can_be_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_network, "TRIALS", 200)
    monkeypatch.setattr(train_network, "against_heuristic", lambda *given: {"wins": 0.5})
    before = (train_network.LOGS / "value-stones-3.log").read_text()
    train_network.run("stones", 3, 2_000, 7, tmp_path, resume=True)
    log = (tmp_path / "value-stones-3.log").read_text()
    assert log.startswith(before)
    trained = [json.loads(line).get("trained", 0) for line in log.splitlines()]
    assert trained[-1] > max(trained[: before.count("\n")])
    with np.load(tmp_path / "value-stones-3.npz") as stored:
        change = np.abs(stored["network"].astype(np.float32) - network_weights("stones", 3))
    assert 0 < change.max() < 0.1


def test_networks_that_were_trained_apart_judge_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they are worth is the mean of what each thinks; one alone can't be resumed."""
    monkeypatch.setattr(train_network, "against_heuristic", lambda *given: {"wins": 0.5})
    folders = [tmp_path / name for name in ("second", "third", "all")]
    for seed, folder in enumerate(folders[:2]):
        train_network.run("stones", 3, 1_000, seed, folder, resume=False)
    train_network.join("stones", 3, folders[:2], 1, folders[2])
    with np.load(folders[2] / "value-stones-3.npz") as stored:
        network: Numbers = stored["network"].astype(np.float32)
    first = network_weights("stones", 3)
    assert (network[0] == first).all()
    assert network.shape == (3, len(first))
    assert len({member.tobytes() for member in network}) == 3
    log = [
        json.loads(line) for line in (folders[2] / "value-stones-3.log").read_text().splitlines()
    ]
    assert sum(line["event"] == "start" for line in log) >= 3
    assert log[-1]["members"] == 3

    ensemble = network.ravel()
    for number, states in enumerate(decisions("stones", 3, 4)):
        if number % 5 == 0:
            assert_judged_as_by_the_plain_network("stones", 3, ensemble, states)

    monkeypatch.setattr("keltis.bots.weights.network_weights", lambda game, players: ensemble)
    with pytest.raises(ValueError, match="several members"):
        train_network.run("stones", 3, 1_000, 1, tmp_path, resume=True)
    with pytest.raises(ValueError, match="9 members are too many: there can be 8"):
        train_network.join("stones", 3, [folders[1]] * 8, 1, tmp_path)
