"""From a trained network to a bot: it learns on the vector environment, then plays as `learned`.

python examples/network_bot/keltis_network_bot.py      # trains, saves, and plays in the arena
pip install ./examples/network_bot                     # from now on every command knows it
keltis arena learned fawn --games 200
python examples/http_bot.py http://127.0.0.1:8000 TABLE INVITATION learned

The last line sits down at a table of a server, so that people can play against it in the browser.
The network is a single layer and needs numpy alone; what matters is `choose`, which any will do.
The weights are in build/network-bot.npz, or where the variable LEARNED_WEIGHTS says.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import keltis
from keltis import View
from keltis.arena import arena
from keltis.envs.layout import VERSION
from keltis.envs.vector import RUNNING, Vector

WEIGHTS = Path(os.environ.get("LEARNED_WEIGHTS", "build/network-bot.npz"))
Floats = NDArray[np.float64]


class Learned:
    """The bot: a view becomes the tensor that the network was trained on, its answer a move."""

    def __init__(self, seed: int | None = None, **budget: object) -> None:
        if not WEIGHTS.exists():
            raise ValueError(f"learned: there are no weights in {WEIGHTS}; train it first")
        saved = np.load(WEIGHTS)
        self.weights: Floats = saved["weights"]
        self.made_for = str(saved["game"]), int(saved["players"]), int(saved["version"])

    def choose(self, view: View) -> str:
        if (view["game"], len(view["players"]), VERSION) != self.made_for:
            raise ValueError(
                "learned: trained for {}, {} players, version {}".format(*self.made_for)
            )
        world = keltis.resample(view, seed=0)
        logits = scaled(world.observation(view["you"])[None]) @ self.weights
        return world.token(int(np.where(world.mask(), logits[0], -np.inf).argmax()))


def scaled(observations: NDArray[np.int8]) -> Floats:
    """Numbers of like size, and a constant one."""
    seen = np.tanh(observations / 4.0)
    return np.hstack([seen, np.ones((len(seen), 1))])


# --- Training ----------------------------------------------------------------------------


def train(game: str, players: int, seconds: float, seed: int, updates: int = 10**9) -> Floats:
    """REINFORCE: what led to points in the turns after it is made likelier."""
    games, length, rate = 128, 32, 0.02
    vector = Vector(game, players, games, seed, opponents="random")
    b = vector.buffers()
    vector.reset(b, seed=seed)
    chance = np.random.default_rng(seed)
    weights = np.zeros((vector.layout.size + 1, vector.actions))
    squares = np.full_like(weights, 1e-8)  # as in Adagrad, a rate for each weight
    score = vector.layout.slices["score"]
    start = time.monotonic()
    while time.monotonic() - start < seconds and updates > 0:
        updates -= 1
        steps, gains = [], []
        for _ in range(length):
            assert b.observations is not None
            assert b.masks is not None
            seen = scaled(b.observations)
            odds = np.where(b.masks, np.exp(np.clip(seen @ weights, -30, 30)), 0)
            odds /= odds.sum(axis=1, keepdims=True)
            actions = (odds.cumsum(axis=1) > chance.random((games, 1))).argmax(axis=1)
            before = b.observations[:, score][:, 0].astype(float)
            vector.step(actions, b)
            gains.append(np.where(b.ends == RUNNING, b.observations[:, score][:, 0] - before, 0.0))
            odds[np.arange(games), actions] -= 1
            steps.append((seen, -odds))
        gradient, later = np.zeros_like(weights), np.zeros(games)
        for (seen, push), gain in zip(reversed(steps), reversed(gains), strict=True):
            later = gain + 0.9 * later
            gradient += (seen * (later - later.mean())[:, None]).T @ push
        gradient /= games * length
        squares += gradient**2
        weights += rate * gradient / np.sqrt(squares)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description="A small network that learns, and plays as a bot")
    parser.add_argument("--game", choices=["board", "stones"], default="board")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60, help="how long to train")
    parser.add_argument("--updates", type=int, default=10**9, help="stop after so many")
    parser.add_argument("--games", type=int, default=200, help="games in the arena afterwards")
    asked = parser.parse_args()
    weights = train(asked.game, asked.players, asked.seconds, 1, asked.updates)
    WEIGHTS.parent.mkdir(parents=True, exist_ok=True)
    about = {"game": asked.game, "players": asked.players, "version": VERSION}
    np.savez(WEIGHTS, weights=weights, **about)
    for other in ("random", "fawn"):
        found = arena(
            [("learned", Learned()), other],
            game=asked.game,
            players=asked.players,
            games=asked.games,
        )
        print(f"learned wins {found.lines[0].wins.value:.1%} against {other}")


if __name__ == "__main__":
    main()
