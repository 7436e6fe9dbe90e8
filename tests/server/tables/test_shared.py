"""Tables at deals that are given: who may see them, and when."""

from __future__ import annotations

from typing import Any

import pytest

import keltis
from keltis.server import keys
from keltis.server.tables import commands, deals, positions, shared
from keltis.server.tables.drafts import Surroundings
from keltis.server.tables.shared import Attempt, Board
from keltis.server.tables.table import WAITING, replayed

ANN = "a" * 64
NEAR = Surroundings(now=0.0, date=1_700_000_000_000, grace=60, substitute="fox", link_time=60)


def attempt() -> dict[str, Any]:
    board = Board("stones", {}, [None, "raven"], keys.new_server_seed(), deals.CHANCE)
    deal = Attempt("2026-03-01-sr", 0, ANN, True)
    return shared.created_body(board, deal, "Ann", {"raven": "Raven"})


def game_that_goes_on() -> dict[str, Any]:
    record = keltis.new_game("stones", 2, seed=1).record()
    seat, begins = positions.prelude(dict(record), 0, 0)
    return positions.created_body(record, begins, seat, "Ann", "fawn", "Fawn", ANN)


@pytest.mark.parametrize("made", [attempt, game_that_goes_on])
def test_nobody_else_sees_a_table_that_nobody_can_join_not_even_before_it_is_dealt(
    made: Any,
) -> None:
    new = commands.new_table("stones", False, made(), ANN, "here", NEAR)
    table = replayed(new.head, [new.event])
    assert table.status == WAITING
    assert not table.may_be_watched_by(table.held_by("b" * 64))
    assert table.may_be_watched_by(table.held_by(ANN))
