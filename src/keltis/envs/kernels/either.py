"""One name for what the environments need of both games, as `keltis.rules.both` has it."""

import numpy as np
from numba.extending import overload

from keltis.envs.kernels import board as board_tensors
from keltis.envs.kernels import stones as stones_tensors
from keltis.envs.kernels.tensors import SECRET
from keltis.rules import board, both, shrunken, stones
from keltis.rules.board import DRAW_PILE, TAKE
from keltis.rules.both import rules_of
from keltis.rules.kernel import kernel
from keltis.rules.stones import TURN_OVER


def _tensors_of(s):
    return board_tensors if rules_of(s) is board else stones_tensors


def is_legal(s, action):
    """Whether a number is a legal action; any number may be asked."""
    return rules_of(s).is_legal(s, action)


def write_mask(s, out, at):
    """Write which actions are legal."""
    _tensors_of(s).write_mask(s, out, at)


def write_observation(s, viewer, out, at):
    """Write what a seat sees."""
    _tensors_of(s).write_observation(s, viewer, out, at)


def write_information(s, viewer, out, at, history, i, count):
    """Write all that a seat could remember."""
    _tensors_of(s).write_information(s, viewer, out, at, history, i, count)


def shuffled(s, players, end_stone_may, is_shrunken, shape):
    """Begin a game of a shape, dealt by the record's own random numbers."""
    function = _shuffled_board if rules_of(s) is board else _shuffled_stones
    function(s, players, end_stone_may, is_shrunken, shape)


def drawn(s, action):
    """The card or tile that an action will bring, -1 for none, SECRET more if only one sees it."""
    return (_drawn_board if rules_of(s) is board else _drawn_stones)(s, action)


@kernel
def _shuffled_board(s, players, end_stone_may, is_shrunken, shape):
    if is_shrunken:
        shrunken.shuffled_board(s, players, end_stone_may, shape)
    else:
        board.shuffled(s, players, end_stone_may)


@kernel
def _shuffled_stones(s, players, end_stone_may, is_shrunken, shape):
    if is_shrunken:
        shrunken.shuffled_stones(s, players, shape)
    else:
        stones.shuffled(s, players)


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


@overload(is_legal, inline="always")
def _is_legal(s, action):
    function = rules_of(s).is_legal
    return lambda s, action: function(s, action)


@overload(write_mask, inline="always")
def _write_mask(s, out, at):
    function = _tensors_of(s).write_mask
    return lambda s, out, at: function(s, out, at)


@overload(write_observation, inline="always")
def _write_observation(s, viewer, out, at):
    function = _tensors_of(s).write_observation
    return lambda s, viewer, out, at: function(s, viewer, out, at)


@overload(write_information, inline="always")
def _write_information(s, viewer, out, at, history, i, count):
    function = _tensors_of(s).write_information
    return lambda s, viewer, out, at, history, i, count: function(
        s, viewer, out, at, history, i, count
    )


@overload(shuffled, inline="always")
def _shuffled(s, players, end_stone_may, is_shrunken, shape):
    function = _shuffled_board if rules_of(s) is board else _shuffled_stones
    return lambda s, players, end_stone_may, is_shrunken, shape: function(
        s, players, end_stone_may, is_shrunken, shape
    )


@overload(drawn, inline="always")
def _drawn(s, action):
    function = _drawn_board if rules_of(s) is board else _drawn_stones
    return lambda s, action: function(s, action)


# --- For callers from Python -------------------------------------------------------------


@kernel
def mask(states, i, seat, out):
    """Write which actions are legal for a seat: none, if it is not its turn."""
    if states[i].seat == seat and not both.is_over(states[i]):
        write_mask(states[i], out, 0)
    else:
        out[:] = 0


@kernel
def observe(states, i, viewer, out):
    """Write what a seat sees."""
    write_observation(states[i], viewer, out, 0)


@kernel
def inform(states, i, viewer, out, history, count):
    """Write all that a seat could remember; `history` is that of one game."""
    write_information(states[i], viewer, out, 0, history, 0, count)


@kernel
def card_drawn(states, i, action):
    """The card or tile that an action will bring, as `drawn` has it."""
    return drawn(states[i], action)
