"""The features of either game, under one name: see `board_features` and `stones_features`.

A position is described as a seat leaves it, before anything is drawn or turned over (that is
called an afterstate), and as that seat sees it.
"""

from keltis.bots.kernels import board_features, stones_features
from keltis.rules.dispatch import by_game


@by_game(board_features.colour_size, stones_features.colour_size)
def colour_size(s):
    """How many features there are of a colour."""


@by_game(board_features.global_size, stones_features.global_size)
def global_size(s):
    """How many global features there are."""


@by_game(board_features.heads, stones_features.heads)
def heads(s):
    """How many heads the network has."""


@by_game(board_features.list_actions, stones_features.list_actions)
def list_actions(s, net):
    """Write the actions to judge to net.actions; return how many there are."""


@by_game(board_features.list_legal, stones_features.list_actions)
def list_legal(s, net):
    """The same, but always all that are legal."""


@by_game(board_features.prepare, stones_features.prepare)
def prepare(s, h, net):
    """Note what all features of a decision rest on, above all what the seat has not seen."""


@by_game(board_features.changed_colour, stones_features.changed_colour)
def changed_colour(s, action):
    """The colour of which an action changes something, or -1."""


@by_game(board_features.to_afterstate, stones_features.to_afterstate)
def to_afterstate(s, action):
    """Carry out an action but for what it reveals; return what comes next."""


@by_game(board_features.head, stones_features.head)
def head(s, net, following):
    """Which head of the network judges a position: by what comes next, and the stage."""


@by_game(board_features.write_colour, stones_features.write_colour)
def write_colour(s, net, p, c, row):
    """Write the features of a colour to a row."""


@by_game(board_features.write_global, stones_features.write_global)
def write_global(s, h, net, p):
    """Write the global features to their row."""
