"""What a contest's outcomes say, and how sure they are of it.

The unit is the deal, not the game: the games of one deal hang together, so intervals over games
would be too narrow. Shares of wins have Wilson's interval, which is honest near 0 and 1 too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from keltis.arena.playing import Outcome, Settings
from keltis.reviews.luck import Luck, adjusted

_Z = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error, and the interval that holds the truth in 95 of 100 cases."""

    value: float
    error: float  # infinite as long as there is only one deal
    low: float
    high: float


def mean(values: list[float]) -> Mean:
    """The mean of what may be any numbers, with the interval of the normal distribution."""
    n = len(values)
    value = sum(values) / n
    squares = sum((x - value) ** 2 for x in values)
    return _normal(value, _error(squares, n))


def _error(squares: float, n: int) -> float:
    return math.inf if n < 2 else math.sqrt(squares / (n - 1) / n)


def _normal(value: float, error: float) -> Mean:
    return Mean(value, error, value - _Z * error, value + _Z * error)


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's interval for a share that was found by counting so many; all there is if by none."""
    if not count:
        return 0.0, 1.0
    z = _Z * _Z / count
    middle = (share + z / 2) / (1 + z)
    half = math.sqrt(share * (1 - share) * z + z * z / 4) / (1 + z)
    low, high = min(share, middle - half), max(share, middle + half)  # rounding would miss 0 and 1
    return max(0.0, low), min(1.0, high)


def share(values: list[float]) -> Mean:
    """The mean of shares from 0 to 1, each of one deal."""
    n = len(values)
    value = sum(values) / n
    return _share(value, sum((x - value) ** 2 for x in values), n)


def _share(value: float, squares: float, n: int) -> Mean:
    """Wilson's interval, for as many counts as would be as uncertain as these deals are.

    A deal is worth several counts if its games even each other out, and one if it is won or lost as
    a whole. How much it is worth is taken from the deals, and from one more that is worth one: so
    deals that are all alike do not look like certainty.
    """
    value = min(max(value, 0.0), 1.0)
    spread = (squares + 1) / (n * value * (1 - value) + 1)
    return Mean(value, _error(squares, n), *wilson(value, n / spread))


class RunningShare:
    """The same for shares that come one by one (Welford's way)."""

    def __init__(self) -> None:
        self.count = 0
        self._value = self._squares = 0.0  # the mean, and the squares of what is off it

    def add(self, value: float) -> Mean:
        self.count += 1
        off = value - self._value
        self._value += off / self.count
        self._squares += off * (value - self._value)
        return _share(self._value, self._squares, self.count)


@dataclass(frozen=True)
class Line:
    """What a contest says of one bot."""

    bot: str
    games: int
    deals: int
    wins: Mean  # a shared win counts its share; a game cut off is won by nobody
    margin: Mean  # to the best of the others
    score: Mean
    elo: Mean | None  # against the others, by the share of wins; None if that tells nothing
    seconds: float  # for a decision
    forfeits: int = 0  # games that it lost by a fault
    wins_less_luck: Mean | None = None  # the same without the luck of draws, if that was asked for
    margin_less_luck: Mean | None = None


def plain(lines: list[Line]) -> list[dict[str, Any]]:
    """The lines as JSON may have them: what is not known, as an error after one deal, is None."""
    facts = [asdict(line) for line in lines]
    for line in facts:
        for value in line.values():
            if isinstance(value, dict):
                value.update({k: v if math.isfinite(v) else None for k, v in value.items()})
    return facts


def summary(settings: Settings, outcomes: Iterable[Outcome]) -> list[Line]:
    """A line for each bot, in the contest's order; a bot in several seats has one line."""
    by_deal: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_deal[outcome.deal].append(outcome)
    told = all(outcome.luck is not None for group in by_deal.values() for outcome in group)
    lines = []
    for bot in dict.fromkeys(settings.bots):
        wins, margins, scores = [], [], []
        luckless_wins, luckless_margins = [], []
        decisions, seconds, games, forfeits = 0, 0.0, 0, 0
        for deal in sorted(by_deal):
            won, ahead, scored, seats = 0.0, 0.0, 0.0, 0
            lucky_win, lucky_margin = 0.0, 0.0
            for outcome in by_deal[deal]:
                owed = luck_by_seat(outcome)
                for seat, which in enumerate(outcome.order):
                    if settings.bots[which] == bot:
                        seats += 1
                        won += win_share(outcome, seat)
                        ahead += margin(outcome, seat)
                        lucky_win += owed[seat].wins
                        lucky_margin += owed[seat].lead
                        scored += outcome.scores[seat]
                        decisions += outcome.decisions[seat]
                        seconds += outcome.seconds[seat]
                        forfeits += outcome.fault is not None and outcome.fault.seat == seat
            wins.append(won / seats)
            margins.append(ahead / seats)
            luckless_wins.append((won - lucky_win) / seats)
            luckless_margins.append((ahead - lucky_margin) / seats)
            scores.append(scored / seats)
            games += len(by_deal[deal])
        found = share(wins)
        lines.append(
            Line(
                bot,
                games,
                len(by_deal),
                found,
                mean(margins),
                mean(scores),
                elo_of(found, settings.players),
                seconds / max(1, decisions),
                forfeits,
                mean(luckless_wins) if told else None,
                mean(luckless_margins) if told else None,
            )
        )
    return lines


def win_share(outcome: Outcome, seat: int) -> float:
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def margin(outcome: Outcome, seat: int) -> int:
    others = (score for other, score in enumerate(outcome.scores) if other != seat)
    return outcome.scores[seat] - max(others)


def luck_by_seat(outcome: Outcome) -> list[Luck]:
    """What each seat's result owes to luck: to its own, and to that of the others at its cost.

    It is zero on average, whoever plays; and zero if it is not known.
    """
    none = [0.0] * len(outcome.order)
    luck = outcome.luck or [Luck(0.0, 0.0)] * len(none)
    wins = adjusted(none, [own.wins for own in luck])
    leads = adjusted(none, [own.lead for own in luck])
    return [Luck(-won, -ahead) for won, ahead in zip(wins, leads, strict=True)]


def elo(wins: float, players: int) -> float:
    """The Elo difference to equal others for which a share of wins is what one expects.

    With more than two players, the one against whom a fair share of wins is 0. It is infinite for
    who always wins or never.
    """
    if wins in (0, 1):
        return math.inf if wins else -math.inf
    return 400 * math.log10(wins / (1 - wins) * (players - 1))


def elo_of(wins: Mean, players: int) -> Mean | None:
    """The same with its interval; None if all games were won, or none, or there is one deal."""
    if wins.value in (0, 1) or not math.isfinite(wins.error):
        return None
    slope = 400 / math.log(10) / (wins.value * (1 - wins.value))
    low, high = elo(wins.low, players), elo(wins.high, players)
    return Mean(elo(wins.value, players), slope * wins.error, low, high)


def share_of(elo_difference: float, players: int) -> float:
    """The share of wins that one expects of an Elo difference."""
    exponent = min(max(elo_difference / 400, -300.0), 300.0)  # beyond that floats end
    odds = 10**exponent / (players - 1)
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

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(
                f"sprt: expected two Elo differences, the lower first, not {self.elo0:g} and "
                f"{self.elo1:g}"
            )

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
