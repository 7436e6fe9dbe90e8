"""Why: what the lessons say."""

from __future__ import annotations

from typing import Any

import pytest

import keltis
from keltis import reviews
from keltis.reviews import lessons
from tests.reviews.games import heuristic_record
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
    found = lessons._reasons(view(game, **changed), decision)
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


@pytest.mark.parametrize(
    ("played", "best", "said"),
    [
        # The better pile has what fits, the other what does not.
        ("<Y", "<G", ["open G9 True", "open Y1 False"]),
        ("?", "<G", ["open G9 True", "hidden"]),
        # That what lay open fits is no reason to leave it.
        ("<G", "?", ["hidden"]),
        ("<Y", "?", ["open Y1 False", "hidden"]),
        # What is of no use oneself may be kept from Ben.
        ("?", "<B", ["fits B7", "hidden"]),
        ("?", "<Y", ["hidden"]),
    ],
)
def test_only_what_speaks_for_the_better_source_is_told(
    played: str, best: str, said: list[str]
) -> None:
    piles: dict[str, list[str]] = {colour: [] for colour in "RYVGB"}
    piles |= {"G": ["G9"], "Y": ["Y1"], "B": ["B7"]}
    row = rows({"G": [7, 8], "Y": [2, 3], "B": [9, 8, 6]}, {"B": [5, 6]})
    hand = [card for card in HAND if card not in ("Y1", "G7")]
    found = kinds_and_cards(
        view(hand=hand, rows=row, piles=piles, phase="draw"), "draw_source", played, best
    )
    assert found == said


def kinds_and_cards(seen: dict[str, Any], kind: str, played: str, best: str) -> list[str]:
    """The reasons but the cost, with the cards that they name and whether these fit."""
    decision = {"move": played, "best": best, "kind": kind, "judge": "network", "error": None,
                "loss": {"wins": 0.0, "lead": 2.0}, "worlds": 0}  # fmt: skip
    return [
        " ".join(str(part) for part in (one["key"], *map(one["values"].get, ("card", "fits")))
                 if part is not None)
        for one in lessons._reasons(seen, decision)[:-1]
    ]  # fmt: skip


def test_the_tile_that_ends_a_row_spoils_others() -> None:
    row = rows({"R": [2, 3]}, {})
    open_ = ["R10", "G4"]
    found = reasons("draw_source", "R10", "?", "stones", rows=row, open=open_, phase="turn")
    assert found["spoils"] == {"card": "R10", "n": 6}
    assert "open" not in found


def test_the_lead_is_told_where_the_end_is_at_stake() -> None:
    assert reasons("ending", "R1", "B1", scores=[9, 12])["ahead"] == {"points": -3}


def test_a_row_of_stones_counts_what_is_still_to_be_had() -> None:
    found = reasons("opened_early", "G0", "?", "stones", rows=rows({}, {"G": [4, 5]}))
    assert found["to_come"] == {"colour": "G", "n": 8}
    assert found["left"] == {"n": 55}


def test_it_is_told_with_which_move_the_game_ends() -> None:
    """The last move of a game, played and not; where both end it or neither, nothing is said."""
    whole = keltis.load(heuristic_record("board", 2, 5))
    assert whole.reason == "goal"
    *before, last = whole.moves
    table = whole.restarted()
    for move in before:
        table.play(move)
    others = [move for move in table.legal_moves() if not ends(table, move)]
    told = {(0.0, 1.0): (others[0], last), (1.0, 0.0): (last, others[0]), None: (last, last)}
    for shares, (played, best) in told.items():
        one = table.copy()
        one.play(played)
        review = reviews.network_review(one)
        review["lessons"] = {}
        decision = review["decisions"][-1]
        decision |= {"best": best, "kind": "ending", "verdict": "mistake", "judge": "search"}
        lessons.explain(review, one)
        found = review["lessons"][str(len(before))]["reasons"]
        said = [each["values"] for each in found if each["key"] == "ends"]
        assert said == ([{"share": shares[0], "best": shares[1]}] if shares else [])


def ends(table: keltis.Game, move: str) -> bool:
    tried = table.copy()
    tried.play(move)
    return tried.is_over
