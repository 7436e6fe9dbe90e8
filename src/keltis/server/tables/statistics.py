"""What somebody's results say: how often they win, how sure that is, and how strong they play.

The strength is on the scale of the bots' measured ratings with two players
(`bots/strength.json`). It is the mean of a posterior: a wide normal prior, and for each game the
chance to win by the Luce model, which with two players is Elo's. With three and four players bots
have other ratings, and who stands between two of them with two players does so there too. Its
uncertainty is one standard deviation.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from keltis.reviews.skill import SCALE
from keltis.server.tables.results import LOST, SHARED, WON, Result, SeatReview

_Z = 1.959964  # of an interval that holds 95 of 100
_SHOWN = 300  # games of the plots over time
_RECENT = 200  # games that the strength is estimated from: who plays learns
_PRIOR = (1400.0, 300.0)  # mean and standard deviation before the first game
_GRID = range(0, 3001, 5)
_EASY = 0.6  # a level that is beaten so often is behind one
_VALUE = {WON: 1.0, SHARED: 0.5, LOST: 0.0}

_SKILL_ERROR = 100.0  # of a rating by the skill number, which levels of bots were measured for

Ratings = Mapping[int, Mapping[str, Mapping[str, int]]]  # by number of players, level and game
Points = Sequence[tuple[float, float]]  # what is known of a curve, from left to right
Reviewed = Mapping[tuple[str, int], SeatReview]  # by table and seat
# Points lost per decision (`lost`), by game, players and level.
Losses = Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The interval in which the true share of wins lies with 95 per cent."""
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, _Z * _Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z / (1 + z2) * math.sqrt(share * (1 - share) / games + z2 / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def summary(
    games: Sequence[Result],
    ratings: Ratings,
    reviewed: Reviewed = MappingProxyType({}),
    losses: Losses = MappingProxyType({}),
) -> dict[str, Any]:
    """All that the page shows of somebody's games, which come the oldest first.

    `losses`: what each level loses per decision, as `reviewed` says it of one's own games.
    """
    counted = [each for each in games if each.result in _VALUE and each.seats == 1]
    others = {each.table_id: json.loads(each.others) for each in games}
    skill = _skill(counted, reviewed, losses)
    return {
        "games": len(games),
        "counted": len(counted),
        "wins": _wins(counted, others),
        "over_time": [
            {"table": each.table_id, "at": each.over_at, "game": each.game, "score": each.score,
             "lead": each.lead, "result": each.result,
             "lost": _rounded(seen.lost if seen else None, 3),
             "luck": _rounded(seen.luck if seen else None, 2)}
            for each in counted[-_SHOWN:]
            for seen in [_seen(each, reviewed)]
        ],
        "ends": [
            {"game": game, "ended": ended, "games": count}
            for (game, ended), count in sorted(Counter((g.game, g.ended) for g in games).items())
        ],
        "streak": _streak(counted),
        "best": _extreme(counted, max),
        "worst": _extreme(counted, min),
        "opponents": _opponents(others.values()),
        "skill": skill,
        "strength": [
            _strength(
                game, counted, others, ratings, _ratings_by_skill(game, skill, ratings, losses)
            )
            for game in ("board", "stones")
        ],
    }  # fmt: skip


def _wins(games: Sequence[Result], others: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Shares of wins: by game, by number of players, by level of a bot, by seat."""
    found: dict[tuple[str, str, Any], list[Result]] = defaultdict(list)
    for each in games:
        found["game", each.game, each.game].append(each)
        found["players", each.game, each.players].append(each)
        found["seat", each.game, each.seat].append(each)
        for level in sorted({other["level"] for other in others[each.table_id]} - {None}):
            found["level", each.game, level].append(each)
    lines = []
    for (by, game, value), of in found.items():
        wins = sum(_VALUE[each.result] for each in of)
        low, high = wilson(wins, len(of))
        lines.append(
            {"by": by, "game": game, "value": value, "games": len(of), "wins": wins,
             "share": round(wins / len(of), 4), "low": round(low, 4), "high": round(high, 4)}
        )  # fmt: skip
    return lines


def _streak(games: Sequence[Result]) -> dict[str, int]:
    """Games won one after another: the most, and how many just now."""
    longest = now = 0
    for each in games:
        now = now + 1 if each.result == WON else 0
        longest = max(longest, now)
    return {"longest": longest, "now": now}


def _extreme(games: Sequence[Result], choose: Callable[..., Result]) -> dict[str, Any] | None:
    finished = [each for each in games if each.ended in ("goal", "deck")]
    if not finished:
        return None
    found = choose(finished, key=lambda each: (each.lead, each.over_at))
    return {"table": found.table_id, "game": found.game, "lead": found.lead, "score": found.score,
            "at": found.over_at}  # fmt: skip


def _opponents(tables: Iterable[list[dict[str, Any]]]) -> dict[str, list[str]]:
    levels: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for seats in tables:
        for seat in seats:
            if seat["level"]:
                levels[seat["level"]] += 1
            elif seat["kind"] == "person" and seat["name"]:
                people[seat["name"]] += 1
    return {
        "levels": sorted(levels),
        "names": [name for name, _ in sorted(people.items(), key=lambda one: (-one[1], one[0]))][
            :50
        ],
    }


# --- Skill and luck, from reviews ----------------------------------------------------------------


def _seen(game: Result, reviewed: Reviewed) -> SeatReview | None:
    """What the review of a game says of oneself; nothing if one knew too much or was advised."""
    return None if game.is_helped else reviewed.get((game.table_id, game.seat))


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _skill(games: Sequence[Result], reviewed: Reviewed, losses: Losses) -> list[dict[str, Any]]:
    """What the reviews of somebody's games say, by game and number of players.

    Points lost count by decision; luck by game.
    """
    found: dict[tuple[str, int], list[SeatReview]] = defaultdict(list)
    for each in games:
        if (seen := _seen(each, reviewed)) is not None:
            found[each.game, each.players].append(seen)
    lines = []
    for (game, players), of in sorted(found.items()):
        skilled = [(one.lost, one.error, one.decisions) for one in of if one.lost is not None]
        decisions = sum(count for _, _, count in skilled)
        lost = error = like = None
        if decisions:
            lost = sum(value * count for value, _, count in skilled) / decisions
            error = math.sqrt(sum(((e or 0.0) * n) ** 2 for _, e, n in skilled)) / decisions
            levels = losses.get(game, {}).get(str(players), {})
            scale = [level for level in SCALE if level in levels]
            like = min(scale, key=lambda level: abs(levels[level]["lost"] - lost), default=None)
        lines.append(
            {"game": game, "players": players, "games": len(of), "decisions": decisions,
             "lost": _rounded(lost, 3), "error": _rounded(error, 3),
             "like": like, "luck": round(sum(one.luck for one in of) / len(of), 2)}
        )  # fmt: skip
    return lines


def _ratings_by_skill(
    game: str, skill: Iterable[Mapping[str, Any]], ratings: Ratings, losses: Losses
) -> list[tuple[float, float]]:
    """Ratings at which bots lose as much per decision, each with its standard error."""
    found = []
    two = ratings[2]
    for line in skill:
        levels = losses.get(game, {}).get(str(line["players"]), {})
        points = sorted(
            (measured["lost"], float(two[level][game]))
            for level, measured in levels.items()
            if game in two.get(level, {})
        )
        if line["game"] != game or line["lost"] is None or len(points) < 2:
            continue
        rating = _between(points, line["lost"])
        slope = abs(_between(points, line["lost"] + 0.01) - _between(points, line["lost"] - 0.01))
        found.append((rating, math.hypot(slope / 0.02 * line["error"], _SKILL_ERROR)))
    return found


def _between(points: Points, x: float) -> float:
    """Straight from one known point to the next; beyond the last ones their own value."""
    for (left, low), (right, high) in itertools.pairwise(points):
        if left <= x <= right:
            return low + (high - low) * (x - left) / max(right - left, 1e-9)
    return points[0][1] if x < points[0][0] else points[-1][1]


# --- Strength ----------------------------------------------------------------------------------


def chance(own: float, others: Sequence[float]) -> float:
    """The chance to win against others with these ratings."""
    return 1 / (1 + sum(10 ** ((each - own) / 400) for each in others))


def carried(points: Points, rating: float) -> float:
    """A rating with two players, as it is with more, where `points` has bots' ratings in both."""
    if not points:
        return rating
    (low, _), (high, _) = points[0], points[-1]
    return _between(points, rating) + min(0.0, rating - low) + max(0.0, rating - high)


def estimate(
    played: Mapping[tuple[int, ...], tuple[float, float]],
    seen: Iterable[tuple[float, float]] = (),
    scales: Mapping[int, Points] = MappingProxyType({}),
) -> tuple[float, float]:
    """A rating and its standard deviation, from wins and losses against sets of ratings.

    `seen`: ratings that are known otherwise, with their standard errors. `scales`: for a number of
    players what ratings with two are there, see `carried`.
    """
    mean, spread = _PRIOR
    logs = []
    for own in _GRID:
        log = -((own - mean) ** 2) / (2 * spread * spread)
        log -= sum((own - rating) ** 2 / (2 * error * error) for rating, error in seen)
        there = {players: carried(points, own) for players, points in scales.items()}
        for others, (won, lost) in played.items():
            strength = there.get(len(others) + 1, own)
            # Of the chance and its complement, both far from being rounded to 0.
            odds = sum(10 ** ((each - strength) / 400) for each in others)
            log -= (won + lost) * math.log1p(odds) - lost * math.log(odds)
        logs.append(log)
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    total = sum(weights)
    rating = sum(weight * own for weight, own in zip(weights, _GRID, strict=True)) / total
    variance = sum(w * (own - rating) ** 2 for w, own in zip(weights, _GRID, strict=True)) / total
    return rating, math.sqrt(variance)


def _strength(
    game: str,
    games: Sequence[Result],
    others: Mapping[str, Any],
    ratings: Ratings,
    seen: Sequence[tuple[float, float]] = (),
) -> dict[str, Any]:
    """Somebody's strength in one game, and the ladder of bots with the next one to play."""
    by_players = {
        players: {level: of[game] for level, of in levels.items() if game in of}
        for players, levels in ratings.items()
    }
    levels = by_players[2]
    scales = {
        players: sorted((float(levels[level]), float(of[level])) for level in of)
        for players, of in by_players.items()
    }
    rated = [
        (
            each,
            tuple(sorted(by_players[each.players][one["level"]] for one in others[each.table_id])),
        )
        for each in games
        if each.game == game
        and not each.is_helped
        and all(other["level"] in levels for other in others[each.table_id])
    ][-_RECENT:]
    played: dict[tuple[int, ...], tuple[float, float]] = {}
    duels: dict[str, list[float]] = defaultdict(list)
    for each, against in rated:
        won, lost = played.get(against, (0.0, 0.0))
        value = _VALUE[each.result]
        played[against] = (won + value, lost + 1 - value)
        if each.players == 2:
            duels[others[each.table_id][0]["level"]].append(value)
    rating, spread = estimate(played, seen, scales)
    ladder = [
        {"level": level, "rating": strength, "chance": round(chance(rating, [strength]), 3),
         "games": len(duels[level]), "wins": sum(duels[level])}
        for level, strength in sorted(levels.items(), key=lambda one: one[1])
    ]  # fmt: skip
    if not rated and not seen:
        return {"game": game, "games": 0, "rating": None, "error": None, "like": None,
                "ladder": ladder, "next": ladder[0]["level"] if ladder else None}  # fmt: skip
    climb = sorted(levels, key=lambda level: levels[level])
    ahead = [level for level in climb if chance(rating, [levels[level]]) < _EASY]
    return {
        "game": game,
        "games": len(rated),
        "rating": round(rating),
        "error": max(1, round(spread)),
        "like": min(levels, key=lambda level: abs(levels[level] - rating)),
        "ladder": ladder,
        "next": ahead[0] if ahead else climb[-1],
    }
