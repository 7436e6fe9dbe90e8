"""Bots that are handed to the arena and to environments as objects, classes and functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from keltis import bots
from keltis.arena import Contest, arena, round_robin


class MyBot:
    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    def choose(self, view: dict[str, Any]) -> str:
        return str(self.random.choice(view["legal_moves"]))


class Stuck(MyBot):
    def __deepcopy__(self, memory: dict[int, Any]) -> Stuck:
        raise RuntimeError("no two of me")


def told(contest: Contest) -> list[tuple[Any, ...]]:
    return [(o.deal, o.order, o.scores, o.winners) for o in contest.outcomes]


def test_objects_names_and_settings_of_one_bot_play_together() -> None:
    found = arena(
        [MyBot(3), "fox", ("quick", bots.make("search", seed=1, rollouts=30))],
        game="stones",
        games=6,
    )
    assert [line.bot for line in found.lines] == ["MyBot", "fox", "quick"]
    assert all(line.games == 6 for line in found.lines)


@pytest.mark.parametrize(
    "bot", [MyBot, lambda seed: MyBot(seed), lambda seed, **budget: MyBot(seed)]
)
def test_what_makes_bots_is_called_with_the_seed_of_each_game(bot: Any) -> None:
    ours = arena([("mine", bot), "fawn"], game="stones", games=6, seed=4)
    named = arena(["random", "fawn"], game="stones", games=6, seed=4)
    assert told(ours) == told(named)  # it plays as `random` does


def test_copies_of_an_object_make_the_result_the_same_every_time() -> None:
    bot = MyBot(5)
    first = arena([bot, "fawn"], game="stones", games=4)
    assert told(arena([bot, "fawn"], game="stones", games=4)) == told(first)


def test_two_of_a_kind_get_two_names() -> None:
    found = arena([MyBot(1), MyBot(2), MyBot(3)], game="stones", games=6)
    assert [line.bot for line in found.lines] == ["MyBot", "MyBot #2", "MyBot #3"]


def test_a_tournament_takes_objects_too() -> None:
    ratings, contests = round_robin([MyBot, "random", "fawn"], game="stones", games=2)
    assert {rating.bot for rating in ratings} == {"MyBot", "random", "fawn"}
    assert len(contests) == 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([7, "fox"], "expected a name, an object with choose"),
        (["wolf", "fox"], 'there is no bot "wolf"'),
        ([("fox", MyBot), "fox"], '"fox" is already the name of a bot'),
        ([("a", MyBot(1)), ("a", MyBot(2))], '"a" is there twice'),
        ([("", MyBot), "fox"], "a pair of a name and a bot"),
        ([("a", MyBot, 3), "fox"], "a pair of a name and a bot"),
        ("fox", "expected a list of bots"),
        ([Stuck(), "fox"], "Stuck: each game plays with a copy"),
        ([lambda: 7, "fox"], "has no choose"),
    ],
)
def test_what_is_no_bot_is_refused_in_words(given: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        arena(given, game="stones", games=2)


def test_what_cannot_go_to_another_process_is_told_before_it_starts() -> None:
    with pytest.raises(ValueError, match=r"mine: cannot go to another process.*workers=1"):
        arena([("mine", lambda seed: MyBot(seed)), "fox"], games=2, workers=2)
    with pytest.raises(ValueError, match="at least one worker, not 0"):
        arena(["fox", "hare"], games=2, workers=0)


def test_games_of_a_bot_that_may_have_changed_are_not_taken_up(tmp_path: Path) -> None:
    arena([MyBot(1), "fawn"], game="stones", games=2, out=tmp_path / "a")
    with pytest.raises(ValueError, match="choose another folder"):
        arena([MyBot(1), "fawn"], game="stones", games=2, out=tmp_path / "a")


@pytest.mark.slow
def test_one_worker_needs_no_main_guard(tmp_path: Path) -> None:
    program = tmp_path / "mine.py"
    program.write_text(
        "from keltis.arena import arena\n"
        "print(arena(['fawn', 'hare'], game='stones', games=2, workers=1).lines[0].games)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


def test_an_environment_plays_against_objects() -> None:
    from keltis.envs.gymnasium import SeatEnv

    several: list[Any] = [MyBot(1), MyBot, [MyBot, "fawn"], ("fawn", "hare"), ("mine", MyBot)]
    for opponents in several:
        env = SeatEnv("stones", players=3, opponents=opponents, seat=2)
        _, info = env.reset(seed=1)
        assert info["action_mask"].any()
        assert len(env.table.moves) > 1
    with pytest.raises(ValueError, match='opponents: there is no bot "wolf"'):
        SeatEnv(opponents="wolf")
    with pytest.raises(TypeError, match=r"opponents: .*expected a name"):
        SeatEnv(opponents=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="opponents: 1 for 2 seats"):
        SeatEnv(players=3, opponents=[MyBot])


def test_a_contest_has_a_row_for_each_seat_of_each_game() -> None:
    found = arena(["fawn", "random", "hare"], game="stones", games=12, workers=1)
    rows = found.rows()
    assert len(rows) == 3 * len(found.outcomes)
    for line in found.lines:
        own = [row for row in rows if row["bot"] == line.bot]
        assert sum(row["won"] for row in own) / len(own) == pytest.approx(line.wins.value)
        assert sum(row["margin"] for row in own) / len(own) == pytest.approx(line.margin.value)
        assert sum(row["score"] for row in own) / len(own) == pytest.approx(line.score.value)
    assert [row["seat"] for row in rows[:3]] == [0, 1, 2]
