"""Search in a tree of decisions: information-set Monte Carlo tree search.

One tree for all worlds. Each visit deals what the seat does not know anew and walks down through
the decisions that are legal in that world, the promising and the little tried ones first; where
it leaves the tree it adds a node, and the heuristic plays to the end. What a decision is worth
is judged by the seat that makes it. The heuristic's opinion leads the way at first and fades with
the visits (the rule is PUCT).
"""

import numpy as np

from keltis.bots.policy import MOST_ACTIONS, evaluate
from keltis.bots.rollouts import WIN, carry_out, play_out, scrambled, share_out, utility
from keltis.rules import both
from keltis.rules.kernel import kernel

DEEPEST = 200  # decisions in the tree; deeper down the heuristic plays

NODE = np.dtype(
    (
        np.record,
        [
            ("action", np.int16),  # that leads here
            ("first", np.int32),  # child, or 0
            ("next", np.int32),  # sibling, or 0
            ("visits", np.int32),
            ("chances", np.int32),  # visits to the parent in which the action was legal
            ("total", np.float64),  # utility to the seat that took the action
        ],
    )
)


@kernel
def grow(states, base, room, nodes, size, first, end, seed, cap, worth, curiosity, heat):
    """Visit the tree once for each world from `first` to `end`; tell its new size.

    nodes[0] is the root, the position in states[base]; states[base + 1]
    and states[base + 2] are overwritten. When
    there is no room for more nodes, the tree only learns.
    """
    t = room[0]
    children = np.empty(MOST_ACTIONS, np.int64)
    path = np.empty(DEEPEST, np.int64)
    seats = np.empty(DEEPEST, np.int64)
    seat = states[base].seat
    world = states[base + 1]
    s = states[base + 2]
    for number in range(first, end):
        states[base + 1] = states[base]
        world.rng = scrambled(seed, number)
        both.reshuffle(world, seat)
        share_out(world, t)
        states[base + 2] = states[base + 1]
        node = 0
        depth = 0
        while not both.is_over(s) and depth < DEEPEST:
            n = evaluate(s, t, False)
            k = _promising(nodes, node, n, t, children, curiosity, heat)
            child = children[k]
            new = child == 0
            if new:
                if size == len(nodes):
                    break
                child = size
                size += 1
                nodes[child].action = t.actions[k]
                nodes[child].first = 0
                nodes[child].next = nodes[node].first
                nodes[child].visits = 0
                nodes[child].chances = 1
                nodes[child].total = 0.0
                nodes[node].first = child
            seats[depth] = s.seat
            path[depth] = child
            depth += 1
            carry_out(s, t, world, t.actions[k])
            node = child
            if new:
                break
        play_out(s, t, world, cap)
        nodes[0].visits += 1
        for d in range(depth):
            nodes[path[d]].visits += 1
            margin = both.score(s, seats[d]) - both.best_other_score(s, seats[d])
            nodes[path[d]].total += utility(worth, margin) / WIN
    return size


@kernel
def _promising(nodes, node, n, t, children, curiosity, heat):
    """The place of the action to follow; fills `children` with the nodes of the actions, or 0."""
    for k in range(n):
        children[k] = 0
    child = nodes[node].first
    tried = 0.0
    total = 0.0
    while child:
        for k in range(n):
            if t.actions[k] == nodes[child].action:
                children[k] = child
                nodes[child].chances += 1
                tried += nodes[child].visits
                total += nodes[child].total
                break
        child = nodes[child].next
    top = t.values[0]
    for k in range(1, n):
        top = max(top, t.values[k])
    odds = 0.0
    for k in range(n):
        odds += np.exp((t.values[k] - top) / heat)
    hope = total / tried if tried else 0.0  # of an action that was never tried
    best = 0
    best_score = -np.inf
    for k in range(n):
        prior = np.exp((t.values[k] - top) / heat) / odds
        child = children[k]
        if child:
            visits = nodes[child].visits
            score = nodes[child].total / max(1, visits)
            score += curiosity * prior * np.sqrt(nodes[child].chances) / (1 + visits)
        else:
            score = hope - 0.1 + curiosity * prior * np.sqrt(tried + 1)
        if score > best_score:
            best_score = score
            best = k
    return best
