"""A review as it is kept and handed on, and what follows from its decisions: sums, graph, lessons.

Values are rounded, and added up as whole numbers of their last digits: so every sum is exact.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from keltis.game.game import spread
from keltis.game.tokens import CUT_OFF
from keltis.reviews import even

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DIGITS = {"wins": 4, "lead": 3}
LESSONS = 3
FLOOR = {"wins": 0.02, "lead": 1.0}  # what a loss must reach in either to be worth a second look
POINT_WINS = 0.02  # of a win: what a point of lead weighs where losses are ranked

Pair = dict[str, float]  # of wins and lead


class Review(dict[str, Any]):
    """A review, ready for JSON; docs/review.md says what is in it. Notebooks show its picture."""

    def svg(self) -> str:
        """The chance to win of each seat, with luck and losses below, as a picture."""
        from keltis.reviews import picture

        return picture.svg(self)

    def _repr_svg_(self) -> str:
        return self.svg()


class Purpose(IntEnum):
    """What worlds are for: those for one say nothing of those for another."""

    SCREEN = 0  # what may be best?
    FIRST = 1  # is it better than what was played?
    AGAIN = 2  # once more
    TRIED = 3  # how good is another try?
    NEXT = 4  # what do the others do?
    END = 5  # where does the difference come from?


def world_seed(review: Mapping[str, Any], decision: Mapping[str, Any], purpose: Purpose) -> int:
    """The seed of a decision's worlds; it hangs on the review's seed and the step alone."""
    seed: int = (review["seed"] << 20) + (decision["step"] << 3) + purpose
    return spread(seed)


def pair(wins: float, lead: float) -> Pair:
    """Two values, rounded."""
    return {"wins": _rounded(wins, "wins"), "lead": _rounded(lead, "lead")}


def _rounded(value: float, name: str) -> float:
    return round(float(value), DIGITS[name]) + 0.0  # never -0.0


def digits(value: float, name: str) -> int:
    """A rounded value as a whole number of its last digit."""
    whole: int = round(value * 10 ** DIGITS[name])
    return whole


def total(values: Iterable[float], name: str) -> float:
    """The exact sum of rounded values."""
    return _rounded(sum(digits(value, name) for value in values) / 10 ** DIGITS[name], name)


def cost(decision: dict[str, Any]) -> float:
    """What a decision cost, as one number to rank by: points of lead, and chances as such."""
    loss = decision["loss"]
    return float(loss["lead"] + loss["wins"] / POINT_WINS)


def is_above_floor(loss: Pair) -> bool:
    return any(loss[name] >= least for name, least in FLOOR.items())


def winners_of(review: Review) -> list[int]:
    """Who has won a game that is over: nobody if it was cut off.

    But who gives up against one other player loses to that one.
    """
    result, resigned = review["result"], review["resigned"]
    if result["reason"] == CUT_OFF and len(review["players"]) == 2 and len(resigned) == 1:
        return [1 - resigned[0]]
    found: list[int] = result["winners"]
    return found


def final(review: Review, seat: int) -> Pair | None:
    """How the game ended for a seat; None if it has not."""
    if review["result"] is None:
        return None
    scores, winners = review["result"]["scores"], winners_of(review)
    others = max(score for other, score in enumerate(scores) if other != seat)
    return pair(1 / len(winners) if seat in winners else 0.0, scores[seat] - others)


def sum_up(review: Review) -> None:
    """Write what follows from the decisions as they are judged now."""
    review["graph"] = [_line(review, seat) for seat in range(len(review["players"]))]
    for entry in review["seats"]:
        own = [one for one in review["decisions"] if one["seat"] == entry["seat"]]
        if entry["sum"] is not None:
            entry["sum"] = {name: _sum(review, entry, own, name) for name in ("wins", "lead")}
        entry["mistakes"] = sum(one["verdict"] == "mistake" for one in own)
        entry["lessons"] = _lessons(review, own)


def _line(review: Review, seat: int) -> dict[str, Any]:
    """A seat's values before its own decisions, as among equals, and last the result."""
    game, players = review["game"], len(review["players"])
    draws = [one["step"] for one in review["luck"]]
    points = []
    for one in review["decisions"]:
        if one["seat"] == seat:
            drawn = review["drawn"] + bisect_left(draws, one["step"])
            value = pair(*even.corrected(game, players, drawn, one["wins"], one["lead"]))
            points.append([one["step"], value["wins"], value["lead"]])
    end = final(review, seat)
    if end is not None:
        points.append([len(review["decisions"]), end["wins"], end["lead"]])
    return {"seat": seat, "points": points}


def _sum(
    review: Review, entry: dict[str, Any], own: list[dict[str, Any]], name: str
) -> dict[str, float]:
    """From what the start is worth to the result: what is not explained is the rest."""
    seat = entry["seat"]
    end = final(review, seat)
    assert end is not None
    before = entry["sum"][name]
    others = [other["sum"][name]["deal"] for other in review["seats"] if other is not entry]
    others += [one[name] for one in review["luck"] if one["seat"] != seat]
    given = [one["loss"][name] for one in review["decisions"] if one["seat"] != seat]
    share = len(review["players"]) - 1  # of what another gains or loses, on average
    parts = {
        "start": before["start"],
        "deal": before["deal"],
        "luck": total((one[name] for one in review["luck"] if one["seat"] == seat), name),
        "others_luck": _rounded(total(others, name) / share, name),
        "decisions": -total((one["loss"][name] for one in own), name) + 0.0,
        "others_decisions": _rounded(total(given, name) / share, name),
    }
    explained = [*parts.values()]
    explained[3] = -explained[3]
    parts["rest"] = total([end[name], *(-part for part in explained)], name)
    parts["result"] = end[name]
    return parts


def _lessons(review: Review, own: list[dict[str, Any]]) -> list[int]:
    """The decisions that cost most: mistakes, and until the search is through what may be one."""
    done, planned = review["searched"]["done"], review["searched"]["planned"]
    through = done == planned and any(one["judge"] == "search" for one in own)
    real = ("mistake",) if through else ("mistake", "open")
    found = sorted((one for one in own if one["verdict"] in real), key=lambda one: -cost(one))
    return [one["step"] for one in found[:LESSONS]]
