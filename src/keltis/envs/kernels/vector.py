"""Many games stepped by one call; each game has a record of the rules and a slot of its own.

Nothing here is checked: `keltis.envs.vector` allocates and validates. An array of length 0 is one
that the caller does not want written.
"""

import numpy as np

from keltis.bots.kernels.heuristic import best_of, evaluate
from keltis.bots.kernels.scratch import HEURISTIC as HEURISTIC_SCRATCH
from keltis.envs.kernels.atomics import array_at, fetch_add, load, put
from keltis.envs.kernels.rewards import write_rewards
from keltis.game.kernels.either import (
    drawn,
    shuffled,
    write_information,
    write_mask,
    write_observation,
)
from keltis.rules import both
from keltis.rules.dispatch import STATES
from keltis.rules.kernel import advance, below, entry, kernel, scramble

EXTERNAL, RANDOM, HEURISTIC = range(3)  # who plays the other seats
RUNNING, ENDED, CUT_OFF, ILLEGAL = range(4)  # what a step did to a game
STAY = -2  # an action that leaves a game as it is

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
            ("options", np.int64),
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

_PATIENCE = 1_000  # spins before the leader takes over games of the others: some 3 microseconds
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
    shuffled(s, settings.players, settings.options, settings.shrunken, shape)
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
def _reply(s, slot, settings, h, history, i):
    """Let the built-in opponents play up to the next decision from outside."""
    if settings.opponent == EXTERNAL:
        return
    while not both.is_over(s) and s.seat != slot.me and slot.decisions < settings.cap:
        if settings.opponent == RANDOM:
            action = np.int64(both.random_action(s))
        else:
            action = _think(s, settings.temperature, h)
        _decide(s, slot, action, history, i)


@kernel
def _think(s, temperature, h):
    """The heuristic's choice; the warmer it is, the likelier are those that it likes less."""
    n = evaluate(s, h, temperature <= 0)
    best = best_of(h, n)
    if temperature <= 0:
        return h.actions[best]
    top = h.values[best]
    total = 0.0
    for k in range(n):
        total += np.exp((h.values[k] - top) / temperature)
        h.values[k] = total
    chance = below(s, _FINE) / _FINE * total
    k = 0
    while h.values[k] <= chance and k + 1 < n:
        k += 1
    return h.actions[k]


# --- Many --------------------------------------------------------------------------------


# A job, in one array of numbers: counters that threads share, far enough apart not to be in each
# other's way; what to do; addresses and lengths of the arrays that it reads and writes; then, for
# each thread, how many blocks of its own have been handed out.
DONE, FOUND, CLOSED = 0, 1, 8  # games done, games whose action is illegal, no more work to come
WHAT, THREADS, BLOCKS = 16, 17, 18
(
    SLOTS, SETTING, SHAPE, SCRATCH, HISTORY,
    ACTIONS, OBSERVATIONS, MASKS, INFORMATIONS, FINALS, REWARDS, SCORES, SEATS, ENDS, DEALS,
) = range(19, 49, 2)  # fmt: skip
TICKET, APART = 56, 8

# CHECK looks whether all actions are legal, and if they are becomes STEP.
# RANDOM_STEP is SAMPLE and STEP at once.
CHECK, SAMPLE, STEP, RANDOM_STEP = range(4)
UNFINISHED = -1


@entry(states=STATES, job=np.int64)
def work(states, job, me, new, spins):
    """Do a job for all games, together with the other threads that call this.

    Thread 0 leads: it has filled in the job, begins it if it is new, and when it is done tells
    how many actions are illegal. The others help with one job after the other. Each thread has
    blocks of games of its own, the same in every job, so that the games stay in its cache: to
    move one over takes longer than to step it. Only if another is late does the leader take
    over. Who has nothing to do goes on watching for a number of spins, then returns UNFINISHED.
    """
    games = len(states)
    threads, blocks = job[THREADS], job[BLOCKS]
    parts = threads * blocks
    if new:
        _begin(job, threads)
    idle = 0
    while idle < spins:
        idle += 1
        for thread in range(threads):
            if thread != me and (me != 0 or idle < _PATIENCE):
                continue
            while load(job, TICKET + APART * thread) < blocks:
                ticket = fetch_add(job, TICKET + APART * thread, 1)
                if ticket < blocks:  # from now on, until it is done, the job stays as it is
                    h = array_at(job[SCRATCH], job[SCRATCH + 1], HEURISTIC_SCRATCH)[me]
                    first = (thread * blocks + ticket) * games // parts
                    end = (thread * blocks + ticket + 1) * games // parts
                    if job[WHAT] == CHECK:
                        fetch_add(job, FOUND, _illegal_in_block(job, states, first, end))
                    if job[WHAT] == SAMPLE or job[WHAT] == RANDOM_STEP:
                        _sample_block(job, states, first, end)
                    if job[WHAT] == STEP or job[WHAT] == RANDOM_STEP:
                        _step_block(job, states, h, first, end)
                    fetch_add(job, DONE, end - first)
                    idle = 0
        if me == 0:
            if load(job, DONE) == games:
                if job[WHAT] != CHECK or load(job, FOUND) > 0:
                    return load(job, FOUND)
                job[WHAT] = STEP
                _begin(job, threads)
                idle = 0
        elif load(job, CLOSED):
            return UNFINISHED
    return UNFINISHED


@kernel
def _begin(job, threads):
    """Offer the job; from the moment that a thread sees its ticket it may be at work."""
    put(job, DONE, 0)
    put(job, FOUND, 0)
    for thread in range(threads):
        put(job, TICKET + APART * thread, 0)


@kernel
def _illegal_in_block(job, states, first, end):
    """How many of the actions are illegal."""
    actions = array_at(job[ACTIONS], job[ACTIONS + 1], np.int64)
    found = 0
    for i in range(first, end):
        if actions[i] != STAY and not both.is_legal(states[i], actions[i]):
            found += 1
    return found


@kernel
def _sample_block(job, states, first, end):
    """Write a random legal action for each game, each as likely as any other."""
    slots = array_at(job[SLOTS], job[SLOTS + 1], SLOT)
    actions = array_at(job[ACTIONS], job[ACTIONS + 1], np.int64)
    for i in range(first, end):
        s = states[i]
        chance = s.rng
        s.rng = slots[i].sampler
        actions[i] = both.random_action(s)
        slots[i].sampler = s.rng
        s.rng = chance


@entry(states=STATES, actions=np.int64)
def first_illegal(states, actions):
    """The first game whose action is illegal, or -1."""
    for i in range(len(states)):
        if actions[i] != STAY and not both.is_legal(states[i], actions[i]):
            return i
    return -1


@kernel
def _step_block(job, states, h, first, end):
    """Carry out an action in some of the games, and restart those that are over.

    An illegal action, such as -1, ends its game. `finals` gets the observation with which a game
    ended, of the seat that moved last from outside; `deals` the seed of the deal that was played.
    """
    games = len(states)
    slots = array_at(job[SLOTS], job[SLOTS + 1], SLOT)
    settings = array_at(job[SETTING], job[SETTING + 1], SETTINGS)[0]
    players = settings.players
    shape = array_at(job[SHAPE], job[SHAPE + 1], np.int64)
    history = array_at(job[HISTORY], (games, 3, job[HISTORY + 1] // (3 * games)), np.int8)
    actions = array_at(job[ACTIONS], job[ACTIONS + 1], np.int64)
    observations = array_at(job[OBSERVATIONS], job[OBSERVATIONS + 1], np.int8)
    masks = array_at(job[MASKS], job[MASKS + 1], np.int8)
    informations = array_at(job[INFORMATIONS], job[INFORMATIONS + 1], np.int8)
    finals = array_at(job[FINALS], job[FINALS + 1], np.int8)
    rewards = array_at(job[REWARDS], (games, players), np.float32)
    scores = array_at(job[SCORES], (games, players), np.int16)
    seats = array_at(job[SEATS], job[SEATS + 1], np.int8)
    ends = array_at(job[ENDS], job[ENDS + 1], np.int8)
    deals = array_at(job[DEALS], job[DEALS + 1], np.uint64)
    for i in range(first, end):
        s = states[i]
        slot = slots[i]
        viewer = np.int64(s.seat)
        deals[i] = slot.deal
        for p in range(players):
            rewards[i, p] = 0
        how = RUNNING
        if both.is_legal(s, actions[i]):
            _decide(s, slot, actions[i], history, i)
        elif actions[i] != STAY:
            how = ILLEGAL
        ends[i] = RUNNING
        while True:  # a new game may end, too, before there is anything to decide
            if how == RUNNING:
                _reply(s, slot, settings, h, history, i)
                if both.is_over(s):
                    how = ENDED
                elif slot.decisions >= settings.cap:
                    how = CUT_OFF
                else:
                    break
            if ends[i] == RUNNING:
                ends[i] = how
                for p in range(players):
                    scores[i, p] = both.score(s, p)
                if how == ENDED:
                    write_rewards(scores[i], settings.win, settings.margin, rewards[i])
                elif how == ILLEGAL:
                    rewards[i, viewer] = settings.illegal_reward
                if len(finals):
                    write_observation(s, viewer, finals, i * (len(finals) // games))
            _restart(s, slot, settings, shape)
            how = RUNNING
        seats[i] = s.seat
        if len(observations):
            write_observation(s, s.seat, observations, i * (len(observations) // games))
        if len(masks):
            write_mask(s, masks, i * (len(masks) // games))
        if len(informations):
            at = i * (len(informations) // games)
            write_information(s, s.seat, informations, at, history, i, slot.decisions)
