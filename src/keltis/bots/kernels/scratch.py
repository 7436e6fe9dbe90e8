"""Memory that the kernels work in, one record for each part of a bot.

Kernels don't make it themselves: a record does not keep the array alive that it is in. It is in
records, since to hand on a record costs a kernel nothing, and to hand on some arrays as much as to
evaluate a decision: references to arrays are counted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.bots.kernels import board_heuristic, stones_heuristic
from keltis.bots.kernels.layout import MOST_ACTIVE, ROWS
from keltis.rules import board

MOST_ACTIONS = board.ACTIONS
MOST_MEMBERS = 8  # networks in an ensemble
COLOUR_UNITS = 64  # of the network's layer that all colours share
HIDDEN_UNITS = 64  # of its hidden layer
_COLOURS, _STONES = board.COLOURS, board.STONES
_MOST_WEIGHTS = max(len(board_heuristic.WEIGHTS), len(stones_heuristic.WEIGHTS))

HEURISTIC = np.dtype(
    (
        np.record,
        [
            ("weights", np.float64, _MOST_WEIGHTS),  # in the order of the game's `WEIGHTS`
            ("actions", np.int64, MOST_ACTIONS),  # those that were evaluated
            ("values", np.float64, MOST_ACTIONS),  # what each of `actions` is worth, without a unit
            # The rest is for `board` alone.
            ("steps", np.float64, _COLOURS),  # stones that the figure on each path will still move
            ("share", np.float64),  # the part of all `steps` for which there is time
            ("worth", np.float64, _COLOURS),  # what each path will be worth to the seat
            ("tiles", np.float64, (_COLOURS, _STONES + 1)),  # worth of a path's tiles up to a stone
        ],
    )
)

NETWORK = np.dtype(
    (
        np.record,
        [
            ("actions", np.int64, MOST_ACTIONS),  # those that were judged
            ("values", np.float64, MOST_ACTIONS),  # the chance to win after each of `actions`
            ("leads", np.float64, MOST_ACTIONS),  # the final lead to expect after each of `actions`
            ("ended", np.int8, MOST_ACTIONS),  # whether each of `actions` ends the game
            # What the features are made of.
            ("unseen", np.int64),  # cards, or tiles, of which the seat has not seen every copy
            ("unseen_twice", np.int64),  # cards of which the seat has seen no copy
            ("turns", np.float64),  # that the seat may still hope for
            ("stage", np.int64),  # of the game, as the game's features count it
            ("lead", np.int64),  # of the seat over the best other player, now
            # The layers. Rows are those of `layout`.
            ("active", np.int32, (ROWS, MOST_ACTIVE)),  # the features that hold, by row
            ("active_count", np.int64, ROWS),  # how many of `active` there are in each row
            ("colours", np.float32, (MOST_MEMBERS, ROWS, COLOUR_UNITS)),  # the colours' layer
            ("positive", np.int32, COLOUR_UNITS),  # the units of one row of it that are above 0
            ("positive_value", np.float32, COLOUR_UNITS),  # the values of the units in `positive`
            ("hidden", np.float32, (MOST_MEMBERS, ROWS, HIDDEN_UNITS)),  # what a row adds to it
        ],
    )
)


def heuristic_scratch(*weights: NDArray[np.float64]) -> NDArray[Any]:
    """Memory for the heuristic, one record for each of some weights."""
    scratch = np.zeros(len(weights), HEURISTIC)
    for k, own in enumerate(weights):
        scratch["weights"][k, : len(own)] = own
    return scratch


def network_scratch(count: int = 1) -> NDArray[Any]:
    """Memory for the value network, so many records."""
    return np.zeros(count, NETWORK)
