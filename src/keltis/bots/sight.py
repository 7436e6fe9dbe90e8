"""What there is to see of either game, under one name: see `board_sight` and `stones_sight`."""

import numpy as np
from numba.extending import overload

from keltis.bots import board_sight, stones_sight
from keltis.rules import board, both


def sight_of(s):
    """The module that knows what is to be seen in a record."""
    return board_sight if both.rules_of(s) is board else stones_sight


def of_colour(s):
    """How much there is to see of a colour."""
    return sight_of(s).of_colour(np.int64(s.players))


def of_rest(s):
    """How much there is to see of the rest."""
    return sight_of(s).of_rest(np.int64(s.players))


def heads(s):
    """How many parts of a network there are of which one has the last word."""
    return sight_of(s).HEADS


def list_actions(s, t):
    """Write the actions that are worth a look to a thought; tell how many."""
    return sight_of(s).list_actions(s, t)


def look_round(s, t):
    """Note what holds for all that is seen: what the seat that decides does not know, above all."""
    sight_of(s).look_round(s, t)


def changed(s, action):
    """The colour that an action changes something of, or -1."""
    return sight_of(s).changed(s, action)


def foresee(s, action):
    """Carry out an action but for what it reveals; tell what comes then."""
    return sight_of(s).foresee(s, action)


def head(s, t, then):
    """Which part of the network has the last word."""
    return sight_of(s).head(s, t, then)


def see_colour(s, t, p, c, line):
    """Mark in a line what there is of a colour."""
    sight_of(s).see_colour(s, t, p, c, line)


def see_rest(s, t, p):
    """Mark what is of no colour."""
    sight_of(s).see_rest(s, t, p)


@overload(of_colour, inline="always")
def _of_colour(s):
    function = sight_of(s).of_colour
    return lambda s: function(np.int64(s.players))


@overload(of_rest, inline="always")
def _of_rest(s):
    function = sight_of(s).of_rest
    return lambda s: function(np.int64(s.players))


@overload(heads, inline="always")
def _heads(s):
    count = sight_of(s).HEADS
    return lambda s: count


@overload(list_actions, inline="always")
def _list_actions(s, t):
    function = sight_of(s).list_actions
    return lambda s, t: function(s, t)


@overload(look_round, inline="always")
def _look_round(s, t):
    function = sight_of(s).look_round
    return lambda s, t: function(s, t)


@overload(changed, inline="always")
def _changed(s, action):
    function = sight_of(s).changed
    return lambda s, action: function(s, action)


@overload(foresee, inline="always")
def _foresee(s, action):
    function = sight_of(s).foresee
    return lambda s, action: function(s, action)


@overload(head, inline="always")
def _head(s, t, then):
    function = sight_of(s).head
    return lambda s, t, then: function(s, t, then)


@overload(see_colour, inline="always")
def _see_colour(s, t, p, c, line):
    function = sight_of(s).see_colour
    return lambda s, t, p, c, line: function(s, t, p, c, line)


@overload(see_rest, inline="always")
def _see_rest(s, t, p):
    function = sight_of(s).see_rest
    return lambda s, t, p: function(s, t, p)
