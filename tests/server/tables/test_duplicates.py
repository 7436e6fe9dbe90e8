"""How those who have played the same board are compared."""

from __future__ import annotations

import pytest

from keltis.server.tables import duplicates
from keltis.server.tables.duplicates import Line, compare, total
from keltis.server.tables.shared import FINISHED, GIVEN_UP, KNOWN, PLAYING, Row


def row(holder: str, lead: int | None, board: int = 0, state: int = FINISHED) -> Row:
    score = None if lead is None else 20 + lead
    return Row(holder, "deal", board, f"t{holder}{board}", 1, 2, state, lead, score, holder)


def told(lines: list[Line]) -> list[tuple[str, int | None, float | None]]:
    return [(line.row.holder, line.place, line.points) for line in lines]


def test_each_gets_a_point_for_those_behind_and_half_for_those_level() -> None:
    rows = [row("ann", 5), row("ben", 9), row("cid", 5), row("dee", -3), row("eve", 5)]
    assert told(compare(rows)) == [
        ("ben", 1, 1.0),
        ("ann", 2, 0.5),
        ("cid", 2, 0.5),
        ("eve", 2, 0.5),
        ("dee", 5, 0.0),
    ]


def test_all_points_together_are_half_of_those_to_be_had() -> None:
    lines = compare([row(str(k), lead) for k, lead in enumerate((3, 3, 0, 0, 0, -8, 12))])
    assert sum(line.points or 0 for line in lines) == pytest.approx(len(lines) / 2)


def test_who_gives_up_is_behind_all_who_finish_and_has_no_points() -> None:
    rows = [row("ann", -20), row("ben", None, state=GIVEN_UP), row("cid", None, state=GIVEN_UP)]
    assert told(compare(rows)) == [("ann", 1, 1.0), ("ben", None, 0.0), ("cid", None, 0.0)]


def test_who_still_plays_or_knows_the_cards_is_not_compared() -> None:
    rows = [row("ann", 1), row("ben", None, state=PLAYING), row("cid", None, state=KNOWN)]
    assert told(compare(rows)) == [("ann", 1, None)]


def test_only_those_who_have_played_all_boards_are_ranked_over_all() -> None:
    boards = [
        [row("ann", 10), row("ben", 0), row("cid", 5)],
        [row("ann", -4, 1), row("ben", 2, 1)],
    ]
    found = total([compare(rows) for rows in boards])
    # Ann is ahead by points of lead, and both have half of the match points.
    assert [each[:1] + each[2:] for each in found] == [
        ("ann", 6, 0.5, 1, 1),
        ("ben", 2, 0.5, 1, 2),
    ]


def test_a_board_that_was_given_up_leaves_no_sum_of_leads() -> None:
    boards = [
        [row("ann", 10), row("ben", None, state=GIVEN_UP)],
        [row("ann", 1, 1), row("ben", 2, 1)],
    ]
    ann, ben = total([compare(rows) for rows in boards])
    assert (ann.lead, ann.points, ann.place, ann.place_by_lead) == (11, 0.5, 1, 1)
    assert (ben.lead, ben.points, ben.place, ben.place_by_lead) == (None, 0.5, 1, None)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_sits_once_in_every_seat(players: int) -> None:
    bots = ["fawn", "hare", "fox"][: players - 1]
    body = duplicates.new("board", {}, bots, range(players))
    boards = duplicates.boards(body)
    assert [board.levels.index(None) for board in boards] == list(range(players))
    for board in boards:
        assert [level for level in board.levels if level] == bots
        assert board.first == 0
    assert len({board.mix for board in boards}) == players
