"""`keltis export`: records as columns of numbers, read back and compared with the games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

import keltis
from keltis import bots
from keltis.envs import datasets
from keltis.game import layout
from tests.cli.running import played, run, written


def lines(folder: Path, *games: keltis.Game) -> Path:
    file = folder / "games.jsonl"
    file.write_text("".join(json.dumps(game.record()) + "\n" for game in games))
    return file


def read(file: Path) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of either format; what is null is not a number."""
    if file.suffix == ".npz":
        with np.load(file) as saved:
            return {name: saved[name] for name in saved.files if name != "about"}
    table = parquet.read_table(file)
    found = {}
    for name in table.column_names:
        column = table[name].combine_chunks()
        if name in ("observation", "mask"):
            width = column.type.list_size
            found[name] = column.flatten().to_numpy().reshape(-1, width)
        else:
            found[name] = column.to_numpy(zero_copy_only=False)
    return found


@pytest.mark.parametrize("form", ["parquet", "npz"])
@pytest.mark.parametrize(("game", "players"), [("board", 2), ("stones", 3)])
def test_a_row_is_a_decision(tmp_path: Path, form: str, game: str, players: int) -> None:
    begun = keltis.position(played(game, 30, players).position())
    begun.play(begun.legal_moves()[0])
    games = [played(game, 5000, players), played(game, 40, players, seed=9), begun]
    file = lines(tmp_path, *games)
    done = run("export", file, "--to", form, "--value")
    assert (done.code, done.err) == (0, "")
    found = read(file.with_suffix(f".{form}"))
    row = 0
    for number, one in enumerate(games):
        again = one.restarted()
        for decision, token in enumerate(one.moves):
            seat = again.seat
            assert seat is not None
            assert found["record"][row] == number
            assert found["decision"][row] == decision
            assert found["seat"][row] == seat
            assert found["action"][row] == again.action(token)
            assert (found["observation"][row] == again.observation(seat)).all()
            assert (found["mask"][row] == again.mask()).all()
            if one.is_over:
                ranked = sorted(one.scores())
                scores = one.scores()
                others = [score for k, score in enumerate(scores) if k != seat]
                assert found["lead"][row] == scores[seat] - max(others)
                assert (found["result"][row] > 0) == (scores[seat] == ranked[-1])
            else:
                assert np.isnan(found["lead"][row])
                assert np.isnan(found["result"][row])
            if decision % 10 == 0:
                value = bots.evaluate(again.view(seat))
                assert found["value_wins"][row] == pytest.approx(value.wins, abs=1e-6)
                assert found["value_lead"][row] == pytest.approx(value.lead, abs=1e-4)
            again.play(token)
            row += 1
    assert row == len(found["seat"])


def test_an_arena_s_folder_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "contest"
    arena = ["arena", "random", "heuristic", "--game", "stones", "--games", "4"]
    assert run(*arena, "--out", folder).code == 0
    done = run("export", folder, "--to", "npz", "--out", tmp_path / "data.npz")
    assert done.code == 0
    assert "4 records" in done.out
    assert len(set(read(tmp_path / "data.npz")["record"].tolist())) == 4


def test_the_file_says_what_it_holds(tmp_path: Path) -> None:
    file = lines(tmp_path, played("board", 20))
    run("export", file)
    run("export", file, "--to", "npz")
    about = json.loads(parquet.read_schema(file.with_suffix(".parquet")).metadata[b"keltis"])
    with np.load(file.with_suffix(".npz")) as saved:
        assert json.loads(str(saved["about"])) == about
    assert about["format"] == datasets.FORMAT
    assert (about["game"], about["players"], about["tensors"]) == ("board", 2, layout.VERSION)
    assert about["parts"]["hand"] == [0, 55]


def test_batches_are_bounded_and_whole() -> None:
    games = [played("stones", 5000, seed=seed) for seed in range(3)]
    whole = list(datasets.batches(games, size=10_000))
    parts = list(datasets.batches(games, size=32))
    assert len(whole) == 1
    assert max(len(part["seat"]) for part in parts) == 32
    for name, column in whole[0].items():
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), column)


def test_what_cannot_be_exported_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    mixed = lines(tmp_path, played("stones", 5), played("board", 5))
    done = run("export", mixed)
    assert (done.code, done.out) == (2, "")
    assert "games.jsonl:2: board for 2 players, but the first record is stones for 2" in done.err
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    assert "bad.json: record: not JSON" in run("export", bad).err
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert "there is no record" in run("export", empty).err
    assert run("export", tmp_path / "none.json").code == 2
    one = written(tmp_path, played("stones", 5))
    assert "--out: missing" in run("export", "-", typed=one.read_text()).err
    assert run("export", one, "--out", tmp_path / "no" / "data.parquet").code == 2
    assert run("export", one, "--to", "npz").code == 0
    assert "is there already" in run("export", one, "--to", "npz").err
    assert run("export", one, "--to", "npz", "--overwrite").code == 0
    left = {path.suffix for path in tmp_path.iterdir()}
    assert left == {".json", ".jsonl", ".npz"}


@pytest.mark.parametrize("form", ["parquet", "npz"])
def test_the_same_records_make_the_same_file(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = lines(tmp_path, played("stones", 30))
    made = []
    for now in (10**9, 1.5 * 10**9):
        monkeypatch.setattr("time.time", lambda now=now: now)
        assert run("export", file, "--to", form, "--overwrite").code == 0
        made.append(file.with_suffix(f".{form}").read_bytes())
    assert made[0] == made[1]


def test_a_line_that_is_torn_is_named_as_the_line_that_it_is(tmp_path: Path) -> None:
    file = lines(tmp_path, played("stones", 30))
    with file.open("a") as more:
        more.write('{"format": \n')
    for command in ("export", "check"):
        done = run(command, file)
        told = done.out + done.err
        assert "games.jsonl:2: " in told
        assert told.endswith("record: not JSON at line 1, column 12\n")
    assert not file.with_suffix(".parquet").exists()


def test_batches_are_of_games_and_of_some_rows() -> None:
    game = played("stones", 5)
    with pytest.raises(TypeError, match=r"games\[1\]: expected a Game, not a dict"):
        list(datasets.batches([game, game.record()]))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="size: expected at least 1, not 0"):
        list(datasets.batches([game], size=0))
