"""Plays fixed games through the rules and prints a hash of the whole state along each.

    NUMBA_DISABLE_JIT=1 python -m tests.rules.state_hashes

must print what it prints without the setting.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from keltis.rules import board, stones

GAMES = 3  # for each game, number of players and edition
EDITIONS = {
    "german": 0,
    "french": board.END_STONE_MAY,
    "english": board.END_STONE_MAY | board.CLOVER_MUST | board.OWN_DISCARD,
}
CAP = 20_000


def hashes() -> dict[str, list[str]]:
    """For each kind of game, one hash a game: of every state from the deal to the end."""
    table = {}
    for players in (2, 3, 4):
        for edition, options in EDITIONS.items():
            table[f"board, {players} players, {edition}"] = [
                along_a_game(board, 1000 + game, players, options) for game in range(GAMES)
            ]
        table[f"stones, {players} players"] = [
            along_a_game(stones, 2000 + game, players) for game in range(GAMES)
        ]
    return table


def along_a_game(rules: Any, seed: int, players: int, *options: int) -> str:
    """Odd seeds lay, take and step where they can; every 20 decisions a world is resampled."""
    states = np.zeros(2, rules.STATE)
    rules.deal(states, 0, players, np.uint64(seed), *options)
    out, scores = np.zeros(rules.ACTIONS, np.int64), np.zeros(4, np.int64)
    digest = hashlib.sha256()
    picks = np.random.default_rng(seed).integers(0, 2**31, CAP).tolist()
    for number, pick in enumerate(picks):
        digest.update(states[0].tobytes())
        if states[0]["phase"] == rules.OVER:
            return digest.hexdigest()
        actions = out[: rules.legal_actions(states, 0, out)].tolist()
        rules.scores(states, 0, scores)
        digest.update(json.dumps([actions, scores.tolist()]).encode())
        if number % 20 == 0:
            states[1] = states[0]
            rules.resample(states, 1, number // 20 % players)
            digest.update(states[1].tobytes())
        eager = [a for a in actions if a < 55 or 110 <= a < 120] if seed % 2 else []
        choice = eager or actions
        rules.play(states, 0, choice[pick % len(choice)])
    raise AssertionError("the game hit the cap")


if __name__ == "__main__":
    print(json.dumps(hashes()))
