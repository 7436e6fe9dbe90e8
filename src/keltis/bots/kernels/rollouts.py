"""Search by rollouts: whole turns tried out in worlds that agree with what the seat knows.

A plan is what a seat may do until its turn is over: a card, the steps it brings, and where to
draw. Each world deals what the seat does not know; every plan is played in the same worlds. It goes
on for some turns, the seat's by the value network, the others' by the heuristic, and the network
judges where it stands then. If there is an ensemble, its members take turns: each world has one of
them. A plan is worth its mean chance to win; a point of lead counts for a thousandth of a win
besides.
"""

import numpy as np

from keltis.bots.kernels import features
from keltis.bots.kernels.heuristic import best_action, best_first, best_of
from keltis.bots.kernels.scratch import HEURISTIC, NETWORK
from keltis.bots.kernels.value_network import favourite, glance, judge, members, won
from keltis.rules import both
from keltis.rules.board import MOST_PLAYERS
from keltis.rules.dispatch import STATES
from keltis.rules.kernel import entry, inlined, kernel

LONGEST = 16  # decisions in a plan; what is left of a longer turn follows the network
MOST_PLANS = 64
FIRST_WIDTH, LATER_WIDTH = 12, 2  # actions that are followed: first, and later in the turn
_CLOSE = 0.05  # of a win, between actions that are both worth to be followed later in a turn
PLACES = 3  # states that a search takes up: a world, a rollout, what an action leads to

WIN = 100_000  # utility of a game that is won; half of it for a shared first place
POINT = 100  # utility of a point of lead
UTILITY, LEAD, LEAD_SQUARED = range(3)  # what is added up, in whole numbers

_STRIDE = 0xD1342543DE82EF95  # between the random states of two worlds: odd, its bits well mixed

PLANS = np.dtype(  # of one turn
    (
        np.record,
        [
            ("plans", np.int64, (MOST_PLANS, LONGEST)),  # the actions of each plan
            ("lengths", np.int64, MOST_PLANS),  # how many actions each plan has
            ("priors", np.float64, MOST_PLANS),  # how far each falls short of the best, in wins
            ("alive", np.int64, MOST_PLANS),  # the plans that are tried, by their places
            ("alive_count", np.int64),  # how many of `alive` there are
            ("seed", np.uint64),  # of the worlds
            # How rollouts go on, see `RolloutSettings`.
            ("first_turn", np.int64),  # of the seat at whose start a rollout is judged
            ("last_turn", np.int64),  # the same; a rollout ends there
            ("actions", np.int64),  # that the seat looks at in a rollout
            # While plans are made: those that are not whole yet, and the one that grows.
            ("growing", np.int64, (MOST_PLANS, LONGEST)),  # the actions of each
            ("depths", np.int64, MOST_PLANS),  # how many actions each of `growing` has
            ("growing_priors", np.float64, MOST_PLANS),  # how far each of `growing` falls short
            ("plan", np.int64, LONGEST),  # the actions of the one that grows
        ],
    )
)

ROLLOUTS = np.dtype(  # of one thread
    (
        np.record,
        [
            ("sums", np.int64, (3, MOST_PLANS)),  # of utility, lead, and its square, by plan
            ("next_card", np.int64, MOST_PLAYERS),  # place in the deck of what each seat draws next
            ("end_card", np.int64, MOST_PLAYERS),  # place after the last that is set aside for it
        ],
    )
)


# --- Plans -------------------------------------------------------------------------------------


@entry(deals=STATES, states=STATES, h=HEURISTIC, net=NETWORK, weights=np.float32, turn=PLANS)
def plan_turn(deals, states, h, net, weights, turn):
    """Write the most promising plans for the turn that goes on in deals[0]; return how many.

    The FIRST_WIDTH actions that the network likes best are followed, and after each at every
    decision the best LATER_WIDTH that are close, up to the end of the turn or to something that
    nobody can foresee. A plan's prior is how far, by the network, its actions fall short of the
    best. The plans grow depth first, the most promising first, until there are MOST_PLANS.
    `turn` is of PLANS; states[0] and the next are overwritten.
    """
    t = turn[0]
    seat = deals[0].seat
    s = states[0]
    t.depths[0] = 0
    t.growing_priors[0] = 0.0
    waiting = 1
    done = 0
    while waiting:
        waiting -= 1
        depth = t.depths[waiting]
        prior = t.growing_priors[waiting]
        for k in range(LONGEST):
            t.plan[k] = t.growing[waiting, k]
        states[0] = deals[0]
        for k in range(depth):
            both.apply(s, t.plan[k])
        if depth == LONGEST or both.is_over(s) or s.seat != seat:
            _write_plan(t, done, depth, prior)
            done += 1
            continue
        n = judge(states, 0, h[0], net[0], weights)
        kept = min(n, LATER_WIDTH if depth else FIRST_WIDTH, MOST_PLANS - waiting - done)
        best_first(net[0], n, kept)
        values = net[0].values
        while depth and values[kept - 1] < values[0] - _CLOSE:
            kept -= 1
        for k in range(kept - 1, -1, -1):  # the last to wait is the first to grow
            action = net[0].actions[k]
            t.plan[depth] = action
            short = prior + values[k] - values[0]
            if both.reveals(s, action):
                _write_plan(t, done, depth + 1, short)
                done += 1
            else:
                for j in range(LONGEST):
                    t.growing[waiting, j] = t.plan[j]
                t.depths[waiting] = depth + 1
                t.growing_priors[waiting] = short
                waiting += 1
    return done


@inlined
def _write_plan(t, place, length, prior):
    """Write the plan that has grown."""
    for k in range(LONGEST):
        t.plans[place, k] = t.plan[k]
    t.lengths[place] = length
    t.priors[place] = prior


# --- Rollouts ----------------------------------------------------------------------------------


@entry(
    deals=STATES,
    states=STATES,
    h=HEURISTIC,
    net=NETWORK,
    weights=np.float32,
    turn=PLANS,
    rollouts=ROLLOUTS,
)
def try_plans(deals, states, h, net, weights, turn, first, end, rollouts):
    """Play the plans that are alive in the worlds from `first` to `end`; add up their worth.

    `deals` are positions as the seat whose turn it is may imagine them, see `belief`: a world has
    the hands of one of them, taken in turn, and a pile of its own. states[0] is a world and the
    next two are a rollout. `turn` is of PLANS, and the sums of `rollouts`, of ROLLOUTS, grow. A
    world is made of its number and the seed alone, and utilities are whole numbers, so the sums do
    not depend on who plays which worlds.
    """
    t = turn[0]
    out = rollouts[0]
    world = states[0]
    s = states[1]
    for number in range(first, end):
        states[0] = deals[number % len(deals)]
        world.rng = world_state(t.seed, number)
        both.reshuffle_pile(world)
        m = number % members(world, weights)
        for k in range(t.alive_count):
            plan = t.alive[k]
            states[1] = states[0]
            share_out(world, out)
            for d in range(t.lengths[plan]):
                carry_out(s, world, out, t.plans[plan, d])
            utility, lead = _play_on(states, h[0], net[0], weights, t, out, m)
            out.sums[UTILITY, plan] += utility
            out.sums[LEAD, plan] += lead
            out.sums[LEAD_SQUARED, plan] += lead * lead


@kernel
def share_out(world, out):
    """Set aside for each seat what it will draw, or turn over, in a world.

    What one seat does then changes nothing in what the others draw, and plans that are tried in
    the same world differ by less luck.
    """
    left = len(world.deck) - np.int64(world.next)
    for p in range(world.players):
        out.next_card[p] = world.next + left * p // world.players
        out.end_card[p] = world.next + left * (p + 1) // world.players


@inlined
def carry_out(s, world, out, action):
    """Carry out an action; what it brings to light is what the world has set aside."""
    if both.reveals(s, action):
        p = np.int64(s.seat)
        if out.next_card[p] < out.end_card[p]:
            card = world.deck[out.next_card[p]]
            out.next_card[p] += 1
        else:  # nothing is left: the last of the seat that has most
            for q in range(s.players):
                if out.end_card[q] - out.next_card[q] > out.end_card[p] - out.next_card[p]:
                    p = np.int64(q)
            out.end_card[p] -= 1
            card = world.deck[out.end_card[p]]
        s.deck[s.next] = card
    both.apply(s, action)


@kernel
def _play_on(states, h, net, weights, t, out, m):
    """Play on for some turns of the seat; return the utility, and the lead in units of utility.

    They are the mean of what a member of the ensemble tells at the start of the seat's turns that
    are judged. Where the game ends before, how it ended counts for those that are missing.
    """
    world = states[0]
    s = states[1]
    seat = world.seat
    chances = leads = 0.0
    others = s.seat != seat
    turn = 0
    while turn < t.last_turn and not both.is_over(s):
        if s.seat != seat:
            others = True
            carry_out(s, world, out, best_action(s, h))
            continue
        turn += others
        judged = others and turn >= t.first_turn
        others = False
        if not judged and features.list_actions(s, net) == 1:
            carry_out(s, world, out, net.actions[0])
            continue
        n = glance(states, 1, h, net, t.actions, m, weights)
        if judged:
            k = best_of(net, n)
            chances += net.values[k]
            leads += net.leads[k]
        if turn < t.last_turn:
            carry_out(s, world, out, net.actions[favourite(net, n)])
    count = t.last_turn - t.first_turn + 1
    missing = min(count, t.last_turn - turn)
    if missing:
        lead = both.lead(s, seat)
        chances += missing * won(lead)
        leads += missing * lead
    points = np.int64(np.round(POINT * (leads / count)))
    return np.int64(np.round(WIN * (chances / count))) + points, points


@kernel
def world_state(seed, number):
    """The random state of a world."""
    return np.uint64(seed) + np.uint64(number) * np.uint64(_STRIDE)
