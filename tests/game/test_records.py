"""Records: saved, loaded and replayed to the same end; anything else is refused, place first."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import keltis
from tests.clauses.stories import board_record, stones_record
from tests.game.real_records import TABLES, Record, finished

# Saving and loading


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("form", ["dict", "text", "bytes", "path", "path as text"])
def test_a_record_loads_from_every_form_and_is_the_same_game(
    game: str, players: int, form: str, tmp_path: Path
) -> None:
    record = finished(game, players)
    text = json.dumps(record, indent=2)
    path = tmp_path / "game.json"
    path.write_text(text, "utf-8")
    forms: dict[str, Any] = {
        "dict": record,
        "text": "\n " + text,
        "bytes": text.encode(),
        "path": path,
        "path as text": str(path),
    }
    loaded = keltis.load(forms[form])
    assert loaded.record() == record
    assert loaded.result() == record["result"]
    assert loaded.players == record["players"]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_record_is_plain_json(game: str, players: int) -> None:
    record = finished(game, players)
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    keys = ["format", "game", "options", "players", "setup", "moves", "result"]
    assert list(record) == keys
    assert record["format"] == "keltis-record/1"


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_loading_changes_nothing_in_the_record(game: str, players: int) -> None:
    record = finished(game, players)
    before = copy.deepcopy(record)
    keltis.load(record).undo()
    assert record == before


@pytest.mark.parametrize(
    ("game", "players", "may"),
    [(*table, False) for table in TABLES] + [("board", players, True) for players in (2, 3, 4)],
)
def test_a_record_cut_anywhere_in_its_moves_is_a_running_game(
    game: str, players: int, may: bool
) -> None:
    whole = finished(game, players, may=may)
    watched = keltis.load({**whole, "moves": [], "result": None})
    for k, token in enumerate(whole["moves"]):
        for old_result in (None, whole["result"]):
            cut = {**whole, "moves": whole["moves"][:k], "result": old_result}
            loaded = keltis.load(cut)
            assert not loaded.is_over
            assert loaded.reason is None
            assert loaded.result() is None
            assert loaded.seat == watched.seat
            assert loaded.legal_moves() == watched.legal_moves()
        watched.play(token)
    assert watched.record() == whole


def test_a_whole_game_without_its_result_loads_with_it() -> None:
    record = finished("board")
    assert keltis.load({**record, "result": None}).record() == record


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_game_cut_off_by_its_caller_stays_cut_off(game: str) -> None:
    record = finished(game)
    running = keltis.load({**record, "moves": record["moves"][:31], "result": None})
    running.cut_off()
    saved = running.record()
    assert saved["result"] == {"scores": running.scores(), "winners": [], "reason": "cut off"}
    again = keltis.load(json.dumps(saved))
    assert again.is_over
    assert again.reason == "cut off"
    assert again.winners() == []
    assert again.record() == saved


def test_a_cut_off_game_whose_moves_are_cut_further_runs() -> None:
    record = finished("board")
    running = keltis.load({**record, "moves": record["moves"][:31], "result": None})
    running.cut_off()
    saved = running.record()
    assert saved["result"]
    scores = [keltis.load({**saved, "moves": saved["moves"][:k]}).scores() for k in range(31)]
    differing = [k for k in range(31) if scores[k] != saved["result"]["scores"]]
    assert differing
    for k in differing:
        assert not keltis.load({**saved, "moves": saved["moves"][:k]}).is_over


def test_keys_that_are_not_known_are_ignored() -> None:
    record = finished("board")
    added = copy.deepcopy(record)
    added.update(date="2024-05-01", seed=7, fairness={"proof": [None, 1.5, "x"]})
    added["setup"]["note"] = "dealt by hand"
    added["setup"]["tiles"]["Q"] = 12
    added["result"]["comment"] = []
    assert keltis.load(added).record() == record


def test_what_an_unknown_key_holds_may_be_anything() -> None:
    text = json.dumps(finished("stones"))
    for value in ("NaN", "-Infinity", "1e999", "[" * 500 + "]" * 500, '"\\ud800"'):
        keltis.load('{"extra": ' + value + ", " + text[1:])


def test_an_option_at_its_default_may_be_written_out() -> None:
    record = finished("board")
    written = {**record, "options": {"end_stone_step": "must"}}
    assert keltis.load(written).record() == record


def test_names_may_be_any_text() -> None:
    record = {**finished("board"), "players": ["", "Ána\u2028\ud800\U0001f340"]}
    assert keltis.load(record).players == record["players"]


# Refused, and the place is named


def put(*path: str | int, value: Any) -> Callable[[Record], None]:
    def change(record: Any) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Record], None]:
    def change(record: Any) -> None:
        for key in path[:-1]:
            record = record[key]
        del record[path[-1]]

    return change


BOTH_GAMES: list[tuple[str, Callable[[Record], None]]] = [
    ("format", drop("format")),
    ("format", put("format", value="keltis-record/2")),
    ("format", put("format", value=1)),
    ("game", drop("game")),
    ("game", put("game", value="chess")),
    ("game", put("game", value=["board"])),
    ("options", drop("options")),
    ("options", put("options", value=[])),
    ("options", put("options", value={"speed": "fast"})),
    ("players", drop("players")),
    ("players", put("players", value="Ann")),
    ("players", put("players", value=["Ann"])),
    ("players", put("players", value=["A", "B", "C", "D", "E"])),
    ("players[1]", put("players", 1, value=None)),
    ("players[0]", put("players", 0, value=7)),
    ("setup", drop("setup")),
    ("setup", put("setup", value=None)),
    ("setup.draw", drop("setup", "draw")),
    ("setup.draw", put("setup", "draw", value={})),
    ("setup.draw", drop("setup", "draw", 5)),
    ("setup.draw[5]", put("setup", "draw", 5, value="R11")),
    ("setup.draw[5]", put("setup", "draw", 5, value="r7")),
    ("setup.draw[5]", put("setup", "draw", 5, value=None)),
    ("setup.draw[5]", put("setup", "draw", 5, value=["R7"])),
    ("moves", drop("moves")),
    ("moves", put("moves", value="R7 R ?")),
    ("moves[0]", put("moves", 0, value="Z9")),
    ("moves[0]", put("moves", 0, value=None)),
    ("moves[0]", put("moves", 0, value=["?"])),
    ("moves[17]", put("moves", 17, value="")),
    ("result", drop("result")),
    ("result", put("result", value="won")),
    ("result.scores", drop("result", "scores")),
    ("result.scores", put("result", "scores", value=[1])),
    ("result.scores[0]", put("result", "scores", 0, value="1")),
    ("result.scores[0]", put("result", "scores", 0, value=1.5)),
    ("result.scores[1]", put("result", "scores", 1, value=True)),
    ("result.winners", drop("result", "winners")),
    ("result.winners", put("result", "winners", value=0)),
    ("result.winners[0]", put("result", "winners", 0, value=2)),
    ("result.winners[0]", put("result", "winners", 0, value=-1)),
    ("result.reason", drop("result", "reason")),
    ("result.reason", put("result", "reason", value="resigned")),
    ("result.reason", put("result", "reason", value=None)),
    ("result.reason", put("result", "reason", value=[])),
]
BOARD_ONLY: list[tuple[str, Callable[[Record], None]]] = [
    ("options.end_stone_step", put("options", value={"end_stone_step": "perhaps"})),
    ("options.end_stone_step", put("options", value={"end_stone_step": ["may"]})),
    ("setup.hands", drop("setup", "hands")),
    ("setup.hands", drop("setup", "hands", 0)),
    ("setup.hands[1]", put("setup", "hands", 1, value="R3")),
    ("setup.hands[1]", drop("setup", "hands", 1, 3)),
    ("setup.hands[1][3]", put("setup", "hands", 1, 3, value="Q3")),
    ("setup.hands[1][3]", put("setup", "hands", 1, 3, value=3)),
    ("setup.removed", drop("setup", "removed")),
    ("setup.removed", put("setup", "removed", value=[])),
    ("setup.removed[29]", put("setup", "removed", 29, value="R-1")),
    ("setup.tiles", drop("setup", "tiles")),
    ("setup.tiles", put("setup", "tiles", value=[])),
    ("setup.tiles.G", drop("setup", "tiles", "G")),
    ("setup.tiles.G", put("setup", "tiles", "G", value=None)),
    ("setup.tiles.G", drop("setup", "tiles", "G", 8)),
    ("setup.tiles.G[0]", put("setup", "tiles", "G", 0, value="C")),
    ("setup.tiles.G[2]", put("setup", "tiles", "G", 2, value=None)),
    ("setup.tiles.G[2]", put("setup", "tiles", "G", 2, value="4")),
    ("setup.tiles.G[2]", put("setup", "tiles", "G", 2, value=3)),
    ("setup.tiles.G[2]", put("setup", "tiles", "G", 2, value={})),
]


def refused(record: Any, place: str) -> str:
    """The message with which a record is refused; it begins with the place."""
    with pytest.raises(keltis.RecordError) as caught:
        keltis.load(record)
    message = str(caught.value)
    assert message.startswith(f"{place}: "), message
    assert isinstance(caught.value, ValueError)
    return message


@pytest.mark.parametrize(("place", "change"), BOTH_GAMES)
@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_malformed_record_is_refused_and_the_place_is_named(
    game: str, place: str, change: Callable[[Record], None]
) -> None:
    record = finished(game)
    change(record)
    refused(record, place)


@pytest.mark.parametrize(("place", "change"), BOARD_ONLY)
def test_a_malformed_board_record_is_refused_and_the_place_is_named(
    place: str, change: Callable[[Record], None]
) -> None:
    record = finished("board")
    change(record)
    refused(record, place)


def test_the_tile_game_has_no_options() -> None:
    refused({**finished("stones"), "options": {"end_stone_step": "may"}}, "options")


def test_three_and_four_players_play_with_all_cards() -> None:
    for players in (3, 4):
        record = finished("board", players)
        record["setup"]["removed"] = record["setup"]["draw"][:30]
        record["setup"]["draw"] = record["setup"]["draw"][30:]
        refused(record, "setup.removed")


def test_a_third_card_of_a_kind_is_found_where_it_lies() -> None:
    record = board_record(hands={"Ann": "R7 R7"})
    record["setup"]["draw"][9] = "R7"
    assert '"R7"' in refused(record, "setup.draw[9]")


def test_a_tile_that_is_there_twice_is_found_where_it_lies() -> None:
    record = stones_record(draw="R0 R1")
    record["setup"]["draw"][1] = "R0"
    assert '"R0"' in refused(record, "setup.draw[1]")


def test_the_path_tiles_must_be_the_right_ones() -> None:
    record = board_record(tiles="R2=C R3=W")
    record["setup"]["tiles"]["R"][1] = "W"
    message = refused(record, "setup.tiles")
    assert re.search("clovers|wishing stones", message)


def test_an_illegal_move_is_refused_with_its_number_and_the_reason() -> None:
    turns = ["Ann: R5 R ?", "Ben: xY9 ?", "Ann: R7 ?", "Ben: xY8 ?", "Ann: R3 ?"]
    record = board_record("Ann:", hands={"Ann": "R5 R7 R3", "Ben": "Y9 Y8"})
    record["moves"] = [token for turn in turns for token in turn.split()[1:]]
    assert refused(record, "moves[9]") == (
        'moves[9]: "R3" is illegal: red 3 does not fit: your red row is rising and stands at 7'
    )


def test_what_is_no_record_but_another_text_of_ours_is_told_so() -> None:
    game = keltis.new_game("stones", seed=1)
    with pytest.raises(keltis.RecordError, match=r"this is a position; keltis\.position makes"):
        keltis.load(game.position())
    lines = 2 * (json.dumps(game.record()) + "\n")
    with pytest.raises(keltis.RecordError, match="follows it at line 2, column 1; of records in"):
        keltis.load(lines)


@pytest.mark.parametrize("game", ["board", "stones"])
def test_no_move_follows_the_end(game: str) -> None:
    record = finished(game)
    count = len(record["moves"])
    record["moves"] += record["moves"][-1:]
    assert "over" in refused(record, f"moves[{count}]")


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("result.scores", lambda result: {**result, "scores": [s + 1 for s in result["scores"]]}),
        ("result.winners", lambda result: {**result, "winners": [0, 1]}),
        ("result.winners", lambda result: {**result, "winners": []}),
        ("result.reason", lambda result: {**result, "reason": "cut off"}),
    ],
)
def test_a_result_that_the_moves_do_not_lead_to_is_refused(
    game: str, place: str, wrong: Callable[[Record], Record]
) -> None:
    record = finished(game)
    assert len(record["result"]["winners"]) == 1
    refused({**record, "result": wrong(record["result"])}, place)
