"""`keltis simulate`: the summary is that of the games, and a seed means the same everywhere."""

import json
import os

import numpy as np
import pytest

from keltis.cli.simulate import BLOCK, Tally
from keltis.rules import board
from keltis.rules.kernel import RESULT
from tests.cli.running import run


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_the_report_fits_80_columns(game: str, players: str) -> None:
    done = run("simulate", "--game", game, "--players", players, "--games", "200")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"200 random games of {game}, {players} players, seed 0\n")
    assert max(map(len, done.out.splitlines())) <= 80
    for word in ("decisions", "turns", f"seat {players} wins", "cut off", "Who begins", "█"):
        assert word in done.out


def test_one_game_is_enough() -> None:
    assert "1 random game of board" in run("simulate", "--games", "1").out


def test_an_edition_is_a_set_of_options_and_single_ones_go_before() -> None:
    def options(*arguments: str) -> object:
        done = run("simulate", "--games", "20", "--json", *arguments)
        return json.loads(done.out)["options"]

    english = {"end_stone_step": "may", "clover_step": "must", "own_discard": "allowed"}
    assert options("--edition", "german") == {}
    assert options("--edition", "french") == {"end_stone_step": "may"}
    assert options("--edition", "english") == english
    mixed = options("--edition", "english", "--clover-step", "may", "--end-stone-step", "must")
    assert mixed == {"own_discard": "allowed"}
    report = run("simulate", "--games", "20", "--edition", "english").out
    assert "end_stone_step=may, clover_step=must, own_discard=allowed, seed" in report


def test_json_says_all_of_it() -> None:
    done = run("simulate", "--games", "300", "--seed", "5", "--end-stone-step", "may", "--json")
    summary = json.loads(done.out)
    assert summary["options"] == {"end_stone_step": "may"}
    assert (summary["games"], summary["players"], summary["seed"]) == (300, 2, 5)
    assert sum(ending["count"] for ending in summary["endings"].values()) == 300
    wins = sum(share["count"] for share in summary["wins_by_seat"])
    assert wins + summary["ties"]["count"] == 300
    assert sum(bar["count"] for bar in summary["histogram"]) == 600
    low, high = (summary["histogram"][0]["from"], summary["histogram"][-1]["to"])
    assert low <= summary["scores"]["min"] <= summary["scores"]["max"] <= high


def test_a_seed_gives_the_same_games_on_any_number_of_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ["simulate", "--game", "stones", "--games", str(2 * BLOCK + 1)]
    outputs = []
    for cores in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        outputs.append(run(*arguments).out)
    assert outputs[0] == outputs[1]
    assert run(*arguments, "--seed", "1").out.splitlines()[1:] != outputs[0].splitlines()[1:]


def results(*games: tuple[int, list[int]]) -> np.ndarray:
    made = np.zeros(len(games), RESULT)
    for k, (reason, scores) in enumerate(games):
        made[k]["reason"] = reason
        made[k]["scores"][: len(scores)] = scores
    return made


def test_who_wins_and_who_begins_are_counted_right() -> None:
    tally = Tally(3)
    tally.add(
        results(
            (board.BY_GOAL, [10, 4, 1]),  # seat 1 wins
            (board.BY_DECK, [3, 8, 8]),  # a tie
            (board.BY_DECK, [-5, -2, -9]),  # seat 2 wins
            (board.RUNNING, [50, 0, 0]),  # cut off: nobody wins
        )
    )
    summary = tally.summary()
    assert [share["count"] for share in summary["wins_by_seat"]] == [1, 1, 0]
    assert summary["ties"]["count"] == 1
    assert {name: share["count"] for name, share in summary["endings"].items()} == {
        "goal": 1,
        "deck": 2,
        "cut off": 1,
    }
    first = summary["first_player"]
    assert first["wins_of_decided_games"]["share"] == 0.5
    assert first["points_ahead"]["mean"] == pytest.approx((7.5 - 5 + 0.5 + 50) / 4)
