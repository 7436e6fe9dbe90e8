"""The heuristic of both games under one name, and games played by it alone."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from keltis.bots import board_policy, stones_policy
from keltis.bots.marks import LINES, MOST_MARKS
from keltis.rules import board, both
from keltis.rules.dispatch import by_game
from keltis.rules.kernel import inlined, kernel

MOST_ACTIONS = board.ACTIONS
OF_COLOUR, HIDDEN = 64, 64  # units of a network, see `foresight`: for a colour, and for all
MOST_VOICES = 8  # networks that are asked together
THOUGHT = np.dtype(  # about one decision
    (
        np.record,
        [
            ("weights", np.float64, max(len(board_policy.WEIGHTS), len(stones_policy.WEIGHTS))),
            ("actions", np.int64, MOST_ACTIONS),  # the legal ones
            ("values", np.float64, MOST_ACTIONS),  # what each is worth
            ("steps", np.float64, board.COLOURS),  # on the board: to come on each path,
            ("share", np.float64),  # of these, the part for which there is time,
            ("worth", np.float64, board.COLOURS),  # and what each path will be worth
            ("way", np.float64, (board.COLOURS, board.STONES + 1)),  # and its tiles up to a stone
            ("once", np.int64),  # cards of which not every copy has been seen, or tiles not seen,
            ("twice", np.int64),  # and cards of which none has
            ("turns", np.float64),  # that the seat may still hope for
            ("stage", np.int64),  # of the game, by these, for the network,
            ("marks", np.int32, (LINES, MOST_MARKS)),  # what is so,
            ("marked", np.int64, LINES),  # and how much of it,
            ("lead", np.int64),  # of the seat, as it stands,
            ("colours", np.float32, (MOST_VOICES, LINES, OF_COLOUR)),  # its layer for a colour,
            ("awake", np.int64, OF_COLOUR),  # the units of one that have something to say,
            ("hidden", np.float32, (MOST_VOICES, LINES, HIDDEN)),  # what each adds to that for all,
            ("leads", np.float64, MOST_ACTIONS),  # by how much the seat will lead, for each action,
            ("ended", np.int8, MOST_ACTIONS),  # and whether that is how the game has ended
            ("front", np.int64, board.MOST_PLAYERS),  # in a rollout, where in the deck is what
            ("back", np.int64, board.MOST_PLAYERS),  # each seat will draw
        ],
    )
)


def thoughts(*weights: NDArray[np.float64]) -> NDArray[Any]:
    """Room to think in, one for each of the heuristic's weights.

    It is a record, since to hand on a record costs a kernel nothing, and to hand on some arrays
    as much as to evaluate a decision: references to arrays are counted. Kernels don't make it
    themselves, since a record does not keep the array alive that it is in.
    """
    room = np.zeros(len(weights), THOUGHT)
    for k, own in enumerate(weights):
        room["weights"][k, : len(own)] = own
    return room


@by_game(board_policy.evaluate, stones_policy.evaluate)
def evaluate(s, t, sparing):
    """Write the legal actions and what each is worth to a thought; tell how many there are.

    If `sparing`, some that can't be the best may be left out.
    """


@kernel
def best_action(s, t):
    """The action that the heuristic likes most; of equals the first."""
    return t.actions[best_of(t, evaluate(s, t, True))]


@inlined
def best_of(t, n):
    """The place of the best of the first `n` actions; of equals the first."""
    best = 0
    for k in range(1, n):
        if t.values[k] > t.values[best]:
            best = k
    return best


@kernel
def best_first(t, n, kept):
    """Bring the `kept` best of `n` actions to the front, in order."""
    for k in range(kept):
        best = k
        for j in range(k + 1, n):
            if t.values[j] > t.values[best]:
                best = j
        t.actions[k], t.actions[best] = t.actions[best], t.actions[k]
        t.values[k], t.values[best] = t.values[best], t.values[k]


@kernel
def values_of(states, i, room):
    """The same as `evaluate`, for callers from Python."""
    return evaluate(states[i], room[0], False)


@kernel
def contest(states, i, players, room, thinks, seeds, cap, results):
    """Play a game for each seed, which deals it.

    Each seat thinks in its own part of the room, by the weights that are there, or plays at random
    where it does not think. A game that is not over after `cap` decisions is left there, its
    reason RUNNING (B22).
    """
    s = states[i]
    for k in range(len(seeds)):
        s.rng = seeds[k]
        both.shuffled(s, players)
        decisions = 0
        turns = 1
        seat = s.seat
        while not both.is_over(s) and decisions < cap:
            if thinks[s.seat]:
                both.apply(s, best_action(s, room[s.seat]))
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
