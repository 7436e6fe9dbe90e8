"""What a seat sees: all that it may know, and nothing else."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import keltis
from tests.reference import BoardReference, reference_for
from tests.reference.samples import FAMILY, Sample

SWAPS = 60  # attempted exchanges of two hidden cards


def owners_of_drawn_cards(record: dict[str, Any]) -> list[int]:
    """Who drew the first, second, ... card of the draw pile."""
    history = reference_for(record).history
    return [entry["seat"] for entry in history if entry["move"] == "?"]


def can_be_played(setup: dict[str, Any], history: list[dict[str, Any]]) -> bool:
    """Whether everybody holds what the history says they play."""
    hands = [list(hand) for hand in setup["hands"]]
    draw_pile = list(setup["draw"])
    piles: dict[str, list[str]] = {colour: [] for colour in "RYVGB"}
    for entry in history:
        hand, move = hands[entry["seat"]], entry["move"]
        if move == "?":
            hand.append(draw_pile.pop(0))
        elif move[0] == "<":
            hand.append(piles[move[1]].pop())
        elif move[-1].isdigit():
            card = move.lstrip("x")
            if card not in hand:
                return False
            hand.remove(card)
            if move[0] == "x":
                piles[card[0]].append(card)
    return True


def rearranged(record: dict[str, Any], seat: int | None, rng: Random) -> dict[str, Any]:
    """The same moves from a deal that differs only in what the seat can't know."""
    setup = json.loads(json.dumps(record["setup"]))
    if record["game"] == "stones":
        turned = record["moves"].count("?")
        face_down = setup["draw"][turned:]
        rng.shuffle(face_down)
        setup["draw"][turned:] = face_down
        return {**record, "setup": setup}

    history = reference_for(record).history
    drawn_by = owners_of_drawn_cards(record)
    hidden = [
        (hand, place)
        for owner, hand in enumerate(setup["hands"])
        for place in range(8)
        if owner != seat
    ]
    hidden += [
        (setup["draw"], place)
        for place in range(len(setup["draw"]))
        if place >= len(drawn_by) or drawn_by[place] != seat
    ]
    hidden += [(setup["removed"], place) for place in range(len(setup["removed"]))]
    for _ in range(SWAPS):
        (a, i), (b, j) = rng.sample(hidden, 2)
        a[i], b[j] = b[j], a[i]
        if not can_be_played(setup, history):
            a[i], b[j] = b[j], a[i]
    return {**record, "setup": setup}


kinds = st.sampled_from(["board", "board", "stones"])
numbers = st.integers(0, FAMILY - 1)
lengths = st.integers(0, 300)


@pytest.mark.slow
@settings(max_examples=80)
@given(kinds, numbers, lengths, st.randoms(use_true_random=False))
def test_deals_that_differ_only_in_what_a_seat_cannot_know_look_the_same(
    kind: str, number: int, length: int, rng: Random
) -> None:
    record = Sample(kind, number).played(length)
    for seat in (*range(len(record["players"])), None):
        other = rearranged(record, seat, rng)
        assert keltis.load(other).view(seat) == keltis.load(record).view(seat)


def test_the_rearranged_deals_do_differ() -> None:
    """The property above would hold of deals that were left alone."""
    records = [Sample("board", number).played(100) for number in range(0, FAMILY, 10)]
    others = [rearranged(record, 1, Random(7)) for record in records]
    first_hand, draw_pile, held, removed = 0, 0, 0, 0
    for record, other in zip(records, others, strict=True):
        before, after = record["setup"], other["setup"]
        assert after["hands"][1] == before["hands"][1]
        first_hand += sorted(after["hands"][0]) != sorted(before["hands"][0])
        draw_pile += after["draw"] != before["draw"]
        held += sorted(reference_hand(other, 0)) != sorted(reference_hand(record, 0))
        removed += sorted(after["removed"]) != sorted(before["removed"])
    assert min(first_hand, draw_pile, held) > len(records) / 2
    assert removed == sum(len(record["players"]) == 2 for record in records)


def reference_hand(record: dict[str, Any], seat: int) -> list[str]:
    reference = reference_for(record)
    assert isinstance(reference, BoardReference)
    return reference.hands[seat]


def plain(value: Any) -> bool:
    """Made only of what JSON has; a numpy number or a tuple is not."""
    if type(value) is dict:
        return all(type(key) is str and plain(entry) for key, entry in value.items())
    if type(value) is list:
        return all(plain(entry) for entry in value)
    return value is None or type(value) in (str, int, bool)


@given(kinds, numbers, lengths)
def test_a_view_survives_json(kind: str, number: int, length: int) -> None:
    game = keltis.load(Sample(kind, number).played(length))
    for seat in (*range(len(game.players)), None):
        view = game.view(seat)
        assert plain(view)
        assert json.loads(json.dumps(view)) == view


@given(numbers, lengths)
def test_every_card_named_in_a_view_was_seen_by_its_seat(number: int, length: int) -> None:
    record = Sample("board", number).played(length)
    game = keltis.load(record)
    drawn = list(zip(owners_of_drawn_cards(record), record["setup"]["draw"], strict=False))
    public = {token.lstrip("x") for token in record["moves"] if token[-1].isdigit()}
    for seat in (*range(len(game.players)), None):
        own = set() if seat is None else set(record["setup"]["hands"][seat])
        own |= {card for owner, card in drawn if owner == seat}
        named = set(re.findall(r'"x?([RYVGB]\d+)"', json.dumps(game.view(seat))))
        assert named <= own | public


@given(numbers, lengths)
def test_a_view_of_stones_names_only_tiles_that_were_turned_over(number: int, length: int) -> None:
    record = Sample("stones", number).played(length)
    turned = set(record["setup"]["draw"][: record["moves"].count("?")])
    for seat in (*range(len(record["players"])), None):
        view = json.dumps(keltis.load(record).view(seat))
        assert set(re.findall(r'"([RYVGB]\d+)"', view)) <= turned


@given(kinds, numbers, lengths)
def test_a_spectator_sees_what_all_seats_see(kind: str, number: int, length: int) -> None:
    game = keltis.load(Sample(kind, number).played(length))
    spectator = game.view(None)
    assert spectator["you"] is None
    assert spectator["legal_moves"] == []
    assert spectator.get("hand") is None
    assert spectator["setup"].get("hand") is None
    private = {"you", "setup", "history", "hand", "legal_moves"}
    for seat in range(len(game.players)):
        view: dict[str, Any] = dict(game.view(seat))
        assert {key: view[key] for key in view.keys() - private} == {
            key: value for key, value in spectator.items() if key not in private
        }
        for seen, public in zip(view["history"], spectator["history"], strict=True):
            if seen != public:
                assert seen.pop("shown")
                assert seen == public == {"seat": seat, "move": "?"}


@pytest.mark.parametrize("kind", ["board", "stones"])
def test_a_view_is_the_callers_to_change(kind: str) -> None:
    game = keltis.load(Sample(kind, 15).played(40))

    def spoil(value: Any) -> None:
        for entry in list(value.values() if isinstance(value, dict) else value):
            if isinstance(entry, dict | list):
                spoil(entry)
        value.clear()

    before, record = game.view(0), game.record()
    spoil(game.view(0))
    assert game.view(0) == before
    spoil(game.record())
    assert game.record() == record


@pytest.mark.parametrize("kind", ["board", "stones"])
@pytest.mark.parametrize("seat", [-1, 2, 4])
def test_there_is_no_view_of_a_seat_that_is_not_there(kind: str, seat: int) -> None:
    game = keltis.new_game(kind, players=2, seed=1)
    with pytest.raises((ValueError, IndexError)):
        game.view(seat)
