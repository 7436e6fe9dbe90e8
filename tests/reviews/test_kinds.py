"""Kinds of mistake, and why: what is played against what was better, in views made for it."""

from __future__ import annotations

from typing import Any

import pytest

import keltis
from keltis import reviews
from keltis.reviews import lessons
from keltis.reviews.kinds import KINDS, fits, kind_of

NO_ROWS: dict[str, list[int]] = {colour: [] for colour in "RYVGB"}


def view(game: str = "board", **changed: Any) -> dict[str, Any]:
    """A view of the first seat at the start of a game, with some of it changed."""
    one = keltis.new_game(game, 2, seed=1, names=["Ann", "Ben"])
    return one.view(0) | changed


def rows(*of_seats: dict[str, list[int]]) -> list[dict[str, list[int]]]:
    return [NO_ROWS | row for row in of_seats]


def figures(**stones: int) -> list[dict[str, int]]:
    return [dict.fromkeys("RYVGB", 0) | stones, dict.fromkeys("RYVGB", 0)]


@pytest.mark.parametrize(
    ("row", "card", "fit"),
    [
        ([], "G4", True),
        ([4], "G4", True),
        ([4], "G9", True),
        ([4, 6], "G5", False),
        ([4, 6], "G6", True),
        ([6, 4], "G3", True),
        ([6, 6, 4], "G5", False),
    ],
)
def test_a_card_fits_a_row_as_the_rules_have_it(row: list[int], card: str, fit: bool) -> None:
    assert fits(view(rows=rows({}, {"G": row})), 1, card) == fit


def test_an_equal_tile_does_not_fit() -> None:
    assert not fits(view("stones", rows=rows({}, {"G": [4]})), 1, "G4")


BARE: dict[str, list[str | None]] = {colour: [None] * 9 for colour in "RYVGB"}
TILES_OF_GOAL = BARE | {"R": [*[None] * 6, "W", None, None]}
TILES = BARE | {"R": ["W", *BARE["R"][1:]]}

BOARD = [
    ("opened_late", "xB1", "G3", {}),
    ("opened_early", "G3", "xB1", {}),
    ("opened_early", "G3", "R4", {"rows": rows({"R": [3]}, {}), "tiles": BARE}),
    ("gift", "xG7", "xB1", {"rows": rows({}, {"G": [3, 5]})}),
    ("card", "xG2", "xB1", {"rows": rows({}, {"G": [3, 5]})}),
    ("wishing", "Y4", "R4", {"rows": rows({"R": [3], "Y": [3]}, {}), "tiles": TILES}),
    ("draw_source", "?", "<G", {"phase": "draw"}),
    ("ending", "?", "<G", {"phase": "draw", "draw_pile": 1}),
    ("ending", "R4", "Y4", {"rows": rows({"R": [3], "Y": [3]}, {}), "in_goal": 4,
                            "figures": figures(R=6, Y=2)}),
    # A sixth wishing stone is worth nothing.
    ("card", "Y4", "R4", {"rows": rows({"R": [3], "Y": [3]}, {}), "tiles": TILES,
                          "wishing_stones": [5, 0]}),
    # The figure that ends the game finds nothing (B18).
    ("card", "Y4", "R4", {"rows": rows({"R": [3], "Y": [3]}, {}), "in_goal": 4,
                          "figures": figures(R=6, Y=6), "tiles": TILES_OF_GOAL}),
    ("figure", "R", "R*", {"phase": "figure", "path": "R"}),
    ("clover", "-", "G", {"phase": "clover"}),
    ("step", "R", "G", {"phase": "end stone"}),
    # A step that ends the game, with a clover or without: the time is what counts.
    ("ending", "Y", "R", {"phase": "clover", "in_goal": 4, "figures": figures(R=6, Y=2)}),
    ("ending", "R", "-", {"phase": "end stone", "in_goal": 4, "figures": figures(R=6, Y=2)}),
]  # fmt: skip

STONES = [
    ("clover", "?", "R5", {"phase": "turn", "open": ["R5"]}),
    ("opened_late", "?", "R3", {"phase": "turn", "open": ["R3"]}),
    ("opened_early", "R3", "-", {"phase": "tile", "tile": "R3"}),
    ("wishing", "-", "R4", {"phase": "tile", "tile": "R4", "rows": rows({"R": [3]}, {})}),
    (
        "gift",
        "-",
        "R4",
        {
            "phase": "tile",
            "tile": "R4",
            "rows": rows({"R": [3]}, {"R": [2]}),
            "wishing_stones": [5, 0],
        },
    ),
    ("draw_source", "?", "R3", {"phase": "turn", "open": ["R3"], "rows": rows({"R": [2]}, {})}),
    ("ending", "?", "R3", {"phase": "turn", "open": ["R3"], "face_down": 1}),
    ("gift", "-", "B0", {"phase": "tile", "tile": "B0", "rows": rows({"B": [1]}, {"B": [7, 6]})}),
    # Any tile could begin a row: that makes no gift of it.
    ("card", "-", "B0", {"phase": "tile", "tile": "B0", "rows": rows({"B": [1]}, {})}),
]


@pytest.mark.parametrize(
    ("game", "kind", "played", "best", "changed"),
    [("board", *one) for one in BOARD] + [("stones", *one) for one in STONES],
)
def test_a_mistake_is_of_a_kind(
    game: str, kind: str, played: str, best: str, changed: dict[str, Any]
) -> None:
    assert kind in KINDS
    assert kind_of(view(game, **changed), played, best) == kind


def test_every_kind_is_tried() -> None:
    assert {kind for kind, *_ in BOARD + STONES} == set(KINDS)


def test_how_often_a_gift_is_taken_is_counted_in_worlds() -> None:
    """Ben's green row rises and stands at 5: the green 6 is what he needs, the 2 is of no use."""
    one = keltis.new_game("board", 2, seed=1, names=["Ann", "Ben"])
    record = one.record()
    deck = [*record["setup"]["draw"], *record["setup"]["removed"]]
    pool = sorted(record["setup"]["hands"][0] + record["setup"]["hands"][1] + deck)
    hands = [
        ["G2", "G6", "R0", "R1", "Y0", "Y1", "V0", "V1"],
        ["G3", "G4", "G5", "B0", "B0", "B10", "V10", "R10"],
    ]
    for card in hands[0] + hands[1]:
        pool.remove(card)
    count = len(record["setup"]["draw"])
    setup = record["setup"] | {"hands": hands, "draw": pool[:count], "removed": pool[count:]}
    one = keltis.load(record | {"setup": setup})
    for moves in ("xR0 ? G3 G* ?", "xR1 ? G4 -", "xY0 ? G5 -"):
        for move in moves.split():
            if move == "-" and move not in one.legal_moves():
                while "?" not in one.legal_moves():
                    one.play(one.legal_moves()[0])
                move = "?"
            one.play(move)
        while one.seat != 0:
            one.play("?" if "?" in one.legal_moves() else one.legal_moves()[0])
    worlds = lessons._Worlds(one.view(0), ["xG6", "xG2"], seed=1)
    assert worlds.taken("xG6") > 0.5 > worlds.taken("xG2")
    for move in ("xG6", "xG2"):  # each in the same worlds, with another beside it or alone
        alone = lessons._Worlds(one.view(0), [move], seed=1)
        assert alone.taken(move) == worlds.taken(move)


@pytest.mark.parametrize(("tile", "kind"), [("R10", "card"), ("R2", "gift")])
def test_what_nobody_takes_is_no_gift(tile: str, kind: str) -> None:
    """Both fit Ben's row of 0 and 1; but the 10 would end it."""
    one = keltis.position(
        f"keltis-position/1 stones seat=0 phase=tile:{tile} rows=R4|R0.1 open=-", seed=1
    )
    one.play("-")
    review = reviews.network_review(one)
    review["lessons"] = {}
    [decision] = review["decisions"]
    assert kind_of(one.restarted().view(0), "-", tile) == "gift"
    decision |= {"best": tile, "kind": "gift", "verdict": "mistake", "judge": "search"}
    lessons.explain(review, one)
    lesson = review["lessons"]["0"]
    assert lesson["kind"] == decision["kind"] == kind
    taken = [one["values"]["share"] for one in lesson["reasons"] if one["key"] == "taken"]
    assert all(share > 0.5 for share in taken)
    assert len(taken) == (kind == "gift")
