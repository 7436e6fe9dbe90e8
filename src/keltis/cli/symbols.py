"""The symbols on the tiles of `stones`, as the terminal shows them."""

from keltis.game.tokens import COLOURS
from keltis.rules import stones

_KINDS = (
    ("W", "wishing stone", stones.WISHING_STONES),
    ("C", "clover", stones.CLOVERS),
    ("+1", "+1", stones.ONE_POINT),
    ("+3", "+3", stones.THREE_POINTS),
)
_SYMBOLS = {
    f"{colour}{number}": (mark, word)
    for mark, word, numbers in _KINDS
    for colour, row in zip(COLOURS, numbers, strict=True)
    for number in row
}


def mark(tile: str) -> str:
    """A tile's symbol in a letter or two; empty if it has none."""
    return _SYMBOLS.get(tile, ("", ""))[0]


def words(tile: str) -> str:
    return _SYMBOLS.get(tile, ("", ""))[1]
