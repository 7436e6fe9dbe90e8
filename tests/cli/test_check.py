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


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", '{"a": ' * 100_000, "\x1b[2J"])
def test_what_is_no_record_is_bad(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    done = run("check", path)
    assert done.code == 1
    assert done.out.count("\n") == 1
    assert "\x1b" not in done.out


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
