"""Records of whole random games, for tests to load and to spoil."""

import json
from functools import cache
from random import Random
from typing import Any

import keltis

Record = dict[str, Any]
TABLES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]


@cache
def finished_text(game: str, players: int = 2, seed: int = 3, may: bool = False) -> str:
    """A whole game as JSON text."""
    options = {"end_stone_step": "may"} if may else None
    played = keltis.new_game(game, players, seed, options=options)
    choose = Random(seed)
    while not played.is_over:
        played.play(choose.choice(played.legal_moves()))
    return json.dumps(played.record())


def finished(game: str, players: int = 2, seed: int = 3, may: bool = False) -> Record:
    """A whole game as a dict, fresh each time."""
    record: Record = json.loads(finished_text(game, players, seed, may))
    return record
