"""One name for what the environments need of both games, as `keltis.rules.both` has it."""

import numpy as np

from keltis.game.kernels import board as board_tensors
from keltis.game.kernels import stones as stones_tensors
from keltis.game.kernels.tensors import SECRET
from keltis.rules import board, both, shrunken, stones
from keltis.rules.board import DRAW_PILE, TAKE
from keltis.rules.dispatch import STATES, by_game
from keltis.rules.kernel import entry, kernel
from keltis.rules.library import Array
from keltis.rules.stones import TURN_OVER


@by_game(board_tensors.write_mask, stones_tensors.write_mask)
def write_mask(s, out, at):
    """Write which actions are legal."""


@by_game(board_tensors.write_observation, stones_tensors.write_observation)
def write_observation(s, viewer, out, at):
    """Write what a seat sees."""


@by_game(board_tensors.write_information, stones_tensors.write_information)
def write_information(s, viewer, out, at, history, i, count):
    """Write all that a seat could remember."""


@kernel
def _shuffled_board(s, players, options, is_shrunken, shape):
    if is_shrunken:
        shrunken.shuffled_board(s, players, options, shape)
    else:
        board.shuffled(s, players, options)


@kernel
def _shuffled_stones(s, players, options, is_shrunken, shape):
    if is_shrunken:
        shrunken.shuffled_stones(s, players, shape)
    else:
        stones.shuffled(s, players)


@by_game(_shuffled_board, _shuffled_stones)
def shuffled(s, players, options, is_shrunken, shape):
    """Begin a game of a shape, dealt by the record's own random numbers."""


@kernel
def _drawn_board(s, action):
    if action == DRAW_PILE:
        return np.int64(s.deck[s.next]) + SECRET
    if action >= TAKE:
        return np.int64(s.pile[action - TAKE, s.pile_size[action - TAKE] - 1])
    return np.int64(-1)


@kernel
def _drawn_stones(s, action):
    return np.int64(s.deck[s.next]) if action == TURN_OVER else np.int64(-1)


@by_game(_drawn_board, _drawn_stones)
def drawn(s, action):
    """The card or tile that an action will bring, -1 for none, SECRET more if only one sees it."""


# --- For callers from Python -------------------------------------------------------------


@entry(states=STATES, out=np.int8)
def mask(states, i, seat, out):
    """Write which actions are legal for a seat: none, if it is not its turn."""
    if states[i].seat == seat and not both.is_over(states[i]):
        write_mask(states[i], out, 0)
    else:
        for k in range(len(out)):
            out[k] = 0


@entry(states=STATES, out=np.int8)
def observe(states, i, viewer, out):
    """Write what a seat sees."""
    write_observation(states[i], viewer, out, 0)


@entry(states=STATES, out=np.int8, history=Array(np.int8, 3))
def inform(states, i, viewer, out, history, count):
    """Write all that a seat could remember; `history` is that of one game."""
    write_information(states[i], viewer, out, 0, history, 0, count)


@entry(states=STATES)
def card_drawn(states, i, action):
    """The card or tile that an action will bring, as `drawn` has it."""
    return drawn(states[i], action)
