"""How good are the search's decisions? Judged one by one, with far less luck than whole games.

    python -m benchmarks.regret board 4 --settings 4-4/99:650 3-8/5:1500

A setting tells at which of the seat's turns rollouts are judged, at how many actions they look, and
how many of them there are for a decision. Decisions are taken from games of a quick search against
the heuristic. At each of them every setting chooses a plan, and the last of them once more with all
hands on the table. Where they choose differently, the plans are played to the end of the game in
many worlds with the hands that the others truly hold: what a plan is worth, if the network goes
on from there. What is told is by how much of a win a decision is better than by the first setting.

What decisions gain over the network's, one by one, adds up over a game to what its player wins
more.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from keltis import bots, new_game
from keltis.bots.kernels.rollouts import LEAD, UTILITY, WIN
from keltis.bots.position import likely_deals
from keltis.bots.search import PlanSearch, RolloutSettings

if TYPE_CHECKING:
    from keltis.game.setups import States

TO_THE_END = RolloutSettings(1_000, 1_000, 5)
_PICKED = 0.3  # of the decisions
_QUICK = 150  # rollouts


class Setting(NamedTuple):
    """How rollouts go on, and how many there are for a decision."""

    each: RolloutSettings
    rollouts: int

    def __str__(self) -> str:
        return f"{self.each.first}-{self.each.last}/{self.each.actions}:{self.rollouts}"


def setting(text: str) -> Setting:
    """Read one, such as 3-8/5:1500."""
    numbers = re.fullmatch(r"(\d+)-(\d+)/(\d+):(\d+)", text)
    if numbers:
        first, last, actions, rollouts = map(int, numbers.groups())
        if 0 < first <= last and actions and rollouts:
            return Setting(RolloutSettings(first, last, actions), rollouts)
    raise ValueError(f"{text!r} is not a setting, such as 3-8/5:1500")


def decisions(
    game: str, players: int, random: Random
) -> Iterator[tuple[Mapping[str, Any], States]]:
    """Views of a seat that has a choice, each with the truth, picked from games without end."""
    while True:
        table = new_game(game, players=players, seed=random.getrandbits(32))
        own = random.randrange(players)
        seats = [bots.make("heuristic", seed=1) for _ in range(players)]
        seats[own] = bots.make("search", seed=random.getrandbits(32), rollouts=_QUICK)
        while table.seat is not None:
            view = table.view(table.seat)
            picked = random.random() < _PICKED
            if picked and table.seat == own and len(view["legal_moves"]) > 1:
                yield view, table._states.copy()
            table.play(seats[table.seat].choose(view))


def worths(
    game: str, plans: NDArray[np.int64], truth: States, worlds: int, seed: int
) -> NDArray[np.float64]:
    """The chance to win with some plans, if the network goes on from there to the end.

    Which plans there are does not depend on what is hidden, so they are the same by the truth.
    """
    found = PlanSearch(game, truth, seed, settings=TO_THE_END)
    found.alive = plans
    sums = found.play(0, worlds)
    chances: NDArray[np.float64] = (sums[UTILITY] - sums[LEAD]) / (worlds * WIN)
    return chances


def judged(
    view: Mapping[str, Any],
    truth: States,
    worlds: int,
    settings: list[Setting],
    random: Random,
) -> list[float] | None:
    """By how much the plans of all other settings are better than those of the first.

    The last is by the last setting in a search that sees all hands. There is nothing to judge where
    there is only one plan.
    """
    game = view["game"]
    deals = likely_deals(view, random.getrandbits(64))
    chosen = []
    for states, setting in (*((deals, setting) for setting in settings), (truth, settings[-1])):
        found = PlanSearch(game, states, random.getrandbits(64), settings=setting.each)
        if len(found.alive) == 1:
            return None
        chosen.append(found.best(setting.rollouts, math.inf))
    plans = np.unique(chosen)
    if len(plans) == 1:
        return [0.0] * len(settings)
    worth = worths(game, plans, truth, worlds, random.getrandbits(64))
    return [float(worth[plan] - worth[chosen[0]]) for plan in chosen[1:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=("board", "stones"))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--settings", type=setting, nargs="+", required=True)
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    found: list[list[float]] = []
    positions = decisions(given.game, given.players, random)
    for _ in track(
        range(given.decisions), console=Console(stderr=True), disable=not sys.stderr.isatty()
    ):
        worth = None
        while worth is None:
            worth = judged(*next(positions), given.worlds, given.settings, random)
        found.append(worth)
    gains = 100 * np.array(found)
    error = 1.96 * gains.std(axis=0) / math.sqrt(len(gains))
    names = [str(each) for each in given.settings[1:]]
    names += [f"{given.settings[-1]}, all hands on the table"]
    print(f"better than {given.settings[0]}, by so much of a win in a hundred:")
    for name, mean, off in zip(names, gains.mean(axis=0), error, strict=True):
        print(f"{name}: {mean:+.3f} ± {off:.3f}", flush=True)


if __name__ == "__main__":
    main()
