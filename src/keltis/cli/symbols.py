"""The symbols on the tiles of `stones`, as the terminal shows them."""

from keltis.cli.words import tile_name
from keltis.game.tokens import COLOURS
from keltis.rules import stones

_KINDS = (
    ("W", stones.WISHING_STONES),
    ("C", stones.CLOVERS),
    ("1", stones.ONE_POINT),
    ("3", stones.THREE_POINTS),
)
_SYMBOLS = {
    f"{colour}{number}": symbol
    for symbol, numbers in _KINDS
    for colour, row in zip(COLOURS, numbers, strict=True)
    for number in row
}


def mark(tile: str) -> str:
    """A tile's symbol in a letter or two; empty if it has none."""
    symbol = _SYMBOLS.get(tile, "")
    return f"+{symbol}" if symbol.isdigit() else symbol


def words(tile: str) -> str:
    """A tile's symbol in words; empty if it has none."""
    symbol = _SYMBOLS.get(tile)
    return tile_name(symbol) if symbol else ""
