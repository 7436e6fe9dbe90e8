"""`keltis simulate`: many random games, summed up."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

import keltis
from keltis.cli.options import Given, rule_options
from keltis.cli.progress import bars
from keltis.cli.statistics import Counts, mean_interval, wilson
from keltis.game.game import spread
from keltis.game.kinds import kind
from keltis.game.setups import check_options
from keltis.rules import board
from keltis.rules.kernel import RESULT

BLOCK = 5_000  # games with one stream of random numbers; part of what a seed means
_PERCENTS = (5, 25, 50, 75, 95)
_REASONS = {board.BY_GOAL: "goal", board.BY_DECK: "deck", board.RUNNING: "cut off"}
_STRETCH = 5  # points that share a bar of the histogram
_BAR = 46  # the longest bar


def simulate(
    game: str,
    players: int,
    games: int,
    seed: int,
    edition: str | None,
    rules: Given,
    *,
    as_json: bool,
) -> None:
    options = check_options(kind(game).options, rule_options(game, edition, rules))
    tally = Tally(players)
    for results in _with_progress(_played(game, players, games, seed, options), games):
        tally.add(results)
    summary = {
        "game": str(game),
        "options": options,
        "players": players,
        "games": games,
        "seed": seed,
        "decision_cap": keltis.DECISION_CAP,
        **tally.summary(),
    }
    if as_json:
        print(json.dumps(summary, indent=2))
    else:
        for line in report(summary):
            print(line)


def _played(
    game: str, players: int, games: int, seed: int, options: dict[str, str]
) -> Iterator[NDArray[Any]]:
    """The results, block by block; each block has a seed of its own, so threads change nothing."""

    def block(first: int) -> NDArray[Any]:
        results = np.zeros(min(BLOCK, games - first), RESULT)
        states = np.zeros(1, kind(game).rules.STATE)
        states["rng"][0] = spread((seed << 64) + first)
        kind(game).playouts(states, players, options, keltis.DECISION_CAP, results)
        return results

    count = os.cpu_count() or 1
    with ThreadPoolExecutor(count) as threads:
        waiting: deque[Future[NDArray[Any]]] = deque()
        try:
            for first in range(0, games, BLOCK):
                waiting.append(threads.submit(block, first))
                if len(waiting) > 2 * count:  # so that memory does not grow with the games
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _with_progress(blocks: Iterator[NDArray[Any]], games: int) -> Iterator[NDArray[Any]]:
    """A bar and the time left while blocks are played, where somebody sees it."""
    with bars() as progress:
        if progress is None:
            yield from blocks
            return
        task = progress.add_task("getting ready", total=games)
        for results in blocks:
            progress.update(task, description="random games", advance=len(results))
            yield results


# --- Summing up --------------------------------------------------------------------------


class Tally:
    """What the games have in common. Games that were cut off have no winner."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._decisions = Counts()
        self._turns = Counts()
        self._reasons = Counts()
        self._scores = Counts()
        self._by_seat = [Counts() for _ in range(players)]
        self._lead = Counts()  # of who begins over the others, times the number of others
        self._wins = [0] * players  # alone
        self._ties = 0

    def add(self, results: NDArray[Any]) -> None:
        scores = results["scores"][:, : self._players].astype(np.int64)
        self._decisions.add(results["decisions"])
        self._turns.add(results["turns"])
        self._reasons.add(results["reason"])
        self._scores.add(scores)
        for seat, counts in enumerate(self._by_seat):
            counts.add(scores[:, seat])
        self._lead.add(self._players * scores[:, 0] - scores.sum(axis=1))
        best = (scores == scores.max(axis=1, keepdims=True))[results["reason"] != board.RUNNING]
        alone = best.sum(axis=1) == 1
        self._ties += int((~alone).sum())
        for seat in range(self._players):
            self._wins[seat] += int(best[alone, seat].sum())

    def summary(self) -> dict[str, Any]:
        decided = sum(self._wins)
        finished = decided + self._ties
        others = self._players - 1
        interval = mean_interval(self._lead)
        return {
            "decisions": _distribution(self._decisions),
            "turns": _distribution(self._turns),
            "endings": {
                name: _share(self._reasons[reason], self._reasons.total)
                for reason, name in _REASONS.items()
            },
            "scores": _distribution(self._scores),
            "scores_by_seat": [_distribution(counts) for counts in self._by_seat],
            "wins_by_seat": [_share(wins, finished) for wins in self._wins],
            "ties": _share(self._ties, finished),
            "first_player": {
                "wins_of_decided_games": _share(self._wins[0], decided),
                "even_share": 1 / self._players,
                "points_ahead": {
                    "mean": self._lead.mean / others,
                    "low": interval and interval[0] / others,
                    "high": interval and interval[1] / others,
                },
            },
            "histogram": self._histogram(),
        }

    def _histogram(self) -> list[dict[str, int]]:
        """How many scores there are in each stretch of points."""
        first = self._scores.lowest // _STRETCH * _STRETCH
        return [
            {
                "from": low,
                "to": low + _STRETCH - 1,
                "count": sum(self._scores[low + k] for k in range(_STRETCH)),
            }
            for low in range(first, self._scores.highest + 1, _STRETCH)
        ]


def _distribution(counts: Counts) -> dict[str, Any]:
    return {
        "mean": counts.mean,
        "sd": counts.sd,
        "min": counts.lowest,
        **{f"p{percent}": counts.percentile(percent) for percent in _PERCENTS},
        "max": counts.highest,
    }


def _share(count: int, total: int) -> dict[str, Any]:
    low, high = wilson(count, total)
    return {
        "count": count,
        "share": count / total if total else None,
        "low": low,
        "high": high,
    }


# --- The report --------------------------------------------------------------------------


def report(summary: dict[str, Any]) -> Iterator[str]:
    """The summary as lines of text, 80 columns at most."""
    options = "".join(f"{name}={value}, " for name, value in summary["options"].items())
    games = "game" if summary["games"] == 1 else "games"
    yield (
        f"{summary['games']:,} random {games} of {summary['game']}, "
        f"{summary['players']} players, {options}seed {summary['seed']}"
    )
    yield ""
    heads = ("mean", "sd", "min", *(f"{percent} %" for percent in _PERCENTS), "max")
    yield " " * 14 + "".join(f"{head:>7}" for head in heads)
    yield _row("decisions", summary["decisions"])
    yield _row("turns", summary["turns"])
    yield _row("all scores", summary["scores"])
    for seat, scores in enumerate(summary["scores_by_seat"], start=1):
        yield _row(f"  seat {seat}", scores)
    yield ""
    yield f"{'':15}  share   95 % interval"
    endings = {"goal": "ended by goal", "deck": "ended by deck", "cut off": "cut off"}
    for name, label in endings.items():
        if name != "goal" or summary["game"] == "board":
            yield _percentage(label, summary["endings"][name])
    for seat, wins in enumerate(summary["wins_by_seat"], start=1):
        yield _percentage(f"seat {seat} wins", wins)
    yield _percentage("ties", summary["ties"])
    yield ""
    yield from _advantage(summary["first_player"])
    yield ""
    yield "Scores of all seats:"
    yield from _bars(summary["histogram"])


def _row(label: str, values: dict[str, Any]) -> str:
    cells = [_decimal(values["mean"], ".1f"), _decimal(values["sd"], ".1f")]
    cells += [_minus(str(values[key])) for key in ("min", *(f"p{p}" for p in _PERCENTS), "max")]
    return f"{label:14}" + "".join(f"{cell:>7}" for cell in cells)


def _percentage(label: str, share: dict[str, Any]) -> str:
    value = "–" if share["share"] is None else f"{100 * share['share']:.2f} %"
    return f"{label:14}{value:>9}   {_range(share)}"


def _range(share: dict[str, Any]) -> str:
    return f"{100 * share['low']:.2f} – {100 * share['high']:.2f} %"


def _advantage(first: dict[str, Any]) -> Iterator[str]:
    """Whether it helps to begin."""
    wins, points = first["wins_of_decided_games"], first["points_ahead"]
    share = "–" if wins["share"] is None else f"{100 * wins['share']:.2f} %"
    mean, low, high = (_decimal(points[key], "+.3f") for key in ("mean", "low", "high"))
    yield "Who begins, with 95 % intervals:"
    yield f"  wins {share} of the games that have one winner ({_range(wins)});"
    yield f"  even would be {100 * first['even_share']:.2f} %"
    yield f"  scores {mean} points against the mean of the others ({low} to {high})"


def _bars(histogram: list[dict[str, int]]) -> Iterator[str]:
    total = sum(bar["count"] for bar in histogram)
    most = max(bar["count"] for bar in histogram)
    for bar in histogram:
        name = _minus(f"{bar['from']} to {bar['to']}")
        length = round(_BAR * bar["count"] / most)
        yield f"{name:>12} {'█' * length:{_BAR}} {100 * bar['count'] / total:6.2f} %"


def _decimal(value: float | None, form: str) -> str:
    return "–" if value is None else _minus(format(value, form))


def _minus(text: str) -> str:
    return text.replace("-", "−")
