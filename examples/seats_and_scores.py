"""What the first seat is worth, and how scores are distributed: 20,000 games a case, in seconds.

    pip install 'keltis[arena]'
    python examples/seats_and_scores.py

Written to be read from top to bottom; editors run the parts marked `# %%` one by one.
"""

# %% What is played: every case by random players and by the heuristic

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from numpy.typing import NDArray

from keltis import DECISION_CAP
from keltis.bots.kernels.heuristic import contest
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.weights import heuristic_weights
from keltis.rules import board, stones
from keltis.rules.kernel import RESULT

matplotlib.use("agg")
from matplotlib import pyplot

parser = argparse.ArgumentParser(description="First-player advantage and score distributions")
parser.add_argument("--games", type=int, default=20_000, help="of each case")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "docs")
asked = parser.parse_args()

RULES = {"board": board, "stones": stones}
PLAYERS = (2, 3, 4)
BOTS = ("random", "heuristic")

# %% Playing: compiled code, a seed for each game


def play(game: str, players: int, bot: str) -> NDArray[Any]:
    """The final scores, a row a game, of the games that came to an end."""
    rules: Any = RULES[game]
    states, results = np.zeros(1, rules.STATE), np.zeros(asked.games, RESULT)
    seeds = np.random.default_rng(asked.seed).integers(2**64, size=asked.games, dtype=np.uint64)
    scratch = heuristic_scratch(*[heuristic_weights(game, players)] * players)
    thinks = np.full(players, bot == "heuristic")
    no_actions = np.zeros((0, 0), np.int16)
    contest(states, players, scratch, thinks, seeds, DECISION_CAP, results, no_actions)
    over = results["reason"] != 0
    return results["scores"][over, :players].astype(int)


scores = {
    (game, players, bot): play(game, players, bot)
    for game in RULES
    for players in PLAYERS
    for bot in BOTS
}

# %% The first seat: each seat's share of the wins, a tie shared


def shares(final: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of each seat, and its standard error."""
    best = final == final.max(axis=1, keepdims=True)
    won = best / best.sum(axis=1, keepdims=True)
    return won.mean(axis=0), won.std(axis=0, ddof=1) / len(won) ** 0.5


summary: list[dict[str, Any]] = []
for (game, players, bot), final in scores.items():
    share, error = shares(final)
    summary.append(
        {
            "game": game,
            "players": players,
            "bot": bot,
            "games": len(final),
            "cut_off": asked.games - len(final),
            "share_by_seat": share.round(4).tolist(),
            "standard_error": error.round(4).tolist(),
            "mean_score": round(float(final.mean()), 2),
            "score_percentiles_5_50_95": np.percentile(final, [5, 50, 95]).tolist(),
        }
    )
    print(
        f"{game:6} {players} {bot:9} seats win {(100 * share).round(1)} %, mean {final.mean():.1f}"
    )

# %% Drawing both

figure, axes = pyplot.subplots(2, 2, figsize=(11, 7), dpi=110)
for row, game in enumerate(RULES):
    left, right = axes[row]
    for k, bot in enumerate(BOTS):
        place, ticks = 0.0, []
        for players in PLAYERS:
            share, error = shares(scores[game, players, bot])
            x = place + np.arange(players) + 0.35 * k
            left.bar(
                x,
                100 * (share * players - 1),
                0.33,
                yerr=196 * error * players,
                color=f"C{k}",
                label=bot if players == 2 else None,
            )
            ticks += [(place + seat + 0.17, f"{seat + 1}/{players}") for seat in range(players)]
            place += players + 0.8
        left.set_xticks([x for x, _ in ticks], [label for _, label in ticks])
    left.axhline(0, color="gray", linewidth=0.8)
    left.set(title=f"{game}: what a seat is worth", xlabel="seat / players")
    left.set_ylabel("wins more than a fair share, % of it")
    left.legend()
    for k, bot in enumerate(BOTS):
        final = scores[game, 2, bot]
        edges = np.arange(final.min() - 0.5, final.max() + 1.5)
        for name, values, style in (
            ("winner", final.max(axis=1), "-"),
            ("loser", final.min(axis=1), ":"),
        ):
            density, _ = np.histogram(values, edges, density=True)
            label = f"{bot}, {name}"
            right.plot(edges[:-1] + 0.5, 100 * density, style, color=f"C{k}", label=label)
    right.set(title=f"{game}, two players: scores", xlabel="score", ylabel="% of games")
    right.legend()
figure.tight_layout()
asked.out.mkdir(parents=True, exist_ok=True)
figure.savefig(asked.out / "seats-and-scores.png")
(asked.out / "seats-and-scores.json").write_text(json.dumps(summary, indent=1) + "\n")
