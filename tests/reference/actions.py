"""The numbering of the actions, written out a second time.

board: 0-54 lay a card, 55-109 discard one, 110-114 a path, 115-119 the large figure onto a path,
120 decline, 121 draw from the draw pile, 122-126 take from a discard pile.
stones: 0-54 take a tile, 55 leave it or stop, 56 turn one over.
"""

from __future__ import annotations

from tests.reference.board import CARDS, COLOURS

BOARD_TOKENS = [
    *CARDS,
    *("x" + card for card in CARDS),
    *COLOURS,
    *(colour + "*" for colour in COLOURS),
    "-",
    "?",
    *("<" + colour for colour in COLOURS),
]
STONES_TOKENS = [*CARDS, "-", "?"]
TOKENS = {"board": BOARD_TOKENS, "stones": STONES_TOKENS}
