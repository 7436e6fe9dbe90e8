"""Many bots, one table: every table of them is played, and ratings are fitted to the games."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.arena.contest import Contest, arena
from keltis.arena.playing import Outcome
from keltis.arena.statistics import Mean
from keltis.bots.entrants import Given, entrants

_PRIOR = 5.0  # standard deviation of a bot's strength before its games, as a log: some 870 Elo
_MOST_STEPS = 100

_Choice = tuple[int, tuple[int, ...]]  # a bot, and all that it was chosen from, itself included


@dataclass(frozen=True)
class Rating:
    """A bot's place in the table."""

    bot: str
    rating: float  # on the scale of Elo; the mean of all bots is 1500
    error: float
    games: int
    wins: float  # share


def round_robin(
    bots: Sequence[Given],
    *,
    players: int = 2,
    out: str | Path | None = None,
    progress: Callable[[str, int, int, Mean], None] | None = None,
    **settings: Any,
) -> tuple[list[Rating], list[Contest]]:
    """Play every table of `players` bots; the ratings, the best first, and the contests.

    `games` is the number for each table; bots and the other settings are those of `arena`.
    """
    found = entrants(bots)
    names = [entrant.name for entrant in found]
    if len(set(names)) != len(names):
        raise ValueError("a bot can be named only once")
    if len(names) < players:
        raise ValueError(f"{len(names)} bots do not fill a table of {players}")
    contests = []
    for table in combinations(found, players):
        label = "-".join(entrant.name for entrant in table)
        contests.append(
            arena(
                [(e.name, e.source) if e.is_own else e.name for e in table],
                out=Path(out) / label if out else None,
                progress=_labelled(progress, label) if progress else None,
                **settings,
            )
        )
    return rate(names, contests), contests


def _places(outcome: Outcome) -> list[float]:
    """What ranks the seats of a game; whoever lost by a fault is last, and the others are alike."""
    if outcome.fault is None:
        return [float(score) for score in outcome.scores]
    return [float(seat != outcome.fault.seat) for seat in range(len(outcome.order))]


def _labelled(
    progress: Callable[[str, int, int, Mean], None], label: str
) -> Callable[[int, int, Mean], None]:
    return lambda done, deals, wins: progress(label, done, deals, wins)


def rate(names: list[str], contests: list[Contest]) -> list[Rating]:
    """Ratings by the Luce model of whole rankings (Plackett and Luce's), the best first.

    They are the likeliest, given all games at once; a prior, wide enough to count for little, keeps
    those finite who won everything or nothing. The errors take games as independent; those of one
    deal are not, and its orders of seats make them rather smaller.
    """
    number = {name: k for k, name in enumerate(names)}
    choices: dict[_Choice, float] = defaultdict(float)
    for contest in contests:
        seats = [number[name] for name in contest.settings.bots]
        for outcome in contest.outcomes:
            if not outcome.cut_off:
                order = [seats[k] for k in outcome.order]
                for choice, weight in _choices(order, _places(outcome)):
                    choices[choice] += weight
    logs, errors = _likeliest(len(names), choices)
    scale = 400 / math.log(10)  # one unit of strength in points of Elo
    table = []
    for name, log, error in zip(names, logs.tolist(), errors.tolist(), strict=True):
        lines = [line for contest in contests for line in contest.lines if line.bot == name]
        played = sum(line.games for line in lines)
        won = sum(line.wins.value * line.games for line in lines)
        share = won / max(1, played)
        table.append(Rating(name, 1500 + scale * log, scale * error, played, share))
    return sorted(table, key=lambda rating: -rating.rating)


def _choices(bots: list[int], places: list[float]) -> Iterator[tuple[_Choice, float]]:
    """A game as choices: who was best of all, who was best of the others, and so on.

    Each has a weight: of those who are alike it is supposed that they came in every order, in each
    as often as in the others.
    """
    seats = range(len(bots))
    orders = [
        order
        for order in permutations(seats)
        if all(places[one] >= places[other] for one, other in pairwise(order))
    ]
    for order in orders:
        for k, seat in enumerate(order[:-1]):
            left = tuple(sorted(bots[other] for other in order[k:]))
            if left[0] != left[-1]:  # otherwise it tells nothing
                yield (bots[seat], left), 1 / len(orders)


def _likeliest(
    count: int, choices: Mapping[_Choice, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The strengths under which some choices are likeliest, by Newton's method, and their errors.

    Strengths are logs, their mean is 0, and so is that of the prior.
    """
    logs = np.zeros(count)
    least = 1 / _PRIOR**2
    for _ in range(_MOST_STEPS):
        gradient, curvature = -least * logs, least * np.eye(count)
        for (chosen, left), weight in choices.items():
            each = np.exp(logs[list(left)])
            odds = np.bincount(left, each / each.sum(), count)
            gradient[chosen] += weight
            gradient -= weight * odds
            curvature += weight * (np.diag(odds) - np.outer(odds, odds))
        step = np.clip(np.linalg.solve(curvature, gradient), -1, 1)  # or it may leap too far
        logs += step
        if np.abs(step).max() < 1e-9:
            break
    logs -= logs.mean()
    # How strong all are together nobody can tell but the prior; it is of no interest.
    spread = np.linalg.inv(curvature) - 1 / least / count
    return logs, np.sqrt(np.diag(spread))
