"""`keltis show`: positions and records in the terminal, and as pictures."""

from pathlib import Path

import pytest

import keltis
from tests.cli.running import played, run, written


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 4), ("stones", 3)])
def test_a_position_is_drawn_and_repeated(game: str, players: int) -> None:
    text = played(game, 50, players).position()
    done = run("show", text)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == text
    assert max(map(len, done.out.splitlines()[:-1])) <= 80
    assert done.out.count("hand ") >= (players if game == "board" else 0)


def test_hidden_cards_are_not_made_up() -> None:
    one = played("board", 50)
    text = one.position(1)
    out = run("show", text).out
    assert "hand 2" in out
    assert "hand 1" not in out
    assert out.splitlines()[-1] == text
    assert "hand " not in run("show", one.position(None)).out
    assert run("show", text, "--view", "1").out.splitlines()[-1] == one.position(None)
    assert "hand 1" not in run("show", text, "--view", "1").out


def test_a_record_is_shown_where_it_stands_and_on_every_turn(tmp_path: Path) -> None:
    one = played("board", 60)
    file = written(tmp_path, one)
    assert run("show", file).out.splitlines()[-1] == one.position()
    assert run("show", file, "--view", "2").out.splitlines()[-1] == one.position(1)
    assert run("show", file, "--view", "public").out.splitlines()[-1] == one.position(None)
    start = run("show", file, "--turn", "0").out.splitlines()[-1]
    assert start == one.restarted().position()
    assert run("show", "-", typed=file.read_text()).out == run("show", file).out
    assert run("show", "-", typed=one.position()).out.splitlines()[-1] == one.position()


def test_a_file_may_hold_a_position(tmp_path: Path) -> None:
    one = played("stones", 20)
    file = tmp_path / "puzzle.txt"
    file.write_text(f"{one.position()}\n")
    assert run("show", file).out == run("show", one.position()).out
    done = run("play", "--load", file, "--seat", "random", "--seat", "random")
    assert (done.code, done.err) == (0, "")
    assert run("replay", file).code == 0


def test_a_picture_is_written(tmp_path: Path) -> None:
    one = played("board", 60)
    file = tmp_path / "table.svg"
    done = run("show", one.position(), "--svg", file)
    assert (done.code, done.out, done.err) == (0, f"{file}\n", "")
    assert file.read_text() == keltis.show(one).svg + "\n"
    hidden = tmp_path / "hidden.svg"
    run("show", one.position(None), "--svg", hidden)
    assert hidden.read_text() == keltis.show(one.view(None)).svg + "\n"
    assert run("show", one.position(), "--svg", tmp_path / "no" / "table.svg").code == 2


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_what_is_wrong_is_one_line(language: str) -> None:
    done = run(
        "show", "keltis-position/1 stones seat=0 phase=turn rows=R5|R5 open=-", "-l", language
    )
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "tiles" in done.err
    assert run("show", "keltis-position/1 board").code == 2
    assert run("show", "no such file").code == 2
    text = played("stones", 9).position()
    assert run("show", text, "--turn", "3").code == 2
    assert run("show", text, "--view", "9").code == 2
