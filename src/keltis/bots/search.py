"""A bot that tries out whole turns in many possible worlds; see `kernels.rollouts`."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis.bots.asked import asked
from keltis.bots.kernels.rollouts import (
    LEAD,
    LEAD_SQUARED,
    MOST_PLANS,
    PLACES,
    PLANS,
    POINT,
    ROLLOUTS,
    UTILITY,
    WIN,
    plan_turn,
    try_plans,
)
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.position import DEALS, likely_deals
from keltis.bots.weights import heuristic_weights, network_weights
from keltis.game.kinds import Kind, kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keltis.game.setups import States

_DEFAULT_ROLLOUTS = 4_000
_PRIOR_WORLDS = 5  # what the network thinks of a plan counts as much as this many worlds do
_CHUNK_SECONDS = 0.01  # how long kernels run between two looks at the clock, or at signals


class RolloutSettings(NamedTuple):
    """How rollouts go on, as the seat sees it.

    They are judged at the start of its turns from the `first` to the `last`, counted from the one
    that is planned, and the mean is what they are worth. So many `actions` are looked at, of those
    that the heuristic likes best.
    """

    first: int
    last: int
    actions: int


ROLLOUT_SETTINGS = RolloutSettings(first=3, last=8, actions=5)


class SearchBot:
    """Thinks for a number of rollouts, or for some seconds, or for whichever is used up first.

    Every plan is played in one world at least, and those that are left once more in each round.
    With a budget of rollouts alone, the same seed and the same views give the same decisions,
    whatever the number of threads.
    """

    def __init__(
        self,
        seed: int | None = None,
        seconds: float | None = None,
        rollouts: int | None = None,
        threads: int = 1,
    ) -> None:
        if seconds is None and rollouts is None:
            rollouts = _DEFAULT_ROLLOUTS
        for name, budget in (("seconds", seconds), ("rollouts", rollouts), ("threads", threads)):
            if budget is not None and not 0 < budget < math.inf:
                raise ValueError(f"{name} must be a number above 0, not {budget}")
        self._random = Random(secrets.randbits(64) if seed is None else seed)
        self._seconds = math.inf if seconds is None else seconds
        self._rollouts = math.inf if rollouts is None else rollouts
        self._threads = threads

    def __repr__(self) -> str:
        return f"<SearchBot, {self._rollouts:g} rollouts, {self._seconds:g} seconds a decision>"

    def choose(self, view: Mapping[str, Any]) -> str:
        legal = asked(view)
        return legal[0] if len(legal) == 1 else self._think(view)[0]

    def advise(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """A decision with its reason in figures, for those who ask for a hint.

        `moves` has those that were tried, the best first: how often the seat is expected to win, by
        how many points to lead at the end, with the standard error, and in how many worlds it was
        tried. The best wins most often; another may lead by more, or do so by chance in its worlds.
        """
        best, found = self._think(view)
        by_move: dict[str, dict[str, Any]] = {}
        for plan in found.ranking():
            worlds = int(found.played[plan])
            move = found.kind.tokens[int(found.plans[plan, 0])]
            if worlds < 2 or move in by_move:
                continue
            wins = (found.sums[UTILITY, plan] - found.sums[LEAD, plan]) / WIN / worlds
            mean = found.sums[LEAD, plan] / POINT / worlds
            variance = max(0.0, found.sums[LEAD_SQUARED, plan] / POINT**2 / worlds - mean**2)
            by_move[move] = {
                "move": move,
                "wins": round(float(wins), 3),
                "value": round(float(mean), 2),
                "error": round(math.sqrt(variance / worlds), 2),
                "worlds": worlds,
            }
        return {"move": best, "moves": list(by_move.values())}

    def _think(self, view: Mapping[str, Any]) -> tuple[str, PlanSearch]:
        asked(view)
        deadline = time.monotonic() + self._seconds
        most = int(max(1, min(DEALS, self._rollouts / 2)))  # each world is for two plans at least
        deals = likely_deals(view, self._random.getrandbits(64), deadline, most)
        found = PlanSearch(view["game"], deals, self._random.getrandbits(64), self._threads)
        best = found.best(self._rollouts, deadline)
        return found.kind.tokens[int(found.plans[best, 0])], found


class PlanSearch:
    """The plans for one turn, and what has been found of them so far.

    `deals` are positions that may be the true one; the seat sees the same in all of them. `plans`
    are moves to try, each followed by what the network likes; without them, the plans are whole
    turns that it likes.
    """

    def __init__(
        self,
        game: str,
        deals: States,
        seed: int,
        threads: int = 1,
        settings: RolloutSettings = ROLLOUT_SETTINGS,
        plans: Sequence[str] | None = None,
    ) -> None:
        self.kind: Kind = kind(game)
        players = int(deals[0]["players"])
        self._deals = deals
        self._threads = threads
        self._states = np.zeros((threads, PLACES), deals.dtype)
        self._heuristic = heuristic_scratch(*[heuristic_weights(game, players)] * threads)
        self._network = network_scratch(threads)
        self._weights = network_weights(game, players)
        self._turn = np.zeros(1, PLANS)
        turn = self._turn[0]
        turn.seed = seed
        turn.first_turn, turn.last_turn, turn.actions = settings
        self.plans: NDArray[np.int64] = turn.plans
        self.lengths: NDArray[np.int64] = turn.lengths
        self.priors: NDArray[np.float64] = turn.priors
        memory = self._states[0], self._heuristic, self._network
        if plans is None:
            count = plan_turn(deals, *memory, self._weights, self._turn)
        else:
            count = len(plans)
            self.plans[:count, 0] = [self.kind.actions[move] for move in plans]
            self.lengths[:count] = 1
        self.alive = np.argsort(-self.priors[:count], kind="stable")
        self.sums = np.zeros((3, MOST_PLANS), np.int64)  # of utility, lead, its square
        self.played = np.zeros(MOST_PLANS, np.int64)  # worlds, by plan
        self.worlds = 0  # that all plans alive have been played in

    @property
    def alive(self) -> NDArray[np.int64]:
        """The plans that are still tried, best first."""
        plans: NDArray[np.int64] = self._turn["alive"][0, : self._turn["alive_count"][0]]
        return plans

    @alive.setter
    def alive(self, plans: NDArray[np.int64]) -> None:
        self._turn["alive"][0, : len(plans)] = plans
        self._turn["alive_count"] = len(plans)

    def best(self, rollouts: float, deadline: float) -> int:
        """The best plan, found by successive halving: each round drops the worse half."""
        rounds = max(1, math.ceil(math.log2(len(self.alive))))
        spent = 0
        with ThreadPoolExecutor(self._threads) as pool:
            for left in range(rounds, 0, -1):
                worlds = (rollouts - spent) / left / len(self.alive)
                now = time.monotonic()
                until = now + (deadline - now) / left
                before = self.worlds
                for chunk in self._chunks(worlds, until):
                    self._play_more(chunk, pool)
                spent += (self.worlds - before) * len(self.alive)
                self._halve()
        return int(self.alive[0])

    def _chunks(self, worlds: float, until: float) -> Iterator[int]:
        """Numbers of worlds to play in turn, at least one: up to a number and up to a time.

        Each takes so short a time that an interruption is noticed, whatever the budget.
        """
        left = max(1.0, worlds if worlds == math.inf else worlds // 1)
        chunk = 1.0
        while left > 0:
            start = time.monotonic()
            chunk = min(chunk, left)
            yield int(chunk)
            left -= chunk
            now = time.monotonic()
            if now >= until:
                return
            speed = chunk / max(now - start, 1e-9)
            chunk = max(1.0, min(2 * chunk, speed * min(_CHUNK_SECONDS, until - now)) // 1)

    def play(self, first: int, end: int, thread: int = 0) -> NDArray[np.int64]:
        """Play all plans alive in the worlds from `first` to `end`; return what is added up."""
        rollouts = np.zeros(1, ROLLOUTS)
        memory = self._states[thread], self._heuristic[thread:], self._network[thread:]
        try_plans(self._deals, *memory, self._weights, self._turn, first, end, rollouts)
        sums: NDArray[np.int64] = rollouts["sums"][0]
        return sums

    def reached(self, plan: int, world: int) -> States:
        """Where a plan leads to in a world, at the end of its rollout."""
        self.alive = np.array([plan])
        self.play(world, world + 1)
        end: States = self._states[0][1:2].copy()
        return end

    def _play_more(self, worlds: int, pool: ThreadPoolExecutor) -> None:
        """Play all plans alive in some more worlds, which the threads share out."""
        ends = [self.worlds + worlds * k // self._threads for k in range(self._threads + 1)]
        if self._threads == 1:
            self.sums += self.play(*ends)
        else:
            for sums in pool.map(self.play, ends[:-1], ends[1:], range(self._threads)):
                self.sums += sums
        self.worlds += worlds
        self.played[self.alive] = self.worlds

    def _worths(self) -> NDArray[np.float64]:
        """The plans' utility in their worlds, and as in some more by what the network thinks."""
        worths: NDArray[np.float64] = self.sums[UTILITY] + _PRIOR_WORLDS * WIN * self.priors
        return worths

    def ranking(self) -> list[int]:
        """The plans, best first: those that were tried longest, and of these the better ones."""
        order: list[int] = np.lexsort((-self._worths(), -self.played)).tolist()
        best = int(self.alive[0])
        return [best, *(plan for plan in order if plan != best)]

    def _halve(self) -> None:
        """Keep the better half of the plans, best first; of equals the one liked before.

        All have been played in the same number of worlds, so sums can be compared. Up to the end
        there is a choice: the best plan that begins otherwise than the best of all is kept.
        """
        ranked = self.alive[np.argsort(-self._worths()[self.alive], kind="stable")]
        kept = ranked[: (len(ranked) + 1) // 2].copy()
        others = ranked[self.plans[ranked, 0] != self.plans[ranked[0], 0]]
        if len(kept) > 1 and len(others) and others[0] not in kept:
            kept[-1] = others[0]
        self.alive = kept
