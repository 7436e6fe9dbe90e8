"""A fixed family of games, numbered, that takes turns with deals, ways of playing and options."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.reference import Reference, deal, reference_for
from tests.reference.board import SHAPES
from tests.reference.play import STYLES, choose

NAMES = ["Ann", "Ben", "Cat", "Dan"]
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"end_stone_step": "may"},
    {"end_stone_step": "may", "clover_step": "must", "own_discard": "allowed"},
    {"clover_step": "must", "piles": "top"},
)
FAMILY = 240  # numbers 0 to 239 meet every mixture of players, shape, style and these options
CAP = 3000  # B22: no game of the family comes near


def new_record(
    game: str, players: int, setup: dict[str, Any], options: dict[str, str] | None = None
) -> dict[str, Any]:
    """A record of a game in which nothing has been played."""
    return {
        "format": "keltis-record/1",
        "game": game,
        "options": dict(options or {}),
        "players": NAMES[:players],
        "setup": setup,
        "moves": [],
        "result": None,
    }


class Sample:
    """Game `number` of the family: its record at the start, and who plays it how."""

    def __init__(self, game: str, number: int) -> None:
        self.rng = Random(number)
        self.players = 2 + number % 3
        self.style = STYLES[number // 12 % 5]
        setup = deal(game, self.rng, self.players, SHAPES[number // 3 % 4])
        options = OPTIONS[number // 60 % 4] if game == "board" else {}
        self.record = new_record(game, self.players, setup, options)

    def start(self) -> Reference:
        return reference_for(self.record)

    def choose(self, game: Reference) -> str:
        assert len(game.moves) < CAP
        return choose(game, self.rng, self.style)

    def played(self, decisions: int) -> dict[str, Any]:
        """The record after so many decisions, or at the end."""
        game = self.start()
        while not game.is_over and len(game.moves) < decisions:
            game.play(self.choose(game))
        return {**self.record, "moves": game.moves, "result": game.result()}


__all__ = ["CAP", "FAMILY", "NAMES", "OPTIONS", "Sample", "new_record"]
