"""One name for what both games can do: a kernel written on these serves either game.

Which game is meant is told by the record's type, so compiled code pays nothing for it.
"""

import numba
import numpy as np
from numba.extending import overload

from keltis.rules import board, stones
from keltis.rules.kernel import kernel

_GAMES = ((numba.from_dtype(board.STATE), board), (numba.from_dtype(stones.STATE), stones))


def rules_of(s):
    """The rules module of a record, or of a compiled record's type."""
    for compiled, module in _GAMES:
        if s == compiled if isinstance(s, numba.types.Type) else s.dtype == module.STATE:
            return module
    raise TypeError(f"not a state of either game: {s}")


def apply(s, action):
    """Carry out a legal action."""
    rules_of(s).apply(s, action)


def score(s, p):
    """What a player would score if the game ended now."""
    return rules_of(s).score(s, p)


def random_action(s):
    """A legal action, each as likely as any other."""
    return rules_of(s).random_action(s)


def is_over(s):
    """Whether the game has ended."""
    return s.phase == rules_of(s).OVER


def reveals(s, action):
    """Whether an action brings to light what nobody knew: a card drawn, a tile turned over."""
    return action == (board.DRAW_PILE if rules_of(s) is board else stones.TURN_OVER)


def shuffled(s, players):
    """Begin a game with the default options, dealt by the record's own random numbers."""
    if rules_of(s) is board:
        board.shuffled(s, players, 0)
    else:
        stones.shuffled(s, players)


def reshuffle_pile(s):
    """Deal anew, uniformly, what is in no hand."""
    if rules_of(s) is board:
        board.reshuffle_pile(s)
    else:
        stones.reshuffle(s)


@overload(apply, inline="always")
def _apply(s, action):
    function = rules_of(s).apply
    return lambda s, action: function(s, action)


@overload(score, inline="always")
def _score(s, p):
    function = rules_of(s).score
    return lambda s, p: function(s, p)


@overload(random_action, inline="always")
def _random_action(s):
    function = rules_of(s).random_action
    return lambda s: function(s)


@overload(is_over, inline="always")
def _is_over(s):
    over = rules_of(s).OVER
    return lambda s: s.phase == over


@overload(reveals, inline="always")
def _reveals(s, action):
    revealing = board.DRAW_PILE if rules_of(s) is board else stones.TURN_OVER
    return lambda s, action: action == revealing


@overload(shuffled, inline="always")
def _shuffled(s, players):
    if rules_of(s) is board:
        return lambda s, players: board.shuffled(s, players, 0)
    return lambda s, players: stones.shuffled(s, players)


@kernel
def lead(s, p):
    """By how much a player leads the best of the others, as the game stands."""
    best = np.int64(-1000)
    for q in range(s.players):
        if q != p:
            best = max(best, np.int64(score(s, q)))
    return np.int64(score(s, p)) - best


@overload(reshuffle_pile, inline="always")
def _reshuffle_pile(s):
    function = board.reshuffle_pile if rules_of(s) is board else stones.reshuffle
    return lambda s: function(s)
