"""What the network of `experience` sees of the board game.

Only what the seat may know: its own hand, and what is public. `evaluate` of the heuristic comes
first: what it has found out is noted here too.
"""

import numpy as np

from keltis.bots.board_policy import _RUNS, _SECOND, _end, _ends, _packed
from keltis.bots.seeing import gap, mark, next_player, note
from keltis.rules import both
from keltis.rules.board import (
    CLOVER_TILE,
    COLOURS,
    DECK,
    DECLINE,
    DISCARD,
    DRAW,
    DRAW_PILE,
    GOAL,
    HAND,
    LARGE,
    LAY,
    NUMBERS,
    STEP,
    STONES,
    TAKE,
    VALUES,
    WISHES,
    WISHING_STONE,
)
from keltis.rules.kernel import bit, inlined, kernel, lowest, popcount

_ROW = (1 << NUMBERS) - 1
_LAYING, _DISCARDING, _STEPPING, _LARGE_ENTERS, _DRAWING, _TAKING, _DECLINING = range(7)
_KINDS = 7


@inlined
def _lead(s):
    return min(max(both.lead(s, s.seat), -40), 40) / 20


@inlined
def _pile_top(s, c):
    """The number on a discard pile that is not empty."""
    return np.int64(s.pile[c, s.pile_size[c] - 1]) - NUMBERS * c


# --- The position ------------------------------------------------------------------------


@kernel
def see_position(s, t):
    p = s.seat
    others = s.players - 1
    k = note(t, 0, min(t.turns / 15, 2.0))
    k = note(t, k, min(t.turns, 8.0) / 8)
    k = note(t, k, min(t.turns, 3.0) / 3)
    k = note(t, k, (DECK - s.next) / s.players / 25)
    k = note(t, k, s.goal / 5)
    k = note(t, k, _lead(s))
    k = note(t, k, t.share)
    k = _see_hand(s, t, k)
    paths = stones = theirs = their_stones = near_goal = 0
    for q in range(s.players):
        for c in range(COLOURS):
            stone = np.int64(s.stone[q, c])
            if stone == 5 or stone == 6:
                near_goal += 1
            if q == p:
                stones += stone
                paths += stone > 0
            else:
                their_stones += stone
                theirs += stone > 0
    k = note(t, k, paths / COLOURS)
    k = note(t, k, stones / 30)
    k = note(t, k, theirs / COLOURS / others)
    k = note(t, k, their_stones / 30 / others)
    k = note(t, k, near_goal / 5)
    k = note(t, k, s.large[p] >= 0)
    k = note(t, k, s.small[p] == 0)
    wishes = min(s.wishing[p], 5)
    k = note(t, k, wishes / 5)
    k = note(t, k, wishes == 0)
    k = note(t, k, (WISHES[min(wishes + 1, 5)] - WISHES[wishes]) / 5)
    most = 0
    for q in range(s.players):
        if q != p:
            most = max(most, s.wishing[q])
    k = note(t, k, most / 5)
    near = 0  # discards that fit closely
    for c in range(COLOURS):
        if s.piles >> c & 1 and s.top[p, c] >= 0:
            distance = gap(s.top[p, c], s.direction[p, c], _pile_top(s, c))
            near += 0 <= distance <= 2
    k = note(t, k, near / 3)
    k = note(t, k, s.phase == DRAW)
    # Who may end the game in a turn: that matters to who leads.
    t.soon = _can_end(s, next_player(s), False)
    mine = _can_end(s, p, True)
    lead = t.lead = both.lead(s, p)
    k = note(t, k, t.soon)
    k = note(t, k, t.soon * (lead > 0))
    k = note(t, k, t.soon * (lead < 0))
    k = note(t, k, mine)
    k = note(t, k, mine * (lead > 0))
    note(t, k, mine * (lead < 0))


@inlined
def _can_end(s, p, holds):
    """1 if a player may be about to end the game, or else 0.

    That is by the last cards of the draw pile, or if as many figures as are missing there stand
    before the goal, or a clover from it. `holds` asks for cards, too, that move them.
    """
    missing = np.int64(s.last_figure) - np.int64(s.goal)
    for c in range(COLOURS if missing <= 2 else 0):
        stone = np.int64(s.stone[p, c])
        fits = s.fits[p] >> (NUMBERS * c) & _ROW
        if holds:
            fits &= s.held[p] >> (NUMBERS * c)
        clover = stone == GOAL - 2 and s.tile[c, GOAL - 1] == CLOVER_TILE
        if fits and (stone == GOAL - 1 or clover):
            missing -= 1
    return np.float64(missing <= 0 or s.next + 2 >= DECK)


@inlined
def _see_hand(s, t, k):
    """What the hand is good for."""
    p = s.seat
    following = next_player(s)
    fitting = useless = fresh = near = safe = 0
    for c in range(COLOURS):
        shift = NUMBERS * c
        cards = s.held[p] >> shift & _ROW
        twice = s.twice[p] >> shift & _ROW
        while cards:
            number = lowest(cards)
            cards &= cards - 1
            copies = 1 + (twice >> number & 1)
            b = bit(number + shift)
            if s.top[p, c] < 0:
                fresh += copies
            elif s.fits[p] & b:
                fitting += copies
                if gap(s.top[p, c], s.direction[p, c], number) <= 1:
                    near += copies
            else:
                useless += copies
                if not (s.fits[following] & b and s.top[following, c] >= 0):
                    safe += copies
    k = note(t, k, fitting / HAND)
    k = note(t, k, useless / HAND)
    k = note(t, k, fresh / HAND)
    k = note(t, k, near / 4)
    return note(t, k, safe / HAND)


# --- A colour ----------------------------------------------------------------------------


@kernel
def see_colour(s, t, c):
    p = s.seat
    stone = np.int64(s.stone[p, c])
    top = np.int64(s.top[p, c])
    direction = np.int64(s.direction[p, c])
    held = _packed(s.held[p], s.twice[p], c)
    unseen = _packed(t.once, t.twice, c)
    k = mark(t, 0, STONES + 1, stone)
    k = note(t, k, top < 0)
    k = note(t, k, top >= 0 and direction == 0)
    k = _see_both_ways(t, k, held, unseen, top, direction)
    k = note(t, k, popcount(held) / 4)
    k = note(t, k, t.steps[c] / 5)
    k = note(t, k, t.worth[c] / 6)
    k = note(t, k, s.large[p] == c)
    k = note(t, k, min(_end(t, stone, t.steps[c], t.turns), 9.0) / 9)
    k = note(t, k, (stone + min(t.turns, 9.0)) / 10)
    k = note(t, k, 1 - popcount(unseen) / (2 * NUMBERS))
    k = _see_tiles(s, t, k, c, stone)
    nearest = np.int64(-1)
    close = 0
    cards = held & _ROW if top >= 0 else np.int64(0)
    while cards:
        number = lowest(cards)
        cards &= cards - 1
        distance = gap(top, direction, number)
        if distance >= 0:
            nearest = distance if nearest < 0 else min(nearest, distance)
            if distance <= 2:
                close += 1 + (held >> (number + _SECOND) & 1)
    k = mark(t, k, 4, nearest)
    k = note(t, k, close / 3)
    rest = 0
    if top >= 0:
        rest = 10 - top if direction > 0 else top if direction < 0 else max(top, 10 - top)
    k = note(t, k, rest / 10)
    _see_next_player(s, t, k, c, unseen)


@inlined
def _see_both_ways(t, k, held, unseen, top, direction):
    """Cards that fit, held and unseen, the better way first."""
    rising = _RUNS[top + 1, direction + 1, 0]
    falling = _RUNS[top + 1, direction + 1, 1]
    cards, more = popcount(held & rising), popcount(unseen & rising)
    others, still_more = popcount(held & falling), popcount(unseen & falling)
    if cards + 0.3 * more < others + 0.3 * still_more:
        cards, others = others, cards
        more, still_more = still_more, more
    k = note(t, k, cards / 4)
    k = note(t, k, others / 4)
    k = note(t, k, more / 10)
    return note(t, k, still_more / 10)


@inlined
def _see_tiles(s, t, k, c, stone):
    """The next three tiles, and all that lie ahead."""
    clovers = wishes = points = 0
    for place in range(stone + 1, max(stone + 4, STONES + 1)):
        tile = np.int64(s.tile[c, place]) if place <= STONES else np.int64(0)
        clover = tile == CLOVER_TILE
        wish = tile == WISHING_STONE
        worth = 0 if clover or wish else tile
        clovers += clover
        wishes += wish
        points += worth
        if place <= stone + 3:
            k = note(t, k, clover)
            k = note(t, k, wish)
            k = note(t, k, worth / 3)
    k = note(t, k, clovers / 3)
    k = note(t, k, wishes / 3)
    return note(t, k, points / 4)


@inlined
def _see_next_player(s, t, k, c, unseen):
    """The next player's row, and the discard pile."""
    q = next_player(s)
    fits = s.fits[q] >> (NUMBERS * c) & _ROW
    k = note(t, k, s.stone[q, c] / STONES)
    k = note(t, k, s.top[q, c] < 0)
    k = note(t, k, s.direction[q, c] != 0)
    k = note(t, k, popcount(unseen & (fits | fits << _SECOND)) / 15)
    k = note(t, k, popcount(s.known[q] >> (NUMBERS * c) & fits) / 2)
    k = note(t, k, s.large[q] == c)
    if s.piles >> c & 1:
        number = _pile_top(s, c)
        top = s.top[s.seat, c]
        distance = gap(top, s.direction[s.seat, c], number) if top >= 0 else -1
        k = note(t, k, 1)
        k = note(t, k, distance >= 0)
        k = note(t, k, max(distance, 0) / 5)
        note(t, k, s.top[q, c] >= 0 and fits >> number & 1)


# --- An action ---------------------------------------------------------------------------


@kernel
def see_action(s, t, place):
    action = t.actions[place]
    worse = t.values[place] - t.values[0]
    k = note(t, 0, max(worse / 4, -4.0))
    k = note(t, k, worse >= 0)
    k = note(t, k, min(max(t.values[place] / 8, -4.0), 4.0))
    k = _see_end(s, t, k, action)
    if action < DISCARD:
        c = (action - LAY) // NUMBERS
        _see_lay(s, t, mark(t, k, _KINDS, _LAYING), c, action - LAY - NUMBERS * c)
        return c
    if action < STEP or action >= TAKE:
        taking = action >= TAKE
        c = action - TAKE if taking else (action - DISCARD) // NUMBERS
        number = _pile_top(s, c) if taking else action - DISCARD - NUMBERS * c
        k = mark(t, k, _KINDS, _TAKING if taking else _DISCARDING)
        k = note(t, k, min(s.takes / 10, 4.0) if taking else 0.0)
        _see_card(s, t, k, c, number)
        return c
    if action < DECLINE:
        large = action >= LARGE
        c = action - LARGE if large else action - STEP
        k = mark(t, k, _KINDS, _LARGE_ENTERS if large else _STEPPING)
        note(t, k, _ends(s, np.int64(s.stone[s.seat, c]), 0))
        return c
    if action == DRAW_PILE:
        note(t, mark(t, k, _KINDS, _DRAWING), _lead(s))
    else:
        mark(t, k, _KINDS, _DECLINING)
    return np.int64(-1)


@inlined
def _see_end(s, t, k, action):
    """Who leads after an action, which matters more the sooner the game will be over."""
    soon = max(0.0, 1 - t.turns / 4)
    if soon == 0 and t.soon == 0:
        return k + 6
    lead = t.lead
    if action < DISCARD:
        lead += _added(s, (action - LAY) // NUMBERS, False)
    elif STEP <= action < DECLINE:
        lead += _added(s, (action - STEP) % COLOURS, action >= LARGE)
    k = note(t, k, soon * min(max(lead, -10), 10) / 5)
    k = note(t, k, soon * (lead > 0))
    k = note(t, k, soon * (lead < 0))
    k = note(t, k, t.soon * min(max(lead, -10), 10) / 5)
    k = note(t, k, t.soon * (lead > 0))
    return note(t, k, t.soon * (lead < 0))


@inlined
def _added(s, c, large):
    """What a step on a path adds to the score, without the steps that a clover brings."""
    p = s.seat
    stone = np.int64(s.stone[p, c])
    if stone >= STONES:
        return np.int64(0)
    times = 2 if large or s.large[p] == c else 1
    gain = times * (VALUES[stone + 1] - VALUES[stone])
    tile = np.int64(s.tile[c, stone + 1])
    if tile == WISHING_STONE:
        wishes = min(s.wishing[p], 5)
        gain += WISHES[min(wishes + 1, 5)] - WISHES[wishes]
    elif tile != CLOVER_TILE:
        gain += tile
    return np.int64(gain)


@inlined
def _see_lay(s, t, k, c, number):
    """A card laid: what it skips, and what can follow."""
    p = s.seat
    top = np.int64(s.top[p, c])
    direction = np.int64(s.direction[p, c])
    held = _packed(s.held[p], s.twice[p], c)
    unseen = _packed(t.once, t.twice, c)
    k = mark(t, k, NUMBERS, gap(top, direction, number) if top >= 0 else -1)
    k = mark(t, k, NUMBERS // 2 + 1, min(number, 10 - number) if top < 0 else -1)
    rising, falling = _RUNS[top + 1, direction + 1, 0], _RUNS[top + 1, direction + 1, 1]
    cards = max(popcount(held & rising), popcount(held & falling))
    more = max(popcount(unseen & rising), popcount(unseen & falling))
    turned = direction
    if top >= 0 and number != top:
        turned = 1 if number > top else -1
    second = held >> _SECOND & bit(number)
    left = held ^ (second << _SECOND if second else bit(number))
    rising, falling = _RUNS[number + 1, turned + 1, 0], _RUNS[number + 1, turned + 1, 1]
    cards_after = max(popcount(left & rising), popcount(left & falling))
    more_after = max(popcount(unseen & rising), popcount(unseen & falling))
    k = note(t, k, (cards - 1 - cards_after) / 3)
    k = note(t, k, (more - more_after) / 6)
    k = note(t, k, cards_after / 4)
    k = note(t, k, more_after / 10)
    k = note(t, k, second != 0)
    k = note(t, k, turned != direction)
    nearest = np.int64(-1)
    rest = left & _ROW
    while rest:
        distance = gap(number, turned, lowest(rest))
        rest &= rest - 1
        if distance >= 0:
            nearest = distance if nearest < 0 else min(nearest, distance)
    k = mark(t, k, 4, nearest)
    k = note(t, k, _ends(s, np.int64(s.stone[p, c]), 0))
    note(t, k, (unseen >> number & 1) + (unseen >> (_SECOND + number) & 1))


@inlined
def _see_card(s, t, k, c, number):
    """A card discarded or taken: whose rows it fits, and what it has beside it in the hand."""
    p = s.seat
    b = bit(number + NUMBERS * c)
    for q in (np.int64(p), np.int64(next_player(s))):
        top = s.top[q, c]
        distance = -1
        if top >= 0 and s.fits[q] & b:
            distance = gap(top, s.direction[q, c], number)
        k = note(t, k, top < 0)
        k = note(t, k, distance >= 0)
        k = note(t, k, max(distance, 0) / 5)
        k = note(t, k, 0 <= distance <= 1)
    k = note(t, k, abs(number - 5) / 5 if s.top[p, c] < 0 else 0.0)
    fits = 0
    for q in range(s.players):
        if q != p and q != next_player(s) and s.top[q, c] >= 0 and s.fits[q] & b:
            fits += 1
    k = note(t, k, fits)
    held = _packed(s.held[p], s.twice[p], c)
    k = note(t, k, held >> (number + _SECOND) & 1)
    beside = 0
    for other in range(max(number - 2, 0), min(number + 3, NUMBERS)):
        beside += other != number and held >> other & 1
    k = note(t, k, beside / 3)
    note(t, k, popcount(held) / 4)
