"""The road not taken: information-set Monte Carlo tree search, against the search that ships.

    python -m benchmarks.tree stones 2 --rollouts 1500 --deals 60

One tree for all worlds. Each visit deals what the seat does not know anew and walks down through
the decisions that are legal in that world, the promising and the little tried ones first; where
it leaves the tree it adds a node, and the game is played to its end by the heuristic.
What a decision is worth is judged by the seat that makes it. The heuristic's opinion leads the way
at first and fades with the visits (the rule is PUCT). Both play the same deals against the
heuristic, from every seat, with as many rollouts a decision.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np

from keltis import Game, bots, new_game
from keltis.arena.statistics import mean
from keltis.bots.kernels.heuristic import best_action, evaluate
from keltis.bots.kernels.rollouts import ROLLOUTS, carry_out, share_out, world_state
from keltis.bots.kernels.scratch import MOST_ACTIONS, heuristic_scratch
from keltis.bots.kernels.value_network import won
from keltis.bots.position import likely_deals
from keltis.bots.weights import heuristic_weights
from keltis.game.kinds import kind
from keltis.rules import both, stones
from keltis.rules.kernel import kernel

DEEPEST = 200  # decisions in the tree; deeper down the rollout begins
CURIOSITY, HEAT = 0.3, 3.0  # how much is explored, and how evenly the heuristic's opinion is shared
_DECLINED = 1_000  # what is added to a declined tile, to tell such decisions apart

NODE = np.dtype(
    (
        np.record,
        [
            ("move", np.int32),  # that leads here
            ("first", np.int32),  # child, or 0
            ("next", np.int32),  # sibling, or 0
            ("visits", np.int32),
            ("chances", np.int32),  # visits to the parent in which the move was legal
            ("total", np.float64),  # utility to the seat that made the move
        ],
    )
)


@kernel
def grow(deals, states, scratch, rollouts, nodes, visits, seed):
    """Visit the tree, once in each world; nodes[0] is the root, the position in all `deals`."""
    h = scratch[0]
    out = rollouts[0]
    children = np.empty(MOST_ACTIONS, np.int64)
    path = np.empty(DEEPEST, np.int64)
    seats = np.empty(DEEPEST, np.int64)
    world = states[0]
    s = states[1]
    size = 1
    for number in range(visits):
        states[0] = deals[number % len(deals)]
        world.rng = world_state(seed, number)
        both.reshuffle_pile(world)
        share_out(world, out)
        states[1] = states[0]
        node = 0
        depth = 0
        new = False
        while not both.is_over(s) and depth < DEEPEST and not new:
            n = evaluate(s, h, False)
            k = _promising(s, nodes, node, n, h, children)
            node = children[k]
            new = node == 0
            if new:
                node = size
                size += 1
                parent = path[depth - 1] if depth else 0
                nodes[node].move = _move(s, h.actions[k])
                nodes[node].chances = 1
                nodes[node].next = nodes[parent].first
                nodes[parent].first = node
            seats[depth] = s.seat
            path[depth] = node
            depth += 1
            carry_out(s, world, out, h.actions[k])
        while not both.is_over(s):
            carry_out(s, world, out, best_action(s, h))
        for d in range(depth):
            nodes[path[d]].visits += 1
            nodes[path[d]].total += won(both.lead(s, seats[d]))


@kernel
def _move(s, action):
    """A decision as the tree tells it from others: which tile was declined makes a difference.

    In the board game, nothing has this number in a phase of this number.
    """
    if action == stones.DECLINE and s.phase == stones.TILE:
        return _DECLINED + np.int64(s.deck[s.next - 1])
    return np.int64(action)


@kernel
def _promising(s, nodes, node, n, h, children):
    """The place of the action to follow; fills `children` with the nodes of the actions, or 0."""
    for k in range(n):
        children[k] = 0
    child = nodes[node].first
    tried = 0.0
    total = 0.0
    while child:
        for k in range(n):
            if _move(s, h.actions[k]) == nodes[child].move:
                children[k] = child
                nodes[child].chances += 1
                tried += nodes[child].visits
                total += nodes[child].total
                break
        child = nodes[child].next
    top = h.values[0]
    for k in range(1, n):
        top = max(top, h.values[k])
    odds = 0.0
    for k in range(n):
        odds += np.exp((h.values[k] - top) / HEAT)
    hope = total / tried if tried else 0.0  # of an action that was never tried
    best = 0
    best_score = -np.inf
    for k in range(n):
        prior = np.exp((h.values[k] - top) / HEAT) / odds
        child = children[k]
        if child:
            visits = nodes[child].visits
            score = nodes[child].total / max(1, visits)
            score += CURIOSITY * prior * np.sqrt(nodes[child].chances) / (1 + visits)
        else:
            score = hope - 0.1 + CURIOSITY * prior * np.sqrt(tried + 1)
        if score > best_score:
            best_score = score
            best = k
    return best


class TreeBot:
    """Decides for the move that was visited most."""

    def __init__(self, seed: int, rollouts: int) -> None:
        self._random = Random(seed)
        self._rollouts = rollouts

    def choose(self, view: Mapping[str, Any]) -> str:
        legal: list[str] = view["legal_moves"]
        if len(legal) == 1:
            return legal[0]
        game, players = view["game"], len(view["players"])
        seed = self._random.getrandbits(64)
        deals = likely_deals(view, seed)
        states = np.zeros(2, deals.dtype)
        nodes = np.zeros(self._rollouts + 1, NODE)
        scratch, rollouts = (
            heuristic_scratch(heuristic_weights(game, players)),
            np.zeros(1, ROLLOUTS),
        )
        grow(deals, states, scratch, rollouts, nodes, self._rollouts, np.uint64(seed))
        best = child = int(nodes[0]["first"])
        while child:
            if nodes[child]["visits"] > nodes[best]["visits"]:
                best = child
            child = int(nodes[child]["next"])
        move = int(nodes[best]["move"])
        return kind(game).tokens[stones.DECLINE if move >= _DECLINED else move]


def through_views(bot: bots.Bot) -> Callable[[Game], str]:
    """What a bot decides at a table, of which it sees what its seat may know."""
    return lambda table: bot.choose(table.view(table.seat))


def against_heuristic(
    make: Callable[[int], Callable[[Game], str]], game: str, players: int, deals: int, seed: int
) -> str:
    """Wins and margin against heuristics, over deals; `make` makes from a seed what decides."""
    wins, margins = [], []
    for number in range(deals):
        won = ahead = 0.0
        for seat in range(players):
            table = new_game(game, players=players, seed=seed + number)
            own, others = make(number), through_views(bots.make("heuristic", seed=number))
            while table.seat is not None:
                table.play((own if table.seat == seat else others)(table))
            scores = table.scores()
            if seat in table.winners():
                won += 1 / len(table.winners())
            ahead += scores[seat] - max(x for q, x in enumerate(scores) if q != seat)
        wins.append(won / players)
        margins.append(ahead / players)
    w, m = mean(wins), mean(margins)
    return (
        f"wins {w.value:.1%} ({w.low:.1%} to {w.high:.1%}), "
        f"margin {m.value:+.2f} ({m.low:+.2f} to {m.high:+.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=["board", "stones"])
    parser.add_argument("players", type=int, choices=[2, 3, 4])
    parser.add_argument("--rollouts", type=int, default=1_500)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=72_000)
    given = parser.parse_args()
    rest = (given.game, given.players, given.deals, given.seed)
    rollouts = given.rollouts
    tree = against_heuristic(lambda seed: through_views(TreeBot(seed, rollouts)), *rest)
    print(f"tree: {tree}", flush=True)
    plans = against_heuristic(
        lambda seed: through_views(bots.make("search", seed=seed, rollouts=rollouts)), *rest
    )
    print(f"plans: {plans}", flush=True)


if __name__ == "__main__":
    main()
