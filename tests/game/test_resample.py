"""Resampling: every world that a view allows, each as often as chance would deal it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import keltis
from keltis.game.board import option_bits
from keltis.rules import board, stones
from tests.reference import BoardReference, StonesReference, deal, reference_for
from tests.reference.actions import BOARD_TOKENS, STONES_TOKENS
from tests.reference.board import CARDS
from tests.reference.samples import FAMILY, Sample, new_record

pytestmark = pytest.mark.slow

Place = tuple[str, int]  # "hand" and the seat, "draw" and the place in the pile, or "removed" and 0


def assert_as_expected(counts: Counter[Any], shares: dict[Any, float]) -> None:
    """Pearson's chi-square; fails one time in ten thousand if the shares are true.

    The seeds are fixed, so it either always fails or never does. Outcomes that are expected too
    rarely for the test are counted together.
    """
    assert set(counts) <= set(shares)
    total = counts.total()
    cells: list[tuple[int, float]] = []
    seen, expected = 0, 0.0
    for outcome in sorted(shares, key=lambda outcome: shares[outcome]):
        seen, expected = seen + counts[outcome], expected + shares[outcome] * total
        if expected >= 5:
            cells.append((seen, expected))
            seen, expected = 0, 0.0
    assert expected == 0, "too few trials for a chi-square"
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    freedom = len(cells) - 1
    # Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
    spread = 2 / (9 * freedom)
    deviation = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    assert deviation < 3.72, (statistic, freedom)


def shares_of(outcomes: Iterable[Hashable]) -> dict[Hashable, float]:
    counts = Counter(outcomes)
    return {outcome: count / counts.total() for outcome, count in counts.items()}


# Consistent: the world has the view it was made from


@given(
    st.sampled_from(["board", "board", "stones"]),
    st.integers(0, FAMILY - 1),
    st.integers(0, 300),
    st.integers(0, 2**64 - 1),
)
def test_a_resampled_game_has_the_view_it_was_made_from(
    kind: str, number: int, length: int, seed: int
) -> None:
    game = keltis.load(Sample(kind, number).played(length))
    for seat in (*range(len(game.players)), None):
        view = game.view(seat)
        untouched = json.dumps(view)
        world = keltis.resample(view, seed)
        assert json.dumps(view) == untouched
        assert world.view(seat) == view
        record = world.record()
        assert record["moves"] == game.moves
        assert keltis.load(record).view(seat) == view
        assert_conserved(record)
        assert keltis.resample(json.loads(json.dumps(view)), seed).record() == record


def assert_conserved(record: Mapping[str, Any]) -> None:
    setup = record["setup"]
    if record["game"] == "stones":
        assert sorted(setup["draw"]) == sorted(CARDS)
    else:
        dealt = [*setup["draw"], *setup["removed"], *(card for h in setup["hands"] for card in h)]
        assert sorted(dealt) == sorted(2 * CARDS)


@pytest.mark.parametrize("kind", ["board", "stones"])
def test_a_resampled_game_can_be_played_on(kind: str) -> None:
    for number in range(0, FAMILY, 8):
        sample = Sample(kind, number)
        game = keltis.load(sample.played(30))
        world = keltis.resample(game.view(0), seed=number)
        reference = reference_for(world.record())
        while not reference.is_over:
            token = sample.choose(reference)
            world.play(token)
            reference.play(token)
        assert world.record()["result"] == reference.result()


def test_without_a_seed_worlds_differ() -> None:
    view = keltis.load(Sample("board", 0).played(30)).view(0)
    worlds = [keltis.resample(view).record()["setup"] for _ in range(3)]
    assert worlds[0] != worlds[1] != worlds[2]


# Uniform, by counting


def quiet_game(rng: Random, players: int, unknown: int, left: int) -> BoardReference:
    """A long game of discards only, in which seat 0 ends up not knowing very much.

    The others come to hold `unknown` cards each that seat 0 has not seen them take; `left` cards
    are left in the draw pile. Seat 0 draws from it, the others take what lies open.
    """
    game = reference_for(new_record("board", players, deal("board", rng, players)))
    assert isinstance(game, BoardReference)
    while len(game.draw_pile) > left or game.turn != 0 or game.phase != "card":
        legal = game.legal_moves()
        if game.phase == "draw":
            takes = [token for token in legal if token != "?"]
            game.play("?" if game.turn == 0 or not takes else rng.choice(takes))
            continue
        hand, known = game.hands[game.turn], game.known[game.turn]
        discards = {t for t in legal if t[0] == "x"}
        if game.turn != 0:
            secret = {"x" + card for card in hand if hand.count(card) > known.count(card)}
            kept = {t for t in secret if t[1:] not in known}
            discards = kept or secret if len(hand) - len(known) > unknown else discards - kept
        game.play(rng.choice(sorted(discards or {"x" + card for card in hand})))
    assert [len(game.hands[s]) - len(game.known[s]) for s in range(1, players)] == [unknown] * (
        players - 1
    )
    return game


def hidden_places(
    game: BoardReference, seat: int, setup: dict[str, Any] | None = None
) -> dict[Place, list[str]]:
    """Every place whose cards the seat can't know, and what lies there.

    With a setup: what would lie there, had the game's moves been played from that deal.
    """
    setup = setup or setup_of(game)
    hands = [Counter(hand) for hand in setup["hands"]]
    draw_pile = iter(setup["draw"])
    for entry in game.history:
        hand, move = hands[entry["seat"]], entry["move"]
        if move == "?":
            hand[next(draw_pile)] += 1
        elif move[0] == "<":
            hand[entry["card"]] += 1
        elif move[-1].isdigit():
            hand[move.lstrip("x")] -= 1
    places: dict[Place, list[str]] = {}
    for owner, hand in enumerate(hands):
        if owner != seat:
            hand.subtract(game.known[owner])
            assert min(hand.values()) >= 0
            places["hand", owner] = sorted(hand.elements())
    for place, card in enumerate(draw_pile):
        places["draw", place] = [card]
    places["removed", 0] = sorted(setup["removed"])
    return {place: cards for place, cards in places.items() if cards}


def setup_of(game: BoardReference) -> dict[str, Any]:
    return {
        "tiles": game.start_tiles,
        "hands": game.start_hands,
        "draw": game.start_draw_pile,
        "removed": game.removed,
    }


def record_of(game: BoardReference) -> dict[str, Any]:
    return {**new_record("board", len(game.players), setup_of(game)), "moves": game.moves}


def arrangement(places: dict[Place, list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sorted(cards)) for cards in places.values())


def all_arrangements(places: dict[Place, list[str]]) -> dict[Hashable, float]:
    """Every way to fill the places with the same cards, and how often chance deals it."""
    cards = [card for held in places.values() for card in held]

    def fill(order: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        rest = list(order)
        return arrangement({p: [rest.pop() for _ in held] for p, held in places.items()})

    return shares_of(fill(order) for order in permutations(cards))


QUIET_GAMES = [  # seed, unknown cards a hand, cards left, arrangements
    pytest.param(5, 1, 3, 120, id="five different cards"),
    pytest.param(1, 1, 3, 60, id="one card twice"),
    pytest.param(2, 2, 1, 18, id="two unknown cards a hand, one twice"),
]


@pytest.mark.parametrize(("seed", "unknown", "left", "arrangements"), QUIET_GAMES)
def test_every_arrangement_of_the_unseen_cards_comes_equally_often(
    seed: int, unknown: int, left: int, arrangements: int
) -> None:
    reference = quiet_game(Random(seed), 3, unknown, left)
    shares = all_arrangements(hidden_places(reference, 0))
    assert len(shares) == arrangements
    game = keltis.load(record_of(reference))
    view = game.view(0)
    counts: Counter[Any] = Counter()
    for trial in range(8 * len(shares)):
        setup = keltis.resample(view, trial).record()["setup"]
        counts[arrangement(hidden_places(reference, 0, setup))] += 1
    assert_as_expected(counts, shares)


@pytest.mark.parametrize(("players", "number"), [(2, 0), (3, 1), (4, 2)])
def test_an_unseen_card_lies_in_each_place_as_often_as_there_is_room(
    players: int, number: int
) -> None:
    sample = Sample("board", number)
    assert sample.players == players
    record = sample.played(60)
    reference = reference_for(record)
    assert isinstance(reference, BoardReference)
    view = keltis.load(record).view(0)
    setups = [keltis.resample(view, seed).record()["setup"] for seed in range(1500)]
    worlds = [hidden_places(reference, 0, setup) for setup in setups]
    assert_marginals(worlds, hidden_places(reference, 0))


def test_a_played_card_was_dealt_or_drawn_as_chance_has_it() -> None:
    """Seat 1 plays a card from eight, of which it drew one: one time in eight it was that one."""
    setups = (deal("board", Random(seed), 2) for seed in range(100))
    # Both hold the card, so that seat 0 knows where its other copy is.
    setup, card = next((s, c) for s in setups for c in s["hands"][0] if c in s["hands"][1])
    game = BoardReference(setup, {}, ["Ann", "Ben"])
    for seat in (0, 1):
        game.play("x" + next(other for other in game.hands[seat] if other != card))
        game.play("?")
    game.play("x" + next(other for other in game.hands[0] if other != card))
    game.play("?")
    game.play("x" + card)
    view = keltis.load(record_of(game)).view(0)
    counts: Counter[Any] = Counter()
    for seed in range(800):
        setup = keltis.resample(view, seed).record()["setup"]
        drawn = setup["draw"][1] == card  # seat 0 drew the first card of the pile
        assert drawn == (card not in setup["hands"][1])
        counts[drawn] += 1
    assert_as_expected(counts, {True: 1 / 8, False: 7 / 8})


def assert_marginals(worlds: list[dict[Place, list[str]]], truth: dict[Place, list[str]]) -> None:
    """Where two unseen cards lie, alone and together, and which card lies on top."""
    unseen = [card for cards in truth.values() for card in cards]
    room = Counter({place[0] + str(place[1]): len(held) for place, held in grouped(truth).items()})
    single = [card for card in unseen if unseen.count(card) == 1]
    first, second = single[0], single[-1]
    assert {tuple(sorted(c for held in w.values() for c in held)) for w in worlds} == {
        tuple(sorted(unseen))
    }

    def where(world: dict[Place, list[str]], card: str) -> str:
        (place,) = [p for p, held in grouped(world).items() if card in held]
        return place[0] + str(place[1])

    total = len(unseen)
    alone = {place: size / total for place, size in room.items()}
    for card in (first, second):
        assert_as_expected(Counter(where(world, card) for world in worlds), alone)
    together = {
        (a, b): room[a] * (room[b] - (a == b)) / (total * (total - 1)) for a in room for b in room
    }
    pairs = Counter((where(world, first), where(world, second)) for world in worlds)
    assert_as_expected(pairs, together)
    assert_as_expected(Counter(world["draw", 0][0] for world in worlds), shares_of(unseen))


def grouped(places: dict[Place, list[str]]) -> dict[Place, list[str]]:
    """The same with the whole draw pile as one place."""
    together: dict[Place, list[str]] = {}
    for (kind, index), cards in places.items():
        together.setdefault((kind, 0 if kind == "draw" else index), []).extend(cards)
    return together


def test_the_face_down_tiles_come_in_every_order_equally_often() -> None:
    game = keltis.load(late_stones(4))
    tail = game.record()["setup"]["draw"][-4:]
    counts: Counter[Any] = Counter()
    for seed in range(600):
        world = keltis.resample(game.view(1), seed).record()
        assert world["setup"]["draw"][:-4] == game.record()["setup"]["draw"][:-4]
        counts[tuple(world["setup"]["draw"][-4:])] += 1
    assert_as_expected(counts, shares_of(permutations(tail)))


def late_stones(face_down: int) -> dict[str, Any]:
    sample = Sample("stones", 13)
    reference = sample.start()
    assert isinstance(reference, StonesReference)
    while len(reference.face_down) > face_down:
        reference.play(sample.choose(reference))
    return {**sample.record, "moves": reference.moves}


# The same of the compiled functions


def board_states(record: dict[str, Any], copies: int) -> np.ndarray[Any, Any]:
    """The record's position, through the contract of the rules module."""
    setup = record["setup"]
    dealt = [*(card for hand in setup["hands"] for card in hand), *setup["removed"], *setup["draw"]]
    tiles = np.zeros((5, 10), np.int8)
    codes = {None: 0, "1": 1, "2": 2, "3": 3, "C": 4, "W": 5}
    for path, colour in enumerate("RYVGB"):
        tiles[path, 1:] = [codes[tile] for tile in setup["tiles"][colour]]
    states = np.zeros(copies, board.STATE)
    deck = np.array([CARDS.index(card) for card in dealt], np.uint8)
    options = option_bits(record["options"])
    board.setup(states, 0, len(record["players"]), deck, tiles, options)
    actions = np.array([BOARD_TOKENS.index(token) for token in record["moves"]], np.int64)
    assert board.replay(states, 0, actions) == len(actions)
    states[:] = states[0]
    return states


def places_in(state: Any, truth: dict[Place, list[str]]) -> dict[Place, list[str]]:
    """The unknown cards of a compiled position, in the places that `truth` has."""
    places: dict[Place, list[str]] = {}
    players = int(state["players"])
    for place in truth:
        kind, index = place
        if kind == "hand":
            held = bits(state["held"][index]) + bits(state["twice"][index])
            known = bits(state["known"][index]) + bits(state["known_twice"][index])
            places[place] = sorted((Counter(held) - Counter(known)).elements())
        elif kind == "draw":
            places[place] = [CARDS[state["deck"][state["next"] + index]]]
        else:
            removed = state["deck"][8 * players : 8 * players + 30]
            places[place] = sorted(CARDS[card] for card in removed)
    return places


def bits(mask: Any) -> list[str]:
    return [CARDS[card] for card in range(55) if int(mask) >> card & 1]


HIDDEN = ("rng", "held", "twice", "deck")  # fields in which a resampled position may differ


@pytest.mark.parametrize(("players", "number"), [(2, 3), (3, 1), (4, 2)])
def test_compiled_board_worlds_keep_what_the_seat_knows_and_spread_the_rest(
    players: int, number: int
) -> None:
    record = Sample("board", number).played(60)
    reference = reference_for(record)
    assert isinstance(reference, BoardReference)
    for seat in (*range(players), -1):  # -1 is a spectator
        truth = hidden_places(reference, seat)
        states = board_states(record, 2000)
        before = states[0].copy()
        states["rng"] = np.random.default_rng(number).integers(1, 2**63, len(states))
        worlds = []
        for i in range(len(states)):
            board.resample(states, i, seat)
            worlds.append(places_in(states[i], truth))
        for field in (name for name in before.dtype.names if name not in HIDDEN):
            assert (states[field] == before[field]).all(), field
        if seat >= 0:
            assert (states["held"][:, seat] == before["held"][seat]).all()
            assert (states["twice"][:, seat] == before["twice"][seat]).all()
        assert_marginals(worlds, truth)


@pytest.mark.parametrize(("seed", "unknown", "left", "arrangements"), QUIET_GAMES)
def test_compiled_board_worlds_come_equally_often(
    seed: int, unknown: int, left: int, arrangements: int
) -> None:
    reference = quiet_game(Random(seed), 3, unknown, left)
    truth = hidden_places(reference, 0)
    shares = all_arrangements(truth)
    assert len(shares) == arrangements
    states = board_states(record_of(reference), 40 * len(shares))
    states["rng"] = np.random.default_rng(seed).integers(1, 2**63, len(states))
    counts: Counter[Any] = Counter()
    for i in range(len(states)):  # each from the true position: a fault could hide in a chain
        board.resample(states, i, 0)
        counts[arrangement(places_in(states[i], truth))] += 1
    assert_as_expected(counts, shares)


def test_compiled_stones_worlds_come_equally_often() -> None:
    record = late_stones(4)
    deck = np.array([CARDS.index(tile) for tile in record["setup"]["draw"]], np.uint8)
    states = np.zeros(1200, stones.STATE)
    stones.setup(states, 0, len(record["players"]), deck)
    actions = np.array([STONES_TOKENS.index(token) for token in record["moves"]], np.int64)
    assert stones.replay(states, 0, actions) == len(actions)
    before = states[0].copy()
    states[:] = before
    states["rng"] = np.random.default_rng(2009).integers(1, 2**63, len(states))
    counts: Counter[Any] = Counter()
    for i in range(len(states)):
        stones.resample(states, i, 0)
        counts[tuple(states["deck"][i, -4:].tolist())] += 1
    assert (states["deck"][:, :-4] == before["deck"][:-4]).all()
    for field in (name for name in before.dtype.names if name not in ("rng", "deck")):
        assert (states[field] == before[field]).all(), field
    assert_as_expected(counts, shares_of(permutations(deck[-4:].tolist())))
