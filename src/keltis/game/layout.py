"""What stands where in the tensors: named parts, in the order in which the kernels write them.

An observation is what a seat sees now. An information state is all that it could remember: the
observation, then what its memory adds. Seats are relative: the viewer's own is 0, the next is 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.game.checks import check_whole
from keltis.game.errors import quoted
from keltis.game.setups import check_count
from keltis.rules import board, stones

VERSION = 1
"""Version of the tensors and of the numbers of actions; a change of either raises it."""

CARDS = board.CARDS
COLOURS = board.COLOURS
NUMBERS = board.NUMBERS
_PILE = 2 * NUMBERS  # the most cards that a discard pile can hold

_SIZES = {"card": CARDS, "colour": COLOURS, "stone": board.STONES, "stone or none": 10}


@dataclass(frozen=True)
class Part:
    """A named slice of a tensor."""

    name: str
    axes: tuple[str, ...]  # what each axis counts
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    holds: str = "number"  # "card plus one" and "action plus one" change with the colours

    @property
    def size(self) -> int:
        return prod(self.shape)


class Layout:
    """The parts of one kind of tensor, and where each is."""

    def __init__(self, parts: list[Part]) -> None:
        self.parts = tuple(parts)
        self.slices: dict[str, slice] = {}
        start = 0
        for part in parts:
            self.slices[part.name] = slice(start, start + part.size)
            start += part.size
        self.size = start

    def __eq__(self, other: object) -> bool:
        return self.parts == other.parts if isinstance(other, Layout) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"<Layout of {self.size} numbers: {', '.join(self.slices)}>"

    @cached_property
    def low(self) -> NDArray[np.int8]:
        return self._filled([part.low for part in self.parts])

    @cached_property
    def high(self) -> NDArray[np.int8]:
        return self._filled([part.high for part in self.parts])

    def _filled(self, values: list[int]) -> NDArray[np.int8]:
        sizes = [part.size for part in self.parts]
        return np.repeat(np.array(values, np.int8), sizes)

    def named(self, tensor: NDArray[Any]) -> Mapping[str, NDArray[Any]]:
        """The parts of a tensor, or of a batch of them, by name and in their shapes."""
        if tensor.shape[-1:] != (self.size,):
            raise ValueError(
                f"expected {self.size} numbers along the last axis, not shape {tensor.shape}"
            )
        return {
            part.name: tensor[..., self.slices[part.name]].reshape(*tensor.shape[:-1], *part.shape)
            for part in self.parts
        }


@lru_cache(maxsize=64)
def observation(game: str, players: int) -> Layout:
    """The layout of an observation."""
    _check(game, players)
    return Layout(_PARTS[game](players))


@lru_cache(maxsize=64)
def information(game: str, players: int, history: int) -> Layout:
    """The layout of an information state that holds the last `history` decisions."""
    _check(game, players)
    if history < 0:
        raise ValueError(f"history: expected at least 0, not {history}")
    memory = _MEMORY[game](players)
    return Layout([*_PARTS[game](players), *memory, *_history(players, history, game)])


def actions(game: str) -> int:
    """How many actions there are."""
    _check(game)
    count: int = {"board": board.ACTIONS, "stones": stones.ACTIONS}[game]
    return count


def _check(game: str, players: int = 2) -> None:
    if game not in _PARTS:
        raise ValueError(f"game: expected {' or '.join(_PARTS)}, not {quoted(game)}")
    check_count(check_whole(players, "players"), "players")


def _part(
    name: str, axes: str, low: int, high: int, meaning: str, players: int = 0, **sizes: int
) -> Part:
    names = tuple(axes.split(", ")) if axes else ()
    known = {**_SIZES, "seat": players, **sizes}
    shape = tuple(known[axis] for axis in names) if names else (1,)
    return Part(name, names, shape, low, high, meaning)


def _board(n: int) -> list[Part]:
    return [
        _part("hand", "card", 0, 2, "own cards, copies of each"),
        _part("rows", "seat, card", 0, 2, "cards laid, copies of each", n),
        _part("fits", "seat, card", 0, 1, "numbers that fit the row", n),
        _part("direction", "seat, colour", -1, 1, "row: 1 rising, -1 falling, 0 open", n),
        _part("figure", "seat, colour, stone or none", 0, 1, "one-hot: stone; 0 is none here", n),
        _part("large", "seat, colour", 0, 1, "path of the large figure; none: on the start", n),
        _part("small_at_start", "seat", 0, board.SMALL_FIGURES, "small figures on the start", n),
        _part("hand_size", "seat", 0, board.HAND, "cards in the hand", n),
        _part("wishing_stones", "seat", 0, 9, "wishing stones collected", n),
        _part("points", "seat", 0, sum(board.POINTS_TILES), "points collected under way", n),
        _part("score", "seat", -28, 84, "score if the game ended now", n),
        _part("points_tile", "colour, stone", 0, 3, "points on the stone's tile"),
        _part("clover", "colour, stone", 0, 1, "clover on the stone"),
        _part("wishing_stone", "colour, stone", 0, 1, "wishing stone on the stone"),
        _part("pile_top", "card", 0, 1, "top cards of the discard piles"),
        _part("pile_size", "colour", 0, _PILE, "cards in the discard pile"),
        _part("draw_pile", "", 0, board.DECK, "cards in the draw pile"),
        _part("in_goal", "", 0, board.COLOURS * n, "figures in the goal area"),
        _part(
            "phase",
            "phase",
            0,
            1,
            "one-hot: card, figure, clover, end stone, draw, over",
            phase=board.OVER + 1,
        ),
        _part("path", "colour", 0, 1, "phase figure: the path to be entered"),
        _part("closed_pile", "colour", 0, 1, "phase draw: the pile that is closed in this turn"),
        _part("to_move", "seat", 0, 1, "one-hot: whose decision; none when over", n),
        _part("end_stone_may", "", 0, 1, "option: the end-stone step may be declined"),
        _part("clover_must", "", 0, 1, "option: a clover's step may not be declined"),
        _part("own_discard", "", 0, 1, "option: one's own discard may be drawn again"),
    ]


def _board_memory(n: int) -> list[Part]:
    return [
        _part("known", "seat, card", 0, 2, "cards in the hand that all saw being taken", n),
        _part("unseen", "card", 0, 2, "copies that may be in the draw pile or a hand, or removed"),
        _part(
            "piles",
            "colour, place",
            0,
            NUMBERS,
            "discard pile, bottom first: number plus one; 0 is none",
            place=_PILE,
        ),
    ]


def _stones(n: int) -> list[Part]:
    return [
        _part("rows", "seat, card", 0, 1, "tiles in the rows", n),
        _part("fits", "seat, card", 0, 1, "numbers that fit the row", n),
        _part("direction", "seat, colour", -1, 1, "row: 1 rising, -1 falling, 0 open", n),
        _part("length", "seat, colour", 0, NUMBERS, "tiles in the row", n),
        _part("wishing_stones", "seat", 0, 10, "wishing stones collected", n),
        _part("points", "seat", 0, 20, "bonus points on the tiles collected", n),
        _part("score", "seat", -24, 80, "score if the game ended now", n),
        _part("open", "card", 0, 1, "tiles that lie open in the middle"),
        _part("tile", "card", 0, 1, "phase tile: the tile just turned over"),
        _part("hidden", "card", 0, 1, "tiles that are still face down"),
        _part("face_down", "", 0, stones.TILES, "how many are face down"),
        _part("phase", "phase", 0, 1, "one-hot: turn, tile, further, over", phase=stones.OVER + 1),
        _part("to_move", "seat", 0, 1, "one-hot: whose decision; none when over", n),
    ]


def _history(n: int, length: int, game: str) -> list[Part]:
    if length == 0:
        return []
    axes, shape = ("decision",), (length,)
    return [
        Part("history_seat", axes, shape, 0, n, "who decided, plus one; the latest first"),
        Part(
            "history_action",
            axes,
            shape,
            0,
            actions(game),
            "the action, plus one; 0 is none",
            "action plus one",
        ),
        Part(
            "history_card",
            axes,
            shape,
            0,
            CARDS,
            "the card drawn or taken, as far as seen, plus one; 0 is none",
            "card plus one",
        ),
    ]


def _stones_memory(n: int) -> list[Part]:
    return []  # all is in sight, but for the order of events


_PARTS = {"board": _board, "stones": _stones}
_MEMORY = {"board": _board_memory, "stones": _stones_memory}
