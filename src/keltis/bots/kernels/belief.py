"""What the other players may hold, judged by what they have done.

Only `board` has hidden hands. Of all deals that agree with what a seat has seen, those are likely
in which the others did what the heuristic would have done with such hands. They are found by a
walk from deal to deal (Metropolis's): a step swaps two cards that lie where the seat can't see
them, and is taken back by chance if it makes what the others did less likely.
"""

import math

import numpy as np

from keltis.bots.kernels.heuristic import evaluate
from keltis.bots.kernels.scratch import HEURISTIC
from keltis.rules import both
from keltis.rules.board import CARDS, DECK, DISCARD, DRAW, DRAW_PILE, HAND, STATE, STEP
from keltis.rules.kernel import below, bit, entry, inlined, popcount

STEPS = 60  # of the walk between two deals that are written down
_DOUBT = 0.7  # points: a decision that falls short by so much is likely by a factor of 1/e,
_SURPRISE = 4.0  # and one that falls short by however much by one of e to the minus this
_NOWHERE = -1  # who holds the cards of the draw pile and those out of the game
_SEEN = -2  # and those that everybody had seen when the game began, if it began in the middle
_FINE = 1 << 30  # steps in which chance decides between 0 and 1

DECISION = np.dtype(  # of another player, one of the past
    (
        np.record,
        [
            ("action", np.int64),  # what was decided
            ("seat", np.int64),  # who decided
            ("likelihood", np.float64),  # how likely it is by the hands as they are, a logarithm
            ("changed", np.float64),  # the same after the step that is tried
        ],
    )
)

BELIEF = np.dtype(
    (
        np.record,
        [
            ("seat", np.int64),  # who believes
            ("decisions", np.int64),  # how many the others took
            ("holder", np.int64, DECK),  # who came to hold the card at each place in the deck
            ("since", np.int64, DECK),  # the first decision after that
            ("hidden", np.int64, DECK),  # places whose cards the seat has not seen
            ("hidden_count", np.int64),  # how many of `hidden` there are
            ("theirs", np.int64, DECK),  # of the hidden places, those that others came to hold
            ("theirs_count", np.int64),  # how many of `theirs` there are
        ],
    )
)


@entry(past=STATE, decisions=DECISION, belief=BELIEF, h=HEURISTIC, actions=np.int64)
def recall(past, decisions, belief, h, actions, seat):
    """Play a game again from its start in past[0], and note what the others decided.

    `past` gets the positions in which they did, and as its last the present; `decisions` what they
    decided.
    """
    b = belief[0]
    now = past[len(past) - 1]
    past[len(past) - 1] = past[0]
    b.seat = seat
    for place in range(DECK):
        b.holder[place] = _NOWHERE
        b.since[place] = 0
    for p in range(now.players):
        unseen = popcount(now.held[p] & ~now.known[p]) + popcount(
            now.twice[p] & ~now.known_twice[p]
        )
        for k in range(HAND):  # the hidden cards of a hand come first
            b.holder[HAND * p + k] = p if k < unseen else _SEEN
    for place in range(now.drawn_from, now.next):
        b.holder[place] = _SEEN
    count = 0
    for k in range(len(actions)):
        action = actions[k]
        if now.seat != seat and not (now.phase == DRAW and now.piles == 0):
            past[count] = now
            decisions[count].action = action
            decisions[count].seat = now.seat
            count += 1
        if action == DRAW_PILE:
            b.holder[now.next] = now.seat
            b.since[now.next] = count
        both.apply(now, action)
    b.decisions = count
    for j in range(count):
        decisions[j].likelihood = _likelihood(past[j], h[0], decisions[j].action)
    _note_hidden(b)


@inlined
def _note_hidden(b):
    """Note which places are hidden, and which of them others came to hold."""
    b.hidden_count = b.theirs_count = 0
    for place in range(DECK):
        if b.holder[place] != b.seat and b.holder[place] != _SEEN:
            b.hidden[b.hidden_count] = place
            b.hidden_count += 1
            if b.holder[place] != _NOWHERE:
                b.theirs[b.theirs_count] = place
                b.theirs_count += 1


@entry(past=STATE, decisions=DECISION, belief=BELIEF, h=HEURISTIC, deals=STATE)
def walk(past, decisions, belief, h, first, deals):
    """Walk on from the deal in the present, the last of `past`; write down some deals.

    Each is the present with other cards in hidden places. `first` steps lead to the first of
    them. The hands in `past` change along with the present.
    """
    b = belief[0]
    now = past[len(past) - 1]
    steps = first
    for k in range(len(deals)):
        for _ in range(steps if b.theirs_count else 0):
            one = b.theirs[below(now, b.theirs_count)]
            other = b.hidden[below(now, b.hidden_count)]
            if _possible(past, decisions, b, one, other):
                _step(past, decisions, b, h[0], one, other)
        deals[k] = now
        steps = STEPS


@inlined
def _likelihood(s, h, action):
    """How likely a decision is, as a logarithm: less, the further it is from the heuristic's."""
    n = evaluate(s, h, action < DISCARD)  # no discard need be looked at to judge a lay
    best = own = h.values[0]
    for k in range(n):
        best = max(best, h.values[k])
        if h.actions[k] == action:
            own = h.values[k]
    return max((own - best) / _DOUBT, -_SURPRISE)


@inlined
def _copies(s, p, card):
    """How many copies of a card a player holds."""
    return (s.held[p] >> card & 1) + (s.twice[p] >> card & 1)


@inlined
def _replace(s, p, card, other):
    """Put another card into a hand in place of one."""
    b = bit(card)
    second = s.twice[p] & b
    s.twice[p] ^= second
    s.held[p] ^= b ^ second
    b = bit(other)
    s.twice[p] |= s.held[p] & b
    s.held[p] |= b


@inlined
def _concerned(decisions, b, j, one, other):
    """Whether who took decision `j` then held the card at one of two places: 1, -1 the other.

    0 if neither, or both: then a swap makes no difference.
    """
    seat = decisions[j].seat
    first = seat == b.holder[one] and j >= b.since[one]
    second = seat == b.holder[other] and j >= b.since[other]
    return np.int64(first) - np.int64(second)


@inlined
def _possible(past, decisions, b, one, other):
    """Whether the cards at two places can be swapped: nobody plays what they don't hold."""
    now = past[len(past) - 1]
    x = np.int64(now.deck[one])
    y = np.int64(now.deck[other])
    p, q = b.holder[one], b.holder[other]
    if x == y or (p == q and b.since[one] == b.since[other]):
        return False  # nothing would change
    if p != q and (_copies(now, p, x) == 0 or (q != _NOWHERE and _copies(now, q, y) == 0)):
        return False
    for j in range(b.decisions):
        concerned = _concerned(decisions, b, j, one, other)
        if concerned:
            card = x if concerned > 0 else y
            action = decisions[j].action
            played = action < STEP and action % CARDS == card
            if _copies(past[j], decisions[j].seat, card) < (2 if played else 1):
                return False
    return True


@inlined
def _step(past, decisions, b, h, one, other):
    """Swap the cards at two places, unless that makes what was done too unlikely."""
    now = past[len(past) - 1]
    x = np.int64(now.deck[one])
    y = np.int64(now.deck[other])
    p, q = b.holder[one], b.holder[other]
    least = math.log((below(now, _FINE) + 1) / _FINE)  # that must be gained
    gain = 0.0
    hope = 0.0  # what could be gained at most by decisions not looked at
    for j in range(b.decisions):
        if _concerned(decisions, b, j, one, other):
            hope -= decisions[j].likelihood
    j = b.decisions
    while j > 0 and gain + hope >= least:
        j -= 1
        concerned = _concerned(decisions, b, j, one, other)
        if concerned:
            s = past[j]
            decision = decisions[j]
            _replace(s, decision.seat, x if concerned > 0 else y, y if concerned > 0 else x)
            decision.changed = _likelihood(s, h, decision.action)
            gain += decision.changed - decision.likelihood
            hope += decision.likelihood
    taken = gain + hope >= least
    for k in range(j, b.decisions):
        concerned = _concerned(decisions, b, k, one, other)
        decision = decisions[k]
        if concerned and taken:
            decision.likelihood = decision.changed
        elif concerned:
            _replace(past[k], decision.seat, y if concerned > 0 else x, x if concerned > 0 else y)
    if taken:
        now.deck[one] = y
        now.deck[other] = x
        if p != q:
            _replace(now, p, x, y)
            if q != _NOWHERE:
                _replace(now, q, y, x)
