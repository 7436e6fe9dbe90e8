"""What there is to see of either game, under one name: see `board_sight` and `stones_sight`."""

from keltis.bots import board_sight, stones_sight
from keltis.rules.dispatch import by_game


@by_game(board_sight.of_colour, stones_sight.of_colour)
def of_colour(s):
    """How much there is to see of a colour."""


@by_game(board_sight.of_rest, stones_sight.of_rest)
def of_rest(s):
    """How much there is to see of the rest."""


@by_game(board_sight.heads, stones_sight.heads)
def heads(s):
    """How many parts of a network there are of which one has the last word."""


@by_game(board_sight.list_actions, stones_sight.list_actions)
def list_actions(s, t):
    """Write the actions that are worth a look to a thought; tell how many."""


@by_game(board_sight.look_round, stones_sight.look_round)
def look_round(s, t):
    """Note what holds for all that is seen: what the seat that decides does not know, above all."""


@by_game(board_sight.changed, stones_sight.changed)
def changed(s, action):
    """The colour that an action changes something of, or -1."""


@by_game(board_sight.foresee, stones_sight.foresee)
def foresee(s, action):
    """Carry out an action but for what it reveals; tell what comes then."""


@by_game(board_sight.head, stones_sight.head)
def head(s, t, then):
    """Which part of the network has the last word."""


@by_game(board_sight.see_colour, stones_sight.see_colour)
def see_colour(s, t, p, c, line):
    """Mark in a line what there is of a colour."""


@by_game(board_sight.see_rest, stones_sight.see_rest)
def see_rest(s, t, p):
    """Mark what is of no colour."""
