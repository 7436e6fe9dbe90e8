"""A bot that tries out whole turns in many possible worlds; see `rollouts`."""

from __future__ import annotations

import math
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keltis.bots.belief import DEALS, imagined
from keltis.bots.foresight import foresight
from keltis.bots.policy import MOST_ACTIONS, thoughts
from keltis.bots.rollouts import (
    LONGEST,
    MOST_PLANS,
    PLACES,
    POINT,
    WIN,
    Way,
    plan_turn,
    try_plans,
)
from keltis.bots.thinking import Position, position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keltis.game.setups import States

Whole = NDArray[np.int64]

_DEFAULT_ROLLOUTS = 4_000
_PRIOR_WORLDS = 5  # what foresight thinks of a plan counts as much as this many worlds do
_WAY = Way(4, 4, MOST_ACTIONS)  # in which rollouts go on,
_WAYS = {("board", 4): Way(3, 8, 5)}  # but for games in which another was found to be better
_CHUNK_SECONDS = 0.01  # how long kernels run between two looks at the clock


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

    def choose(self, view: dict[str, Any]) -> str:
        legal: list[str] = view["legal_moves"]
        return legal[0] if len(legal) == 1 else self._think(view)[0]

    def advise(self, view: dict[str, Any]) -> dict[str, Any]:
        """A decision with its reason in figures, for those who ask for a hint.

        `moves` has those that were tried, the best first: how often the seat is expected to win, by
        how many points to lead at the end, with the standard error, and in how many worlds it was
        tried. The best wins most often; another may lead by more, or do so by chance in its worlds.
        """
        best, turn = self._think(view)
        by_move: dict[str, dict[str, Any]] = {}
        for plan in turn.ranking():
            worlds = int(turn.played[plan])
            move = turn.kind.tokens[int(turn.plans[plan, 0])]
            if worlds < 2 or move in by_move:
                continue
            wins = (turn.sums[0, plan] - turn.sums[1, plan]) / WIN / worlds
            mean = turn.sums[1, plan] / POINT / worlds
            spread = max(0.0, turn.sums[2, plan] / POINT**2 / worlds - mean**2)
            by_move[move] = {
                "move": move,
                "wins": round(float(wins), 3),
                "value": round(float(mean), 2),
                "error": round(math.sqrt(spread / worlds), 2),
                "worlds": worlds,
            }
        return {"move": best, "moves": list(by_move.values())}

    def _think(self, view: dict[str, Any]) -> tuple[str, Turn]:
        deadline = time.monotonic() + self._seconds
        place = position(view)
        most = int(max(1, min(DEALS, self._rollouts / 2)))  # each world is for two plans at least
        deals = imagined(view, self._random.getrandbits(64), deadline, most)
        turn = Turn(place, deals, self._random.getrandbits(64), self._threads)
        best = turn.best(self._rollouts, deadline)
        return place.kind.tokens[int(turn.plans[best, 0])], turn


def way_of(game: str, players: int) -> Way:
    """How rollouts of a game go on."""
    return _WAYS.get((game, players), _WAY)


class Turn:
    """The plans for one turn, and what is known of them so far.

    `deals` are positions that may be the true one; the seat sees the same in all of them.
    """

    def __init__(
        self, place: Position, deals: States, seed: int, threads: int, way: Way | None = None
    ) -> None:
        self.kind = place.kind
        self._deals = deals
        self._seed = np.uint64(seed)
        self._threads = threads
        self._states = np.zeros(PLACES * threads, deals.dtype)
        players = int(deals[0]["players"])
        self._known = foresight(place.kind.name, players)
        self.way = way or way_of(place.kind.name, players)
        self._room = thoughts(*[place.weights] * threads)
        self.plans = np.zeros((MOST_PLANS, LONGEST), np.int64)
        self.lengths = np.zeros(MOST_PLANS, np.int64)
        self.priors = np.zeros(MOST_PLANS)
        count = plan_turn(
            deals, self._states, self._room, self._known, self.plans, self.lengths, self.priors
        )
        self.alive = np.argsort(-self.priors[:count], kind="stable")
        self.sums = np.zeros((3, MOST_PLANS), np.int64)  # of utility, lead, its square
        self.played = np.zeros(MOST_PLANS, np.int64)  # worlds, by plan
        self.worlds = 0  # that all plans alive have been played in

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
                    self._play(chunk, pool)
                spent += (self.worlds - before) * len(self.alive)
                self._halve()
        return int(self.alive[0])

    def _chunks(self, worlds: float, until: float) -> Iterator[int]:
        """Numbers of worlds to play in turn, at least one: up to a number and up to a time."""
        left = max(1.0, worlds if worlds == math.inf else worlds // 1)
        chunk = left if until == math.inf else 1.0
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

    def _play(self, worlds: int, pool: ThreadPoolExecutor) -> None:
        """Play all plans alive in some more worlds, which the threads share out."""
        sums = np.zeros((self._threads, 3, MOST_PLANS), np.int64)

        def play(thread: int) -> None:
            first, end = (self.worlds + worlds * k // self._threads for k in (thread, thread + 1))
            try_plans(
                self._deals,
                self._states,
                PLACES * thread,
                self._room,
                thread,
                self._known,
                self.plans,
                self.lengths,
                self.alive,
                first,
                end,
                self._seed,
                self.way,
                sums[thread],
            )

        if self._threads == 1:
            play(0)
        else:
            list(pool.map(play, range(self._threads)))
        self.sums += sums.sum(axis=0)
        self.worlds += worlds
        self.played[self.alive] = self.worlds

    def _worths(self) -> NDArray[np.float64]:
        """The plans' utility in their worlds, and as in some more by what foresight thinks."""
        worths: NDArray[np.float64] = self.sums[0] + _PRIOR_WORLDS * WIN * self.priors
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
