"""What each decision of the board game is worth to the seat that has to make it.

Compiled, and quick enough to play a game in some 20 microseconds: it is the `heuristic` bot, the
policy of the search's rollouts, and the search's first guess. It reads only what the seat may
know: its own hand, and what is public.

The heart is `_steps`: how many more stones a path will yield, from the cards held that fit its
row and the share of the unseen ones that will come in the turns that are left. A path is worth
the value of the stone where it will end. A card laid is worth what the path gains by it, less
what the gap costs; a card discarded what the path loses, and what it gives to others; and so on.
The weights that balance these are tuned by self-play (`tools/tune.py`).
"""

import numpy as np

from keltis.rules import board
from keltis.rules.board import (
    CARD,
    CARDS,
    CLOVER_TILE,
    COLOURS,
    DECK,
    DECLINE,
    DISCARD,
    DRAW,
    DRAW_PILE,
    GOAL,
    LARGE,
    LAST_FIGURE,
    LAY,
    NUMBERS,
    STEP,
    STONES,
    TAKE,
    VALUES,
    WISHING_STONE,
)
from keltis.rules.kernel import bit, inlined, kernel, lowest, popcount

# The weights, by name, with the values from which tuning began.
WEIGHTS = {
    "stone_0": 0.0,  # what a path is worth that will end on this stone
    "stone_1": -4.0,
    "stone_2": -3.0,
    "stone_3": -2.0,
    "stone_4": 1.0,
    "stone_5": 2.5,
    "stone_6": 4.0,
    "stone_7": 6.0,
    "stone_8": 8.0,
    "stone_9": 10.0,
    "held": 0.9,  # stones that a card in hand is good for
    "unseen": 1.0,  # the same for an unseen card, times its chance to come
    "row_unseen": 0.8,  # the same again while the path has no row
    "turns_deck": 1.1,  # turns left, from the draw pile
    "turns_goal": 1.2,  # turns left, from the figures on their way to the goal area
    "haste": 1.5,  # cards laid in a turn, when there is more to lay than turns
    "open": -1.0,  # opening a path, besides what it will be worth
    "future": 1.0,  # what a path will be worth against what it is worth now
    "now": 0.4,
    "now_late": 0.5,  # the same, growing as the turns run out
    "point": 1.0,  # a point on a tile
    "wish_1": 2.5,  # the first wishing stone, the second, ...
    "wish_2": 4.0,
    "wish_3": 2.0,
    "wish_4": 3.0,
    "wish_5": 3.5,
    "wish_6": 0.1,
    "clover": 1.0,  # a clover, besides what its step is worth
    "ahead": 0.3,  # the share that counts of the tile after the next
    "discard": 2.0,  # a turn that moves nothing
    "gift": 1.0,  # a discard that fits the next player's row
    "gift_later": 0.3,  # or another player's
    "take": 1.0,  # a card from a discard pile, against a random one
    "deny": 0.5,  # the share that counts of what a card taken is worth to the next player
    "hurry": 0.1,  # drawing from the draw pile, per point of lead
    "goal_hurry": 0.1,  # entering the goal area, per point of lead
    "large": 5.0,  # what the large figure must hope for, to be set out
    "large_wait": 0.5,  # and of that, against a path that is not open yet
    "stall": 0.2,  # against draws from discard piles without end
}
(
    _STONE_0, _, _, _, _, _, _, _, _, _,
    _HELD, _UNSEEN, _ROW_UNSEEN, _TURNS_DECK, _TURNS_GOAL, _HASTE, _OPEN, _FUTURE, _NOW, _NOW_LATE,
    _POINT, _WISH_1, _WISH_2, _WISH_3, _WISH_4, _WISH_5, _WISH_6, _CLOVER, _AHEAD,
    _DISCARD, _GIFT, _GIFT_LATER, _TAKE, _DENY, _HURRY, _GOAL_HURRY,
    _LARGE, _LARGE_WAIT, _STALL,
) = range(len(WEIGHTS))  # fmt: skip

_ROW = (1 << NUMBERS) - 1
_ALL_CARDS = (1 << CARDS) - 1


def _runs():
    """The numbers that can follow in a row that rises, and in one that falls, as 11 bits each.

    By the row's last number, from -1 for no row, and its direction, from -1: one of the two is
    empty once the direction is fixed.
    """
    table = np.zeros((1 + NUMBERS, 3, 2), np.int64)
    table[0] = _ROW
    for top in range(NUMBERS):
        rising = sum(1 << number for number in range(top, NUMBERS))
        falling = sum(1 << number for number in range(top + 1))
        table[1 + top] = (0, falling), (rising, falling), (rising, 0)
    return table


_RUNS = _runs()
PATIENCE = 60  # draws from discard piles in a row, after which the draw pile is due (B22)
_END = 100.0  # a won game, against everything else

# `evaluate` needs floats to work in: the steps and the worth of each path, the share of the steps
# for which there is time, then five for each step of a clover's chain.
_SHARE = 2 * COLOURS
_FRAMES = _SHARE + 1
_DEEPEST = 9  # there are no more clovers
ROOM = _FRAMES + 5 * _DEEPEST
_DISTANCE = np.array([0] + [1 << (8 * (GOAL - stone)) for stone in range(1, GOAL)] + [0] * 3)


@kernel
def evaluate(s, w, room, actions, values):
    """Write the legal actions and what each is worth; tell how many there are.

    `room` is working space of at least `ROOM` floats; values have no unit, more is better.
    """
    piles = _open_piles(s)
    if s.phase == DRAW and piles == 0:
        actions[0] = DRAW_PILE
        values[0] = 0.0
        return 1
    once, both = _unseen(s)
    turns = _turns_left(s, w)
    rate = w[_UNSEEN] * min(1.0, turns / max(1, popcount(once) + popcount(both)))
    p = s.seat
    total = 0.1  # steps to come on all paths that are open
    for c in range(COLOURS):
        room[c] = _steps(s, c, s.top[p, c], s.direction[p, c], s.held[p], once, both, rate, w)
        if s.stone[p, c] > 0:
            total += min(room[c], STONES - s.stone[p, c])
    room[_SHARE] = min(1.0, w[_HASTE] * turns / total)
    for c in range(COLOURS):
        room[COLOURS + c] = _worth(s, room, c, s.stone[p, c], room[c], turns, w)
    if s.phase == CARD:
        return _cards(s, w, room, turns, rate, once, both, actions, values)
    if s.phase == DRAW:
        return _draws(s, w, room, turns, actions, values)
    return _figures(s, w, room, turns, actions, values)


# --- Outlook -----------------------------------------------------------------------------


@inlined
def _unseen(s):
    """The cards of which the seat has not seen every copy, and of which it has seen none."""
    p = s.seat
    ones = twos = np.int64(0)  # cards of which one copy or two have been seen
    for q in range(s.players):
        twos |= (ones & s.laid[q]) | s.laid_twice[q]
        ones |= s.laid[q]
        hand = s.held[q] if q == p else s.known[q]
        twos |= (ones & hand) | (s.twice[q] if q == p else s.known_twice[q])
        ones |= hand
    for c in range(COLOURS):
        for k in range(s.pile_size[c]):
            b = bit(s.pile[c, k])
            twos |= ones & b
            ones |= b
    return _ALL_CARDS & ~twos, _ALL_CARDS & ~ones


@inlined
def _turns_left(s, w):
    """How many turns the seat may still hope for."""
    deck = w[_TURNS_DECK] * (DECK - s.next) / s.players
    distances = np.int64(0)  # how many figures are 1, 2, ... stones from the goal: a byte each
    for q in range(s.players):
        for c in range(COLOURS):
            distances += _DISTANCE[s.stone[q, c]]
    need = LAST_FIGURE - np.int64(s.goal)
    stones = 0
    for distance in range(1, GOAL):
        there = min(need, (distances >> (8 * distance)) & 0xFF)
        stones += there * distance
        need -= there
    stones += need * GOAL
    return min(deck, w[_TURNS_GOAL] * stones / s.players)


@inlined
def _steps(s, c, top, direction, held, once, both, rate, w):
    """How many more stones the seat's cards of a colour will yield, for a row as given."""
    twice = s.twice[s.seat] & held
    rising = _RUNS[top + 1, direction + 1, 0] << (NUMBERS * c)
    falling = _RUNS[top + 1, direction + 1, 1] << (NUMBERS * c)
    if top < 0:
        rate *= w[_ROW_UNSEEN]
    up = w[_HELD] * _count(held, twice, rising) + rate * _count(once, both, rising)
    down = w[_HELD] * _count(held, twice, falling) + rate * _count(once, both, falling)
    return max(up, down)


@inlined
def _count(cards, twice, among):
    return popcount(cards & among) + popcount(twice & among)


@inlined
def _at(stone, w):
    """What a path is worth that will end on a stone, or between two."""
    below = min(int(stone), STONES - 1)
    share = min(stone - below, 1.0)
    low = w[_STONE_0 + below]
    return low + share * (w[_STONE_0 + below + 1] - low)


@inlined
def _worth(s, room, c, stone, steps, turns, w):
    """What a path will be worth to the seat whose figure stands on a stone of it."""
    end = _at(stone + min(steps * room[_SHARE], turns), w)
    if stone == 0:
        return max(0.0, end + w[_OPEN])  # it need not be opened
    return 2 * end if s.large[s.seat] == c else end


@inlined
def _lead(s):
    """By how much the seat leads, as the game stands."""
    best = -1000
    for q in range(s.players):
        if q != s.seat:
            best = max(best, board.score(s, q))
    return board.score(s, s.seat) - best


# --- A card ------------------------------------------------------------------------------


@kernel
def _cards(s, w, room, turns, rate, once, both, actions, values):
    p = s.seat
    n = 0
    hand = s.held[p]
    while hand:
        card = lowest(hand)
        b = bit(card)
        hand ^= b
        c = card // NUMBERS
        number = card - NUMBERS * c
        stone = np.int64(s.stone[p, c])
        fits = s.fits[p] & b != 0
        if fits:
            if stone == STONES:
                value = max(0.0, _chain(s, w, room, turns, 0, 0, 0.0))
            else:
                top = s.top[p, c]
                direction = s.direction[p, c]
                if top >= 0 and number != top:
                    direction = 1 if number > top else -1
                left = s.held[p] if s.twice[p] & b else s.held[p] ^ b
                rest = _steps(s, c, number, direction, left, once, both, rate, w)
                if s.twice[p] & b:
                    rest -= w[_HELD]  # the copy laid is still counted as the second
                large = False
                if stone == 0:
                    small, big = _entering(s, c, rest, turns, w, room)
                    large = s.small[p] == 0 or (s.large[p] < 0 and big > small)
                value = _moving(s, w, room, turns, c, stone, large, rest)
            actions[n] = LAY + card
            values[n] = value
            n += 1
        loss = 0.0
        if fits and stone < STONES:
            less = _worth(s, room, c, stone, room[c] - w[_HELD], turns, w)
            loss = w[_FUTURE] * (room[COLOURS + c] - less)
        actions[n] = DISCARD + card
        values[n] = -loss - w[_DISCARD] - _gift(s, w, c, number, b)
        n += 1
    return n


@inlined
def _gift(s, w, c, number, b):
    """What a card on its pile is worth to those who come next."""
    worth = 0.0
    weight = w[_GIFT]
    q = np.int64(s.seat)
    for _ in range(s.players - 1):
        q = q + 1 if q + 1 < s.players else 0
        if s.fits[q] & b and s.top[q, c] >= 0:
            worth += weight * (1 - 0.08 * abs(number - s.top[q, c]))
        weight = w[_GIFT_LATER]
    return worth


# --- A figure ----------------------------------------------------------------------------


@inlined
def _entering(s, c, steps, turns, w, room):
    """What a small and the large figure are worth that enter a path from the start."""
    small = _at(1 + min(steps * room[_SHARE], turns), w)
    other = 0.0
    for d in range(COLOURS):
        if d != c and s.stone[s.seat, d] == 0:
            other = max(other, room[COLOURS + d])
    return small, 2 * small - w[_LARGE] - w[_LARGE_WAIT] * other


@kernel
def _figures(s, w, room, turns, actions, values):
    """The steps that may be made, or the figures that may enter."""
    p = s.seat
    _, _, other = board.legal(s)
    n = 0
    while other:
        action = lowest(other)
        other &= other - 1
        actions[n] = STEP + action
        if action == DECLINE - STEP:
            values[n] = 0.0
        else:
            large = action >= LARGE - STEP
            c = action - (LARGE - STEP) if large else action
            stone = np.int64(s.stone[p, c])
            values[n] = _moving(s, w, room, turns, c, stone, large, room[c])
        n += 1
    return n


@inlined
def _moving(s, w, room, turns, c, stone, large, steps):
    """What it is worth to move a figure on from a stone, and all that follows in this turn."""
    value = _move(s, w, room, turns, c, stone, large, steps, 0, 0.0)
    if s.tile[c, stone + 1] == CLOVER_TILE:
        entered = 1 if stone + 1 == GOAL else 0
        if s.goal + entered < LAST_FIGURE:
            moved = _moved(0, c, stone, large)
            value += max(0.0, _chain(s, w, room, turns, moved, entered, _gain(s, c, stone, large)))
    return value


@kernel
def _chain(s, w, room, turns, moved, entered, gain):
    """What the best step is worth, with the steps that clovers add, planned to the end.

    It looks at every chain, depth first. `moved` holds how far each path has moved in it, four
    bits a path, and a bit for the large figure; `entered` how many figures it brought to the
    goal area; `gain` what it added to the score.
    """
    p = s.seat
    best = -2 * _END
    depth = 0
    _push(room, depth, moved, entered, gain, 0.0)
    while depth >= 0:
        frame = _FRAMES + 5 * depth
        k = int(room[frame + 4])
        if k == 2 * COLOURS:
            depth -= 1
            continue
        room[frame + 4] = k + 1
        large = k >= COLOURS
        c = k - COLOURS if large else k
        moved = int(room[frame])
        entered = int(room[frame + 1])
        gain = room[frame + 2]
        stone = np.int64(s.stone[p, c]) + ((moved >> (4 * c)) & 15)
        if stone == STONES or not _may_move(s, moved, stone, large):
            continue
        value = room[frame + 3] + _move(s, w, room, turns, c, stone, large, room[c], entered, gain)
        best = max(best, value)
        if stone + 1 == GOAL:
            entered += 1
        if (
            s.tile[c, stone + 1] == CLOVER_TILE
            and s.goal + entered < LAST_FIGURE
            and depth + 1 < _DEEPEST
        ):
            depth += 1
            moved = _moved(moved, c, stone, large)
            _push(room, depth, moved, entered, gain + _gain(s, c, stone, large), value)
    return best


@inlined
def _push(room, depth, moved, entered, gain, value):
    frame = _FRAMES + 5 * depth
    room[frame] = moved
    room[frame + 1] = entered
    room[frame + 2] = gain
    room[frame + 3] = value
    room[frame + 4] = 0


@inlined
def _moved(moved, c, stone, large):
    """Note a step of a chain."""
    if large and stone == 0:
        moved |= np.int64(1) << (4 * COLOURS)
    return moved + (np.int64(1) << (4 * c))


@inlined
def _may_move(s, moved, stone, large):
    """Whether, after some steps of a chain, such a figure can make such a step."""
    p = s.seat
    if stone > 0:
        return not large
    large_left = s.large[p] < 0 and moved >> (4 * COLOURS) & 1 == 0
    if large:
        return large_left
    small_left = np.int64(s.small[p])
    for c in range(COLOURS):
        if s.stone[p, c] == 0 and moved >> (4 * c) & 15:
            small_left -= 1
    if s.large[p] < 0 and not large_left:
        small_left += 1
    return small_left > 0


@inlined
def _gain(s, c, stone, large):
    """What a step adds to the figure's value as it stands."""
    times = 2 if large or s.large[s.seat] == c else 1
    return np.float64(times * (VALUES[stone + 1] - VALUES[stone]))


@inlined
def _move(s, w, room, turns, c, stone, large, steps, entered, gain):
    """What a step is worth, when `steps` more will follow, but for what a clover brings."""
    p = s.seat
    real = _gain(s, c, stone, large)
    if stone + 1 == GOAL and s.goal + entered + 1 == LAST_FIGURE:
        lead = _lead(s) + gain + real
        return lead + (_END if lead > 0 else -_END if lead < 0 else 0.0)
    if stone == 0:
        small, big = _entering(s, c, steps, turns, w, room)
        after = small
        if large:
            after = big if s.small[p] > 0 else big + w[_LARGE]
        after += w[_OPEN]
    else:
        after = _worth(s, room, c, stone + 1, steps, turns, w)
    before = _worth(s, room, c, stone, room[c], turns, w)
    now = w[_NOW] + w[_NOW_LATE] / (1.0 + turns)
    value = w[_FUTURE] * (after - before) + now * real
    if stone + 1 == GOAL:
        value += w[_GOAL_HURRY] * (_lead(s) + gain)
    value += _tile(s, w, s.tile[c, stone + 1])
    if stone + 2 <= STONES and steps >= 1:
        value += w[_AHEAD] * _tile(s, w, s.tile[c, stone + 2])
    return value


@inlined
def _tile(s, w, tile):
    """What it is worth to come onto a tile; for a clover, besides the step that it brings."""
    if tile == WISHING_STONE:
        return w[_WISH_1 + min(s.wishing[s.seat], 5)]
    if tile == CLOVER_TILE:
        return w[_CLOVER]
    return w[_POINT] * tile


# --- A draw ------------------------------------------------------------------------------


@inlined
def _open_piles(s):
    """The discard piles that may be drawn from, as bits."""
    return s.piles & ~bit(s.closed) if s.closed >= 0 else s.piles


@kernel
def _draws(s, w, room, turns, actions, values):
    p = s.seat
    lead = _lead(s)
    actions[0] = DRAW_PILE
    values[0] = w[_HURRY] * lead
    if s.next + 1 == DECK:
        values[0] = lead + (_END if lead > 0 else -_END if lead < 0 else 0.0)
    n = 1
    piles = _open_piles(s)
    for c in range(COLOURS):
        if piles >> c & 1:
            card = np.int64(s.pile[c, s.pile_size[c] - 1])
            b = bit(card)
            value = -w[_TAKE] + w[_DENY] * _gift(s, w, c, card - NUMBERS * c, b)
            stone = np.int64(s.stone[p, c])
            if s.fits[p] & b:
                if stone < STONES:
                    more = _worth(s, room, c, stone, room[c] + w[_HELD], turns, w)
                    value += w[_FUTURE] * (more - room[COLOURS + c])
                else:
                    value += 1.0
            value -= w[_STALL] * s.takes
            if s.takes >= PATIENCE:
                value -= 4 * _END
            actions[n] = TAKE + c
            values[n] = value
            n += 1
    return n
