"""Many bots, one table: every table of them is played, and ratings are fitted to the games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from keltis.arena.contest import Contest, arena
from keltis.arena.playing import Outcome
from keltis.arena.statistics import Mean, mean
from keltis.bots.entrants import Given, entrants

_PASSES = 20  # orders in which the games are told to the model, which forgets nothing but order


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
    """Ratings by OpenSkill's Plackett-Luce model, the best first.

    The model learns game by game, so its answer depends on their order: the games are told in
    many random orders, and the ratings are the means.
    """
    from openskill.models import PlackettLuce

    games: list[tuple[list[str], list[float]]] = [
        (
            [contest.settings.bots[which] for which in outcome.order],
            _places(outcome),
        )
        for contest in contests
        for outcome in contest.outcomes
        if not outcome.cut_off
    ]
    chance = Random(0)
    found: dict[str, list[float]] = {name: [] for name in names}
    doubt: dict[str, list[float]] = {name: [] for name in names}
    model = PlackettLuce()
    for _ in range(_PASSES):
        ratings = {name: model.rating(name=name) for name in names}
        chance.shuffle(games)
        for seats, scores in games:
            teams = [[ratings[name]] for name in seats]
            for name, [new] in zip(seats, model.rate(teams, scores=scores), strict=True):
                ratings[name] = new
        for name in names:
            found[name].append(ratings[name].mu)
            doubt[name].append(ratings[name].sigma)
    scale = 400 / (model.beta * 2.302585)  # one unit of strength in points of Elo
    centre = sum(sum(values) for values in found.values()) / len(names) / _PASSES
    table = []
    for name in names:
        lines = [line for contest in contests for line in contest.lines if line.bot == name]
        played = sum(line.games for line in lines)
        won = sum(line.wins.value * line.games for line in lines)
        table.append(
            Rating(
                name,
                1500 + scale * (mean(found[name]).value - centre),
                scale * mean(doubt[name]).value,
                played,
                won / max(1, played),
            )
        )
    return sorted(table, key=lambda rating: -rating.rating)
