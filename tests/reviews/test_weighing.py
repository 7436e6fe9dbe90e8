"""One move weighed up against another."""

from __future__ import annotations

import pytest

import keltis
from keltis import reviews
from keltis.reviews.second import Difference
from keltis.reviews.weighing import is_as_good, weigh_up
from tests.reviews.games import TABLES, heuristic_record


@pytest.mark.parametrize(
    ("gap", "good"),
    [
        (Difference(wins=0.0, lead=0.0, wins_error=0.0, lead_error=0.0), True),
        (Difference(wins=0.02, lead=0.5, wins_error=0.03, lead_error=0.6), True),
        (Difference(wins=0.02, lead=0.5, wins_error=0.01, lead_error=0.6), False),
        (Difference(wins=0.02, lead=0.5, wins_error=0.03, lead_error=0.4), False),
        # Too little to tell, however small the errors.
        (Difference(wins=0.01, lead=0.3, wins_error=0.001, lead_error=0.01), True),
        # It leads by less and wins more often, as the review itself would rather have it.
        (Difference(wins=-0.03, lead=2.0, wins_error=0.005, lead_error=0.2), True),
        # A little more often, for many points: the review would not.
        (Difference(wins=-0.001, lead=2.0, wins_error=0.005, lead_error=0.2), False),
    ],
)
def test_a_move_is_as_good_within_the_error_or_if_it_is_worth_more(
    gap: Difference, good: bool
) -> None:
    assert is_as_good(gap) == good


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_both_moves_are_tried_in_the_same_worlds(game: str, players: int) -> None:
    record = heuristic_record(game, players, 2)
    review = reviews.network_review(record)
    one = next(one for one in review["decisions"][20:] if len(one["moves"]) > 2)
    best, other = one["best"], one["moves"][-1]["move"]
    found, turned = (
        weigh_up(record, one["step"], *moves) for moves in ((best, other), (other, best))
    )
    assert found == weigh_up(record, one["step"], best, other)
    assert found["loss"]["lead"] == pytest.approx(-turned["loss"]["lead"], abs=0.001)
    assert found["error"] == turned["error"]
    assert found["right"] or found["loss"]["lead"] > 0 or found["loss"]["wins"] > 0


def test_a_move_is_as_good_as_itself() -> None:
    record = heuristic_record("stones", 2)
    found = weigh_up(record, 0, "?", "?")
    assert found["right"]
    assert found["loss"] == {"wins": 0, "lead": 0}


def test_what_a_seat_could_not_know_changes_nothing() -> None:
    """The others' cards and the pile are dealt anew as they may be at that decision."""
    game = keltis.load(heuristic_record("board", 3, 2))
    step = 31
    table = game.restarted()
    for move in game.moves[:step]:
        table.play(move)
    best, other = table.legal_moves()[:2]
    found = []
    for seed in (1, 2):
        dealt = keltis.resample(table.view(table.seat), seed=seed)
        dealt.play(best)
        found.append(weigh_up(dealt, step, best, other))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("step", "move", "fault"), [(9999, "?", "step: "), (-1, "?", "step: "), (0, "R77", "move: ")]
)
def test_what_cannot_be_weighed_is_refused(step: int, move: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        weigh_up(heuristic_record("stones", 2), step, "?", move)
