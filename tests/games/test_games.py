"""Whole games, replayed line by line, with the table compared after each turn.

Two of them, `board-2-nine-clovers` and `stones-2`, were checked by hand against the rules, turn
by turn and point by point; the others are written by the same program (`write.py`).
"""

from pathlib import Path

import pytest

import keltis
from tests.games import drawing

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_goes_as_it_is_written(path: Path) -> None:
    text = path.read_text("utf-8")
    deal, _, _ = text.partition("\n\n" + drawing.read_turns(text)[0][0])
    game = keltis.load(drawing.read_deal(deal))
    for line, table in drawing.read_turns(text):
        assert not game.is_over
        name, _, tokens = line.partition(": ")
        for token in tokens.split():
            assert game.seat is not None
            assert game.players[game.seat] == name
            game.play(token)
        assert [line, *drawing.drawn(game)] == [line, *table]
    assert game.is_over
    assert text.endswith(f"\n\n{drawing.ending(game)}\n")


def test_what_is_written_is_what_is_read() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        turns = drawing.read_turns(text)
        deal, _, _ = text.partition("\n\n" + turns[0][0])
        record = drawing.read_deal(deal)
        record["moves"] = [token for line, _ in turns for token in line.split(": ")[1].split()]
        title = text.splitlines()[0].removeprefix("# ")
        assert drawing.written(keltis.load(record), title) == text


def test_there_are_games_of_every_kind_and_ending() -> None:
    kinds = set()
    for path in FILES:
        text = path.read_text("utf-8")
        record = drawing.read_deal(text.partition("\n\n" + drawing.read_turns(text)[0][0])[0])
        reason = text.rpartition("\nend: ")[2].partition(";")[0]
        option = record["options"].get("end_stone_step", "must")
        kinds |= {(record["game"], len(record["players"])), (record["game"], reason, option)}
    for players in (2, 3, 4):
        assert {("board", players), ("stones", players)} <= kinds
    assert {("board", "goal", "must"), ("board", "deck", "must")} <= kinds
    assert any(kind == ("board", reason, "may") for kind in kinds for reason in ("goal", "deck"))
