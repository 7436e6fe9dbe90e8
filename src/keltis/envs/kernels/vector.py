"""Many games stepped by one call; each game has a record of the rules and a slot of its own.

Nothing here is checked: `keltis.envs.vector` allocates and validates. An array of length 0 is one
that the caller does not want written.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from keltis.bots.policy import MOST_ACTIONS, ROOM, evaluate
from keltis.envs.kernels.either import (
    drawn,
    is_legal,
    shuffled,
    write_information,
    write_mask,
    write_observation,
)
from keltis.rules import both
from keltis.rules.kernel import advance, below, kernel, scramble

EXTERNAL, RANDOM, HEURISTIC = range(3)  # who plays the other seats
RUNNING, ENDED, CUT_OFF, ILLEGAL = range(4)  # what a step did to a game

SLOT = np.dtype(
    (
        np.record,
        [
            ("stream", np.uint64),  # random numbers that deal the games of this slot
            ("sampler", np.uint64),  # random numbers for `sample`
            ("deal", np.uint64),  # the seed of the game that runs
            ("decisions", np.int32),
            ("me", np.int8),  # the seat played from outside; -1: all of them
        ],
    )
)

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("players", np.int64),
            ("end_stone_may", np.int64),
            ("shrunken", np.int64),
            ("cap", np.int64),  # decisions after which a game is cut off (B22)
            ("opponent", np.int64),
            ("temperature", np.float64),  # of the heuristic: 0 plays the best it knows
            ("win", np.float64),  # weights of the two kinds of reward
            ("margin", np.float64),
            ("illegal_reward", np.float64),
        ],
    )
)

_FINE = 1 << 30  # chances are drawn in steps of this part


# --- One game ----------------------------------------------------------------------------


@kernel
def _restart(s, slot, settings, shape):
    """Deal the slot's next game; the record's random numbers, the opponents', go on."""
    chance = s.rng
    slot.stream = advance(slot.stream)
    high = scramble(slot.stream)
    slot.stream = advance(slot.stream)
    slot.deal = (np.uint64(high) << np.uint64(32)) | np.uint64(scramble(slot.stream))
    s.rng = slot.deal
    shuffled(s, settings.players, settings.end_stone_may, settings.shrunken, shape)
    s.rng = chance
    slot.decisions = 0


@kernel
def _decide(s, slot, action, history, i):
    """Carry out an action and remember it."""
    room = history.shape[2]
    if room > 0:
        place = slot.decisions % room
        history[i, 0, place] = s.seat
        history[i, 1, place] = action
        history[i, 2, place] = drawn(s, action)
    both.apply(s, action)
    slot.decisions += 1


@kernel
def _reply(s, slot, settings, weights, history, i, room, actions, values):
    """Let the built-in opponents play up to the next decision from outside."""
    if settings.opponent == EXTERNAL:
        return
    while not both.is_over(s) and s.seat != slot.me and slot.decisions < settings.cap:
        if settings.opponent == RANDOM:
            action = np.int64(both.random_action(s))
        else:
            action = _think(s, settings.temperature, weights, room, actions, values)
        _decide(s, slot, action, history, i)


@kernel
def _think(s, temperature, weights, room, actions, values):
    """The heuristic's choice; the warmer it is, the likelier are those that it likes less."""
    n = evaluate(s, weights, room, actions, values)
    best = 0
    for k in range(1, n):
        if values[k] > values[best]:
            best = k
    if temperature <= 0 or n == 1:
        return actions[best]
    total = 0.0
    top = values[best]
    for k in range(n):
        total += np.exp((values[k] - top) / temperature)
        values[k] = total
    chance = below(s, _FINE) / _FINE * total
    k = 0
    while values[k] <= chance and k + 1 < n:
        k += 1
    return actions[k]


@kernel
def _reward(s, settings, scores, rewards, i):
    """Write the scores and what they are worth to each seat; the rewards sum to zero."""
    n = settings.players
    best = total = np.int64(0)
    winners = 0
    for p in range(n):
        score = np.int64(both.score(s, p))
        scores[i, p] = score
        total += score
        if winners == 0 or score > best:
            best = score
            winners = 1
        elif score == best:
            winners += 1
    for p in range(n):
        score = np.int64(scores[i, p])
        share = 1 / winners if score == best else 0.0
        won = (share * n - 1) / (n - 1)
        rewards[i, p] = settings.win * won + settings.margin * (score * n - total) / (n - 1)


# --- Shared by threads -------------------------------------------------------------------


def fetch_add(counter, k, amount):
    """Add to a shared counter; tell what it was before. Uncompiled, one thread at a time."""
    before = counter[k]
    counter[k] += amount
    return before


def load(counter, k):
    """A shared counter's value."""
    return counter[k]


def _place(context, builder, signature, arguments):
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


@intrinsic
def _fetch_add(typing_context, counter, k, amount):
    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(counter, types.int64, types.int64), generate


@intrinsic
def _load(typing_context, counter, k):
    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        return builder.load_atomic(place, "seq_cst", 8)

    return types.int64(counter, types.int64), generate


@overload(fetch_add, inline="always")
def _fetch_add_overload(counter, k, amount):
    return lambda counter, k, amount: _fetch_add(counter, np.int64(k), np.int64(amount))


@overload(load, inline="always")
def _load_overload(counter, k):
    return lambda counter, k: _load(counter, np.int64(k))


# --- Many --------------------------------------------------------------------------------


@kernel
def first_illegal(states, actions):
    """The first game whose action is illegal, or -1."""
    for i in range(len(states)):
        if not is_legal(states[i], actions[i]):
            return i
    return -1


@kernel
def sample(states, slots, actions):
    """Write a random legal action for each game, each as likely as any other."""
    for i in range(len(states)):
        s = states[i]
        chance = s.rng
        s.rng = slots[i].sampler
        actions[i] = both.random_action(s)
        slots[i].sampler = s.rng
        s.rng = chance


TAKEN, DONE = range(2)  # of a call's counters: games handed out, games stepped


@kernel
def step(
    counters, block, states, slots, settings, shape, weights, history, actions,
    observations, masks, informations, finals, rewards, scores, seats, ends, deals,
):  # fmt: skip
    """Carry out an action in each game, and restart those that are over.

    Threads that are given the same counters share the games, a block at a time. An illegal
    action, such as -1, ends its game. `finals` gets the observation with which a game ended, of
    the seat that moved last from outside; `deals` the seed of the deal that was played.
    """
    room = np.empty(ROOM)
    room_actions = np.empty(MOST_ACTIONS, np.int64)
    values = np.empty(MOST_ACTIONS)
    rules = settings[0]
    games = len(states)
    first = fetch_add(counters, TAKEN, block)
    while first < games:
        end = min(first + block, games)
        for i in range(first, end):
            s = states[i]
            slot = slots[i]
            viewer = s.seat
            how = RUNNING
            if is_legal(s, actions[i]):
                _decide(s, slot, actions[i], history, i)
            else:
                how = ILLEGAL
            deals[i] = slot.deal
            for p in range(rules.players):
                rewards[i, p] = 0
            if how == RUNNING:
                _reply(s, slot, rules, weights, history, i, room, room_actions, values)
                if both.is_over(s):
                    how = ENDED
                elif slot.decisions >= rules.cap:
                    how = CUT_OFF
            ends[i] = how
            if how != RUNNING:
                _reward(s, rules, scores, rewards, i)
                if how != ENDED:
                    for p in range(rules.players):
                        rewards[i, p] = 0
                if how == ILLEGAL:
                    rewards[i, viewer] = rules.illegal_reward
                if len(finals):
                    write_observation(s, viewer, finals, i * (len(finals) // games))
                while how != RUNNING:  # a game may end before there is anything to decide
                    _restart(s, slot, rules, shape)
                    _reply(s, slot, rules, weights, history, i, room, room_actions, values)
                    if not both.is_over(s) and slot.decisions < rules.cap:
                        how = RUNNING
            seats[i] = s.seat
            if len(observations):
                write_observation(s, s.seat, observations, i * (len(observations) // games))
            if len(masks):
                write_mask(s, masks, i * (len(masks) // games))
            if len(informations):
                at = i * (len(informations) // games)
                write_information(s, s.seat, informations, at, history, i, slot.decisions)
        fetch_add(counters, DONE, end - first)
        first = fetch_add(counters, TAKEN, block)


@kernel
def wait(counters, k, value, spins):
    """Watch a counter until it is at least a value; tell whether it came to that in time."""
    for _ in range(spins):
        if load(counters, k) >= value:
            return True
    return load(counters, k) >= value
