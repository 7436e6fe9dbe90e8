"""What a contest's outcomes say, and how sure they are of it.

The unit is the deal, not the game: the games of one deal hang together, so intervals over games
would be too narrow.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from keltis.arena.playing import Outcome, Settings

_Z = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error, and the interval that holds the truth in 95 of 100 cases."""

    value: float
    error: float

    @property
    def low(self) -> float:
        return self.value - _Z * self.error

    @property
    def high(self) -> float:
        return self.value + _Z * self.error


def mean(values: list[float]) -> Mean:
    n = len(values)
    value = sum(values) / n
    if n < 2:
        return Mean(value, math.inf)
    variance = sum((x - value) ** 2 for x in values) / (n - 1)
    return Mean(value, math.sqrt(variance / n))


class RunningMean:
    """The same for values that come one by one (Welford's way)."""

    def __init__(self) -> None:
        self.count = 0
        self._value = self._squares = 0.0  # the mean, and the squares of what is off it

    def add(self, value: float) -> Mean:
        self.count += 1
        off = value - self._value
        self._value += off / self.count
        self._squares += off * (value - self._value)
        if self.count < 2:
            return Mean(self._value, math.inf)
        return Mean(self._value, math.sqrt(self._squares / (self.count - 1) / self.count))


@dataclass(frozen=True)
class Line:
    """What a contest says of one bot."""

    bot: str
    games: int
    deals: int
    wins: Mean  # a shared win counts its share; a game cut off is won by nobody
    margin: Mean  # to the best of the others
    score: Mean
    elo: Mean  # against the others, by the share of wins
    seconds: float  # for a decision


def plain(lines: list[Line]) -> list[dict[str, Any]]:
    """The lines as JSON may have them: an error that is not known yet, after one deal, is None."""
    facts = [asdict(line) for line in lines]
    for line in facts:
        for value in line.values():
            if isinstance(value, dict) and not math.isfinite(value["error"]):
                value["error"] = None
    return facts


def summary(settings: Settings, outcomes: Iterable[Outcome]) -> list[Line]:
    """A line for each bot, in the contest's order; a bot in several seats has one line."""
    by_deal: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_deal[outcome.deal].append(outcome)
    lines = []
    for bot in dict.fromkeys(settings.bots):
        wins, margins, scores = [], [], []
        decisions, seconds, games = 0, 0.0, 0
        for deal in sorted(by_deal):
            won, ahead, scored, seats = 0.0, 0.0, 0.0, 0
            for outcome in by_deal[deal]:
                for seat, which in enumerate(outcome.order):
                    if settings.bots[which] == bot:
                        seats += 1
                        won += win_share(outcome, seat)
                        ahead += margin(outcome, seat)
                        scored += outcome.scores[seat]
                        decisions += outcome.decisions[seat]
                        seconds += outcome.seconds[seat]
            wins.append(won / seats)
            margins.append(ahead / seats)
            scores.append(scored / seats)
            games += len(by_deal[deal])
        share = mean(wins)
        lines.append(
            Line(
                bot,
                games,
                len(by_deal),
                share,
                mean(margins),
                mean(scores),
                elo(share, settings.players),
                seconds / max(1, decisions),
            )
        )
    return lines


def win_share(outcome: Outcome, seat: int) -> float:
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def margin(outcome: Outcome, seat: int) -> int:
    others = (score for other, score in enumerate(outcome.scores) if other != seat)
    return outcome.scores[seat] - max(others)


def elo(wins: Mean, players: int) -> Mean:
    """The Elo difference to equal others for which a share of wins is what one expects.

    With more than two players, the one against whom a fair share of wins is 0.
    """
    least = 1e-4
    share = min(max(wins.value, least), 1 - least)
    value = 400 * math.log10(share / (1 - share) * (players - 1))
    slope = 400 / math.log(10) / (share * (1 - share))
    return Mean(value, slope * wins.error)


def share_of(elo_difference: float, players: int) -> float:
    """The share of wins that one expects of an Elo difference."""
    odds = 10 ** (elo_difference / 400) / (players - 1)
    return odds / (1 + odds)


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the first bot better by `elo1`, or only by `elo0`?

    The likelihood ratio is that of a normal distribution of the deals' results; both errors are
    about 5 %.
    """

    elo0: float
    elo1: float

    BOUND = math.log(0.95 / 0.05)

    def ratio(self, wins: Mean, deals: int, players: int) -> float:
        """The log of the likelihood ratio."""
        if deals < 2:
            return 0.0
        # As if one more deal had gone as far from the mean as can be: no result is without doubt.
        variance = (wins.error**2 * deals * (deals - 1) + 0.25) / deals
        low, high = share_of(self.elo0, players), share_of(self.elo1, players)
        return deals * (high - low) * (2 * wins.value - low - high) / (2 * variance)

    def verdict(self, ratio: float) -> str | None:
        if ratio >= self.BOUND:
            return "accepted"
        if ratio <= -self.BOUND:
            return "rejected"
        return None
