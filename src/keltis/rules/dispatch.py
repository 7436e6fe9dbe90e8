"""One name for two functions, one for each game: the record that comes first says which is meant.

    @by_game(board.apply, stones.apply)
    def apply(s, action):
        "Carry out a legal action."

Compiled code chooses by the record's type, when it is compiled, and so pays nothing for it.
"""

import functools
import inspect

from keltis.rules import board, stones
from keltis.rules.kernel import overload

STATES = (board.STATE, stones.STATE)  # for an entry that serves either game


def rules_of(s):
    """The rules of the game that a record is of; or, while compiling, a record's type."""
    for rules in (board, stones):
        if s.dtype == rules.STATE:
            return rules
    raise TypeError(f"not a state of either game: {s}")


def by_game(of_board, of_stones):
    """Make the function that is declared below stand for the game's own.

    The declaration has the parameters and the documentation, and no body.
    """

    def choose(s):
        return of_board if rules_of(s) is board else of_stones

    def dispatch(declared):
        @functools.wraps(declared)
        def chosen(s, *others):
            return choose(s)(s, *others)

        # Numba asks for functions that have the very parameters of the one they stand for.
        names = list(inspect.signature(declared).parameters)
        same = f"lambda {', '.join(names)}: "
        typed = eval(f"{same} compiled({names[0]})", {"compiled": lambda s: call(choose(s))})
        call = eval(f"lambda function: {same} function({', '.join(names)})")
        overload(chosen)(typed)
        chosen.of_game = choose
        return chosen

    return dispatch
