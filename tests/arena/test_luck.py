"""Results with the luck of draws taken out: the same on average, and less by chance."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keltis.arena import arena
from keltis.arena.playing import Outcome
from keltis.arena.statistics import luck_by_seat, margin, mean, win_share
from keltis.reviews.luck import Luck
from tests.cli.running import run

GAMES = 400  # of each table; benchmarks/luck.py has thousands


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 4])
def test_luck_is_zero_on_average_in_every_seat(game: str, players: int) -> None:
    """Within four standard errors, in wins and in lead; the unit is the deal, as everywhere."""
    contest = arena(
        ["heuristic", "random"], game=game, players=players, games=GAMES, seed=6, luck=True
    )
    by_deal: dict[int, list[list[Luck]]] = {}
    for outcome in contest.outcomes:
        by_deal.setdefault(outcome.deal, []).append(luck_by_seat(outcome))
    found = np.array(list(by_deal.values())).mean(axis=1)
    assert found.shape == (GAMES // players, players, 2)
    errors = found.std(axis=0, ddof=1) / math.sqrt(len(found))
    assert (errors > 0).all()
    assert (np.abs(found.mean(axis=0)) < 4 * errors).all()


def test_what_is_left_varies_less_and_says_the_same() -> None:
    contest = arena(["heuristic", "fox"], game="stones", games=80, seed=2, luck=True, workers=1)
    line = contest.lines[0]
    plain, less = line.wins, line.wins_less_luck
    assert less is not None
    assert less.error < plain.error
    assert line.margin_less_luck is not None
    assert line.margin_less_luck.error < line.margin.error
    assert abs(less.value - plain.value) < 4 * plain.error
    # What one bot has less by luck, the other has more.
    assert contest.lines[1].wins_less_luck is not None
    assert less.value + contest.lines[1].wins_less_luck.value == pytest.approx(1)


def test_the_figures_are_those_of_the_games() -> None:
    contest = arena(["fox", "random"], game="stones", players=3, games=9, luck=True, workers=1)
    fox = contest.lines[0]
    by_deal = [contest.outcomes[k : k + 3] for k in range(0, 9, 3)]

    def of_fox(outcome: Outcome) -> tuple[float, float]:
        seat = outcome.order.index(0)
        owed = luck_by_seat(outcome)[seat]
        return win_share(outcome, seat) - owed.wins, margin(outcome, seat) - owed.lead

    values = np.array([[of_fox(outcome) for outcome in deal] for deal in by_deal]).mean(axis=1)
    assert fox.wins_less_luck is not None
    assert fox.margin_less_luck is not None
    assert fox.wins_less_luck.value == pytest.approx(mean(list(values[:, 0])).value)
    assert fox.margin_less_luck.error == pytest.approx(mean(list(values[:, 1])).error)
    row = contest.rows()[4]
    assert row["luck_margin"] == luck_by_seat(contest.outcomes[1])[1].lead
    assert row["luck_wins"] != 0


def test_luck_changes_no_game_and_is_not_told_unasked() -> None:
    settings: dict[str, Any] = {"game": "board", "games": 6, "seed": 3}
    asked = arena(["heuristic", "random"], luck=True, **settings)
    plain = arena(["heuristic", "random"], **settings)
    assert [o.scores for o in asked.outcomes] == [o.scores for o in plain.outcomes]
    assert [line.wins for line in asked.lines] == [line.wins for line in plain.lines]
    assert plain.lines[0].wins_less_luck is None
    assert {row["luck_wins"] for row in plain.rows()} == {None}


def test_games_that_were_played_without_are_told_of_when_they_are_taken_up(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "stones", "seed": 4, "workers": 1}
    arena(["fox", "random"], games=4, out=tmp_path, **settings)
    later = arena(["fox", "random"], games=8, out=tmp_path, luck=True, **settings)
    at_once = arena(["fox", "random"], games=8, luck=True, **settings)
    assert later.taken == 4
    assert [outcome.luck for outcome in later.outcomes] == [o.luck for o in at_once.outcomes]
    # And once more, from what is stored now; one that does not ask is not told.
    again = arena(["fox", "random"], games=8, out=tmp_path, luck=True, **settings)
    assert [outcome.luck for outcome in again.outcomes] == [o.luck for o in at_once.outcomes]
    without = arena(["fox", "random"], games=8, out=tmp_path, **settings)
    assert {outcome.luck is None for outcome in without.outcomes} == {True}


def test_the_command_shows_both() -> None:
    command = ["arena", "heuristic", "random", "--game", "stones", "--games", "40", "--luck"]
    lines = run(*command).out.splitlines()
    at = lines.index("with the luck of draws taken out:")
    assert [line.split()[0] for line in lines[at + 1 : at + 3]] == ["heuristic", "random"]
    facts = json.loads(run(*command, "--json").out)
    assert facts["lines"][0]["wins_less_luck"]["error"] > 0
    assert facts["lines"][0]["wins"]["value"] == 1
    # After one deal no interval is known, and JSON has no infinity.
    one = run(*command[:5], "--games", "2", "--luck", "--json").out
    assert json.loads(one, parse_constant=pytest.fail)["lines"][0]["wins_less_luck"]["low"] is None
    assert "with the luck" not in run(*command[:-1]).out
