"""One name for what both games can do: a kernel written on these serves either game."""

import numpy as np

from keltis.rules import board, stones
from keltis.rules.dispatch import by_game
from keltis.rules.kernel import inlined, kernel


@by_game(board.apply, stones.apply)
def apply(s, action):
    """Carry out a legal action."""


@by_game(board.score, stones.score)
def score(s, p):
    """What a player would score if the game ended now."""


@by_game(board.random_action, stones.random_action)
def random_action(s):
    """A legal action, each as likely as any other."""


@by_game(board.is_legal, stones.is_legal)
def is_legal(s, action):
    """Whether a number is a legal action; any number may be asked."""


@by_game(board.is_over, stones.is_over)
def is_over(s):
    """Whether the game has ended."""


@by_game(board.reveals, stones.reveals)
def reveals(s, action):
    """Whether an action brings to light what nobody knew: a card drawn, a tile turned over."""


@inlined
def _shuffled_board(s, players):
    board.shuffled(s, players, 0)


@by_game(_shuffled_board, stones.shuffled)
def shuffled(s, players):
    """Begin a game with the default options, dealt by the record's own random numbers."""


@by_game(board.reshuffle_pile, stones.reshuffle)
def reshuffle_pile(s):
    """Deal anew, uniformly, what is in no hand."""


@kernel
def lead(s, p):
    """By how much a player leads the best of the others, as the game stands."""
    best = np.int64(-1000)
    for q in range(s.players):
        if q != p:
            best = max(best, np.int64(score(s, q)))
    return np.int64(score(s, p)) - best
