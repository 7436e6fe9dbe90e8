"""The heuristic of both games under one name, and games played by it alone."""

import numpy as np

from keltis.bots.kernels import board_heuristic, stones_heuristic
from keltis.bots.kernels.scratch import HEURISTIC
from keltis.rules import both
from keltis.rules.dispatch import STATES, by_game
from keltis.rules.kernel import RESULT, entry, inlined, kernel
from keltis.rules.library import Array


@by_game(board_heuristic.evaluate, stones_heuristic.evaluate)
def evaluate(s, h, sparing):
    """Write the legal actions and what each is worth; return how many there are.

    If `sparing`, some that can't be the best may be left out.
    """


@kernel
def best_action(s, h):
    """The action that the heuristic likes most; of equals the first."""
    return h.actions[best_of(h, evaluate(s, h, True))]


@inlined
def best_of(scratch, n):
    """The place of the best of the first `n` actions in scratch memory; of equals the first."""
    best = 0
    for k in range(1, n):
        if scratch.values[k] > scratch.values[best]:
            best = k
    return best


@kernel
def best_first(scratch, n, kept):
    """Bring the `kept` best of `n` actions in scratch memory to the front, in order."""
    actions, values = scratch.actions, scratch.values
    for k in range(kept):
        best = k
        for j in range(k + 1, n):
            if values[j] > values[best]:
                best = j
        actions[k], actions[best] = actions[best], actions[k]
        values[k], values[best] = values[best], values[k]


@entry(states=STATES, scratch=HEURISTIC)
def values_of(states, scratch):
    """The same as `evaluate`, for callers from Python."""
    return evaluate(states[0], scratch[0], False)


@entry(
    states=STATES,
    scratch=HEURISTIC,
    thinks=np.bool_,
    seeds=np.uint64,
    results=RESULT,
    actions=Array(np.int16, 2),
)
def contest(states, players, scratch, thinks, seeds, cap, results, actions):
    """Play a game for each seed, which deals it; states[0] is overwritten.

    Each seat has its own scratch memory, with the weights that it plays by, or plays at random
    where it does not think. A game that is not over after `cap` decisions is left there, its
    reason RUNNING (B22). `actions` gets those of each game, in a row of its own; it has no rows if
    the caller does not want them.
    """
    s = states[0]
    for k in range(len(seeds)):
        s.rng = seeds[k]
        both.shuffled(s, players)
        decisions = 0
        turns = 1
        seat = s.seat
        while not both.is_over(s) and decisions < cap:
            thinking = thinks[s.seat]
            action = best_action(s, scratch[s.seat]) if thinking else both.random_action(s)
            if len(actions):
                actions[k, decisions] = action
            both.apply(s, action)
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
