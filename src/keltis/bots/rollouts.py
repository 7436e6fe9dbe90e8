"""Search by rollouts: whole turns tried out in worlds that agree with what the seat knows.

A plan is what a seat may do until its turn is over: a card, the steps it brings, and where to
draw. Each world deals what the seat does not know; every plan is played in the same worlds, and
the game goes on to its end: the seat by `experience` for some turns and then, which is
quicker, by the heuristic, the others by the heuristic. A plan is worth its mean chance to win,
smoothed by the margin.

On the board, a plan also learns how to go on: its tree keeps count of what came of the seat's
next decisions, whatever was drawn, and once one of them turns out to be a mistake of experience,
the plan is judged with a better one.
"""

import numpy as np
from numpy.typing import NDArray

from keltis.bots.experience import A_WIN, WIDTH, follow, judge
from keltis.bots.policy import MOST_JUDGED, best_action, best_first, best_of, evaluate
from keltis.rules import both
from keltis.rules.kernel import inlined, kernel

NEAR = 12  # decisions of the seat after a plan that follow experience
LONGEST = 16  # decisions in a plan; what is left of a longer turn follows experience
MOST_PLANS = 64
FIRST_WIDTH, LATER_WIDTH = 12, 2  # actions that are followed: first, and later in the turn
_CLOSE = 2.0  # points between actions that are both worth to be followed later in a turn
PLACES = 2  # states that a search takes up: a world, a rollout

_ENOUGH = 8  # visits of a node after which the next decisions are counted, too
_OPINION = 60  # visits that experience's opinion of a decision in a tree counts as
_CURIOSITY = 0.2  # of a win: how far a decision that was little tried is given the benefit of doubt

NODE = np.dtype(  # of a plan's tree: a decision of the seat, and what came of it
    (
        np.record,
        [
            ("action", np.int32),
            ("first", np.int32),  # of the decisions that were tried after it; 0: none
            ("next", np.int32),  # that was tried instead of it
            ("visits", np.int32),
            ("total", np.int64),  # utility
        ],
    )
)
NO_TREES = np.zeros((MOST_PLANS, 0), NODE)


@kernel
def plan_turn(deals, states, room, known, plans, lengths, priors):
    """Write the most promising plans for the turn that goes on in deals[0]; tell how many.

    The FIRST_WIDTH actions that experience likes best are followed, and after each at every
    decision the best LATER_WIDTH that are close, up to the end of the turn or to something that
    nobody can foresee. A plan's prior is how far, by experience, its actions fall short of the
    best, in points. The plans grow depth first, the most promising first, until there is no room
    for more. states[0] is overwritten, and room[0] is thought in.
    """
    t = room[0]
    growing = np.empty((MOST_PLANS, LONGEST), np.int64)
    depths = np.zeros(MOST_PLANS, np.int64)
    worths = np.zeros(MOST_PLANS)
    plan = np.empty(LONGEST, np.int64)
    seat = deals[0].seat
    s = states[0]
    waiting = 1
    done = 0
    while waiting:
        waiting -= 1
        depth = depths[waiting]
        worth = worths[waiting]
        plan[:] = growing[waiting]
        states[0] = deals[0]
        for k in range(depth):
            both.apply(s, plan[k])
        if depth == LONGEST or both.is_over(s) or s.seat != seat:
            plans[done] = plan
            lengths[done] = depth
            priors[done] = worth
            done += 1
            continue
        n = evaluate(s, t, False)
        n = judge(s, t, n, known, MOST_JUDGED)
        kept = min(n, LATER_WIDTH if depth else FIRST_WIDTH, MOST_PLANS - waiting - done)
        best_first(t, n, kept)
        best = t.values[0]
        while depth and t.values[kept - 1] < best - _CLOSE:
            kept -= 1
        for k in range(kept - 1, -1, -1):  # the last to wait is the first to grow
            plan[depth] = t.actions[k]
            if both.reveals(s, t.actions[k]):
                plans[done] = plan
                lengths[done] = depth + 1
                priors[done] = worth + t.values[k] - best
                done += 1
            else:
                growing[waiting] = plan
                depths[waiting] = depth + 1
                worths[waiting] = worth + t.values[k] - best
                waiting += 1
    return done


@kernel
def try_plans(
    deals,
    states,
    base,
    room,
    at,
    known,
    plans,
    lengths,
    alive,
    first,
    end,
    seed,
    near,
    cap,
    worth,
    sums,
    trees,
):
    """Play the plans that are alive in the worlds from `first` to `end`; add up their utility.

    `deals` are positions as the seat whose turn it is may imagine them, see `belief`: a world has
    the hands of one of them, taken in turn, and a pile of its own. states[base] is a world and the
    next a rollout, and room[at] is thought in. `known` is experience, and decides for the seat
    `near` times in a rollout; `worth` has the utilities. A world is made of its number and the
    seed alone, and a plan's tree of the worlds before it, so the sums do not depend on who plays
    which plans. sums[0] gets the utilities, sums[1] the margins, sums[2] their squares. trees[plan]
    is a plan's tree, its first node the root; without room for nodes there are none.
    """
    t = room[at]
    seat = deals[0].seat
    world = states[base]
    s = states[base + 1]
    for number in range(first, end):
        states[base] = deals[number % len(deals)]
        world.rng = scrambled(seed, number)
        both.reshuffle_pile(world)
        for k in range(len(alive)):
            plan = alive[k]
            states[base + 1] = states[base]
            share_out(world, t)
            for d in range(lengths[plan]):
                carry_out(s, t, world, plans[plan, d])
            tried = 0
            if trees.shape[1]:
                tried = climb(s, t, world, seat, known, trees, plan)
            play_out(s, t, world, seat, known, near - tried, cap)
            margin = both.lead(s, seat)
            value = utility(worth, margin)
            if trees.shape[1]:
                for d in range(tried + 1):
                    node = trees[plan, t.path[d]]
                    node.visits += 1
                    node.total += value
            sums[0, plan] += value
            sums[1, plan] += margin
            sums[2, plan] += margin * margin


@kernel
def share_out(world, t):
    """Set aside for each seat what it will draw, or turn over, in a world.

    What one seat does then changes nothing in what the others draw, and plans that are tried in
    the same world differ by less luck.
    """
    left = len(world.deck) - np.int64(world.next)
    for p in range(world.players):
        t.front[p] = world.next + left * p // world.players
        t.back[p] = world.next + left * (p + 1) // world.players


@inlined
def carry_out(s, t, world, action):
    """Carry out an action; what it brings to light is what the world has set aside."""
    if both.reveals(s, action):
        p = np.int64(s.seat)
        if t.front[p] < t.back[p]:
            card = world.deck[t.front[p]]
            t.front[p] += 1
        else:  # nothing is left: the last of the seat that has most
            for q in range(s.players):
                if t.back[q] - t.front[q] > t.back[p] - t.front[p]:
                    p = np.int64(q)
            t.back[p] -= 1
            card = world.deck[t.back[p]]
        s.deck[s.next] = card
    both.apply(s, action)


@kernel
def climb(s, t, world, seat, known, trees, plan):
    """Play on as a plan's tree advises; tell how many of the seat's decisions it had.

    t.path gets its nodes, the root first. Each decision is the one that promises most: by
    experience, by what came of it, and by how little it was tried.
    """
    at = t.path[0] = 0
    tried = 0
    while not both.is_over(s) and tried + 1 < len(t.path) and trees[plan, at].visits >= _ENOUGH:
        if s.seat != seat:
            carry_out(s, t, world, best_action(s, t))
            continue
        n = judge(s, t, evaluate(s, t, False), known, WIDTH)
        if n == 1:
            carry_out(s, t, world, t.actions[0])
            continue
        k = _most_promising(t, n, trees, plan, at)
        at = _node_of(trees, plan, at, t.actions[k])
        if at == 0:  # there is no room for more
            break
        tried += 1
        t.path[tried] = at
        carry_out(s, t, world, t.actions[k])
    return tried


@inlined
def _most_promising(t, n, trees, plan, at):
    """The place of the action to try at a node; of equals the one that is liked more."""
    visits = trees[plan, at].visits
    usual = trees[plan, at].total / visits
    doubt = _CURIOSITY * WIN * np.sqrt(np.log(visits + 1.0))
    liked = t.values[best_of(t, n)]
    best = 0
    most = -np.inf
    for k in range(n):
        promise = _OPINION * (usual + WIN / A_WIN * (t.values[k] - liked))
        weight = np.float64(_OPINION)
        child = trees[plan, at].first
        while child and trees[plan, child].action != t.actions[k]:
            child = trees[plan, child].next
        if child:
            promise += trees[plan, child].total
            weight += trees[plan, child].visits
        promise = promise / weight + doubt / np.sqrt(weight)
        if promise > most:
            most = promise
            best = k
    return best


@inlined
def _node_of(trees, plan, at, action):
    """The node of an action after a node, made if there is none; 0 if there is no room for it."""
    child = np.int64(trees[plan, at].first)
    while child and trees[plan, child].action != action:
        child = np.int64(trees[plan, child].next)
    if child == 0 and trees[plan, 0].action + 1 < trees.shape[1]:
        trees[plan, 0].action += 1  # the root counts the nodes that there are
        child = np.int64(trees[plan, 0].action)
        trees[plan, child].action = action
        trees[plan, child].next = trees[plan, at].first
        trees[plan, at].first = child
    return child


@kernel
def play_out(s, t, world, seat, known, near, cap):
    """Play on, to the end or for `cap` decisions.

    The seat follows experience `near` times, and the heuristic decides the rest.
    """
    decisions = 0
    while not both.is_over(s) and decisions < cap:
        if s.seat == seat and near > 0:
            near -= 1
            carry_out(s, t, world, follow(s, t, known))
        else:
            carry_out(s, t, world, best_action(s, t))
        decisions += 1


@kernel
def scrambled(seed, number):
    """The random state of a world."""
    return np.uint64(seed) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)


WIN = 1000  # utility of a game that is won by far; half of it for a shared first place
_FAR = 100  # points of margin that count as by far


def utilities(smooth: float) -> NDArray[np.int64]:
    """What a game is worth by its margin: a chance to win, which grows over some points.

    Games just won and just lost differ by luck; to tell two plans apart by wins and losses alone
    takes three times as many worlds. The margin itself decides between equals.
    """
    margins = np.arange(-_FAR, _FAR + 1)
    chances = (1 + np.tanh(margins / smooth)) / 2
    return np.round(WIN * chances).astype(np.int64) + margins


@inlined
def utility(worth, margin):
    """The same for one margin."""
    return worth[min(max(margin, -_FAR), _FAR) + _FAR]
