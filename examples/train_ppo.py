"""Train a network by PPO against weak settings of the heuristic, and draw its learning curve.

    pip install 'keltis[torch]'
    python examples/train_ppo.py --minutes 10

What it shows: the vector environment with opponents inside the compiled code, masked actions,
colours exchanged for augmentation, rewards made denser by the change of the margin (which adds
up to the margin at the end, so the best play stays the best), and evaluation on duplicate deals.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from keltis.envs import symmetry
from keltis.envs.layout import Layout
from keltis.envs.vector import ENDED, RUNNING, Vector

OPPONENTS: dict[str, Any] = {  # the heuristic's settings of the bots with these names
    "fawn": {"temperature": 6.0, "sight": 0.0},
    "hare": {"temperature": 3.0, "sight": 0.4},
    "heuristic": {"temperature": 0.0, "sight": 1.0},
}
TRAINED_AGAINST = ("fawn", "hare")
DOCS = Path(__file__).resolve().parents[1] / "docs"

GAMES = 128  # at once, against each opponent
LENGTH = 64  # decisions between two updates
EPOCHS, MINIBATCHES = 3, 8
LAMBDA, CLIP = 0.95, 0.2
PER_POINT = 0.02  # reward for a point of margin; winning is 1


class Network(nn.Module):
    """Two hidden layers; a logit for each action and the value of the position."""

    def __init__(self, parts: Layout, actions: int) -> None:
        super().__init__()
        scale = np.maximum(np.abs(parts.low), np.abs(parts.high)).astype(np.float32)
        self.scale = nn.Buffer(torch.from_numpy(1 / np.maximum(scale, 1)))
        self.body = nn.Sequential(
            nn.Linear(parts.size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()
        )
        self.policy = nn.Linear(256, actions)
        self.value = nn.Linear(256, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(observations.float() * self.scale)
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)
        return torch.log_softmax(logits, dim=1), self.value(hidden).squeeze(1)


class Exchange:
    """A permutation of the colours for each game, so that the network plays every colouring."""

    def __init__(self, parts: Layout, games: int, chance: np.random.Generator) -> None:
        chosen = [symmetry.ALL[k] for k in chance.integers(len(symmetry.ALL), size=games)]
        places = np.arange(parts.size)
        self.observation = np.stack([_source(places, parts, p) for p in chosen])
        self.mask = np.stack([np.argsort(symmetry.actions(p)) for p in chosen])

    def see(self, tensor: NDArray[np.int8], mask: NDArray[np.int8]) -> list[torch.Tensor]:
        return [
            torch.from_numpy(np.take_along_axis(tensor, self.observation, axis=1)),
            torch.from_numpy(np.take_along_axis(mask, self.mask, axis=1)),
        ]

    def true(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The network's actions in the game's own colours."""
        return np.take_along_axis(self.mask, actions[:, None], axis=1)[:, 0]


def _source(places: NDArray[np.int64], parts: Layout, permutation: tuple[int, ...]) -> Any:
    return symmetry.exchange_tensor(places, parts, permutation)


class Arena:
    """Games against one opponent that go on from one update to the next."""

    def __init__(self, name: str, seed: int, games: int = GAMES) -> None:
        self.vector = Vector(
            "board", 2, games, seed, opponents="heuristic", duplicate=True, **OPPONENTS[name]
        )
        self.buffers = self.vector.buffers()
        self.vector.reset(self.buffers, seed=seed)
        self.mine = self.vector.seats
        self.margin = np.zeros(games)
        score = self.vector.layout.slices["score"]
        self._score = score.start

    def seen_margin(self) -> NDArray[np.float64]:
        assert self.buffers.observations is not None
        own = self.buffers.observations[:, self._score].astype(np.float64)
        return own - self.buffers.observations[:, self._score + 1]

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Play; the rewards, and which games ended."""
        b = self.buffers
        self.vector.step(actions, b)
        over = b.ends != RUNNING
        games = np.arange(len(over))
        final = b.scores[games, self.mine].astype(float) - b.scores[games, 1 - self.mine]
        now = np.where(over, final, self.seen_margin())
        rewards = PER_POINT * (now - self.margin) + b.rewards[games, self.mine]
        self.margin = np.where(over, 0.0, now)
        return rewards, over

    def results(self) -> NDArray[np.float64]:
        """Of the games that ended in the last step: 1 won, 0.5 tied, 0 lost."""
        ended = np.flatnonzero(self.buffers.ends == ENDED)
        return (self.buffers.rewards[ended, self.mine[ended]] + 1) / 2


@torch.no_grad()
def collect(
    network: Network, arena: Arena, chance: np.random.Generator
) -> tuple[dict[str, torch.Tensor], list[float]]:
    """Play for a while; what was seen and done, with advantages, and how games ended."""
    exchange = Exchange(arena.vector.layout, arena.vector.games, chance)
    steps: list[tuple[torch.Tensor, ...]] = []
    rewards, overs, results = [], [], []
    for _ in range(LENGTH):
        assert arena.buffers.observations is not None
        assert arena.buffers.masks is not None
        seen, mask = exchange.see(arena.buffers.observations, arena.buffers.masks)
        odds, value = network(seen, mask)
        action = torch.multinomial(odds.exp(), 1).squeeze(1)
        chosen = odds.gather(1, action[:, None]).squeeze(1)
        reward, over = arena.step(exchange.true(action.numpy()))
        steps.append((seen, mask, action, chosen, value))
        rewards.append(torch.from_numpy(reward).float())
        overs.append(torch.from_numpy(over))
        results += arena.results().tolist()
    assert arena.buffers.observations is not None
    assert arena.buffers.masks is not None
    after = network(*exchange.see(arena.buffers.observations, arena.buffers.masks))[1]
    advantage = torch.zeros_like(after)
    advantages = []
    for (*_, value), reward_, over_ in zip(
        reversed(steps), reversed(rewards), reversed(overs), strict=True
    ):
        going = (~over_).float()
        delta = reward_ + after * going - value
        advantage = delta + LAMBDA * going * advantage
        advantages.append(advantage)
        after = value
    names = ("seen", "mask", "action", "odds", "value")
    columns = zip(*steps, strict=True)
    batch = {name: torch.cat(column) for name, column in zip(names, columns, strict=True)}
    batch["advantage"] = torch.cat(advantages[::-1])
    return batch, results


def update(
    network: Network,
    optimizer: torch.optim.Optimizer,
    batch: dict[str, torch.Tensor],
    warmth: float,
) -> None:
    """PPO's clipped objective, a value loss, and a bonus for variety."""
    returns = batch["advantage"] + batch["value"]
    advantage = batch["advantage"]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    size = len(returns)
    for _ in range(EPOCHS):
        for part in torch.randperm(size).chunk(MINIBATCHES):
            odds, value = network(batch["seen"][part], batch["mask"][part])
            chosen = odds.gather(1, batch["action"][part][:, None]).squeeze(1)
            ratio = (chosen - batch["odds"][part]).exp()
            gain = torch.min(
                ratio * advantage[part], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[part]
            )
            variety = -(odds.exp() * odds).sum(1)
            loss = (
                -gain.mean()
                + 0.5 * (value - returns[part]).square().mean()
                - warmth * variety.mean()
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def evaluate(network: Network, name: str, games: int, seed: int) -> tuple[float, float]:
    """Share of games won by the likeliest action, and its standard error, on duplicate deals."""
    arena = Arena(name, seed, games=2 * (games // 2))
    first = np.full(arena.vector.games, np.nan)
    while np.isnan(first).any():
        observations = torch.from_numpy(arena.buffers.observations)
        odds, _ = network(observations, torch.from_numpy(arena.buffers.masks))
        arena.step(odds.argmax(1).numpy())
        won = (arena.buffers.rewards[np.arange(len(first)), arena.mine] + 1) / 2
        ended = (arena.buffers.ends != RUNNING) & np.isnan(first)
        first[ended] = won[ended]
    pairs = first.reshape(-1, 2).mean(axis=1)  # the same deal from both seats
    return float(pairs.mean()), float(pairs.std(ddof=1) / len(pairs) ** 0.5)


def draw(curves: dict[str, list[tuple[float, float]]], axis: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), dpi=110)
    for name, points in curves.items():
        minutes, shares = np.array(points).T
        smooth = np.convolve(np.pad(shares, 4, mode="edge"), np.ones(9) / 9, mode="valid")
        line = axes.plot(minutes, 100 * smooth, label=f"against {name}")[0]
        axes.plot(minutes, 100 * shares, color=line.get_color(), alpha=0.2, linewidth=0.8)
    axes.axhline(50, color="gray", linewidth=0.8, linestyle=":")
    axes.set(
        xlabel=axis,
        ylabel="games won while training, %",
        ylim=(0, 100),
        title="PPO from scratch against weak settings of the heuristic",
    )
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description="PPO against weak settings of the heuristic")
    parser.add_argument("--minutes", type=float, default=10, help="how long to train")
    parser.add_argument("--threads", type=int, default=2, help="of the network's arithmetic")
    parser.add_argument(
        "--clock",
        choices=["wall", "cpu"],
        default="wall",
        help="what the minutes count; cpu is fair on a machine that others use too",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games of each evaluation")
    parser.add_argument("--out", type=Path, default=DOCS, help="folder for picture and numbers")
    asked = parser.parse_args()

    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    clock = time.monotonic if asked.clock == "wall" else time.process_time
    chance = np.random.default_rng(asked.seed)
    arenas = {name: Arena(name, asked.seed + k) for k, name in enumerate(TRAINED_AGAINST)}
    vector = next(iter(arenas.values())).vector
    network = Network(vector.layout, vector.actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5)
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in arenas}
    start, decisions, rounds = clock(), 0, 0
    while (spent := (clock() - start) / 60) < asked.minutes:
        left = 1 - spent / asked.minutes
        optimizer.param_groups[0]["lr"] = 1e-3 * max(left, 0.05)
        batches = []
        for name, arena in arenas.items():
            batch, results = collect(network, arena, chance)
            batches.append(batch)
            if results:
                curves[name].append((spent, float(np.mean(results))))
        batch = {key: torch.cat([one[key] for one in batches]) for key in batches[0]}
        update(network, optimizer, batch, warmth=0.01 * left)
        decisions += len(batch["action"])
        rounds += 1
        if rounds % 20 == 0:
            shares = ", ".join(
                f"{name} {100 * np.mean([share for _, share in points[-20:]]):.0f} %"
                for name, points in curves.items()
                if points
            )
            print(
                f"{spent:5.1f} min  {decisions / 1e6:5.2f} million decisions  won: {shares}",
                flush=True,
            )

    end: dict[str, Any] = {
        "minutes": asked.minutes,
        "clock": asked.clock,
        "threads": asked.threads,
        "decisions": decisions,
        "seed": asked.seed,
        "games": asked.games,
        "won": {},
    }
    network.eval()
    for name in OPPONENTS:
        share, error = evaluate(network, name, asked.games, seed=10_000 + asked.seed)
        end["won"][name] = {"share": round(share, 4), "standard_error": round(error, 4)}
        print(f"against {name}: {100 * share:.1f} % won, standard error {100 * error:.1f}")
    asked.out.mkdir(parents=True, exist_ok=True)
    how = "wall clock" if asked.clock == "wall" else "processor time"
    draw(curves, f"minutes of {how}, {asked.threads} thread(s)", asked.out / "learning-curve.png")
    (asked.out / "learning-curve.json").write_text(json.dumps(end, indent=2) + "\n")


if __name__ == "__main__":
    main()
