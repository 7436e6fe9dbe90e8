"""The heuristic of both games under one name, and games played by it alone."""

import numpy as np
from numba.extending import overload

from keltis.bots import board_policy, stones_policy
from keltis.rules import board, both
from keltis.rules.kernel import kernel

ROOM = max(board_policy.ROOM, stones_policy.ROOM)
MOST_ACTIONS = board.ACTIONS


def policy_of(s):
    """The module that knows what a record's decisions are worth."""
    return board_policy if both.rules_of(s) is board else stones_policy


def evaluate(s, w, room, actions, values):
    """Write the legal actions and what each is worth; tell how many there are."""
    return policy_of(s).evaluate(s, w, room, actions, values)


@overload(evaluate, inline="always")
def _evaluate(s, w, room, actions, values):
    function = policy_of(s).evaluate
    return lambda s, w, room, actions, values: function(s, w, room, actions, values)


@kernel
def best_action(s, w, room, actions, values):
    """The action that the heuristic likes most; of equals the first."""
    n = evaluate(s, w, room, actions, values)
    best = 0
    for k in range(1, n):
        if values[k] > values[best]:
            best = k
    return actions[best]


@kernel
def values_of(states, i, w, room, actions, values):
    """The same as `evaluate`, for callers from Python."""
    return evaluate(states[i], w, room, actions, values)


@kernel
def contest(states, i, players, weights, thinks, seeds, cap, results):
    """Play a game for each seed, which deals it.

    Each seat plays by its own weights, or at random where it does not think. A game that is not
    over after `cap` decisions is left there, its reason RUNNING (B22).
    """
    s = states[i]
    room = np.empty(ROOM)
    actions = np.empty(MOST_ACTIONS, np.int64)
    values = np.empty(MOST_ACTIONS)
    for k in range(len(seeds)):
        s.rng = seeds[k]
        both.shuffled(s, players)
        decisions = 0
        turns = 1
        seat = s.seat
        while not both.is_over(s) and decisions < cap:
            if thinks[s.seat]:
                both.apply(s, best_action(s, weights[s.seat], room, actions, values))
            else:
                both.apply(s, both.random_action(s))
            decisions += 1
            if s.seat != seat:
                seat = s.seat
                turns += 1
        result = results[k]
        result.decisions = decisions
        result.turns = turns
        result.reason = s.reason
        for p in range(players):
            result.scores[p] = both.score(s, p)
