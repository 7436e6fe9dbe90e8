"""Tune the weights of the heuristic by self-play, with the evolution strategy CMA-ES.

    python tools/tune.py board 2 --minutes 10                      # on all cores
    python tools/tune.py board 2 --minutes 10 --cluster auto       # on a Ray cluster

Every generation plays its candidates on the same fresh deals, each candidate once from every
seat against the champion in all other seats. The champion is replaced when the mean of the
search distribution beats it clearly on other fresh deals. At the end the last champion meets the
weights that were there before on deals that nobody has seen; it is written only if it wins.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import cma
import numpy as np

from keltis.arena.teams import Team, add_options, call, team
from keltis.arena.workers import WorkerLost
from keltis.bots import weights as stored_weights
from keltis.bots.kernels import board_heuristic, heuristic, stones_heuristic
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.rules import board, stones
from keltis.rules.kernel import RESULT

GAMES = {"board": (board, board_heuristic), "stones": (stones, stones_heuristic)}
FOLDER = Path(stored_weights.__file__).parent
LOGS = Path(__file__).parent / "logs"
NO_ACTIONS = np.zeros((0, 0), np.int16)
CAP = 2_000  # decisions; the heuristic comes nowhere near
MARGIN_WORTH = 0.01  # of a win: what a point of margin counts besides, since it is less noisy
LEAST_SCALE = 0.3  # how far a weight is varied that began at nearly 0
CANDIDATES = 20  # in a generation
CHECK_EVERY, CHECK_TIMES = (
    10,
    10,
)  # generations between two checks, which have so many times the deals
FINAL_DEALS = 20_000
CLEARLY = 2  # standard errors above an even share


def play(
    game: str, players: int, candidate: np.ndarray, champion: np.ndarray, seeds: np.ndarray
) -> np.ndarray:
    """Per deal: wins and margins of the candidate, the mean over all seats it can have.

    The champion has all other seats.
    """
    rules, _ = GAMES[game]
    out = np.zeros((len(seeds), 2))
    states = np.zeros(1, rules.STATE)
    results = np.zeros(len(seeds), RESULT)
    for seat in range(players):
        weights = [candidate if p == seat else champion for p in range(players)]
        scratch = heuristic_scratch(*weights)
        thinks = np.ones(players, np.bool_)
        heuristic.contest(states, players, scratch, thinks, seeds, CAP, results, NO_ACTIONS)
        scores = results["scores"][:, :players].astype(int)
        others = np.delete(scores, seat, axis=1)
        margin = scores[:, seat] - others.max(axis=1)
        ties = (others == scores[:, [seat]]).sum(axis=1)
        out[:, 0] += np.where(margin > 0, 1.0, np.where(margin == 0, 1 / (1 + ties), 0.0))
        out[:, 1] += margin
    return out / players


def fitness(result: np.ndarray) -> float:
    """Wins, and a little of the margin."""
    return float(result[:, 0].mean() + MARGIN_WORTH * result[:, 1].mean())


def tune(
    game: str,
    players: int,
    minutes: float,
    deals: int,
    seed: int,
    sigma: float,
    workers: Team,
) -> None:
    names = GAMES[game][1].WEIGHTS
    path = FOLDER / f"heuristic-{game}-{players}.json"
    first = np.array(list(names.values()))
    if path.exists():
        stored = json.loads(path.read_text())["weights"]
        first = np.array([stored.get(n, w) for n, w in names.items()])
    scale = np.maximum(np.abs(first), LEAST_SCALE)
    champion, mean = first.copy(), first.copy()
    random = np.random.default_rng(seed)
    log = (LOGS / f"heuristic-{game}-{players}.log").open("a")

    def say(**line: object) -> None:
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), file=sys.stderr, flush=True)

    strategy = cma.CMAEvolutionStrategy(
        np.zeros(len(first)), sigma, {"verbose": -9, "seed": seed + 1, "popsize": CANDIDATES}
    )
    say(event="start", game=game, players=players, seed=seed, minutes=minutes, deals=deals)
    start = time.monotonic()
    generation = 0
    while time.monotonic() - start < 60 * minutes:
        asked = strategy.ask()
        seeds = random.integers(1, 2**63, deals, dtype=np.uint64)
        tasks = ((play, game, players, first + scale * x, champion, seeds) for x in asked)
        found = [fitness(result) for result in workers.played(tasks)]
        strategy.tell(asked, [-wins for wins in found])
        generation += 1
        if generation % CHECK_EVERY == 0:
            mean = first + scale * strategy.mean
            seeds = random.integers(1, 2**63, CHECK_TIMES * deals, dtype=np.uint64)
            check = play(game, players, mean, champion, seeds)
            fair = 1 / players
            error = check[:, 0].std() / len(check) ** 0.5
            better = check[:, 0].mean() > fair + CLEARLY * error
            if better:
                champion = mean.copy()
            say(
                event="check",
                generation=generation,
                wins=round(float(check[:, 0].mean()), 4),
                error=round(float(error), 4),
                margin=round(float(check[:, 1].mean()), 2),
                new_champion=bool(better),
                sigma=round(float(strategy.sigma), 3),
            )
    seeds = random.integers(1, 2**63, FINAL_DEALS, dtype=np.uint64)
    final = play(game, players, champion, first, seeds)
    error = final[:, 0].std() / len(final) ** 0.5
    say(
        event="final, against the weights before, on fresh deals",
        games=len(seeds) * players,
        wins=round(float(final[:, 0].mean()), 4),
        error=round(float(error), 4),
        margin=round(float(final[:, 1].mean()), 2),
        generations=generation,
    )
    if final[:, 0].mean() > 1 / players + CLEARLY * error:
        weights = {n: round(float(x), 4) for n, x in zip(names, champion, strict=True)}
        facts = {"game": game, "players": players, "weights": weights}
        path.write_text(json.dumps(facts, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sigma", type=float, default=0.3)
    add_options(parser)
    given = vars(parser.parse_args())
    try:
        with team(call, given.pop("workers"), given.pop("cluster")) as workers:
            tune(**given, workers=workers)
    except (OSError, ValueError, WorkerLost) as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
