"""`keltis replay`: the whole game, one turn of it, or step by step."""

import json
import re
from pathlib import Path

import pytest

import keltis
from tests.cli.running import played, run, written


@pytest.fixture
def board(tmp_path: Path) -> Path:
    return written(tmp_path, played("board", 100))


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 4), ("stones", 3)])
def test_the_whole_game_is_printed_turn_by_turn(tmp_path: Path, game: str, players: int) -> None:
    over = played(game, 5000, players)
    done = run("replay", written(tmp_path, over))
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    told = re.findall(
        r"^ +\d+  [1-4]  (\S.*?)(?:  |$)", done.out.split("── Keltis")[0], re.MULTILINE
    )
    assert " ".join(" ".join(told).split()) == " ".join(over.moves)
    assert re.search(r"won|tie", done.out)


def test_a_running_game_has_no_result(board: Path) -> None:
    out = run("replay", board).out
    assert "won" not in out
    assert "hand 1" in out
    assert "hand 2" in out


def test_a_record_can_come_from_the_input(board: Path) -> None:
    assert run("replay", "-", typed=board.read_text()).out == run("replay", board).out


@pytest.mark.parametrize("turn", ["0", "1", "20"])
def test_one_turn_shows_the_table_after_it(board: Path, turn: str) -> None:
    out = run("replay", board, "--turn", turn).out
    assert out.count("── Keltis") == 1
    assert f"turn {turn} ·" in out


def test_a_turn_that_is_not_there_is_refused(board: Path) -> None:
    done = run("replay", board, "--turn", "4000")
    assert done.code == 2
    assert "--turn 4000: the game has" in done.err


def test_a_seat_sees_only_its_own_cards(board: Path) -> None:
    out = run("replay", board, "--view", "2").out
    assert "hand 2" in out
    assert "hand 1" not in out
    assert "dealt 1" not in out
    assert not re.search(r"^ +\d+  1 .*drew (?!a card)", out, re.MULTILINE)
    assert re.search(r"^ +\d+  2 .*drew (?!a card)", out, re.MULTILINE)


def test_what_a_seat_cannot_know_changes_nothing(tmp_path: Path) -> None:
    game = played("board", 60)
    worlds = [game, *(keltis.resample(game.view(1), seed=seed) for seed in range(3))]
    paths = [written(tmp_path, world) for world in worlds]
    for arguments in (["--view", "2"], ["--view", "2", "--turn", "9"], ["--view", "public"]):
        assert len({run("replay", path, *arguments).out for path in paths[:1]}) == 1
    assert len({run("replay", path, "--view", "2").out for path in paths}) == 1
    assert len({run("replay", path, "--view", "public").out for path in paths}) == 1


@pytest.mark.parametrize("view", ["3", "0", "me", "", "١"])
def test_a_view_that_is_not_there_is_refused(board: Path, view: str) -> None:
    done = run("replay", board, "--view", view)
    assert done.code == 2
    assert done.err.startswith(f'keltis: --view "{view}": expected all, public, or a player')


def test_stepping_goes_on_back_and_anywhere(board: Path) -> None:
    out = run("replay", board, "--step", typed="\n\nb\n17\n9999\nq\nnot read\n").out
    shown = re.findall(r"turn (\d+) ·", out)
    assert shown == ["0", "1", "2", "1", "17"]
    assert "The turns go from 0 to" in out


def test_stepping_ends_with_the_input(board: Path) -> None:
    done = run("replay", board, "--step", "--turn", "5", typed="\n")
    assert done.code == 0
    assert re.findall(r"turn (\d+) ·", done.out) == ["5", "6"]


def test_a_game_that_was_cut_off_says_so(tmp_path: Path) -> None:
    game = played("board", 50)
    game.cut_off()
    path = written(tmp_path, game)
    assert "cut off, so nobody has won" in run("replay", path).out
    assert "cut off" not in run("replay", path, "--turn", "3").out


def test_a_bad_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(played("board", 9).record() | {"moves": ["?"]}))
    done = run("replay", path)
    assert done.code == 2
    assert "moves[0]" in done.err
