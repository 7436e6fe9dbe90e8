"""Luck: what came, against all that could have come.

The luck of a draw is the value after it less the mean over all cards that could have come, weighted
by how often each still lay hidden; the luck of a deal is the value of the start less its mean over
other deals. Both are zero on average whatever is taken for the value, so a result less its luck has
the same mean and varies less.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keltis.bots.kernels.analysis import JUDGED, PLACES, WEIGHED, analyse, value_start
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.weights import heuristic_weights, network_weights
from keltis.reviews import even

if TYPE_CHECKING:
    from keltis.game.game import Game
    from keltis.game.kinds import Kind
    from keltis.game.setups import States

REDEALS = 200  # deals that a start is compared with
_MOST_ACTIONS = {"board": 16, "stones": 56}  # that can be legal at once

Weights = NDArray[np.float32]


class Luck(NamedTuple):
    """How lucky a seat was, in chances to win and in points of lead."""

    wins: float
    lead: float


class Judge:
    """The value network with the memory that it works in, for a game and a number of players."""

    def __init__(self, kind: Kind, players: int, weights: Weights | None = None) -> None:
        self.kind = kind
        self.players = players
        self._weights = network_weights(kind.name, players) if weights is None else weights
        self._states = np.zeros(PLACES, kind.rules.STATE)
        self._heuristic = heuristic_scratch(heuristic_weights(kind.name, players))
        self._network = network_scratch()

    def analysed(
        self, start: States, actions: NDArray[np.int64], *, luck_only: bool = False
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """What `kernels.analysis.analyse` writes: of each decision, and of each action."""
        judged = np.zeros(len(actions), JUDGED)
        room = 0 if luck_only else len(actions) * _MOST_ACTIONS[self.kind.name]
        weighed = np.zeros(room, WEIGHED)
        self._states[0] = start[0]
        memory = self._states, self._heuristic, self._network, self._weights
        count = analyse(*memory, actions, judged, weighed)
        return judged, weighed[:count]

    def start(self, start: States) -> NDArray[Any]:
        """What a start is worth to each seat: a record of WEIGHED for each."""
        values = np.zeros(self.players, WEIGHED)
        self._states[0] = start[0]
        value_start(self._states, self._heuristic, self._network, self._weights, values)
        return values

    def drawn(self, start: States) -> int:
        """How many cards or tiles had been drawn or turned over before a game began."""
        left: int = start["deck"].shape[1] - start["next"].item()
        return max(0, even.pile(self.kind.name, self.players) - left)

    def deal(self, start: States, options: dict[str, str], seed: int) -> NDArray[np.float64]:
        """The mean of a start's value over other deals: a row of wins and lead for each seat.

        They are seeded by what everybody sees of the start, so each game has its own. With nothing
        in sight but backs, as in `stones`, any deal is like any other; and a game that begins in
        the middle was not dealt at all.
        """
        if self.kind.name == "stones" or not self.kind.is_start(start):
            return _pairs(self.start(start))
        public = repr((seed, self.players, sorted(options.items()), start["tile"].tolist()))
        first = int.from_bytes(sha256(public.encode()).digest()[:8], "big")
        total = np.zeros((self.players, 2))
        for k in range(REDEALS):
            number = (first + k * 0x9E3779B97F4A7C15) % (1 << 64)
            total += _pairs(self.start(self.kind.deal(self.players, number, options)))
        mean: NDArray[np.float64] = total / REDEALS
        return mean


def _pairs(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.stack([values["wins"], values["lead"]], axis=1)


def luck_of(
    game: Game, *, seed: int = 0, weights: Weights | None = None, deal: bool = True
) -> list[Luck]:
    """How lucky each seat was in a game so far: its deal and all that it drew or turned over.

    For the arena: a seat's result less its luck, and with the luck of the others shared out among
    those whom it hurt, has the same mean and varies less; see `adjusted`. `weights` are another
    network's; whatever they are, the mean is zero. Where everybody plays every seat of a deal, that
    of the deal cancels out: `deal` leaves it away, which takes half of the time.
    """
    kind, players = game._kind, len(game.players)
    judge = Judge(kind, players, weights)
    actions = np.array([kind.actions[move] for move in game.moves], np.int64)
    judged, _ = judge.analysed(game._start, actions, luck_only=True)
    total = np.zeros((players, 2))
    if deal:
        total += _pairs(judge.start(game._start)) - judge.deal(game._start, game.options, seed)
    for seat in range(players):
        own = judged[judged["seat"] == seat]
        total[seat] += own["wins"].sum(), own["lead"].sum()
    return [Luck(float(wins), float(lead)) for wins, lead in total]


def adjusted(results: list[float], luck: list[float]) -> list[float]:
    """Results by seat, less luck: the own, and each other's as far as it was at one's cost."""
    others = len(results) - 1
    return [
        result - own + (sum(luck) - own) / others for result, own in zip(results, luck, strict=True)
    ]
