"""Why a move may not be played: every sentence occurs, and each is true of what the seat sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

import keltis
from keltis.game.tokens import BOARD, COLOUR_WORDS, STONES

View = Mapping[str, Any]
LETTERS = {word: letter for letter, word in COLOUR_WORDS.items()}
COLOUR = f"({'|'.join(LETTERS)})"


def mine(view: View, key: str) -> Any:
    return view[key][view["you"]]


def row_stands_at(view: View, word: str, number: str, way: str, top: str) -> bool:
    row = mine(view, "rows")[LETTERS[word]]
    rising = row[-1] > row[0]
    misfit = int(number) <= row[-1] if rising else int(number) >= row[-1]
    return misfit and int(top) == row[-1] and way == ("rising" if rising else "falling")


# The sentence, the phases in which it is said, and what has to be true of the view.
Sentence = tuple[str, set[str], Callable[..., bool]]
MISFIT: Sentence = (
    rf"{COLOUR} (\d+) does not fit: your \1 row is (rising|falling) and stands at (\d+)",
    {"card", "turn", "tile", "further"},
    row_stands_at,
)
BOARD_SENTENCES: list[Sentence] = [
    MISFIT,
    (
        rf"you do not hold {COLOUR} (\d+)",
        {"card"},
        lambda view, word, number: LETTERS[word] + number not in view["hand"],
    ),
    (
        "there is nothing to decline: lay or discard a card",
        {"card"},
        lambda view: True,
    ),
    (
        "no figure moves before a card is laid: lay or discard a card",
        {"card"},
        lambda view: True,
    ),
    (
        "you draw at the end of your turn: first lay or discard a card",
        {"card"},
        lambda view: True,
    ),
    (
        rf"first choose the figure that enters the {COLOUR} path: (.) is a small one, \2\* the "
        "large one",
        {"figure"},
        lambda view, word, letter: view["path"] == letter == LETTERS[word],
    ),
    (
        "it is time to draw: \\? from the draw pile, or < and a colour from a discard pile",
        {"draw"},
        lambda view: True,
    ),
    (
        rf"the {COLOUR} pile is empty",
        {"draw"},
        lambda view, word: view["piles"][LETTERS[word]] == [],
    ),
    (
        rf"you discarded on the {COLOUR} pile this turn, so you may not draw from it",
        {"draw"},
        lambda view, word: view["closed_pile"] == LETTERS[word],
    ),
    (
        rf"your figure on the {COLOUR} path already stands on the end stone",
        {"clover", "end stone"},
        lambda view, word: mine(view, "figures")[LETTERS[word]] == 9,
    ),
    (
        r"you have no small figure left on the start; (.)\* brings the large one",
        {"clover", "end stone"},
        lambda view, letter: mine(view, "small_at_start") == 0 and letter + "*" in legal(view),
    ),
    (
        rf"your large figure is already on the {COLOUR} path",
        {"clover", "end stone"},
        lambda view, word: mine(view, "large") == LETTERS[word],
    ),
    (
        rf"you already have a figure on the {COLOUR} path",
        {"clover", "end stone"},
        lambda view, word: mine(view, "figures")[LETTERS[word]] > 0,
    ),
    (
        "first the clover: move one of your figures, or decline with -",
        {"clover"},
        lambda view: "-" in legal(view),
    ),
    (
        "your figure on this path is on the end stone: move another one instead",
        {"end stone"},
        lambda view: "-" not in legal(view),
    ),
    (
        "your figure on this path is on the end stone: move another one instead, or decline with -",
        {"end stone"},
        lambda view: "-" in legal(view),
    ),
]
STONES_SENTENCES: list[Sentence] = [
    MISFIT,
    (
        r"first the tile just turned over: take it with (\S+), or leave it with -",
        {"tile"},
        lambda view, tile: view["tile"] == tile and tile in legal(view),
    ),
    (
        "first the tile just turned over: leave it with -",
        {"tile"},
        lambda view: legal(view) == ["-"],
    ),
    (
        "no tile is face down any more",
        {"further"},
        lambda view: view["face_down"] == 0,
    ),
    (
        r"you cannot pass: turn a tile over with \?, or take an open one",
        {"turn"},
        lambda view: "?" in legal(view),
    ),
    (
        rf"{COLOUR} (\d+) is in a row already",
        {"turn", "further"},
        lambda view, word, number: any(int(number) in rows[LETTERS[word]] for rows in view["rows"]),
    ),
    (
        rf"{COLOUR} (\d+) is still face down",
        {"turn"},
        lambda view, word, number: LETTERS[word] + number not in view["open"],
    ),
]


def legal(view: View) -> list[str]:
    moves: list[str] = view["legal_moves"]
    return moves


def likely(game: keltis.Game, chance: Random) -> str:
    """A move that brings the figure forward that is furthest, more often than not."""
    moves = game.legal_moves()
    forward = [token for token in moves if token[0] in COLOUR_WORDS]
    if game.game == "stones" or not forward or chance.random() < 0.1:
        return chance.choice(forward or moves)
    view = game.view(game.seat)
    figures, rows = mine(view, "figures"), mine(view, "rows")

    def loss(token: str) -> tuple[int, int]:
        row = rows[token[0]]
        gap = abs(int(token[1:]) - row[-1]) if row and token[1:].isdigit() else 0
        return -figures[token[0]], gap

    return min(forward, key=loss)


def games(kind: str) -> Iterator[keltis.Game]:
    for seed in range(16):
        options = {"end_stone_step": "may"} if kind == "board" and seed % 2 else None
        yield keltis.new_game(kind, 2 + seed % 3, seed=seed, options=options)
    if kind == "stones":  # a clover comes last, and there is much to take
        record = keltis.new_game(kind, seed=1).record()
        record["setup"]["draw"].remove("R5")
        record["setup"]["draw"].append("R5")
        yield keltis.load({**record, "moves": ["?", "-"] * 54 + ["?", "R5"]})


@pytest.mark.parametrize(
    ("kind", "tokens", "sentences"),
    [("board", BOARD, BOARD_SENTENCES), ("stones", STONES, STONES_SENTENCES)],
)
def test_every_sentence_is_said_and_is_true(
    kind: str, tokens: tuple[str, ...], sentences: list[Sentence]
) -> None:
    said = set()
    chance = Random(1)
    for game in games(kind):
        while not game.is_over and len(game.moves) < 400:
            view = game.view(game.seat)
            rare = view["phase"] in ("clover", "end stone", "further")
            for token in tokens if rare else chance.sample(tokens, 4):
                reason = game.why(token)
                if token in legal(view):
                    assert reason is None
                    continue
                assert reason
                [(sentence, phases, true, match)] = [
                    (pattern, phases, true, match)
                    for pattern, phases, true in sentences
                    if (match := re.fullmatch(pattern, reason))
                ]
                assert view["phase"] in phases
                assert true(view, *match.groups()), (reason, view)
                said.add(sentence)
            game.play(likely(game, chance))
    assert said == {pattern for pattern, _, _ in sentences}


def test_reasons_do_not_depend_on_what_the_seat_cannot_see() -> None:
    for seed in range(6):
        chance = Random(seed)
        game = keltis.new_game("board", 3, seed=seed)
        for _ in range(10):
            for _ in range(12):
                if not game.is_over:
                    game.play(likely(game, chance))
            if game.is_over:
                break
            other = keltis.resample(game.view(game.seat), seed=seed)
            assert [game.why(token) for token in BOARD] == [other.why(token) for token in BOARD]
