"""Who asks a bot for a decision that is not its own gets an answer in words, from every bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import keltis
from keltis import bots


def over(game: str) -> keltis.Game:
    table = keltis.new_game(game, players=3, seed=2)
    while not table.is_over:
        table.play(table.legal_moves()[0])
    return table


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("name", bots.names())
def test_a_bot_that_is_not_to_decide_says_so(game: str, name: str) -> None:
    table = keltis.new_game(game, players=3, seed=2)
    cut = table.copy()
    cut.cut_off()
    change = {"you": 0, "seat": 0, "phase": "card", "legal_moves": ["R7"], "result": None}
    cases: list[tuple[Mapping[str, Any], str]] = [
        (table.view(2), "it is seat 0's decision, and this is the view of seat 2"),
        (table.view(None), "a spectator's"),
        (over(game).view(0), "the game is over"),
        (over(game).view(None), "the game is over"),
        (cut.view(0), "the game is over"),
        (change, '"game" is missing; a bot takes a whole view'),
    ]
    bot: Any = bots.make(name, seed=1, rollouts=30)
    for ask in (bot.choose, getattr(bot, "advise", bot.choose)):
        for view, words in cases:
            with pytest.raises(ValueError, match=words):
                ask(view)
        assert ask(table.view(0))


@pytest.mark.parametrize("name", [*bots.names(), "evaluate"])
def test_what_is_no_view_is_refused_in_words(name: str) -> None:
    game = keltis.new_game("board", seed=2)
    asks: list[Any] = [bots.evaluate]
    if name != "evaluate":
        bot: Any = bots.make(name, seed=1, rollouts=30)
        asks = [bot.choose, getattr(bot, "advise", bot.choose)]
    for ask in asks:
        for given, called in ((game, "a Game"), (None, "null"), ([], "a list"), ("x", '"x"')):
            expected = rf"^view: expected what game\.view\(seat\) returns, not {called}$"
            with pytest.raises(TypeError, match=expected):
                ask(given)
        for key in ("you", "result"):
            lacking: dict[str, Any] = {**game.view(0)}
            del lacking[key]
            with pytest.raises(ValueError, match=f'^view: "{key}" is missing'):
                ask(lacking)


def test_a_search_looks_up_between_chunks_whatever_its_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that moves on by a millisecond for every world."""
    from keltis.bots.position import position
    from keltis.bots.search import PlanSearch

    now, longest = 0.0, 0
    view = keltis.new_game("board", seed=3).view(0)
    search = PlanSearch("board", position(view).states, seed=1)
    monkeypatch.setattr("keltis.bots.search.time.monotonic", lambda: now)

    def play(worlds: int, pool: object) -> None:
        nonlocal now, longest
        now += worlds / 1000
        longest = max(longest, worlds)
        search.worlds += worlds

    monkeypatch.setattr(search, "_play_more", play)
    search.best(1_000_000, deadline=float("inf"))
    assert search.worlds > 10_000
    assert longest <= 10
