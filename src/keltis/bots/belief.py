"""What the other players may hold, judged by what they have done.

Only `board` has hidden hands. Of all deals that agree with what a seat has seen, those are likely
in which the others did what the heuristic would have done with such hands. They are found by a
walk from deal to deal (Metropolis's): a step swaps two cards that lie where the seat can't see
them, and is taken back by chance if it makes what the others did less likely.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from keltis.bots.policy import THOUGHT, evaluate, thoughts
from keltis.bots.thinking import weights
from keltis.game.resample import past_from_view, state_from_view
from keltis.rules import both
from keltis.rules.board import (
    CARDS,
    DECK,
    DISCARD,
    DRAW,
    DRAW_PILE,
    HAND,
    STATE,
    STEP,
)
from keltis.rules.kernel import below, bit, entry, inlined
from keltis.rules.library import Array

if TYPE_CHECKING:
    from keltis.game.setups import States

DEALS = 128  # that a search looks at, if it has the time to,
_AT_ONCE = 8  # found so many at a time,
_STEPS = 60  # with so many steps of the walk between two of them,
_FIRST_STEPS = 2_000  # and before the first,
_HASTE = 500  # of which so many go by between two looks at the clock
_DOUBT = 0.7  # points: a decision that falls short by so much is likely by a factor of 1/e,
_SURPRISE = 4.0  # and one that falls short by however much by one of e to the minus this
_NOWHERE = -1  # who holds the cards of the draw pile and those out of the game
_SHARE = 0.25  # of the time for a decision


def imagined(
    view: dict[str, Any], seed: int, deadline: float = math.inf, most: int = DEALS
) -> States:
    """Positions that agree with a view, so many at most; they differ in the hands of the others.

    The same seed gives the same ones, unless the time up to the deadline is too short for all.
    """
    if view["game"] != "board":
        return state_from_view(view)
    now = time.monotonic()
    until = now + _SHARE * (deadline - now)
    start, actions = past_from_view(view, seed)
    past = np.zeros(len(actions) + 1, start.dtype)  # what the others decided, and the present
    past[0] = start[0]
    made, by = np.zeros((2, len(past)), np.int64)
    holder, since = np.zeros((2, DECK), np.int64)
    seat: int = view["you"]
    count = _recall(past, made, by, holder, since, np.array(actions, np.int64), seat)
    past["rng"][-1] = seed
    room = thoughts(weights("board", len(view["players"])))
    work = room, np.zeros((2, DECK), np.int64), np.zeros((2, len(past)))
    deals = np.zeros(most, start.dtype)
    first = _FIRST_STEPS
    while deadline < math.inf and first > _HASTE:
        _walk(past, made, by, count, holder, since, seat, *work, _HASTE, deals[:1])
        first -= _HASTE
        if time.monotonic() > until:
            return deals[:1]
    for k in range(0, most, _AT_ONCE):
        _walk(past, made, by, count, holder, since, seat, *work, first, deals[k : k + _AT_ONCE])
        first = _STEPS
        if time.monotonic() > until:
            return deals[: k + _AT_ONCE]
    return deals


@entry(
    past=STATE,
    made=np.int64,
    by=np.int64,
    holder=np.int64,
    since=np.int64,
    actions=np.int64,
)
def _recall(past, made, by, holder, since, actions, seat):
    """Play a game again from its start in past[0]; tell how many decisions the others took.

    `past` gets the positions in which they were taken, and as its last the present; `made` the
    decisions and `by` the seats. `holder` gets who came to hold the card at a place in the deck,
    and `since` which was the first decision after that.
    """
    now = past[len(past) - 1]
    past[len(past) - 1] = past[0]
    for place in range(DECK):
        dealt = place < HAND * now.players
        holder[place] = place // HAND if dealt else _NOWHERE
        since[place] = 0
    count = 0
    for k in range(len(actions)):
        action = actions[k]
        if now.seat != seat and not (now.phase == DRAW and now.piles == 0):
            past[count] = now
            made[count] = action
            by[count] = now.seat
            count += 1
        if action == DRAW_PILE:
            holder[now.next] = now.seat
            since[now.next] = count
        both.apply(now, action)
    return count


@entry(
    past=STATE,
    made=np.int64,
    by=np.int64,
    holder=np.int64,
    since=np.int64,
    room=THOUGHT,
    places=Array(np.int64, 2),
    odds=Array(np.float64, 2),
    deals=STATE,
)
def _walk(past, made, by, count, holder, since, seat, room, places, odds, first, deals):
    """Walk on from the deal in the present, the last of `past`; write down some deals.

    Each is the present with other cards in hidden places. `first` steps lead to the first of
    them. The hands in `past` change along with the present. `places` and `odds` are room
    to work in.
    """
    t = room[0]
    now = past[len(past) - 1]
    hidden = places[0]  # places whose cards the seat has not seen
    theirs = places[1]  # of these, the ones that others came to hold
    hidden_count = their_count = 0
    for place in range(DECK):
        if holder[place] != seat:
            hidden[hidden_count] = place
            hidden_count += 1
            if holder[place] != _NOWHERE:
                theirs[their_count] = place
                their_count += 1
    likely = odds[0]  # of each decision, the logarithm of how likely it is
    for j in range(count):
        likely[j] = _likely(past[j], t, made[j])
    changed = odds[1]  # the same after a step
    left = first
    for k in range(len(deals)):
        for _ in range(left):
            a = theirs[below(now, their_count)]
            b = hidden[below(now, hidden_count)]
            if _possible(past, made, by, count, holder, since, a, b):
                _step(past, made, by, count, holder, since, a, b, t, likely, changed)
        deals[k] = now
        left = _STEPS


@inlined
def _likely(s, t, action):
    """How likely a decision is, as a logarithm: less, the further it is from the heuristic's."""
    n = evaluate(s, t, action < DISCARD)  # no discard need be looked at to judge a lay
    best = own = t.values[0]
    for k in range(n):
        best = max(best, t.values[k])
        if t.actions[k] == action:
            own = t.values[k]
    return max((own - best) / _DOUBT, -_SURPRISE)


@inlined
def _copies(s, p, card):
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
def _concerned(by, j, holder, since, a, b):
    """Whether who took decision `j` then held the card at one of two places: 1, -1 the other.

    0 if neither, or both: then a swap makes no difference.
    """
    first = by[j] == holder[a] and j >= since[a]
    second = by[j] == holder[b] and j >= since[b]
    return np.int64(first) - np.int64(second)


@inlined
def _possible(past, made, by, count, holder, since, a, b):
    """Whether the cards at two places can be swapped: nobody plays what they don't hold."""
    now = past[len(past) - 1]
    x = np.int64(now.deck[a])
    y = np.int64(now.deck[b])
    p, q = holder[a], holder[b]
    if x == y or (p == q and since[a] == since[b]):
        return False  # nothing would change
    if p != q and (_copies(now, p, x) == 0 or (q != _NOWHERE and _copies(now, q, y) == 0)):
        return False
    for j in range(count):
        one = _concerned(by, j, holder, since, a, b)
        if one:
            card = x if one > 0 else y
            played = made[j] < STEP and made[j] % CARDS == card
            if _copies(past[j], by[j], card) < (2 if played else 1):
                return False
    return True


@inlined
def _step(past, made, by, count, holder, since, a, b, t, likely, changed):
    """Swap the cards at two places, unless that makes what was done too unlikely."""
    now = past[len(past) - 1]
    x = np.int64(now.deck[a])
    y = np.int64(now.deck[b])
    p, q = holder[a], holder[b]
    least = math.log((below(now, 1 << 30) + 1) / (1 << 30))  # that must be gained
    gain = 0.0
    hope = 0.0  # what could be gained at most by decisions not looked at
    for j in range(count):
        if _concerned(by, j, holder, since, a, b):
            hope -= likely[j]
    j = count
    while j > 0 and gain + hope >= least:
        j -= 1
        one = _concerned(by, j, holder, since, a, b)
        if one:
            s = past[j]
            _replace(s, by[j], x if one > 0 else y, y if one > 0 else x)
            changed[j] = _likely(s, t, made[j])
            gain += changed[j] - likely[j]
            hope += likely[j]
    taken = gain + hope >= least
    for k in range(j, count):
        one = _concerned(by, k, holder, since, a, b)
        if one and taken:
            likely[k] = changed[k]
        elif one:
            _replace(past[k], by[k], y if one > 0 else x, x if one > 0 else y)
    if taken:
        now.deck[a] = y
        now.deck[b] = x
        if p != q:
            _replace(now, p, x, y)
            if q != _NOWHERE:
                _replace(now, q, y, x)
