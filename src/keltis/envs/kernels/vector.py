"""Many games stepped by one call; each game has a record of the rules and a slot of its own.

Nothing here is checked: `keltis.envs.vector` allocates and validates. An array of length 0 is one
that the caller does not want written.
"""

import numpy as np

from keltis.bots.policy import MOST_ACTIONS, ROOM, evaluate
from keltis.envs.kernels.either import (
    drawn,
    is_legal,
    shuffled,
    write_information,
    write_mask,
    write_observation,
)
from keltis.envs.kernels.sharing import (
    fetch_add,
    float32_at,
    int8_at,
    int16_at,
    int64_at,
    load,
    put,
    uint64_at,
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

_PATIENCE = 20_000  # spins before the leader takes over games of the others: some 20 microseconds
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
def _reward(s, settings, scores, rewards, at):
    """Write the scores and what they are worth to each seat; the rewards sum to zero."""
    n = settings.players
    best = total = np.int64(0)
    winners = 0
    for p in range(n):
        score = np.int64(both.score(s, p))
        scores[at + p] = score
        total += score
        if winners == 0 or score > best:
            best = score
            winners = 1
        elif score == best:
            winners += 1
    for p in range(n):
        score = np.int64(scores[at + p])
        share = 1 / winners if score == best else 0.0
        won = (share * n - 1) / (n - 1)
        rewards[at + p] = settings.win * won + settings.margin * (score * n - total) / (n - 1)


# --- Many --------------------------------------------------------------------------------


# Counters that threads share, far enough apart not to be in each other's way: games done, games
# whose action is illegal, no more work to come; for each thread, blocks of its own handed out.
DONE, FOUND, CLOSED, TICKET = 0, 1, 2, 8
APART = 8

# A job: what to do, then the addresses and lengths of the arrays that it reads and writes.
CHECK, SAMPLE, STEP = range(3)
WHAT = 0
(
    ACTIONS, OBSERVATIONS, MASKS, INFORMATIONS, FINALS, REWARDS, SCORES, SEATS, ENDS, DEALS,
) = range(1, 21, 2)  # fmt: skip
JOB = 21


@kernel
def work(
    counters, job, threads, blocks, states, slots, settings, shape, weights, history, me, spins
):
    """Do a job for all games, together with the other threads that call this.

    Thread 0 leads: it has filled in the job, begins it, and returns True when it is done. The
    others help with one job after the other. Each thread has blocks of games of its own, the
    same in every job, so that the games stay in its cache: to move one over takes longer than to
    step it. Only if another has not even begun does the leader, after a while, take over.
    Who has nothing to do goes on watching for a number of spins, then returns False.
    """
    room = np.empty(ROOM)
    actions = np.empty(MOST_ACTIONS, np.int64)
    values = np.empty(MOST_ACTIONS)
    games = len(states)
    parts = threads * blocks
    if me == 0:
        put(counters, DONE, 0)
        put(counters, FOUND, 0)
        for thread in range(threads):
            put(counters, TICKET + APART * thread, 0)
    idle = 0
    while idle < spins:
        idle += 1
        for thread in range(threads):
            if thread != me:
                late = load(counters, TICKET + APART * thread) == 0 and idle > _PATIENCE
                if me != 0 or not late:
                    continue
            while load(counters, TICKET + APART * thread) < blocks:
                ticket = fetch_add(counters, TICKET + APART * thread, 1)
                if ticket < blocks:  # until it is done the job stays as it is
                    first = (thread * blocks + ticket) * games // parts
                    end = (thread * blocks + ticket + 1) * games // parts
                    if job[WHAT] == STEP:
                        _step_block(
                            job, states, slots, settings[0], shape, weights, history,
                            room, actions, values, first, end,
                        )  # fmt: skip
                    elif job[WHAT] == SAMPLE:
                        _sample_block(job, states, slots, first, end)
                    else:
                        fetch_add(counters, FOUND, _illegal_in_block(job, states, first, end))
                    fetch_add(counters, DONE, end - first)
                    idle = 0
        if me == 0:
            if load(counters, DONE) == games:
                return True
        elif load(counters, CLOSED):
            return False
    return False


@kernel
def _illegal_in_block(job, states, first, end):
    """How many of the actions are illegal."""
    actions = int64_at(job[ACTIONS], job[ACTIONS + 1])
    found = 0
    for i in range(first, end):
        if not is_legal(states[i], actions[i]):
            found += 1
    return found


@kernel
def _sample_block(job, states, slots, first, end):
    """Write a random legal action for each game, each as likely as any other."""
    actions = int64_at(job[ACTIONS], job[ACTIONS + 1])
    for i in range(first, end):
        s = states[i]
        chance = s.rng
        s.rng = slots[i].sampler
        actions[i] = both.random_action(s)
        slots[i].sampler = s.rng
        s.rng = chance


@kernel
def first_illegal(states, actions):
    """The first game whose action is illegal, or -1."""
    for i in range(len(states)):
        if not is_legal(states[i], actions[i]):
            return i
    return -1


@kernel
def _step_block(
    job, states, slots, settings, shape, weights, history, room, room_actions, values, first, end
):
    """Carry out an action in some of the games, and restart those that are over.

    An illegal action, such as -1, ends its game. `finals` gets the observation with which a game
    ended, of the seat that moved last from outside; `deals` the seed of the deal that was played.
    """
    actions = int64_at(job[ACTIONS], job[ACTIONS + 1])
    observations = int8_at(job[OBSERVATIONS], job[OBSERVATIONS + 1])
    masks = int8_at(job[MASKS], job[MASKS + 1])
    informations = int8_at(job[INFORMATIONS], job[INFORMATIONS + 1])
    finals = int8_at(job[FINALS], job[FINALS + 1])
    rewards = float32_at(job[REWARDS], job[REWARDS + 1])
    scores = int16_at(job[SCORES], job[SCORES + 1])
    seats = int8_at(job[SEATS], job[SEATS + 1])
    ends = int8_at(job[ENDS], job[ENDS + 1])
    deals = uint64_at(job[DEALS], job[DEALS + 1])
    games = len(states)
    players = settings.players
    for i in range(first, end):
        s = states[i]
        slot = slots[i]
        viewer = np.int64(s.seat)
        how = RUNNING
        if is_legal(s, actions[i]):
            _decide(s, slot, actions[i], history, i)
        else:
            how = ILLEGAL
        deals[i] = slot.deal
        for p in range(players):
            rewards[i * players + p] = 0
        if how == RUNNING:
            _reply(s, slot, settings, weights, history, i, room, room_actions, values)
            if both.is_over(s):
                how = ENDED
            elif slot.decisions >= settings.cap:
                how = CUT_OFF
        ends[i] = how
        if how != RUNNING:
            _reward(s, settings, scores, rewards, i * players)
            if how != ENDED:
                for p in range(players):
                    rewards[i * players + p] = 0
            if how == ILLEGAL:
                rewards[i * players + viewer] = settings.illegal_reward
            if len(finals):
                write_observation(s, viewer, finals, i * (len(finals) // games))
            while how != RUNNING:  # a game may end before there is anything to decide
                _restart(s, slot, settings, shape)
                _reply(s, slot, settings, weights, history, i, room, room_actions, values)
                if not both.is_over(s) and slot.decisions < settings.cap:
                    how = RUNNING
        seats[i] = s.seat
        if len(observations):
            write_observation(s, s.seat, observations, i * (len(observations) // games))
        if len(masks):
            write_mask(s, masks, i * (len(masks) // games))
        if len(informations):
            at = i * (len(informations) // games)
            write_information(s, s.seat, informations, at, history, i, slot.decisions)
