"""What a decision did, as its step tells: no more and no less than what changed on the table."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import keltis
from keltis.game.tokens import COLOURS
from tests.game.test_views import rearranged
from tests.reference.samples import CAP, FAMILY, Sample

View = dict[str, Any]


def moved_figures(before: View, after: View) -> list[tuple[int, str]]:
    return [
        (seat, path)
        for seat in range(len(before["players"]))
        for path in COLOURS
        if before["figures"][seat][path] != after["figures"][seat][path]
    ]


def gains(before: View, after: View, key: str) -> list[int]:
    return [now - then for then, now in zip(before[key], after[key], strict=True)]


def by(seat: int, amount: int, players: int) -> list[int]:
    return [amount if each == seat else 0 for each in range(players)]


def kind_of_board_effect(before: View, after: View, step: dict[str, Any]) -> str:
    """Check a step against the tables before and after it; return what happened in a word."""
    seat, players = step["seat"], len(before["players"])
    moved = moved_figures(before, after)
    if "effect" not in step:
        assert moved == []
        for key in ("points", "wishing_stones"):
            assert gains(before, after, key) == [0] * players
        return f"nothing: {before['phase']}"
    effect = step["effect"]
    path, stone, found = effect["path"], effect["stone"], effect["found"]
    assert moved == [(seat, path)]
    assert stone == after["figures"][seat][path] == before["figures"][seat][path] + 1
    assert effect["large"] == (after["large"][seat] == path)
    points = int(found) if found in ("1", "2", "3") else 0
    assert gains(before, after, "points") == by(seat, points, players)
    assert gains(before, after, "wishing_stones") == by(seat, int(found == "W"), players)
    there = before["tiles"][path][stone - 1]
    if "ends" in effect:
        assert effect["ends"] is True
        assert found is None
        assert after["result"]["reason"] == "goal"
        return "ends"
    assert found == there
    assert after["result"] is None
    assert (after["phase"] == "clover") <= (found == "C")
    size = "large" if effect["large"] else "small"
    return f"{found} {size}" if found else f"{'enters' if stone == 1 else 'moves'} {size}"


def kind_of_stones_effect(before: View, after: View, step: dict[str, Any]) -> str:
    seat, move, players = step["seat"], step["move"], len(before["players"])
    if move == "?":
        assert "effect" not in step
        return "turned over"
    if move == "-":
        left = sorted(set(after["open"]) - set(before["open"]))
        assert step.get("effect") == ({"left": left[0]} if left else None)
        return "left" if left else "stopped"
    effect = step["effect"]
    assert (effect["from"] == "open") == (move in before["open"])
    assert (effect["from"] == "turned over") == (move == before["tile"])
    found = effect["found"]
    points = int(found) if found in ("1", "3") else 0
    assert gains(before, after, "points") == by(seat, points, players)
    assert gains(before, after, "wishing_stones") == by(seat, int(found == "W"), players)
    if found != "C":
        assert after["seat"] != seat
    elif after["seat"] is not None:
        assert after["seat"] == seat
    return f"{found} {effect['from']}"


CHECKS = {"board": kind_of_board_effect, "stones": kind_of_stones_effect}
KINDS = {
    "board": {
        *(f"nothing: {phase}" for phase in ("card", "clover", "end stone", "draw")),
        *(f"{found} {size}" for found in "123CW" for size in ("small", "large")),
        *(f"{how} {size}" for how in ("enters", "moves") for size in ("small", "large")),
        "ends",
    },
    "stones": {
        *("turned over", "left", "stopped"),
        *(f"{found} open" for found in (None, "1", "3", "C", "W")),
        *(f"{found} turned over" for found in (None, "1", "3", "C", "W")),
    },
}


@pytest.mark.parametrize("name", ["board", "stones"])
def test_effects_are_what_changed_on_the_table(name: str) -> None:
    """In games of all sizes; and every kind of effect is among them."""
    seen: Counter[str] = Counter()
    for number in range(FAMILY):
        record = Sample(name, number).played(CAP)
        game = keltis.load({**record, "moves": [], "result": None})
        before: dict[str, Any] = dict(game.view(None))
        steps = []
        for move in record["moves"]:
            game.play(move)
            (change,) = game.changes([None])
            steps.append(change.pop("step"))
            after = {**before, **change}
            seen[CHECKS[name](before, after, steps[-1])] += 1
            before = after
        assert game.is_over
        assert game.view(None)["history"] == steps
    assert set(seen) == KINDS[name]


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.sampled_from(["board", "board", "stones"]),
    st.integers(0, FAMILY - 1),
    st.integers(0, 300),
    st.randoms(use_true_random=False),
)
def test_effects_do_not_depend_on_what_a_seat_cannot_know(
    name: str, number: int, length: int, chance: Random
) -> None:
    record = Sample(name, number).played(length)
    for seat in (*range(len(record["players"])), None):
        effects, others = (
            [step.get("effect") for step in keltis.load(each).view(seat)["history"]]
            for each in (record, rearranged(record, seat, chance))
        )
        assert effects == others


def test_all_seats_see_the_same_effects() -> None:
    for number in range(0, FAMILY, 10):
        game = keltis.load(Sample("board", number).played(200))
        everybody = [step.get("effect") for step in game.view(None)["history"]]
        assert any(everybody)
        for seat in range(len(game.players)):
            assert [step.get("effect") for step in game.view(seat)["history"]] == everybody


@pytest.mark.parametrize("name", ["board", "stones"])
def test_a_view_without_effects_can_be_resampled(name: str) -> None:
    """As those that were saved before there were effects; but wrong effects are refused."""
    view = keltis.load(Sample(name, 3).played(60)).view(0)
    whole = keltis.resample(view, seed=1)
    bare = {
        **view,
        "history": [{k: v for k, v in step.items() if k != "effect"} for step in view["history"]],
    }
    assert keltis.resample(bare, seed=1).record() == whole.record()
    step = next(step for step in view["history"] if "effect" in step)
    step["effect"] = {"left": "R0", "from": "nowhere"}
    with pytest.raises(ValueError, match="history"):
        keltis.resample(view, seed=1)
