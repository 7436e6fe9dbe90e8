"""Prints what the bots decide in a few positions, and how the search's plans fare."""

from random import Random

import numpy as np
import pytest

import keltis
from keltis import bots
from keltis.bots import position
from keltis.bots.search import PlanSearch, RolloutSettings
from keltis.reviews.luck import Judge


def decisions(shorten: pytest.MonkeyPatch) -> list[str]:
    """With less thought than bots give it, or it would take minutes uncompiled."""
    shorten.setattr("keltis.bots.position._FIRST_STEPS", 10)
    found = []
    for game, players in (("board", 2), ("stones", 3)):
        chance = Random(players)
        table = keltis.new_game(game, players=players, seed=players)
        while len(table.moves) < 40 or len(table.legal_moves()) < 3:
            table.play(chance.choice(table.legal_moves()))
        assert table.seat is not None
        view = table.view(table.seat)
        chosen = [bots.make(name, seed=1).choose(view) for name in ("heuristic", "network")]
        deals = position.likely_deals(view, seed=1, most=8)
        plans = PlanSearch(game, deals, seed=1, settings=RolloutSettings(1, 2, 3))
        plans.best(rollouts=1, deadline=float("inf"))
        found.append(f"{game} {players}: {chosen} {plans.ranking()} {plans.sums.tolist()}")
        found.append(f"luck of the first draw: {luck(game, players)}")
    return found


def luck(game: str, players: int) -> list[float]:
    """In a hundredth of a win, and in points."""
    table = keltis.new_game(game, players=players, seed=players)
    moves = [table.legal_moves()[-1], "?"][-2 if game == "board" else -1 :]
    actions = np.array([table.action(move) for move in moves], np.int64)
    judged, _ = Judge(table._kind, players).analysed(table._start, actions, luck_only=True)
    return [round(100 * float(judged[-1]["wins"]), 2), round(float(judged[-1]["lead"]), 2)]


if __name__ == "__main__":
    np.seterr(over="ignore")  # the worlds' random states wrap round
    print("\n".join(decisions(pytest.MonkeyPatch())))
