"""What may not be played is refused in words, and nothing changes."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import keltis
from tests.clauses.stories import board, march, play, stones, stones_record
from tests.game.real_records import finished

QUIET_RED = "R2=1 R3=1 R5=2 R7=2 R9=2"
NINE_RED = march("Ann", "R", 9, enter="R")
RISING = ["Ann: R3 R ?", "Ann: R5 ?", "Ann:"]
FALLING = ["Ann: R7 R ?", "Ann: R5 ?", "Ann:"]


def everything(game: keltis.Game) -> list[Any]:
    """All that can be seen of a game, by anybody."""
    views = [game.view(seat) for seat in (*range(len(game.players)), None)]
    return [game.record(), views, game.legal_moves(), game.seat, game.scores(), game.is_over]


def refusal(game: keltis.Game, token: Any) -> str:
    """The words with which a move is refused; it must leave the game as it was."""
    before = everything(game)
    with pytest.raises(keltis.IllegalMove) as caught:
        game.play(token)
    words = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert game.why(token) == words
    assert everything(game) == before
    return words


# A card, for which it is not the time, or which does not fit

CARD_PHASE = [
    (RISING, "R4", "red 4 does not fit: your red row is rising and stands at 5"),
    (FALLING, "R6", "red 6 does not fit: your red row is falling and stands at 5"),
    (RISING, "Y9", "you do not hold yellow 9"),
    (RISING, "xY9", "you do not hold yellow 9"),
    (RISING, "R", "no figure moves before a card is laid: lay or discard a card"),
    (RISING, "B*", "no figure moves before a card is laid: lay or discard a card"),
    (RISING, "-", "there is nothing to decline: lay or discard a card"),
    (RISING, "?", "you draw at the end of your turn: first lay or discard a card"),
    (RISING, "<R", "you draw at the end of your turn: first lay or discard a card"),
]


@pytest.mark.parametrize(("turns", "token", "words"), CARD_PHASE)
def test_when_a_card_is_to_be_laid_or_discarded(turns: list[str], token: str, words: str) -> None:
    game = board(*turns, hands={"Ann": "R3 R5 R7 R4 R6 R1", "Ben": "Y9 Y9"})
    assert refusal(game, token) == words


def test_a_card_equal_to_the_last_fits_and_needs_no_words() -> None:
    game = board(*RISING, hands={"Ann": "R3 R5 R5"})
    assert game.why("R5") is None
    assert game.why("xR5") is None


@pytest.mark.parametrize("token", ["Y", "Y*", "-", "?", "<R", "R7", "xR7"])
def test_when_a_figure_is_to_enter(token: str) -> None:
    game = board("Ann: R5", hands={"Ann": "R5 R7"})
    words = "first choose the figure that enters the red path: R is a small one, R* the large one"
    assert refusal(game, token) == words


CLOVER_PHASE = [
    ("R*", "you already have a figure on the red path"),
    ("?", "first the clover: move one of your figures, or decline with -"),
    ("R7", "first the clover: move one of your figures, or decline with -"),
    ("<R", "first the clover: move one of your figures, or decline with -"),
]


@pytest.mark.parametrize(("token", "words"), CLOVER_PHASE)
def test_when_a_clover_is_to_be_used(token: str, words: str) -> None:
    game = board("Ann: R5 R ?", "Ann: R6", tiles="R2=C", hands={"Ann": "R5 R6 R7"})
    assert refusal(game, token) == words


def test_when_the_large_figure_has_left_the_start() -> None:
    game = board("Ann: R5 R* ?", "Ann: R6", tiles="R2=C")
    assert refusal(game, "G*") == "your large figure is already on the red path"


def test_when_the_small_figures_have_left_the_start() -> None:
    entering = ["Ann: R0 R ?", "Ann: Y0 Y ?", "Ann: V0 V ?", "Ann: G0 G ?"]
    game = board(*entering, "Ann: R1", tiles="R2=C")
    words = "you have no small figure left on the start; B* brings the large one"
    assert refusal(game, "B") == words


@pytest.mark.parametrize("may", [False, True])
def test_when_another_figure_is_to_move(may: bool) -> None:
    game = board(*NINE_RED, "Ann: R9", tiles=QUIET_RED, may=may)
    assert refusal(game, "R") == "your figure on the red path already stands on the end stone"
    words = "your figure on this path is on the end stone: move another one instead"
    assert refusal(game, "?") == words + (", or decline with -" if may else "")
    if may:
        assert game.why("-") is None
    else:
        assert refusal(game, "-") == words


def test_when_a_card_is_to_be_drawn() -> None:
    game = board("Ann: xR7", hands={"Ann": "R7 R8"})
    words = "it is time to draw: ? from the draw pile, or < and a colour from a discard pile"
    for token in ("R8", "xR8", "R", "R*", "-"):
        assert refusal(game, token) == words


def test_when_a_discard_pile_is_empty() -> None:
    assert refusal(board("Ann: xR7"), "<G") == "the green pile is empty"


def test_when_a_discard_pile_is_closed() -> None:
    game = board("Ann: xR7 ?", "Ben: xG3 ?", "Ann: xR8")
    assert refusal(game, "<R") == (
        "you discarded on the red pile this turn, so you may not draw from it"
    )


# The tile game


def test_when_a_tile_has_just_been_turned_over() -> None:
    game = stones("Ann: ? -", "Ben: ?", draw="R0 Y0")
    words = "first the tile just turned over: take it with Y0, or leave it with -"
    for token in ("R0", "B9", "?"):
        assert refusal(game, token) == words


def test_when_the_tile_just_turned_over_does_not_fit() -> None:
    game = stones("Ann: ? G8", "Ben: ? -", "Ann: ? G5", "Ben: ? -", "Ann: ?", draw="G8 Y0 G5 Y2 G7")
    assert refusal(game, "G7") == "green 7 does not fit: your green row is falling and stands at 5"


def test_when_an_open_tile_does_not_fit() -> None:
    game = stones("Ann: ? G5", "Ben: ? -", "Ann: ? G8", "Ben: ? -", draw="G5 G7 G8 Y0")
    assert refusal(game, "G7") == "green 7 does not fit: your green row is rising and stands at 8"


def test_when_a_tile_is_not_in_the_middle() -> None:
    game = stones("Ann: ? G5", draw="G5")
    assert refusal(game, "G5") == "green 5 is in a row already"
    assert refusal(game, "G6") == "green 6 is still face down"


def test_when_nobody_may_pass() -> None:
    words = "you cannot pass: turn a tile over with ?, or take an open one"
    assert refusal(stones(), "-") == words


def test_when_no_tile_is_face_down() -> None:
    game = keltis.load(stones_record(last="R5"))
    play(game, "? - " * 54 + "? R5")
    assert refusal(game, "?") == "no tile is face down any more"


# Whatever the phase


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize(
    "token",
    [
        *("", " ", "R11", "R-1", "R07", "r7", "R7 ", "R٧", "xR", "xxR7", "R**", "<", "<RR", "Z"),
        *("--", "??", "hello", "R7 ?", "\n", "\0", "\ud800", "*", "x", "<R7", "R" * 10_000),
        *(None, 0, 7, -1, 1.5, True, b"?", ["?"], ("?",), {"?"}, {}, object(), float("nan"), len),
    ],
    ids=lambda token: ascii(token)[:12] if isinstance(token, str) else type(token).__name__,
)  # fmt: skip
def test_nonsense_is_no_move(game: str, token: Any) -> None:
    words = refusal(keltis.new_game(game, seed=1), token)
    assert "is not a move" in words
    assert len(words) < 300


@pytest.mark.parametrize("token", ["R", "R*", "xR7", "<R"])
def test_the_tile_game_has_no_figures_and_no_discards(token: str) -> None:
    assert "is not a move" in refusal(keltis.new_game("stones", seed=1), token)


@pytest.mark.parametrize("token", ["?", "-", "R7", "xR7", "R", "<R", "nonsense", None])
def test_nothing_is_played_after_the_end(token: Any) -> None:
    for game in ("board", "stones"):
        over = keltis.load(finished(game))
        assert refusal(over, token).startswith("the game is over")
        cut = keltis.new_game(game, seed=1)
        cut.cut_off()
        assert refusal(cut, token) == "the game is over: it was cut off"


@pytest.mark.parametrize("game", ["board", "stones"])
def test_why_is_none_for_exactly_the_legal_moves(game: str) -> None:
    cards = [f"{colour}{number}" for colour in "RYVGB" for number in range(11)]
    tokens = [*cards, *(f"x{card}" for card in cards), *"RYVGB", "-", "?"]
    tokens += [f"{colour}*" for colour in "RYVGB"] + [f"<{colour}" for colour in "RYVGB"]
    played = keltis.new_game(game, 3, seed=2)
    for step in range(60):
        legal = played.legal_moves()
        assert {token for token in tokens if played.why(token) is None} == set(legal)
        played.play(legal[step * 7 % len(legal)])


def test_there_is_nothing_to_undo_at_the_start() -> None:
    for name in ("board", "stones"):
        game = keltis.new_game(name, seed=1)
        before = everything(game)
        with pytest.raises(keltis.IllegalMove, match="no decision to take back"):
            game.undo()
        assert everything(game) == before


def test_undo_gives_the_token_back_until_nothing_is_left() -> None:
    game = board("Ann: R5 R ?", "Ben: xG3 ?")
    moves = game.moves
    assert [game.undo() for _ in moves] == moves[::-1]
    with pytest.raises(keltis.IllegalMove):
        game.undo()


def test_a_finished_game_cannot_be_cut_off() -> None:
    game = keltis.new_game("stones", seed=1)
    game.cut_off()
    with pytest.raises(keltis.IllegalMove, match="over"):
        game.cut_off()


# Arguments

WRONG_ARGUMENTS: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "game"),
    ({"game": ""}, "game"),
    ({"game": None}, "game"),
    ({"game": ["board"]}, "game"),
    ({"players": 1}, "players"),
    ({"players": 5}, "players"),
    ({"players": 0}, "players"),
    ({"players": -2}, "players"),
    ({"players": 10**30}, "players"),
    ({"players": True}, "players"),
    ({"players": "3"}, "players"),
    ({"players": 2.0}, "players"),
    ({"players": None}, "players"),
    ({"players": ["Ann", "Ben"]}, "players"),
    ({"seed": "7"}, "seed"),
    ({"seed": 7.0}, "seed"),
    ({"seed": True}, "seed"),
    ({"seed": b"7"}, "seed"),
    ({"names": ["Ann"]}, "names"),
    ({"names": ["Ann", "Ben", "Cat"]}, "names"),
    ({"names": []}, "names"),
    ({"names": "AB"}, "names"),
    ({"names": 2}, "names"),
    ({"names": {"Ann": 1, "Ben": 2}}, "names"),
    ({"names": ["Ann", 7]}, r"names\[1\]"),
    ({"names": [None, "Ben"]}, r"names\[0\]"),
    ({"options": {"speed": "fast"}}, "options"),
    ({"options": {"end_stone_step": "perhaps"}}, r"options\.end_stone_step"),
    ({"options": {"end_stone_step": True}}, r"options\.end_stone_step"),
    ({"options": {7: 7}}, "options"),
    ({"options": "may"}, "options"),
    ({"options": ["end_stone_step"]}, "options"),
    ({"game": "stones", "options": {"end_stone_step": "may"}}, "options"),
]


@pytest.mark.parametrize(("arguments", "place"), WRONG_ARGUMENTS)
def test_a_new_game_says_which_argument_is_wrong(arguments: dict[str, Any], place: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^{place}: "):
        keltis.new_game(**arguments)


@pytest.mark.parametrize(
    "seed", [0, 1, -1, 2**64, 2**64 + 1, -(2**63), 10**5000], ids=int.bit_length
)
@pytest.mark.parametrize("game", ["board", "stones"])
def test_any_whole_number_is_a_seed(game: str, seed: int) -> None:
    first, second = keltis.new_game(game, seed=seed), keltis.new_game(game, seed=seed)
    assert first.record() == second.record()


def test_without_a_seed_chance_deals() -> None:
    deals = {str(keltis.new_game("board").record()["setup"]) for _ in range(5)}
    assert len(deals) == 5


@pytest.mark.parametrize("seat", [2, -1, 99, True, "0", 0.0, [0]])
def test_a_view_is_of_a_seat_or_of_a_spectator(seat: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"^seat: "):
        keltis.new_game("board", seed=1).view(seat)


def test_importing_keltis_loads_neither_numba_nor_numpy() -> None:
    code = "import sys, keltis; print(sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    source = Path(keltis.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


# Errors travel: out of the processes of a pool, for example


def test_errors_can_be_pickled_and_copied() -> None:
    record = keltis.new_game("board", seed=1).record()
    faults: list[Exception] = []
    for tried in (
        lambda: keltis.new_game(seed=1).play("Q"),
        lambda: keltis.load({}),
        lambda: keltis.load({**record, "moves": ["Q"]}),
        lambda: keltis.position("nothing"),
    ):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            tried()
        faults.append(caught.value)
    for fault in faults:
        for twin in (pickle.loads(pickle.dumps(fault)), copy.copy(fault)):
            assert type(twin) is type(fault)
            assert str(twin) == str(fault)
            assert vars(twin) == vars(fault)
