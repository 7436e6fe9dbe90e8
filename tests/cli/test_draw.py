"""The table as text: all of it, within its width, whatever the game has come to."""

import random
import re
from typing import Any

import pytest
from rich.text import Text

import keltis
from keltis.cli import draw, menu, sheet
from keltis.cli.story import Story


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_fits_at_every_decision(game: str, players: int) -> None:
    chance = random.Random(players)
    story = Story(keltis.new_game(game, players, seed=players))
    while not story.game.is_over:
        if len(story.deeds) % 17 == 0:
            seat = story.game.seat
            view = story.game.view(seat)
            lines = draw.table(view, 999, 80) + menu.choices(view, 80) + draw.scores(view, 80)
            lines += draw.moves(view, story.turns()[-players:], "all", 80)
            lines += draw.hand("hand", view.get("hand") or [], 80)
            assert all(line.cell_len <= 80 for line in lines)
            assert all(
                f" {k} " in " ".join(plain(lines)) for k in range(1, 1 + len(view["legal_moves"]))
            )
        story.play(chance.choice(story.game.legal_moves()))


@pytest.mark.parametrize("game", ["board", "stones"])
def test_the_score_sheet_adds_up_to_the_score(game: str) -> None:
    chance = random.Random(8)
    running = keltis.new_game(game, 3, seed=8)
    while not running.is_over:
        running.play(chance.choice(running.legal_moves()))
        lines = sheet.lines(running.view(None))
        assert [sum(line.entries[seat].points for line in lines) for seat in range(3)] == (
            running.scores()
        )


def board_view(players: int = 4, **changes: Any) -> dict[str, Any]:
    return keltis.new_game("board", players, seed=1).view(0) | changes


def test_figures_stand_under_their_stones() -> None:
    figures = [dict.fromkeys("RYVGB", 0) | {"R": stone} for stone in (3, 3, 9, 0)]
    lines = plain(draw.board_lines(board_view(figures=figures, large=["R", None, None, None]), 80))
    stones, path, under = lines[0], lines[2], lines[3]
    assert path.startswith(" R red")
    assert under[stones.index("3") - 2 : stones.index("3") + 3].strip() == "1* 2"
    assert under[stones.index("9")] == "3"


@pytest.mark.parametrize("stone", range(1, 10))
@pytest.mark.parametrize("width", [80, 50])
def test_four_large_figures_find_room_on_a_stone(stone: int, width: int) -> None:
    figures = [dict.fromkeys("RYVGB", 0) | {"V": stone}] * 4
    lines = plain(draw.board_lines(board_view(figures=figures, large=["V"] * 4), width))
    assert any("1*2*3*4*" in line for line in lines)
    assert max(map(len, lines)) <= width


def test_a_row_longer_than_a_line_is_broken() -> None:
    numbers = [number for number in range(11) for _ in range(2)]
    rows = [dict.fromkeys("RYVGB", numbers)] * 4
    piles = {colour: [f"{colour}{number}" for number in numbers] for colour in "RYVGB"}
    view = board_view(rows=rows, piles=piles)
    assert all(line.cell_len <= 80 for line in draw.table(view, 1, 80))
    narrow = plain(draw.board_middle(view, 50))
    assert max(map(len, narrow)) <= 50
    shown = re.findall(r"\d+", " ".join(narrow))
    assert sorted(map(int, shown)) == sorted(numbers * 5)


def test_a_closed_row_shows_its_direction() -> None:
    none: dict[str, list[int]] = {"R": [], "Y": [], "V": [], "G": [], "B": []}
    rows = [none | {"R": [3, 3, 5], "Y": [9, 4], "V": [2, 2], "G": [1]}, none]
    text = "\n".join(plain(draw.players(board_view(2, rows=rows), 80)))
    assert "R 3 3 5 ↑   Y 9 4 ↓   V 2 2   G 1\n" in text


def test_only_the_known_cards_of_others_are_shown() -> None:
    text = "\n".join(plain(draw.players(board_view(2, known=[["R1"], ["B9", "B9"]]), 80)))
    assert "holds   B9 B9" in text
    assert "R1" not in text
