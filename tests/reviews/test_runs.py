"""Par: what the strongest bot makes of a seat."""

from __future__ import annotations

import pytest

import keltis
from keltis import reviews
from keltis.reviews import runs
from tests.reviews.games import heuristic_record


def test_par_is_a_lead_for_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quick bot in the place of the strongest."""
    monkeypatch.setattr(runs, "STRONGEST", "fox")
    record = heuristic_record("stones", 2)
    found = reviews.par(record, 1, runs=3, levels={0: "hare"})
    assert len(found) == 3
    assert len(set(found)) > 1
    assert found == reviews.par(record, 1, runs=3, levels={0: "hare"})
    assert found != reviews.par(record, 1, runs=3, levels={0: "hare"}, seed=1)


def test_a_run_begins_with_the_same_deal_and_ends() -> None:
    record = heuristic_record("stones", 3)
    game = keltis.load(record).restarted()
    run = runs.Run(game, 2, ["raven", "raven", None], lambda view, is_own: int(is_own))
    asked = run.asked
    assert asked is not None
    assert asked.level == "raven"
    assert asked.view == game.view(0)
    levels = set()
    while (asked := run.asked) is not None:
        levels.add((asked.level, asked.view["you"], asked.seed))
        run.play(asked.view["legal_moves"][0])
    assert levels == {("raven", 0, 0), ("raven", 1, 0), ("druid", 2, 1)}
    scores = game.scores()
    assert run.lead == scores[2] - max(scores[:2])


def test_what_is_no_seat_or_level_is_refused() -> None:
    record = heuristic_record("stones", 2)
    with pytest.raises(ValueError, match="seat: expected 0 to 1, not 2"):
        reviews.par(record, 2)
    with pytest.raises(ValueError, match='no level "random"'):
        reviews.par(record, 1, levels={0: "random"})
