"""Smaller games by the same rules: fewer colours, numbers and cards, to be solved exactly.

A shrunken game runs on the same record and the same code, so cards and actions keep their numbers.
Its deck lies at the end of the record's deck, its colours are the first ones, and each player has
one figure a path, one of them large. `BoardShape()` and `StonesShape()` are the full games.
"""

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from keltis.rules import board, stones
from keltis.rules.kernel import entry, kernel, shuffle
from keltis.rules.library import Array, Scalar

_COLOURS, _NUMBERS, _COPIES, _HAND, _REMOVED, _LAST_FIGURE, _TILES = range(7)


@dataclass(frozen=True)
class BoardShape:
    """What there is in a game of `board`; checked when made."""

    colours: int = board.COLOURS
    numbers: int = board.NUMBERS  # 0 to one less
    copies: int = 2  # of each card
    hand: int = board.HAND
    removed: int = -1  # cards out of the game unseen; -1: as the full game has it
    last_figure: int = board.LAST_FIGURE  # the figure in the goal area that ends the game
    tiles: bool = True  # whether there are path tiles

    def __post_init__(self) -> None:
        _check("colours", self.colours, 1, board.COLOURS)
        _check("numbers", self.numbers, 1, board.NUMBERS)
        _check("copies", self.copies, 1, 2)
        _check("hand", self.hand, 1, board.HAND)
        _check("removed", self.removed, -1, board.DECK)
        _check("last_figure", self.last_figure, 1, board.COLOURS * board.MOST_PLAYERS)

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return self.colours * self.numbers * self.copies

    def removed_with(self, players: int) -> int:
        """How many cards go out of the game unseen."""
        return int(board.removed(players)) if self.removed < 0 else self.removed

    def check(self, players: int) -> None:
        """Raise ValueError if the cards do not suffice; one at least must be left to draw."""
        dealt = self.hand * players + self.removed_with(players)
        if dealt >= self.cards:
            raise ValueError(
                f"shape: {dealt} cards to deal and remove, and only {self.cards} in all"
            )

    def array(self, players: int) -> NDArray[np.int64]:
        """As the kernels take it."""
        self.check(players)
        shape = np.array(astuple(self), np.int64)
        shape[_REMOVED] = self.removed_with(players)
        return shape


@dataclass(frozen=True)
class StonesShape:
    """What there is in a game of `stones`; checked when made."""

    colours: int = stones.COLOURS
    numbers: int = stones.NUMBERS  # 0 to one less

    def __post_init__(self) -> None:
        _check("colours", self.colours, 1, stones.COLOURS)
        _check("numbers", self.numbers, 1, stones.NUMBERS)

    @property
    def cards(self) -> int:
        """How many tiles there are."""
        return self.colours * self.numbers

    def array(self, players: int) -> NDArray[np.int64]:
        """As the kernels take it."""
        return np.array(astuple(self), np.int64)


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"shape: {name} can be {least} to {most}, not {value}")


# --- board -------------------------------------------------------------------------------


@kernel
def begin_board(s, players, options, shape):
    """Begin a game with the tiles in the record and the cards at the end of its deck."""
    board.start(s, players, options)
    for p in range(board.MOST_PLAYERS):
        s.held[p] = s.twice[p] = 0
        s.small[p] = shape[_COLOURS] - 1
        for c in range(shape[_COLOURS], board.COLOURS):
            s.stone[p, c] = board.NO_PATH
    place = board.DECK - shape[_COLOURS] * shape[_NUMBERS] * shape[_COPIES]
    for p in range(players):
        for _ in range(shape[_HAND]):
            board._add(s.held, s.twice, p, s.deck[place])
            place += 1
    s.removed_from = place
    s.drawn_from = s.next = place + shape[_REMOVED]
    s.last_figure = shape[_LAST_FIGURE]


@kernel
def shuffled_board(s, players, options, shape):
    """Begin a game dealt by the record's own random numbers."""
    first = board.DECK - shape[_COLOURS] * shape[_NUMBERS] * shape[_COPIES]
    for k in range(first):
        s.deck[k] = 0
    place = first
    for c in range(shape[_COLOURS]):
        for number in range(shape[_NUMBERS]):
            for _ in range(shape[_COPIES]):
                s.deck[place] = board.NUMBERS * c + number
                place += 1
    shuffle(s, s.deck, first, board.DECK)
    with_tiles = 0
    if shape[_TILES]:  # as many as there are stones for them, of all that there are
        board.shuffle_tiles(s)
        with_tiles = shape[_COLOURS]
    for c in range(with_tiles, board.COLOURS):
        for stone in range(board.STONES + 1):
            s.tile[c, stone] = board.NO_TILE
    begin_board(s, players, options, shape)


@entry(states=board.STATE, seed=Scalar(np.uint64), shape=np.int64)
def deal_board(states, i, players, seed, options, shape):
    """Begin a game that is dealt by a seed."""
    s = states[i]
    s.rng = np.uint64(seed)
    shuffled_board(s, players, options, shape)


@entry(states=board.STATE, deck=np.uint8, tiles=Array(np.int8, 2), shape=np.int64)
def setup_board(states, i, players, deck, tiles, options, shape):
    """Begin a game with a given deck, hands first, and given tiles."""
    s = states[i]
    _set_deck(s, deck)
    for c in range(board.COLOURS):
        for stone in range(board.STONES + 1):
            s.tile[c, stone] = tiles[c, stone]
    begin_board(s, players, options, shape)


@kernel
def _set_deck(s, deck):
    """Lay a deck at the end of the record's."""
    first = len(s.deck) - len(deck)
    for k in range(len(s.deck)):
        s.deck[k] = deck[k - first] if k >= first else 0


# --- stones ------------------------------------------------------------------------------


@kernel
def shuffled_stones(s, players, shape):
    """Begin a game dealt by the record's own random numbers."""
    stones.start(s, players)
    s.next = place = stones.TILES - shape[_COLOURS] * shape[_NUMBERS]
    for k in range(place):
        s.deck[k] = 0
    for c in range(shape[_COLOURS]):
        for number in range(shape[_NUMBERS]):
            s.deck[place] = stones.NUMBERS * c + number
            place += 1
    stones.reshuffle(s)


@entry(states=stones.STATE, seed=Scalar(np.uint64), shape=np.int64)
def deal_stones(states, i, players, seed, shape):
    """Begin a game that is dealt by a seed."""
    s = states[i]
    s.rng = np.uint64(seed)
    shuffled_stones(s, players, shape)


@entry(states=stones.STATE, deck=np.uint8)
def setup_stones(states, i, players, deck):
    """Begin a game with given tiles, in the order in which they turn up."""
    s = states[i]
    stones.start(s, players)
    s.next = stones.TILES - len(deck)
    _set_deck(s, deck)
