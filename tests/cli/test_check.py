"""`keltis check`: a line for each record, and an exit code that tells."""

import json
from pathlib import Path

import pytest

import keltis
from tests.cli.running import played, run, written


def test_a_sound_record_is_ok(tmp_path: Path) -> None:
    path = written(tmp_path, played("board", 20))
    done = run("check", path)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{path}: ok: board, 2 players, 20 decisions, still running\n"


def test_a_finished_game_tells_its_end(tmp_path: Path) -> None:
    game = played("stones", 1000, 3)
    scores = " : ".join(str(score).replace("-", "−") for score in game.scores())
    assert f"{scores} (deck)" in run("check", written(tmp_path, game)).out


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"moves": ["xR0", "xR0"]}, "moves["),
        ({"players": ["Ann"]}, "players: "),
        ({"setup": {}}, "setup.tiles: "),
        ({"result": {"scores": [1, 2], "winners": [1], "reason": "luck"}}, "result.reason: "),
    ],
)
def test_a_bad_record_is_named_with_the_place(
    tmp_path: Path, change: dict[str, object], place: str
) -> None:
    path = written(tmp_path, played("board", 5), **change)
    done = run("check", path)
    assert done.code == 1
    assert done.out.startswith(f"{path}: bad: {place}")
    assert done.out.count("\n") == 1


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("reason", ["goal", "deck"])
def test_a_running_game_that_claims_a_result_is_bad(tmp_path: Path, game: str, reason: str) -> None:
    running = played(game, 12)
    scores = running.scores()
    result = {"scores": scores, "winners": [scores.index(max(scores))], "reason": reason}
    done = run("check", written(tmp_path, running, result=result))
    assert done.code == 1
    assert ": bad: result: the game is not over" in done.out


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"scores": [99, -4]}, "result.scores"),
        ({"winners": [0]}, "result.winners"),
        ({"winners": [0, 1]}, "result.winners"),
    ],
)
def test_a_game_cut_off_has_the_score_of_its_moves_and_no_winner(
    tmp_path: Path, game: str, change: dict[str, object], place: str
) -> None:
    running = played(game, 12)
    running.cut_off()
    done = run("check", written(tmp_path, running))
    assert done.code == 0
    assert "(cut off)" in done.out
    done = run("check", written(tmp_path, running, result={**(running.result() or {}), **change}))
    assert done.code == 1
    assert f": bad: {place}: the game is not over" in done.out


def test_a_false_result_is_found_in_a_file_of_many_and_in_the_input(tmp_path: Path) -> None:
    good = played("stones", 9).record()
    bad = good | {"result": {"scores": [0, 0], "winners": [0], "reason": "deck"}}
    lines = f"{json.dumps(good)}\n{json.dumps(bad)}\n"
    path = tmp_path / "games.jsonl"
    path.write_text(lines)
    for done in (run("check", path), run("check", "-", typed=lines)):
        assert done.code == 1
        assert [row.split(": ")[1] for row in done.out.splitlines()] == ["ok", "bad"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", '{"a": ' * 100_000, "\x1b[2J"])
def test_what_is_no_record_is_bad(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    done = run("check", path)
    assert done.code == 1
    assert done.out.count("\n") == 1
    assert "\x1b" not in done.out
    for words in ("Expecting", "char ", "codec", "Extra data", "Invalid control"):
        assert words not in done.out  # those are the words of a library


def test_what_is_not_json_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"format": 1,\n "game" "board"}')
    assert run("check", path).out == f"{path}: bad: record: not JSON at line 2, column 9\n"
    path.write_bytes(b"\xff\xfe{")
    assert run("check", path).out == f"{path}: bad: record: not UTF-8 text\n"


def test_each_line_of_a_jsonl_file_is_checked(tmp_path: Path) -> None:
    good = json.dumps(played("stones", 9).record())
    path = tmp_path / "games.jsonl"
    path.write_text(f"{good}\n\n{{}}\n{good}\n")
    done = run("check", path)
    assert done.code == 1
    assert [line.split(": ")[:2] for line in done.out.splitlines()] == [
        [f"{path}:1", "ok"],
        [f"{path}:3", "bad"],
        [f"{path}:4", "ok"],
    ]


def test_the_input_may_be_one_record_or_many() -> None:
    record = played("stones", 9).record()
    assert run("check", "-", typed=json.dumps(record, indent=2)).out.startswith("-: ok: stones")
    line = json.dumps(record)
    assert run("check", "-", typed=f"{line}\n{line}").out.count(": ok") == 2
    assert run("check", "-", typed=line).out.startswith("-:1: ok")
    done = run("check", "-", typed=f"{line}\n{line[:-9]}\n{line}\n")
    assert [row.split(": ")[1] for row in done.out.splitlines()] == ["ok", "bad", "ok"]
    assert run("check", "-", typed="").code == 1


def test_several_files_are_all_checked_even_if_one_cannot_be_read(tmp_path: Path) -> None:
    good = written(tmp_path, played("board", 3))
    bad = written(tmp_path, played("board", 3), moves=["?"])
    done = run("check", good, bad)
    assert done.code == 1
    done = run("check", tmp_path / "missing.json", good, tmp_path, bad)
    assert done.code == 2
    assert done.out.count("\n") == 2
    assert done.err.count("\n") == 2


def test_what_play_saves_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    run("play", "--seat", "me", "--seat", "random", typed=f"1\n1\n1\nsave {path}\n")
    assert run("check", path).code == 0
    assert keltis.load(path).moves
