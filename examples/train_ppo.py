"""Train a network by PPO against weak settings of the heuristic, and draw its learning curve.

    pip install 'keltis[torch]'
    python examples/train_ppo.py --minutes 10                     # writes to build/ppo
    python examples/train_ppo.py --play build/ppo/network.pt      # in the arena, as any other bot

What it shows: the vector environment with opponents inside the compiled code, masked actions, a
network that knows that colours are alike, rewards made denser by the change of the margin (which
adds up to the margin at the end), and evaluation on duplicate deals.
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

import keltis
from keltis import View
from keltis.arena import arena
from keltis.envs.layout import CARDS, COLOURS, NUMBERS, VERSION, Layout, observation
from keltis.envs.vector import ENDED, RUNNING, Vector
from keltis.rules import board

TRAINED_AGAINST = ("fawn", "hare")
EVALUATED_AGAINST = ("random", "fawn", "hare", "fox", "heuristic")
OUT = Path("build") / "ppo"

GAMES = 128  # at once, against each opponent
LENGTH = 64  # decisions between two updates
EPOCHS, MINIBATCHES = 3, 8
RATE = 1e-3  # of learning, at the start
LAMBDA, CLIP = 0.95, 0.2
PER_POINT = 0.02  # reward for a point of margin; winning is 1
WIDTH = 128


class Network(nn.Module):
    """A logit for each action and the value of the position; all colours share their weights.

    Each colour is read by the same layers, together with what all colours have in common; then
    each colour's actions are judged by the same layer. Both are in the order of `places` and
    `action_order`.
    """

    def __init__(self, parts: Layout) -> None:
        super().__init__()
        coloured, common = places(parts)
        most = np.maximum(np.abs(parts.low), np.abs(parts.high)).astype(np.float32)
        scale = 1 / np.maximum(most, 1)[np.append(coloured, common)]
        self.scale = nn.Buffer(torch.from_numpy(scale))
        self.coloured = coloured.size
        self.first = nn.Linear(coloured.shape[1], WIDTH)
        self.first_common = nn.Linear(common.size, WIDTH)
        self.second = nn.Linear(WIDTH, WIDTH)
        self.second_common = nn.Linear(WIDTH, WIDTH)
        self.policy = nn.Linear(WIDTH, 2 * NUMBERS + 3)
        self.other_policy = nn.Linear(WIDTH, 2)
        self.value = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))
        for last in (self.policy, self.other_policy):
            nn.init.orthogonal_(last.weight, 0.01)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        seen = observations.float() * self.scale
        each = seen[:, : self.coloured].reshape(len(seen), COLOURS, -1)
        hidden = self.first(each) + self.first_common(seen[:, self.coloured :])[:, None]
        hidden = torch.relu(hidden)
        hidden = self.second(hidden) + self.second_common(hidden.mean(1))[:, None]
        hidden = torch.relu(hidden)
        mean = hidden.mean(1)
        logits = torch.cat([self.policy(hidden).flatten(1), self.other_policy(mean)], 1)
        logits = logits.masked_fill(masks == 0, -1e9)
        return torch.log_softmax(logits, dim=1), self.value(mean).squeeze(1)


def places(parts: Layout) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where in an observation each colour's numbers are, a row a colour, and where the others."""
    coloured, common = [], []
    for part in parts.parts:
        cut = parts.slices[part.name]
        grid = np.arange(cut.start, cut.stop).reshape(part.shape)
        if "colour" in part.axes:
            grid = np.moveaxis(grid, part.axes.index("colour"), 0)
        elif "card" in part.axes:  # always the last axis
            grid = np.moveaxis(grid.reshape(-1, COLOURS, NUMBERS), 1, 0)
        else:
            common.append(grid.ravel())
            continue
        coloured.append(grid.reshape(COLOURS, -1))
    return np.hstack(coloured), np.concatenate(common)


def action_order() -> NDArray[np.int64]:
    """The actions colour by colour, then the two that belong to none."""
    colours = np.arange(COLOURS)[:, None]
    cards = np.arange(CARDS).reshape(COLOURS, NUMBERS)
    rows = [board.LAY + cards, board.DISCARD + cards]
    rows += [first + colours for first in (board.STEP, board.LARGE, board.TAKE)]
    return np.concatenate([np.hstack(rows).ravel(), [board.DECLINE, board.DRAW_PILE]])


class Arena:
    """Games against one opponent that go on from one update to the next."""

    def __init__(self, name: str, seed: int, games: int = GAMES) -> None:
        self.vector = Vector("board", 2, games, seed, opponents=name, duplicate=True)
        self.buffers = self.vector.buffers()
        self.vector.reset(self.buffers, seed=seed)
        self.mine = self.vector.seats
        self.margin = np.zeros(games)
        self._score = self.vector.layout.slices["score"].start
        self._places = np.append(*places(self.vector.layout))
        self._actions = action_order()

    def seen(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Observations and masks as the network takes them."""
        assert self.buffers.observations is not None
        assert self.buffers.masks is not None
        seen = np.take(self.buffers.observations, self._places, axis=1)
        masks = np.take(self.buffers.masks, self._actions, axis=1)
        return torch.from_numpy(seen), torch.from_numpy(masks)

    def seen_margin(self) -> NDArray[np.float64]:
        assert self.buffers.observations is not None
        own = self.buffers.observations[:, self._score].astype(np.float64)
        return own - self.buffers.observations[:, self._score + 1]

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Play what the network chose; the rewards, and which games ended."""
        b = self.buffers
        self.vector.step(self._actions[actions], b)
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
def collect(network: Network, arena: Arena) -> tuple[dict[str, torch.Tensor], list[float]]:
    """Play for a while; what was seen and done, with advantages, and how games ended."""
    steps: list[tuple[torch.Tensor, ...]] = []
    rewards, overs, results = [], [], []
    for _ in range(LENGTH):
        seen, mask = arena.seen()
        odds, value = network(seen, mask)
        action = torch.multinomial(odds.exp(), 1).squeeze(1)
        chosen = odds.gather(1, action[:, None]).squeeze(1)
        reward, over = arena.step(action.numpy())
        steps.append((seen, mask, action, chosen, value))
        rewards.append(torch.from_numpy(reward).float())
        overs.append(torch.from_numpy(over))
        results += arena.results().tolist()
    after = network(*arena.seen())[1]
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


class PpoBot:
    """The network as a bot: a view becomes the tensor that it was trained on, its answer a move."""

    def __init__(self, network: Network, parts: Layout) -> None:
        self._network = network
        self._places = np.append(*places(parts))
        self._actions = action_order()

    @torch.no_grad()
    def choose(self, view: View) -> str:
        world = keltis.resample(view, seed=0)
        seen = torch.from_numpy(world.observation(view["you"])[None, self._places])
        mask = torch.from_numpy(world.mask()[None, self._actions])
        odds, _ = self._network(seen, mask)
        return world.token(int(self._actions[int(odds.argmax())]))


def save(network: Network, path: Path) -> None:
    """Keep a network, with the version of the tensors that it takes."""
    torch.save({"version": VERSION, "weights": network.state_dict()}, path)


def load(path: Path) -> PpoBot:
    """A bot that plays by a network that was kept."""
    if not path.is_file():
        raise SystemExit(f"{path}: there is no network; train it first")
    saved = torch.load(path, weights_only=True)
    if saved["version"] != VERSION:
        raise SystemExit(f"{path}: for version {saved['version']} of the tensors, not {VERSION}")
    parts = observation("board", 2)
    network = Network(parts)
    network.load_state_dict(saved["weights"])
    return PpoBot(network.eval(), parts)


@torch.no_grad()
def evaluate(network: Network, name: str, games: int, seed: int) -> tuple[float, float]:
    """Share of games won by the likeliest action, and its standard error, on duplicate deals."""
    arena = Arena(name, seed, games=2 * (games // 2))
    first = np.full(arena.vector.games, np.nan)
    while np.isnan(first).any():
        odds, _ = network(*arena.seen())
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
        if not points:
            continue  # it was too short for a game to end
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
    if any(curves.values()):
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
    parser.add_argument(
        "--out", type=Path, default=OUT, help="folder for network, picture and numbers"
    )
    parser.add_argument("--play", type=Path, metavar="NETWORK", help="train nothing: let it play")
    asked = parser.parse_args()
    if asked.play is not None:
        torch.set_num_threads(1)  # one position is too little to share: threads would only wait
        bot = load(asked.play)
        for name in EVALUATED_AGAINST:
            [ours, _] = arena([("ppo", bot), name], games=asked.games).lines
            print(f"against {name}: {100 * ours.wins.value:.1f} % won", flush=True)
        return

    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    clock = time.monotonic if asked.clock == "wall" else time.process_time
    arenas = {name: Arena(name, asked.seed + k) for k, name in enumerate(TRAINED_AGAINST)}
    network = Network(next(iter(arenas.values())).vector.layout)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in arenas}
    start, decisions, rounds = clock(), 0, 0
    while (spent := (clock() - start) / 60) < asked.minutes:
        left = 1 - spent / asked.minutes
        optimizer.param_groups[0]["lr"] = RATE * max(left, 0.05)
        batches = []
        for name, seats in arenas.items():
            batch, results = collect(network, seats)
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
    asked.out.mkdir(parents=True, exist_ok=True)
    save(network, asked.out / "network.pt")
    for name in EVALUATED_AGAINST:
        share, error = evaluate(network, name, asked.games, seed=10_000 + asked.seed)
        end["won"][name] = {"share": round(share, 4), "standard_error": round(error, 4)}
        print(f"against {name}: {100 * share:.1f} % won, standard error {100 * error:.1f}")
    how = "wall clock" if asked.clock == "wall" else "processor time"
    draw(curves, f"minutes of {how}, {asked.threads} thread(s)", asked.out / "learning-curve.png")
    (asked.out / "learning-curve.json").write_text(json.dumps(end, indent=2) + "\n")


if __name__ == "__main__":
    main()
