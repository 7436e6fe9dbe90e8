"""Positions as text: round trips, games from the middle, what stays hidden, what is refused."""

from __future__ import annotations

import doctest
import json
import pickle
import re
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import keltis
from keltis import bots
from keltis.bots.position import likely_deals, position
from keltis.envs.table import Table
from keltis.game import positions
from tests.reference.samples import FAMILY, Sample

PAGE = Path(__file__).parents[2] / "docs" / "positions.md"

GAMES = st.builds(
    lambda kind, number, length: keltis.load(Sample(kind, number).played(length)),
    st.sampled_from(["board", "board", "stones"]),
    st.integers(0, FAMILY - 1),
    st.integers(0, 400),
)


def played(game: str, players: int, decisions: int, seed: int = 3) -> keltis.Game:
    chance = Random(seed)
    one = keltis.new_game(game, players=players, seed=seed)
    while not one.is_over and len(one.moves) < decisions:
        one.play(chance.choice(one.legal_moves()))
    return one


def table(game: keltis.Game, seat: int | None) -> dict[str, object]:
    """A view without what a position leaves out: names, and how the game came there."""
    left_out = ("players", "setup", "history")
    return {key: value for key, value in game.view(seat).items() if key not in left_out}


def test_the_page_is_true() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0


def test_every_field_is_on_the_page() -> None:
    described = set(re.findall(r"`(\w+)`(?=[ ,|])", PAGE.read_text("utf-8")))
    for text in (
        played("board", 2, 90).position(),
        played("stones", 2, 20).position(),
        keltis.new_game("board", options={"piles": "top"}).position(),
    ):
        assert {word.split("=")[0] for word in text.split()[2:]} <= described


# --- Round trips -------------------------------------------------------------------------


few = settings(max_examples=25)


@few
@given(GAMES, st.integers(0, 2**32))
def test_a_game_stands_as_its_text_says(game: keltis.Game, seed: int) -> None:
    text = game.position()
    again = keltis.position(text)
    assert again.position() == text
    assert len(text) < positions.LONGEST / 2
    seats = range(len(game.players))
    for seat in (*seats, None):
        assert table(again, seat) == table(game, seat)
    for seat in seats:
        assert (again.observation(seat) == game.observation(seat)).all()
    assert (again.mask() == game.mask()).all()
    # From here on both go the same way.
    chance = Random(seed)
    for _ in range(12):
        if game.is_over:
            break
        move = chance.choice(game.legal_moves())
        game.play(move)
        again.play(move)
        assert again.position() == game.position()
    assert again.result() == game.result()


@few
@given(GAMES, st.integers(0, 2**32))
def test_a_seat_s_text_is_what_the_seat_sees(game: keltis.Game, seed: int) -> None:
    for seat in (*range(len(game.players)), None):
        text = game.position(seat)
        world = keltis.position(text, seed)
        assert world.position(seat) == text
        assert table(world, seat) == table(game, seat)


@few
@given(GAMES, st.integers(0, 2**32))
def test_a_seat_s_text_holds_nothing_that_it_cannot_know(game: keltis.Game, seed: int) -> None:
    for seat in (*range(len(game.players)), None):
        world = keltis.resample(game.view(seat), seed)
        assert world.position(seat) == game.position(seat)


@few
@given(GAMES, st.integers(0, 2**32), st.integers(0, 25))
def test_a_record_from_the_middle_replays_to_the_same_end(
    game: keltis.Game, seed: int, more: int
) -> None:
    chance = Random(seed)
    begun = keltis.position(game.position(0), seed, names=game.players)
    for _ in range(more):
        if not begun.is_over:
            begun.play(chance.choice(begun.legal_moves()))
    record = json.loads(json.dumps(begun.record()))
    again = keltis.load(record)
    assert again == begun
    assert again.record() == record
    for seat in (*range(len(game.players)), None):
        assert again.view(seat) == begun.view(seat)
    assert pickle.loads(pickle.dumps(begun)) == begun
    for _ in range(len(begun.moves)):
        begun.undo()
    assert begun.position(0) == game.position(0)
    with pytest.raises(keltis.IllegalMove, match="no decision to take back"):
        begun.undo()


@few
@given(GAMES, st.integers(0, 2**32), st.integers(0, 25))
def test_a_view_from_the_middle_is_resampled(game: keltis.Game, seed: int, more: int) -> None:
    chance = Random(seed)
    begun = keltis.position(game.position(), names=game.players)
    for _ in range(more):
        if not begun.is_over:
            begun.play(chance.choice(begun.legal_moves()))
    for seat in (*range(len(game.players)), None):
        view = begun.view(seat)
        assert keltis.resample(json.loads(json.dumps(view)), seed).view(seat) == view


def test_the_start_of_a_game_is_an_ordinary_deal() -> None:
    for game in ("board", "stones"):
        one = keltis.new_game(game, 3, seed=4)
        again = keltis.position(one.position())
        assert "position" not in again.record()["setup"]
        assert "position" not in again.view(0)["setup"]
        assert {**again.record(), "setup": None} == {**one.record(), "setup": None}


def test_every_deal_of_what_is_open_is_as_likely() -> None:
    text = played("board", 2, 30).position(0)
    worlds = [keltis.position(text, seed) for seed in range(400)]
    first = Counter(world.record()["setup"]["position"].split("draw=")[1][:2] for world in worlds)
    assert len(first) > 20
    assert keltis.position(text, 7) == worlds[7]
    named = text + " draw=?,R7" if "R7" not in text else text
    if named != text:
        drawn = {
            keltis.position(named, s).position().split("draw=")[1].split(",")[1] for s in (1, 2)
        }
        assert drawn == {"R7"}


def test_options_and_names_are_kept() -> None:
    options = {"end_stone_step": "may", "piles": "top"}
    one = keltis.new_game("board", 2, seed=1, options=options)
    one.play("x" + (one.view(0)["hand"] or [])[0])
    again = keltis.position(one.position(), names=["Ann", "Ben"])
    assert again.options == options
    assert again.players == ["Ann", "Ben"]
    assert keltis.load(again.record()) == again
    with pytest.raises(ValueError, match="names: expected 2 names, not 1"):
        keltis.position(one.position(), names=["Ann"])


# --- Bots and environments ---------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 3), ("stones", 2)])
@pytest.mark.parametrize("name", ["heuristic", "network", "search"])
def test_bots_play_on_from_the_middle(game: str, players: int, name: str) -> None:
    begun = keltis.position(played(game, players, 40).position())
    for _ in range(6):
        assert begun.seat is not None
        bot = bots.make(name, seed=1, rollouts=60)
        view = begun.view(begun.seat)
        move = bot.choose(view)
        world = keltis.resample(view, seed=5)
        assert bots.make(name, seed=1, rollouts=60).choose(world.view(world.seat)) == move
        begun.play(move)


def test_likely_deals_leave_what_everybody_saw_where_it_is() -> None:
    """A hand's known cards, the rows and the piles are no places that a search shuffles."""
    begun = keltis.position(played("board", 3, 120).position())
    assert begun.seat is not None
    view = begun.view(begun.seat)
    seat = begun.seat
    now = position(view).states
    deals = likely_deals(view, seed=2, most=16)
    assert len({deal["held"].tobytes() for deal in deals}) > 4
    for deal in deals:
        for name in ("laid", "laid_twice", "known", "known_twice", "pile", "stone"):
            assert (deal[name] == now[name][0]).all(), name
        assert deal["held"][seat] == now["held"][0, seat]
        assert (deal["held"] & now["known"][0] == now["known"][0]).all()
        assert sorted(deal["deck"].tolist()) == sorted(2 * list(range(55)))


def test_a_search_where_all_hands_are_known() -> None:
    text = (
        "keltis-position/1 board seat=0 phase=card tiles=.C1.3.W.W/.W.C.CC.C/..CW.CC.2/..1.WWC.2/"
        ".W.23.W.W rows=-|- figures=-|- wishing_stones=0|0 points=0|0 "
        "hands=R0!,R1!,R2!,R3!,R4!,R5!,R6!,R7!|Y0!,Y1!,Y2!,Y3!,Y4!,Y5!,Y6!,Y7! piles=-"
    )
    one = keltis.position(text, seed=1)
    assert bots.make("search", seed=1, rollouts=50).choose(one.view(0)) in one.legal_moves()


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_table_goes_on_from_the_middle(game: str) -> None:
    begun = keltis.position(played(game, 2, 31).position())
    for _ in range(9):
        begun.play(begun.legal_moves()[0])
    seat = begun.seat
    assert seat is not None
    for table in (
        Table.from_game(begun, history=3),
        Table.from_view(begun.view(seat), seed=1, history=3),
    ):
        assert (table.observation(seat) == begun.observation(seat)).all()
        assert begun.view(seat)["setup"]["position"] in table.information_text(seat)
        assert table.game().view(seat) == begun.view(seat)
    assert np.array_equal(
        Table.from_game(begun).information(seat),
        Table.from_view(begun.view(seat), seed=2).information(seat),
    )


# --- Equality ----------------------------------------------------------------------------


def test_games_are_equal_that_went_the_same_way() -> None:
    one = played("board", 2, 20)
    assert one == one.copy() == keltis.load(one.record())
    assert one != keltis.position(one.position())
    assert one.position() == keltis.position(one.position()).position()
    other = one.copy()
    other.play(other.legal_moves()[0])
    assert one != other
    assert one != "board"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


# --- What is refused ---------------------------------------------------------------------

BOARD = (
    "keltis-position/1 board seat=0 phase=card tiles=.C1.3.W.W/.W.C.CC.C/..CW.CC.2/..1.WWC.2/"
    ".W.23.W.W rows=R3|- figures=R1|- wishing_stones=0|0 points=0|0 "
    "hands=R0,R1,R2,R4,R5,R6,R7,Y0|?,?,?,?,?,?,?,? piles=-"
)
STONES = "keltis-position/1 stones seat=0 phase=turn rows=R5|- open=-"
FINISHED = "rows=R0,Y0,V0,G0,B0|- figures=R9*,Y9,V7,G7,B7|-"

BAD = [
    (
        BOARD,
        "keltis-position/1",
        "keltis-position/2",
        'position: expected "keltis-position/1" first',
    ),
    (BOARD, " board ", " chess ", 'position: expected "board" or "stones" second'),
    (BOARD, "seat=0", "seat=2", "seat: expected a number from 0 to 1"),
    (BOARD, "seat=0", "seat=0 seat=1", "seat: is there twice"),
    (BOARD, "seat=0", "", "seat: missing"),
    (BOARD, "seat=0", "seat", "position: expected name=value"),
    (BOARD, "seat=0", "seat=0 colour=R", 'position: "colour" is not a field'),
    (BOARD, "phase=card", "phase=lay", "phase: expected one of card, figure"),
    (BOARD, "phase=card", "phase=card:R", "phase: expected nothing after card"),
    (BOARD, "phase=card", "phase=figure", "phase: expected figure:"),
    (BOARD, "phase=card", "phase=figure:R", "phase: a figure enters the red path after the first"),
    (BOARD, "phase=card", "phase=clover", "phase: no figure of seat 0 is on a clover"),
    (BOARD, "phase=card", "phase=end-stone", "phase: no figure of seat 0 is on an end stone"),
    (BOARD, "phase=card", "phase=draw:R", "phase: the red pile is empty"),
    (BOARD, "phase=card", "phase=draw", r"hands\[0\]: expected 7 cards, not 8"),
    (BOARD, "phase=card", "phase=over", r"hands\[0\]: expected 8|phase: expected a decision"),
    (BOARD, ".C1.3.W.W/", "", "tiles: expected 5 paths of 9 signs"),
    (BOARD, ".C1.3.W.W", ".C1.3.W.X", 'tiles: "X" is not a tile'),
    (BOARD, ".C1.3.W.W", "CC1.3.W.W", "tiles: stone 1 of the red path bears no tile"),
    (
        BOARD,
        ".C1.3.W.W",
        ".W1.3.W.W",
        "tiles: expected 9 of C, not 8|tiles: expected 9 of W, not 10",
    ),
    (BOARD, ".C1.3.W.W", ".C1.3.W..", "wishing_stones: 1 are off the board, not 0"),
    (BOARD, "rows=R3|-", "rows=R3.5.4|-", r"rows\[0\]: the red row rises and falls"),
    (BOARD, "rows=R3|-", "rows=R11|-", r'rows\[0\]: "R11" is not a card'),
    (BOARD, "rows=R3|-", "rows=X3|-", r"rows\[0\]: expected a colour \(RYVGB\) first"),
    (BOARD, "rows=R3|-", "rows=R3,R4|-", r"rows\[0\]: red is there twice"),
    (BOARD, "rows=R3|-", "rows=R3.3.3|-", "figures|cards: R3 is there three times"),
    (BOARD, "rows=R3|-", "rows=R3", "rows: expected 2 to 4 players, not 1"),
    (BOARD, "rows=R3|-", "rows=R3|-|-|-|-", "rows: expected 2 to 4 players, not 5"),
    (BOARD, "figures=R1|-", "figures=R1|-|-", "figures: expected 2 players, as rows has, not 3"),
    (BOARD, "figures=R1|-", "figures=R1,R2|-", r"figures\[0\]: red is there twice"),
    (BOARD, "figures=R1|-", "figures=-|-", r"figures\[0\]: 1 red cards are laid, and the figure"),
    (BOARD, "figures=R1|-", "figures=R5|-", r"figures\[0\]: 5 steps were made, but 1 cards"),
    (BOARD, "figures=R1|-", "figures=R10|-", r"figures\[0\].R: expected a number from 0 to 9"),
    (BOARD, "figures=R1|-", "figures=R0|-", r"figures\[0\].R: figures on the start are not named"),
    (BOARD, "figures=R1|-", "figures=R1*,Y1*|-", r"figures\[0\]: there is one large figure"),
    (BOARD, "figures=R1|-", "figures=R1,Y1,V1,G1,B1|-", r"figures\[0\]: there are 4 small figures"),
    (
        BOARD,
        "wishing_stones=0|0",
        "wishing_stones=1|0",
        "wishing_stones: 0 are off the board, not 1",
    ),
    (BOARD, "points=0|0", "points=1|0", r"points\[0\]: the figures have passed tiles of 0 points"),
    (BOARD, "points=0|0", "points=-1|0", r"points\[0\]: expected a number from 0"),
    (BOARD, "points=0|0", "points=²|0", r"points\[0\]: expected a number from 0"),
    (BOARD, ",R7,Y0|", ",R7|", r"hands\[0\]: expected 8 cards, not 7"),
    (BOARD, "?,?,?,?,?,?,?,?", "?,?,?,?,?,?,?,Q", r'hands\[1\]: "Q" is not a card'),
    (BOARD, "piles=-", "piles=R0.0", "cards: R0 is there three times; there are two of each"),
    (BOARD, "piles=-", "piles=-" + " draw=" + "?," * 70 + "?", "draw: 63 cards are left for it"),
    (BOARD, "piles=-", "piles=- draw=R0,R0", "cards: R0 is there three times"),
    (BOARD, "piles=-", "piles=- takes=x", "takes: expected a number from 0"),
    (BOARD, "piles=-", "piles=- options=piles:all", "options.piles: expected"),
    (BOARD, "piles=-", "piles=- options=speed:fast", 'options: "speed" is not an option'),
    (BOARD, "rows=R3|- figures=R1|-", FINISHED, "phase: expected over: five figures"),
    (STONES, "rows=R5|-", "rows=R5|R5", "tiles: R5 is there twice"),
    (STONES, "rows=R5|-", "rows=R5.5|-", r"rows\[0\]: the red row repeats a number"),
    (STONES, "open=-", "open=R5", "tiles: R5 is there twice"),
    (STONES, "open=-", "open=R5x", 'open: "R5x" is not a tile'),
    (STONES, "phase=turn", "phase=tile:R5", "tiles: R5 is there twice"),
    (STONES, "phase=turn", "phase=tile", "phase: expected tile:"),
    (STONES, "phase=turn", "phase=further", "phase: expected turn or tile: 54 tiles are face down"),
    (STONES, "phase=turn", "phase=over", "phase: expected turn or tile: 54 tiles are face down"),
    (STONES, "open=-", "open=- draw=R5", "tiles: R5 is there twice"),
    (STONES, "open=-", "open=- hands=-", 'position: "hands" is not a field'),
]


@pytest.mark.parametrize("text", [BOARD, STONES])
def test_what_is_changed_below_is_sound(text: str) -> None:
    assert keltis.position(text).legal_moves()


@pytest.mark.parametrize(("text", "old", "new", "words"), BAD)
def test_what_cannot_be_is_refused_with_its_place(
    text: str, old: str, new: str, words: str
) -> None:
    assert old in text
    with pytest.raises(keltis.PositionError, match=f"^(?:{words})"):
        keltis.position(text.replace(old, new, 1))


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="position: expected text, not 7"):
        keltis.position(7)  # type: ignore[arg-type]
    with pytest.raises(keltis.PositionError, match="position: expected"):
        keltis.position("")
    with pytest.raises(keltis.PositionError, match="longer than 4096"):
        keltis.position(BOARD + " " * 5000)


@given(st.data())
@settings(max_examples=100)
def test_a_damaged_text_is_read_or_refused(data: st.DataObject) -> None:
    """Nothing but PositionError comes of it, and what is read is a game that can be played."""
    text = data.draw(st.sampled_from([BOARD, STONES, played("board", 3, 200).position()]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 3))
        more = data.draw(st.text(alphabet="RYV0159.,|-?!*:/=CW ", max_size=3))
        text = text[:at] + more + text[at + cut :]
    try:
        game = keltis.position(text, seed=1)
    except keltis.PositionError as fault:
        words = str(fault)
        assert re.match(r"[a-z_]+(\[\d\])?(\.\w+)?: ", words)
        return
    assert keltis.position(game.position()).position() == game.position()
    while not game.is_over and len(game.moves) < 30:
        game.play(game.legal_moves()[0])
    game.scores()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"position": BOARD}, r"setup.position: it leaves \d+ cards open"),
        ({"position": STONES}, "setup.position: it is a position of stones"),
        ({"position": 4}, "setup.position: expected text, not 4"),
        ({"position": "no"}, "position: expected"),
    ],
)
def test_a_record_s_position_is_checked(change: dict[str, object], words: str) -> None:
    record = keltis.position(BOARD, seed=1).record()
    with pytest.raises(keltis.RecordError, match=words):
        keltis.load({**record, "setup": change})
    with pytest.raises(keltis.RecordError, match=r"setup\.position: its options"):
        keltis.load({**record, "options": {"piles": "top"}})
    with pytest.raises(keltis.RecordError, match=r"setup\.position: it has 2 players, not 3"):
        keltis.load({**record, "players": ["Ann", "Ben", "Cat"]})


def test_who_reads_only_deals_refuses_such_a_record() -> None:
    """What a reader from before positions would do: it asks for what was dealt."""
    from keltis.game.kinds import kind

    for text, key in ((BOARD, "tiles"), (STONES, "draw")):
        record = keltis.position(text, seed=1).record()
        with pytest.raises(ValueError, match=f"setup.{key}: missing"):
            kind(record["game"]).begin(record["setup"], 2, {})
