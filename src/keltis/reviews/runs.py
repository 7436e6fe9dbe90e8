"""Par: what the strongest bot makes of a seat's deal, against the same others, in several runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from keltis import bots
from keltis.bots.seeds import bot_seed
from keltis.game.game import DECISION_CAP, Game
from keltis.reviews.first import game_of

RUNS = 5
STRONGEST = bots.LEVELS[-1]
STAND_IN = "raven"  # for others who are no bots: about as strong as a good player, and quick

View = Mapping[str, Any]


class Asked(NamedTuple):
    """A decision that a run waits for."""

    level: str
    view: View
    seed: int


class Run:
    """A game that bots play on: who plays it asks for what is `asked`, until that is None.

    `levels` are by seat, None for the strongest. `seed_of` makes a bot's seed of its view, and of
    whether it is the seat's own. The game is changed. One that goes on for ever is left at the cap.
    """

    def __init__(
        self,
        game: Game,
        own: int,
        levels: Sequence[str | None],
        seed_of: Callable[[View, bool], int],
    ) -> None:
        self._game = game
        self._own = own
        self._levels = levels
        self._seed_of = seed_of

    @property
    def asked(self) -> Asked | None:
        """The decision that is to be taken next; None at the end."""
        seat = self._game.seat
        if seat is None or len(self._game.moves) >= DECISION_CAP:
            return None
        view = self._game.view(seat)
        level = self._levels[seat] or STRONGEST
        return Asked(level, view, self._seed_of(view, seat == self._own))

    def play(self, move: str) -> None:
        self._game.play(move)

    @property
    def lead(self) -> int:
        """By how much the seat leads the best of the others."""
        scores = self._game.scores()
        return scores[self._own] - max(s for seat, s in enumerate(scores) if seat != self._own)


def par(
    record: object,
    seat: int,
    runs: int = RUNS,
    *,
    levels: Mapping[int, str] | None = None,
    seed: int = 0,
) -> list[int]:
    """The leads of the strongest bot with a seat's deal against the others, one for each run.

    `levels` says which bot sits where, by seat; for other seats it is Raven. The others decide
    alike in the same position in every run. A run takes as long as the strongest bot needs for a
    whole game, some ten seconds or more.
    """
    return list(leads(record, seat, runs, levels=levels, seed=seed))


def leads(
    record: object,
    seat: int,
    runs: int,
    *,
    levels: Mapping[int, str] | None = None,
    seed: int = 0,
) -> Iterator[int]:
    """The same, one after the other: for who shows how far it is."""
    game = game_of(record)
    if not 0 <= seat < len(game.players):
        raise ValueError(f"seat: expected 0 to {len(game.players) - 1}, not {seat}")
    chosen = dict(levels or {})
    for level in chosen.values():
        bots.make_steady(level, 0)  # raises ValueError for what is no level
    by_seat = [None if k == seat else chosen.get(k, STAND_IN) for k in range(len(game.players))]
    for number in range(runs):

        def seed_of(view: View, is_own: bool, number: int = number) -> int:
            return bot_seed(str(seed), view, number if is_own else None)

        run = Run(game.restarted(), seat, by_seat, seed_of)
        while (asked := run.asked) is not None:
            run.play(bots.make_steady(asked.level, asked.seed).choose(asked.view))
        yield run.lead
