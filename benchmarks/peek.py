"""What the hidden cards of the board game are worth: a search that peeks at the other hands.

    python -m benchmarks.peek --rollouts 2450 --deals 50

All its worlds have the true hands, and only the draw pile is hidden from it; beside it the search
that ships, which guesses the hands. Both play the same deals against the heuristic, from every
seat.
"""

from __future__ import annotations

import argparse
import math
from random import Random

from benchmarks.tree import against_heuristic, through_views
from keltis import Game, bots
from keltis.bots.search import PlanSearch


class PeekingSearch:
    """The search, with all hands on the table."""

    def __init__(self, seed: int, rollouts: int) -> None:
        self._random = Random(seed)
        self._rollouts = rollouts

    def __call__(self, table: Game) -> str:
        legal = table.legal_moves()
        if len(legal) == 1:
            return legal[0]
        found = PlanSearch("board", table._states.copy(), self._random.getrandbits(64))
        best = found.best(self._rollouts, math.inf)
        return found.kind.tokens[int(found.plans[best, 0])]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--players", type=int, choices=[2, 3, 4], default=2)
    parser.add_argument("--rollouts", type=int, default=2_450)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", type=int, default=72_000)
    given = parser.parse_args()
    rest = ("board", given.players, given.deals, given.seed)
    rollouts = given.rollouts
    peeking = against_heuristic(lambda seed: PeekingSearch(seed, rollouts), *rest)
    print(f"sees the other hands: {peeking}", flush=True)
    honest = against_heuristic(
        lambda seed: through_views(bots.make("search", seed=seed, rollouts=rollouts)), *rest
    )
    print(f"does not: {honest}", flush=True)


if __name__ == "__main__":
    main()
