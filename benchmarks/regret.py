"""What the search's decisions lack: how much worse they are than the best plan there was.

    python -m benchmarks.regret stones 4 --rollouts 1000 4000 --turns 2 4

Decisions are taken from games of `experience` against the heuristic. At each of them, all plans of
the search are played to the end of the game in thousands of worlds: what a plan is worth, if
foresight goes on from there. Then the search decides, with so many rollouts of so many turns; and
so does foresight by itself. What is told is by how much they fall short of the best, in shares of
a win. That tells settings apart with far less luck, and sooner, than whole games do.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from keltis import bots, new_game
from keltis.bots import search
from keltis.bots.belief import imagined
from keltis.bots.rollouts import MOST_PLANS, WIN, try_plans
from keltis.bots.thinking import position

TO_THE_END = 1_000  # turns
_PICKED = 0.12  # of the decisions


def decisions(game: str, players: int, random: Random) -> Iterator[dict[str, Any]]:
    """Views of a seat that has a choice, picked from games without end."""
    while True:
        table = new_game(game, players=players, seed=random.getrandbits(32))
        own = random.randrange(players)
        seats = [bots.make("heuristic", seed=1) for _ in range(players)]
        seats[own] = bots.make("experience", seed=1)
        while table.seat is not None:
            view = table.view(table.seat)
            picked = random.random() < _PICKED
            if picked and table.seat == own and len(view["legal_moves"]) > 1:
                yield view
            table.play(seats[table.seat].choose(view))


def worths(turn: search.Turn, worlds: int, seed: int) -> NDArray[np.float64]:
    """The chance to win with each plan, if foresight goes on from there to the end."""
    sums = np.zeros((3, MOST_PLANS), np.int64)
    plans = np.sort(turn.alive)
    try_plans(
        turn._deals,
        turn._states,
        0,
        turn._room,
        0,
        turn._known,
        turn.plans,
        turn.lengths,
        plans,
        0,
        worlds,
        np.uint64(seed),
        TO_THE_END,
        sums,
    )
    chances: NDArray[np.float64] = (sums[0] - sums[1])[plans] / (worlds * WIN)  # without the lead
    return chances


def regrets(
    view: dict[str, Any], worlds: int, settings: list[tuple[int, int]], random: Random
) -> list[float] | None:
    """By how much foresight by itself, and the search with each setting, fall short of the best.

    There is none where there is only one plan.
    """
    place = position(view)
    deals = imagined(view, random.getrandbits(64))
    turn = search.Turn(place, deals, random.getrandbits(64), threads=1)
    if len(turn.alive) == 1:
        return None
    chosen = [int(turn.alive[0])]
    worth = worths(turn, worlds, random.getrandbits(64))
    seed = random.getrandbits(64)
    kept = search.TURNS
    try:
        for turns, rollouts in settings:
            search.TURNS = turns
            again = search.Turn(place, deals, seed, threads=1)
            chosen.append(again.best(rollouts, math.inf))
    finally:
        search.TURNS = kept
    return [float(worth.max() - worth[plan]) for plan in chosen]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=("board", "stones"))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--turns", type=int, nargs="+", default=[search.TURNS])
    parser.add_argument("--rollouts", type=int, nargs="+", default=[1_000, 4_000])
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    settings = list(product(given.turns, given.rollouts))
    found: list[list[float]] = []
    views = decisions(given.game, given.players, random)
    for _ in track(
        range(given.decisions), console=Console(stderr=True), disable=not sys.stderr.isatty()
    ):
        regret = None
        while regret is None:
            regret = regrets(next(views), given.worlds, settings, random)
        found.append(regret)
    table = 100 * np.array(found)
    error = 1.96 * table.std(axis=0) / math.sqrt(len(table))
    names = ["foresight by itself", *(f"{n} rollouts of {t} turns" for t, n in settings)]
    for name, mean, off in zip(names, table.mean(axis=0), error, strict=True):
        print(f"{name}: {mean:.3f} % of a win ± {off:.3f}", flush=True)


if __name__ == "__main__":
    main()
