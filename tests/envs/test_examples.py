"""The examples that need no more than what the tests need run as they are."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_seats_and_scores(tmp_path: Path) -> None:
    program = EXAMPLES / "seats_and_scores.py"
    subprocess.run(
        [sys.executable, program, "--games", "40", "--out", tmp_path],
        check=True,
        capture_output=True,
    )
    cases = json.loads((tmp_path / "seats-and-scores.json").read_text())
    assert len(cases) == 12
    assert all(abs(sum(case["share_by_seat"]) - 1) < 0.001 for case in cases)
    assert (tmp_path / "seats-and-scores.png").stat().st_size > 10_000


def test_a_network_learns_is_saved_and_plays(tmp_path: Path) -> None:
    program = EXAMPLES / "network_bot" / "keltis_network_bot.py"
    weights = tmp_path / "weights.npz"
    settings = {**os.environ, "LEARNED_WEIGHTS": str(weights)}
    asked = ["--game", "stones", "--players", "3", "--updates", "3", "--games", "6"]
    done = subprocess.run(
        [sys.executable, program, *asked], check=True, capture_output=True, text=True, env=settings
    )
    assert weights.exists()
    assert [line.split("% ")[1] for line in done.stdout.splitlines()] == [
        "against random",
        "against fawn",
    ]


def test_it_plays_only_what_it_was_trained_for(tmp_path: Path) -> None:
    code = (
        "import sys, keltis, numpy as np; sys.path.insert(0, sys.argv[1])\n"
        "import keltis_network_bot as example\n"
        "def tried(make):\n"
        "    try: make()\n"
        "    except ValueError as fault: print(fault)\n"
        "tried(example.Learned)\n"
        "weights = example.train('stones', 2, 9, seed=1, updates=1)\n"
        "np.savez(example.WEIGHTS, weights=weights, game='stones', players=2, version=1)\n"
        "bot = example.Learned(seed=3, rollouts=4)\n"
        "game = keltis.new_game('stones', seed=1)\n"
        "print(bot.choose(game.view(0)) in game.legal_moves())\n"
        "tried(lambda: bot.choose(keltis.new_game('board', seed=1).view(0)))\n"
    )
    settings = {**os.environ, "LEARNED_WEIGHTS": str(tmp_path / "weights.npz")}
    done = subprocess.run(
        [sys.executable, "-c", code, EXAMPLES / "network_bot"],
        check=True,
        capture_output=True,
        text=True,
        env=settings,
    )
    missing, legal, wrong = done.stdout.splitlines()
    assert missing.startswith("learned: there are no weights in ")
    assert legal == "True"
    assert wrong == "learned: trained for stones, 2 players, version 1"


def test_a_data_set_is_read_back_and_learned_from(tmp_path: Path) -> None:
    from keltis.cli import main

    for form in ("npz", "parquet"):
        for asked in (
            ["arena", "heuristic", "--players", "2", "random", "--game", "stones", "--games", "20"],
            ["export", str(tmp_path / form), "--to", form, "--out", str(tmp_path / f"data.{form}")],
        ):
            more = ["--out", str(tmp_path / form)] if asked[0] == "arena" else []
            with pytest.raises(SystemExit, match="0"):
                main([*asked, *more])
        done = subprocess.run(
            [sys.executable, EXAMPLES / "read_dataset.py", tmp_path / f"data.{form}"],
            check=True,
            capture_output=True,
            text=True,
        )
        shares = [float(line.split()[2].rstrip("%")) for line in done.stdout.splitlines()]
        assert len(shares) == 5
        assert shares[-1] > shares[0]


@pytest.mark.parametrize("name", ["numpy", "torch", "JAX"])
def test_arrays_are_shared(name: str) -> None:
    pytest.importorskip(name.lower(), reason="runs where it is installed")
    done = subprocess.run(
        [sys.executable, EXAMPLES / "without_copy.py"], check=True, capture_output=True, text=True
    )
    assert f"{name} shares the arrays" in done.stdout.splitlines()


@pytest.mark.slow
def test_ppo_however_short_the_training_saves_a_network_that_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="pip install 'keltis[torch]'")
    program = [sys.executable, str(EXAMPLES / "train_ppo.py"), "--games", "4", "--threads", "1"]
    network = tmp_path / "network.pt"
    missing = subprocess.run([*program, "--play", str(network)], capture_output=True, text=True)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr == f"{network}: there is no network; train it first\n"
    for more in (["--minutes", "0.001", "--out", str(tmp_path)], ["--play", str(network)]):
        done = subprocess.run([*program, *more], check=True, capture_output=True, text=True)
        told = [line for line in done.stdout.splitlines() if line.startswith("against ")]
        assert [line.split()[1] for line in told] == [
            f"{name}:" for name in ("random", "fawn", "hare", "fox", "heuristic")
        ]
    assert (tmp_path / "learning-curve.png").stat().st_size > 5_000
