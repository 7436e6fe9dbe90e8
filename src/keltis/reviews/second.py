"""The second pass of a review: a search looks again where the network saw something lost.

All moves of a decision are tried in the same sampled worlds, by rollouts as in `bots.search`;
whoever decides goes on by the network, the others by the heuristic. A first set of worlds finds
what the best move may be. Then it and the one that was played are compared in fresh worlds, and if
the difference is clear, once more in others. So who is called best by luck gains nothing from it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis.bots.kernels.rollouts import LEAD, POINT, UTILITY, WIN
from keltis.bots.kernels.value_network import POINT_WORTH
from keltis.bots.position import likely_deals
from keltis.bots.search import PlanSearch
from keltis.reviews import endings, kinds, lessons
from keltis.reviews.document import (
    FLOOR,
    Purpose,
    Review,
    cost,
    pair,
    sum_up,
    world_seed,
)
from keltis.reviews.first import FORMAT, VERSION, game_of, loss_of

if TYPE_CHECKING:
    from keltis.game.game import Game

CANDIDATES = 6  # moves that are tried, the one played among them
SCREENED = 60  # worlds in which all of them are
PROVED = 410  # worlds in each of the two comparisons
_PRIOR = 20  # worlds: what the network's opinion counts when the best is chosen
_SURE = 3.0  # standard errors
_CHUNK = 80  # rollouts between two looks up
ROLLOUTS = CANDIDATES * SCREENED + 4 * PROVED  # for a decision, at most
DEFAULT_BUDGET = 6 * ROLLOUTS  # for a seat


class Trial(NamedTuple):
    """What came of some moves in worlds: a row a world, a column a move."""

    wins: NDArray[np.float64]
    lead: NDArray[np.float64]


class Difference(NamedTuple):
    """By how much one move is better than another in the same worlds, and the standard error."""

    wins: float
    lead: float
    wins_error: float
    lead_error: float

    @property
    def clear(self) -> set[str]:
        """The measures in which it is enough to count, and more than chance would make of it."""
        gaps = {"wins": (self.wins, self.wins_error), "lead": (self.lead, self.lead_error)}
        return {
            name
            for name, (gap, error) in gaps.items()
            if gap >= FLOOR[name] and gap > _SURE * error
        }

    @property
    def worth(self) -> float:
        """In chances to win, with what points of lead weigh."""
        return self.wins + POINT_WORTH * self.lead


def difference(trial: Trial) -> Difference:
    """Of the first column from the second."""
    wins = trial.wins[:, 0] - trial.wins[:, 1]
    lead = trial.lead[:, 0] - trial.lead[:, 1]
    root = math.sqrt(len(wins))
    return Difference(
        float(wins.mean()),
        float(lead.mean()),
        float(wins.std(ddof=1)) / root,
        float(lead.std(ddof=1)) / root,
    )


def proves(first: Difference, again: Difference) -> bool:
    """Whether two comparisons show the same: that something was lost, in one measure at least."""
    return bool(first.clear & again.clear)


def refine(
    review: Review,
    record: object,
    *,
    budget: int = DEFAULT_BUDGET,
    seat: int | None = None,
) -> Iterator[Review]:
    """Search on where the network saw a loss, the most costly first; the review changes in place.

    Yields the review after each small step, at most a fifth of a second or so, for callers who have
    other things to do. It can be left at any time and taken up again, by another process too, with
    the same record and budget: what has been searched stays, and the rest comes out the same.
    `budget` is in rollouts for each seat; with a `seat` only its decisions are searched.
    """
    game = game_of(record)
    _check(review, game)
    wanted = _wanted(review, budget, seat)
    if not wanted:
        return
    searched = review["searched"]
    searched["planned"] = searched["done"] + len(wanted)
    tables = {id(one): table for one, table in kinds.positions(game, wanted)}
    for decision in wanted:
        sources = yield from _search(review, decision, tables[id(decision)])
        searched["done"] += 1
        sum_up(review)
        lessons.explain(review, game, again=decision["step"], sources=sources)
        yield review


def _check(review: Review, game: Game) -> None:
    """Raise ValueError for a review of another game or by another version."""
    if (review["format"], review["version"]) != (FORMAT, VERSION):
        raise ValueError(f"review: expected {FORMAT}, version {VERSION}; make a new one")
    if [one["move"] for one in review["decisions"]] != game.moves:
        raise ValueError("review: it is of another record")


def _wanted(review: Review, budget: int, seat: int | None) -> list[dict[str, Any]]:
    """The decisions to search, in order: the most costly of each seat, then the next of each."""
    each = max(0, budget) // ROLLOUTS
    ranked = []
    for own in range(len(review["players"])):
        if seat is not None and own != seat:
            continue
        mine = [one for one in review["decisions"] if one["seat"] == own]
        done = sum(one["judge"] == "search" for one in mine)
        left = sorted((one for one in mine if one["verdict"] == "open"), key=lambda one: -cost(one))
        ranked += [(done + k, one) for k, one in enumerate(left[: max(0, each - done)])]
    return [one for _, one in sorted(ranked, key=lambda entry: (entry[0], -cost(entry[1])))]


def _search(
    review: Review, decision: dict[str, Any], table: Game
) -> Generator[Review, None, list[endings.Source]]:
    """Judge a decision by the search, as a generator that returns where a loss comes from."""
    view = table.view(decision["seat"])
    order = {one["move"]: k for k, one in enumerate(decision["moves"])}
    tried = list(order)[:CANDIDATES]
    played = decision["move"]
    if played not in tried:
        tried[-1] = played
    screened = yield from play(review, decision, view, tried, Purpose.SCREEN, SCREENED)
    best = _likely_best(decision, tried, screened)
    if best == played:  # then against the network's own favourite
        best = tried[0]
    moves = [best, played]
    first = yield from play(review, decision, view, moves, Purpose.FIRST, PROVED)
    proofs = [first]
    if difference(first).clear:
        again = yield from play(review, decision, view, moves, Purpose.AGAIN, PROVED)
        proofs.append(again)
    _write(decision, tried, best, screened, proofs)
    if decision["verdict"] != "mistake":
        decision["kind"] = None
        return []
    decision["kind"] = kinds.kind_of(view, played, decision["best"])
    return (yield from endings.sources(review, view, decision))


def play(
    review: Review,
    decision: Mapping[str, Any],
    view: Mapping[str, Any],
    moves: list[str],
    purpose: Purpose,
    count: int,
) -> Generator[Review, None, Trial]:
    """Try moves at a decision in fresh worlds, as a generator that returns a `Trial`.

    Each world has a deal of its own: if some shared theirs, errors would be told too small.
    Worlds hang on what the seat sees, the seed, the step and what they are for.
    """
    number = world_seed(review, decision, purpose)
    deals = likely_deals(view, number, most=count)
    found = PlanSearch(view["game"], deals, number, plans=moves)
    sums = np.zeros((count, 2, len(moves)))
    pause = max(1, _CHUNK // len(moves))
    for world in range(count):
        played = found.play(world, world + 1)[:, : len(moves)]
        sums[world, 0] = (played[UTILITY] - played[LEAD]) / WIN
        sums[world, 1] = played[LEAD] / POINT
        if world % pause == pause - 1:
            yield review
    return Trial(sums[:, 0], sums[:, 1])


def _likely_best(decision: dict[str, Any], tried: list[str], screened: Trial) -> str:
    """The best move by the worlds seen so far, and a little by the network."""
    network = {one["move"]: one["wins"] + POINT_WORTH * one["lead"] for one in decision["moves"]}
    worth = screened.wins.sum(axis=0) + POINT_WORTH * screened.lead.sum(axis=0)
    prior = np.array([_PRIOR * network[move] for move in tried])
    return tried[int(np.argmax(worth + prior))]


def _write(
    decision: dict[str, Any], tried: list[str], best: str, screened: Trial, proofs: list[Trial]
) -> None:
    """Write a decision as the search found it."""
    pooled = Trial(*(np.concatenate(parts) for parts in zip(*proofs, strict=True)))
    gap = difference(pooled)
    better = gap.worth > 0
    sure = better and len(proofs) == 2 and proves(*(difference(proof) for proof in proofs))
    played = decision["move"]
    by_move = _moves(tried, best, played, screened, pooled)
    decision["best"] = best if better else played
    top = by_move[decision["best"]]
    worth = {move: one["wins"] + POINT_WORTH * one["lead"] for move, one in by_move.items()}
    decision["wins"], decision["lead"] = top["wins"], top["lead"]
    decision["after"] = {name: by_move[played][name] for name in ("wins", "lead")}
    decision["loss"] = loss_of(top, by_move[played])
    decision["error"] = pair(gap.wins_error, gap.lead_error)
    decision["worlds"] = len(pooled.wins)
    decision["judge"] = "search"
    decision["verdict"] = "mistake" if sure else "equal"
    decision["moves"] = sorted(
        by_move.values(), key=lambda one: (one is not top, -worth[one["move"]])
    )


def _moves(
    tried: list[str], best: str, played: str, screened: Trial, pooled: Trial
) -> dict[str, dict[str, Any]]:
    """What all that were tried are worth.

    Those that were only screened are as much better or worse than the best as they were there.
    """
    anchor = tried.index(best)
    wins, lead = float(pooled.wins[:, 0].mean()), float(pooled.lead[:, 0].mean())
    found = {}
    for k, move in enumerate(tried):
        if move in (best, played):
            trial, column = pooled, 0 if move == best else 1
            values = pair(trial.wins[:, column].mean(), trial.lead[:, column].mean())
        else:
            trial, column = screened, k
            values = pair(
                wins + float((trial.wins[:, k] - trial.wins[:, anchor]).mean()),
                lead + float((trial.lead[:, k] - trial.lead[:, anchor]).mean()),
            )
        count = len(trial.wins)
        error = pair(*(float(part[:, column].std(ddof=1)) / math.sqrt(count) for part in trial))
        found[move] = {"move": move, **values, "error": error, "worlds": count}
    return found
