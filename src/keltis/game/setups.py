"""How a game begins: dealt by chance, or laid out as a record says.

What comes from outside is checked. A fault raises ValueError or TypeError, and the message
begins with the place of the fault.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.game.checks import check_entry, check_list, check_object, check_text
from keltis.game.errors import quoted
from keltis.game.tokens import CARD_PLACES, CARDS, COLOUR_WORDS, COLOURS
from keltis.rules import board, stones

States = NDArray[Any]  # one record of a game's rules, in an array of length one

FEWEST_PLAYERS = 2  # B1, S1
END_STONE_STEP = "end_stone_step"  # B16
BOARD_OPTIONS = {END_STONE_STEP: ("must", "may")}  # the default first
STONES_OPTIONS: dict[str, tuple[str, ...]] = {}

TILE_ENTRIES = (None, "1", "2", "3", "C", "W")  # by the rules' code of a tile
_TILE_CODES = {entry: code for code, entry in enumerate(TILE_ENTRIES)}
_TILE_WORDS = ("", "1-point tiles", "2-point tiles", "3-point tiles", "clovers", "wishing stones")


# --- What both games check ---------------------------------------------------------------


def check_count(count: int, place: str) -> int:
    """The number of players."""
    if not FEWEST_PLAYERS <= count <= board.MOST_PLAYERS:
        raise ValueError(
            f"{place}: {FEWEST_PLAYERS} to {board.MOST_PLAYERS} can play, not {quoted(count)}"
        )
    return count


def check_names(names: object, place: str) -> list[str]:
    """The players' names; any text will do."""
    if not isinstance(names, list | tuple):
        raise TypeError(f"{place}: expected a list of names, not {quoted(names)}")
    return [check_text(name, f"{place}[{seat}]") for seat, name in enumerate(names)]


def check_options(known: Mapping[str, tuple[str, ...]], options: object) -> dict[str, str]:
    """Those of the options that differ from their default."""
    if not isinstance(options, Mapping):
        raise TypeError(f"options: expected an object, not {quoted(options)}")
    for name, value in options.items():
        if not isinstance(name, str) or name not in known:
            raise ValueError(f"options: {quoted(name)} is not an option of this game")
        if not isinstance(value, str) or value not in known[name]:
            choices = " or ".join(map(quoted, known[name]))
            raise ValueError(f"options.{name}: expected {choices}, not {quoted(value)}")
    return {name: value for name, value in options.items() if value != known[name][0]}


def _check_cards(
    value: object, place: str, size: int, seen: Counter[str], copies: int, noun: str
) -> list[int]:
    """A list of cards by number; no card may be seen more often than there are copies."""
    cards = check_list(value, place, size, f"{noun}s")
    for k, card in enumerate(cards):
        if not isinstance(card, str) or card not in CARD_PLACES:
            raise ValueError(f"{place}[{k}]: {quoted(card)} is not a {noun}")
        seen[card] += 1
        if seen[card] > copies:
            times = "once" if copies == 1 else "twice"
            raise ValueError(f"{place}[{k}]: {quoted(card)} is there more than {times}")
    return [CARD_PLACES[card] for card in cards]


# --- board -------------------------------------------------------------------------------


def board_deal(players: int, seed: int, options: Mapping[str, str]) -> States:
    start = np.zeros(1, board.STATE)
    board.deal(start, 0, players, np.uint64(seed), _may_decline(options))
    return start


def board_begin(setup: object, players: int, options: Mapping[str, str]) -> States:
    """The start of a game from a record's setup, which is checked (B3, B5, B6, B7)."""
    contents = check_object(setup, "setup")
    tiles = _check_tiles(check_entry(contents, "tiles", "setup.tiles"))
    hands = check_entry(contents, "hands", "setup.hands")
    removed = board.removed(players)
    sizes = {"removed": removed, "draw": board.DECK - removed - players * board.HAND}
    seen: Counter[str] = Counter()
    deck = []
    for seat, hand in enumerate(check_list(hands, "setup.hands", players, "hands")):
        deck += _check_cards(hand, f"setup.hands[{seat}]", board.HAND, seen, 2, "card")
    for key, size in sizes.items():
        place = f"setup.{key}"
        deck += _check_cards(check_entry(contents, key, place), place, size, seen, 2, "card")
    start = np.zeros(1, board.STATE)
    board.setup(
        start, 0, players, np.array(deck, np.int8), np.array(tiles, np.int8), _may_decline(options)
    )
    return start


def board_setup(start: States) -> dict[str, Any]:
    """The start of a game as a record has it."""
    players = start["players"][0].item()
    deck = [CARDS[card] for card in start["deck"][0].tolist()]
    draw = start["next"][0].item()
    dealt = players * board.HAND
    return {
        "tiles": tiles_on_paths(start),
        "hands": [deck[k : k + board.HAND] for k in range(0, dealt, board.HAND)],
        "draw": deck[draw:],
        "removed": deck[dealt:draw],
    }


def tiles_on_paths(states: States) -> dict[str, list[str | None]]:
    """The tiles of each path, stone 1 first."""
    codes = states["tile"][0].tolist()
    return {
        colour: [TILE_ENTRIES[code] for code in path[1:]]
        for colour, path in zip(COLOURS, codes, strict=True)
    }


def _may_decline(options: Mapping[str, str]) -> bool:
    return options.get(END_STONE_STEP) == "may"


def _check_tiles(value: object) -> list[list[int]]:
    paths = check_object(value, "setup.tiles")
    tiles = []
    for colour, tiled in zip(COLOURS, board.TILED.tolist(), strict=True):
        place = f"setup.tiles.{colour}"
        entries = check_list(check_entry(paths, colour, place), place, board.STONES)
        codes = [board.NO_TILE]
        for k, entry in enumerate(entries):
            if not (entry is None or isinstance(entry, str)) or entry not in _TILE_CODES:
                raise ValueError(f"{place}[{k}]: {quoted(entry)} is not a tile")
            if (entry is not None) != (k + 1 in tiled):
                stone = f"stone {k + 1} of the {COLOUR_WORDS[colour]} path"
                raise ValueError(
                    f"{place}[{k}]: {stone} bears {'no' if entry is not None else 'a'} tile"
                )
            codes.append(_TILE_CODES[entry])
        tiles.append(codes)
    there = Counter(code for path in tiles for code in path)
    for code, count in Counter(board.TILES.tolist()).items():
        if there[code] != count:
            raise ValueError(
                f"setup.tiles: expected {count} {_TILE_WORDS[code]}, not {there[code]}"
            )
    return tiles


# --- stones ------------------------------------------------------------------------------


def stones_deal(players: int, seed: int, options: Mapping[str, str]) -> States:
    start = np.zeros(1, stones.STATE)
    stones.deal(start, 0, players, np.uint64(seed))
    return start


def stones_begin(setup: object, players: int, options: Mapping[str, str]) -> States:
    """The start of a game from a record's setup, which is checked (S1)."""
    draw = check_entry(check_object(setup, "setup"), "draw", "setup.draw")
    deck = _check_cards(draw, "setup.draw", len(CARDS), Counter(), 1, "tile")
    start = np.zeros(1, stones.STATE)
    stones.setup(start, 0, players, np.array(deck, np.int8))
    return start


def stones_setup(start: States) -> dict[str, Any]:
    """The start of a game as a record has it."""
    return {"draw": [CARDS[tile] for tile in start["deck"][0].tolist()]}
