"""How good are the search's decisions? Judged one by one, with far less luck than whole games.

    python -m benchmarks.regret board 4 --rollouts 500 2000 --turns 2 4

Decisions are taken from games of `experience` against the heuristic. At each of them all plans of
the search are played to the end of the game in many worlds with the hands that the others truly
hold: what a plan is worth, if foresight goes on from there. Then foresight decides by itself, and
so does the search, with so many rollouts of so many turns, and once more with all hands on the
table. What is told is by how much of a win their plans are better than foresight's.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from keltis import bots, new_game
from keltis.bots import search
from keltis.bots.belief import imagined
from keltis.bots.rollouts import MOST_PLANS, WIN, try_plans
from keltis.bots.thinking import position

if TYPE_CHECKING:
    from keltis.game.setups import States

TO_THE_END = 1_000  # turns
_PICKED = 0.12  # of the decisions


def decisions(game: str, players: int, random: Random) -> Iterator[tuple[dict[str, Any], States]]:
    """Views of a seat that has a choice, each with the truth, picked from games without end."""
    while True:
        table = new_game(game, players=players, seed=random.getrandbits(32))
        own = random.randrange(players)
        seats = [bots.make("heuristic", seed=1) for _ in range(players)]
        seats[own] = bots.make("experience", seed=1)
        while table.seat is not None:
            view = table.view(table.seat)
            picked = random.random() < _PICKED
            if picked and table.seat == own and len(view["legal_moves"]) > 1:
                yield view, table._states.copy()
            table.play(seats[table.seat].choose(view))


def worths(turn: search.Turn, truth: States, worlds: int, seed: int) -> NDArray[np.float64]:
    """The chance to win with each plan, if foresight goes on from there to the end."""
    sums = np.zeros((3, MOST_PLANS), np.int64)
    plans = np.sort(turn.alive)
    try_plans(
        truth,
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


def judged(
    view: dict[str, Any],
    truth: States,
    worlds: int,
    settings: list[tuple[int, int]],
    random: Random,
) -> list[float] | None:
    """What the plans are worth that foresight chooses, the search with each setting, and, with the
    last of them, a search that sees all hands; and the best of all plans.

    There is nothing to judge where there is only one plan.
    """
    place = position(view)
    deals = imagined(view, random.getrandbits(64))
    seed = random.getrandbits(64)
    turn = search.Turn(place, deals, seed, threads=1)
    if len(turn.alive) == 1:
        return None
    chosen = [int(turn.alive[0])]
    kept = search.TURNS
    try:
        for states, (turns, rollouts) in (
            *((deals, each) for each in settings),
            (truth, settings[-1]),
        ):
            search.TURNS = turns
            again = search.Turn(place, states, seed, threads=1)
            chosen.append(again.best(rollouts, math.inf))
    finally:
        search.TURNS = kept
    worth = worths(turn, truth, worlds, random.getrandbits(64))
    return [*(float(worth[plan]) for plan in chosen), float(worth.max())]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=("board", "stones"))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--turns", type=int, nargs="+", default=[search.TURNS])
    parser.add_argument("--rollouts", type=int, nargs="+", default=[1_000, 4_000])
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    settings = list(product(given.turns, given.rollouts))
    found: list[list[float]] = []
    positions = decisions(given.game, given.players, random)
    for _ in track(
        range(given.decisions), console=Console(stderr=True), disable=not sys.stderr.isatty()
    ):
        worth = None
        while worth is None:
            view, truth = next(positions)
            worth = judged(view, truth, given.worlds, settings, random)
        found.append(worth)
    table = 100 * np.array(found)
    gains = table[:, 1:] - table[:, :1]
    error = 1.96 * gains.std(axis=0) / math.sqrt(len(gains))
    names = [f"{n} rollouts of {t} turns" for t, n in settings]
    names += [f"{names[-1]}, all hands on the table", "the best plan, as it turns out"]
    print(f"foresight by itself: {table[:, 0].mean():.1f} % chance to win")
    for name, mean, off in zip(names, gains.mean(axis=0), error, strict=True):
        print(f"{name}: {mean:+.2f} ± {off:.2f}", flush=True)


if __name__ == "__main__":
    main()
