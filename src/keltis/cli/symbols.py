"""The symbols on the tiles of `stones`, as the terminal shows them."""

from keltis.cli.words import tile_name
from keltis.game.stones import SYMBOLS


def mark(tile: str) -> str:
    """A tile's symbol in a letter or two; empty if it has none."""
    symbol = SYMBOLS.get(tile, "")
    return f"+{symbol}" if symbol.isdigit() else symbol


def words(tile: str) -> str:
    """A tile's symbol in words; empty if it has none."""
    symbol = SYMBOLS.get(tile)
    return tile_name(symbol) if symbol else ""
