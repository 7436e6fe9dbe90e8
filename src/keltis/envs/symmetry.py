"""Colours are alike: exchange them in observations, masks and actions, for augmentation.

A permutation tells the new colour of each colour R Y V G B: `[1, 0, 2, 3, 4]` swaps red and
yellow. If a game of `board` is dealt with its colours exchanged, cards and paths, and the
exchanged actions are played, then every observation and mask is the exchanged one. The colours of
`stones` are not alike: they bear different symbols.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs.layout import CARDS, COLOURS, NUMBERS, Layout
from keltis.rules import board

Permutation = Sequence[int]

ALL = tuple(permutations(range(COLOURS)))
"""All 120 permutations, the one that changes nothing first."""


def exchange_tensor(tensor: NDArray[Any], parts: Layout, permutation: Permutation) -> NDArray[Any]:
    """An observation or information state, or a batch of them, with its colours exchanged."""
    chosen = _checked(permutation)
    if "hand" not in parts.slices:
        raise ValueError("the colours of stones bear different symbols and cannot be exchanged")
    exchanged = _wide(tensor, parts.size)[..., _places(parts, chosen)]
    for part in parts.parts:
        if part.holds != "number":
            cut = parts.slices[part.name]
            table = cards(chosen) if part.holds == "card plus one" else actions(chosen)
            exchanged[..., cut] = np.concatenate([[0], table + 1])[exchanged[..., cut]]
    return exchanged


def exchange_mask(mask: NDArray[Any], permutation: Permutation) -> NDArray[Any]:
    """A mask, or anything else with a value for each action, with its colours exchanged."""
    return _wide(mask, board.ACTIONS)[..., np.argsort(actions(_checked(permutation)))]


def exchange_action(action: Any, permutation: Permutation) -> NDArray[np.int64]:
    """An action, or an array of them, with its colours exchanged."""
    table: NDArray[np.int64] = actions(_checked(permutation))
    if not ((np.asarray(action) >= 0) & (np.asarray(action) < board.ACTIONS)).all():
        raise ValueError(f"expected actions from 0 to {board.ACTIONS - 1}")
    exchanged: NDArray[np.int64] = table[action]
    return exchanged


def _checked(permutation: Permutation) -> tuple[int, ...]:
    chosen = tuple(int(colour) for colour in permutation)
    if sorted(chosen) != list(range(COLOURS)):
        raise ValueError(f"expected a permutation of 0 to {COLOURS - 1}, not {permutation!r}")
    return chosen


def _wide(array: NDArray[Any], width: int) -> NDArray[Any]:
    if array.shape[-1] != width:
        raise ValueError(f"expected {width} values along the last axis, not {array.shape[-1]}")
    return array


@lru_cache(maxsize=len(ALL))
def cards(permutation: tuple[int, ...]) -> NDArray[np.int64]:
    """The new number of each card."""
    colour, number = np.divmod(np.arange(CARDS), NUMBERS)
    return np.array(permutation)[colour] * NUMBERS + number


@lru_cache(maxsize=len(ALL))
def actions(permutation: tuple[int, ...]) -> NDArray[np.int64]:
    """The new number of each action."""
    table = np.arange(board.ACTIONS)
    for first in (board.LAY, board.DISCARD):
        table[first : first + CARDS] = first + cards(permutation)
    for first in (board.STEP, board.LARGE, board.TAKE):
        table[first : first + COLOURS] = first + np.array(permutation)
    return table


@lru_cache(maxsize=4 * len(ALL))
def _places(parts: Layout, permutation: tuple[int, ...]) -> NDArray[np.int64]:
    """For each place of an exchanged tensor, where its value comes from."""
    sources = {"colour": np.argsort(permutation), "card": np.argsort(cards(permutation))}
    places = []
    for part in parts.parts:
        grid = np.arange(part.size).reshape(part.shape)
        for axis, name in enumerate(part.axes):
            if name in sources:
                grid = np.take(grid, sources[name], axis=axis)
        places.append(parts.slices[part.name].start + grid.ravel())
    return np.concatenate(places)
