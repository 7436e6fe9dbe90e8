"""Search by rollouts: whole turns tried out in worlds that agree with what the seat knows.

A plan is what a seat may do until its turn is over: a card, the steps it brings, and where to
draw. Each world deals what the seat does not know; every plan is played in the same worlds. It goes
on for some turns, the seat's by `foresight`, the others' by the heuristic, and foresight tells what
it is worth where it stands then. If foresight has several voices, they take turns: each world has
one of them. A plan is worth its mean chance to win; a point of lead counts for a thousandth of a
win besides.
"""

from typing import NamedTuple

import numpy as np

from keltis.bots import sight
from keltis.bots.foresight import favourite, glance, judge, voices, won
from keltis.bots.policy import THOUGHT, best_action, best_first, best_of
from keltis.rules import both
from keltis.rules.dispatch import STATES
from keltis.rules.kernel import entry, inlined, kernel
from keltis.rules.library import Array, Scalar

LONGEST = 16  # decisions in a plan; what is left of a longer turn follows foresight
MOST_PLANS = 64
FIRST_WIDTH, LATER_WIDTH = 12, 2  # actions that are followed: first, and later in the turn
_CLOSE = 0.05  # of a win, between actions that are both worth to be followed later in a turn
PLACES = 3  # states that a search takes up: a world, a rollout, what an action leads to

WIN = 100_000  # utility of a game that is won; half of it for a shared first place
POINT = 100  # utility of a point of lead


class Way(NamedTuple):
    """How rollouts go on, as the seat sees it.

    They are judged at the start of its turns from the `first` to the `last`, counted from the one
    that is planned, and the mean is what they are worth. So many `actions` are looked at, of those
    that the heuristic likes best.
    """

    first: int
    last: int
    actions: int


@entry(
    deals=STATES,
    states=STATES,
    room=THOUGHT,
    known=np.float32,
    plans=Array(np.int64, 2),
    lengths=np.int64,
    priors=np.float64,
)
def plan_turn(deals, states, room, known, plans, lengths, priors):
    """Write the most promising plans for the turn that goes on in deals[0]; tell how many.

    The FIRST_WIDTH actions that foresight likes best are followed, and after each at every
    decision the best LATER_WIDTH that are close, up to the end of the turn or to something that
    nobody can foresee. A plan's prior is how far, by foresight, its actions fall short of the
    best. The plans grow depth first, the most promising first, until there is no room for more.
    states[0] and the next are overwritten, and room[0] is thought in.
    """
    t = room[0]
    seat = deals[0].seat
    s = states[0]
    # Plans that are done are written from the front on, and those that still grow from the back.
    # One that is taken up stays where it is until those that grow out of it have its beginning.
    waiting = 1
    done = 0
    lengths[MOST_PLANS - 1] = 0
    priors[MOST_PLANS - 1] = 0.0
    while waiting:
        own = MOST_PLANS - waiting
        waiting -= 1
        depth = lengths[own]
        worth = priors[own]
        states[0] = deals[0]
        for k in range(depth):
            both.apply(s, plans[own, k])
        if depth == LONGEST or both.is_over(s) or s.seat != seat:
            _grow(plans, lengths, priors, own, depth, done, depth, worth)
            done += 1
            continue
        n = judge(states, 0, t, known)
        kept = min(n, LATER_WIDTH if depth else FIRST_WIDTH, MOST_PLANS - waiting - done)
        best_first(t, n, kept)
        best = t.values[0]
        while depth and t.values[kept - 1] < best - _CLOSE:
            kept -= 1
        for k in range(kept - 1, -1, -1):  # the last to wait is the first to grow
            if both.reveals(s, t.actions[k]):
                to = done
                done += 1
            else:
                waiting += 1
                to = MOST_PLANS - waiting
            _grow(plans, lengths, priors, own, depth, to, depth + 1, worth + t.values[k] - best)
            plans[to, depth] = t.actions[k]
    for k in range(done, MOST_PLANS):
        lengths[k] = 0
        priors[k] = 0.0
    return done


@inlined
def _grow(plans, lengths, priors, own, depth, to, length, prior):
    """Write a plan that begins as another does."""
    for k in range(depth):
        plans[to, k] = plans[own, k]
    lengths[to] = length
    priors[to] = prior


@entry(
    deals=STATES,
    states=STATES,
    room=THOUGHT,
    known=np.float32,
    plans=Array(np.int64, 2),
    lengths=np.int64,
    alive=np.int64,
    seed=Scalar(np.uint64),
    sums=Array(np.int64, 2),
)
def try_plans(
    deals, states, base, room, at, known, plans, lengths, alive, first, end, seed,
    first_judged, last_judged, actions, sums,
):  # fmt: skip
    """Play the plans that are alive in the worlds from `first` to `end`; add up their utility.

    `deals` are positions as the seat whose turn it is may imagine them, see `belief`: a world has
    the hands of one of them, taken in turn, and a pile of its own. states[base] is a world and the
    next two a rollout, and room[at] is thought in. `known` is what foresight knows; the three
    numbers before the sums are the `Way` in which rollouts go on. A world is made of its number and
    the seed alone, and utilities are whole numbers, so the sums do not depend on who plays which
    worlds. sums[0] gets the utilities, sums[1] the leads, sums[2] their squares.
    """
    way = Way(first_judged, last_judged, actions)
    t = room[at]
    seat = deals[0].seat
    world = states[base]
    s = states[base + 1]
    for number in range(first, end):
        states[base] = deals[number % len(deals)]
        world.rng = scrambled(seed, number)
        both.reshuffle_pile(world)
        v = number % voices(world, known)
        for k in range(len(alive)):
            plan = alive[k]
            states[base + 1] = states[base]
            share_out(world, t)
            for d in range(lengths[plan]):
                carry_out(s, t, world, plans[plan, d])
            value, lead = play_on(states, base + 1, t, world, seat, v, known, way)
            sums[0, plan] += value
            sums[1, plan] += lead
            sums[2, plan] += lead * lead


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
def play_on(states, at, t, world, seat, v, known, way):
    """Play on for some turns of the seat; tell the utility and the lead, which is told as utility.

    They are the mean of what a voice of foresight tells at the start of the seat's turns that are
    judged. Where the game ends before, how it ended counts for those that are missing.
    """
    s = states[at]
    chances = leads = 0.0
    others = s.seat != seat
    turn = 0
    while turn < way.last and not both.is_over(s):
        if s.seat != seat:
            others = True
            carry_out(s, t, world, best_action(s, t))
            continue
        turn += others
        judged = others and turn >= way.first
        others = False
        if not judged and sight.list_actions(s, t) == 1:
            carry_out(s, t, world, t.actions[0])
            continue
        n = glance(states, at, t, way.actions, v, known)
        if judged:
            k = best_of(t, n)
            chances += t.values[k]
            leads += t.leads[k]
        if turn < way.last:
            carry_out(s, t, world, t.actions[favourite(t, n)])
    count = way.last - way.first + 1
    missing = min(count, way.last - turn)
    if missing:
        lead = both.lead(s, seat)
        chances += missing * won(lead)
        leads += missing * lead
    return utility(chances / count, leads / count)


@inlined
def utility(chance, lead):
    """What a chance to win and a lead are worth, and the lead alone, in whole numbers."""
    points = np.int64(np.round(POINT * lead))
    return np.int64(np.round(WIN * chance)) + points, points


@kernel
def scrambled(seed, number):
    """The random state of a world."""
    return np.uint64(seed) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)
