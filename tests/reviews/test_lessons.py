"""Why: what the lessons say."""

from __future__ import annotations

from typing import Any

import pytest

from keltis.reviews import lessons
from tests.reviews.test_kinds import BARE, figures, rows, view


def reasons(
    kind: str, played: str, best: str, game: str = "board", **changed: Any
) -> dict[str, dict[str, Any]]:
    """The reasons for a decision that the network judged, by key."""
    decision = {
        "step": 0,
        "move": played,
        "best": best,
        "kind": kind,
        "judge": "network",
        "loss": {"wins": 0.05, "lead": 2.0},
        "error": None,
        "worlds": 0,
    }
    found = lessons._reasons(view(game, **changed), decision, 0)
    assert found[-1]["key"] == "cost"
    assert {one["key"] for one in found} <= set(lessons.KEYS)
    return {one["key"]: one["values"] for one in found}


HAND = ["G4", "G6", "G7", "R1", "Y1", "V1", "B1", "B2"]


def test_a_number_skipped_spoils_cards_of_the_hand() -> None:
    row = rows({"G": [2, 3]}, {})
    found = reasons("card", "G7", "G4", hand=HAND, rows=row, figures=figures(G=2), tiles=BARE)
    assert found["spoils"] == {"card": "G7", "n": 2}
    assert found["step"] == {"colour": "G", "stone": 3, "tile": None, "points": 1}
    assert "spoils" not in reasons("card", "G4", "G7", hand=HAND, rows=row, figures=figures(G=2))


def test_a_finished_path_leads_nowhere() -> None:
    row = rows({"G": [2, 3]}, {})
    assert "step" not in reasons("card", "R1", "G4", hand=HAND, rows=row, figures=figures(G=9))


def test_a_step_of_the_large_figure_counts_twice() -> None:
    row = rows({"G": [2, 3]}, {})
    large: list[str | None] = ["G", None]
    tiles = BARE | {"G": [None, None, "2", *[None] * 6]}
    found = reasons(
        "card", "R1", "G4", hand=HAND, rows=row, figures=figures(G=2), large=large, tiles=tiles
    )
    assert found["step"] == {"colour": "G", "stone": 3, "tile": "2", "points": 2}
    # Its own figure, not that of who has the large one on another path.
    small: list[str | None] = ["R", "G"]
    found = reasons("clover", "-", "G", rows=row, figures=figures(G=2), large=small, tiles=tiles)
    assert found["step"]["points"] == 1


def test_the_step_that_ends_the_game_finds_nothing() -> None:
    row = rows({"G": [2, 3]}, {})
    tiles = BARE | {"G": [*[None] * 6, "C", None, None]}
    changed: dict[str, Any] = {"hand": HAND, "rows": row, "figures": figures(G=6), "tiles": tiles}
    found = reasons("card", "R1", "G4", in_goal=3, **changed)
    assert found["step"] == {"colour": "G", "stone": 7, "tile": "C", "points": 3}
    found = reasons("card", "R1", "G4", in_goal=4, **changed)
    assert found["step"] == {"colour": "G", "stone": 7, "tile": None, "points": 3}


def test_what_opens_a_path_is_what_the_hand_has_of_it() -> None:
    found = reasons("opened_late", "xB1", "G4", hand=HAND)
    assert found["held"] == {"colour": "G", "n": 3}
    assert found["left"] == {"n": 64}


def test_a_gift_fits_the_row_of_the_next_player() -> None:
    found = reasons("gift", "xG4", "xB1", hand=HAND)
    assert found["fits"] == {"card": "G4", "seat": 1, "name": "Ben"}


def test_the_wishing_stone_that_was_missed_has_its_worth() -> None:
    assert reasons("wishing", "B1", "R1", wishing_stones=[1, 0])["wish"] == {"n": 1, "points": 5}
    assert reasons("wishing", "B1", "R1", wishing_stones=[4, 0])["wish"] == {"n": 4, "points": 4}


def test_the_other_pile_is_compared_with_what_is_hidden() -> None:
    piles: dict[str, list[str]] = {colour: [] for colour in "RYVGB"} | {"G": ["G9"]}
    hand = [card for card in HAND if card != "G7"]
    row = rows({"G": [7, 8]}, {})
    found = reasons("draw_source", "?", "<G", hand=hand, rows=row, piles=piles, phase="draw")
    assert found["open"] == {"card": "G9", "fits": True}
    # Of 100 cards not seen, these fit: an 8, a 9 and both 10s.
    assert found["hidden"] == {"share": pytest.approx(4 / 100, abs=0.005)}


def test_the_lead_is_told_where_the_end_is_at_stake() -> None:
    assert reasons("ending", "R1", "B1", scores=[9, 12])["ahead"] == {"points": -3}


def test_a_row_of_stones_counts_what_is_still_to_be_had() -> None:
    found = reasons("opened_early", "G0", "?", "stones", rows=rows({}, {"G": [4, 5]}))
    assert found["to_come"] == {"colour": "G", "n": 8}
    assert found["left"] == {"n": 55}
