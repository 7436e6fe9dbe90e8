"""What each decision of the board game is worth to the seat that has to make it.

Compiled, and quick enough to play a game in some 20 microseconds: it is the `heuristic` bot, and
how the others play in the search's rollouts. It reads only what the seat may know: its own hand,
and what is public.

The heart is `_steps`: how many more stones a path will yield, from the cards held that fit its
row and the share of the unseen ones that will come in the turns that are left. A path is worth
the value of the stone where it will end. A card laid is worth what the path gains by it, less
what the gap costs; a card discarded what the path loses, and what it gives to others; and so on.
The weights that balance these are tuned by self-play (`tools/tune.py`).
"""

import numpy as np

from keltis.rules import board, both
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
    "tiles": 0.0,  # the share that counts of the tiles up to where a path will end
    "tiles_clover": 0.0,  # and what a clover there is worth
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
    _TILES, _TILES_CLOVER,
    _DISCARD, _GIFT, _GIFT_LATER, _TAKE, _DENY, _HURRY, _GOAL_HURRY,
    _LARGE, _LARGE_WAIT, _STALL,
) = range(len(WEIGHTS))  # fmt: skip

_ROW = (1 << NUMBERS) - 1
_ALL_CARDS = (1 << CARDS) - 1


SECOND = 16  # where, beside the cards of a colour, the second copies are noted


def _runs():
    """The numbers that can follow in a row that rises, and in one that falls, packed.

    By the row's last number, from -1 for no row, and its direction, from -1: one of the two is
    empty once the direction is fixed.
    """
    table = np.zeros((1 + NUMBERS, 3, 2), np.int64)
    table[0] = _ROW
    for top in range(NUMBERS):
        rising = sum(1 << number for number in range(top, NUMBERS))
        falling = sum(1 << number for number in range(top + 1))
        table[1 + top] = (0, falling), (rising, falling), (rising, 0)
    return table | table << SECOND


RUNS = _runs()
PATIENCE = 60  # draws from discard piles in a row, after which the draw pile is due (B22)
_END = 100.0  # a won game: more than all else that an action can bring
_NEVER = 4 * _END  # against what must not be done, whatever else it brings
_NO_STEPS = 0.1  # where there are none to come, so that nothing is divided by 0
_FADING = 0.08  # of a gift: what each number between it and the end of the row takes away
_FREE_STEP = 1.0  # a card for a path that is finished: the step is one of another figure
_MOST_WISHES = 5  # wishing stones that have a weight of their own; one more counts as the sixth

# A one in the byte of a figure's distance to the goal, by its stone: so many can be added up.
_DISTANCE = np.array([0] + [1 << (8 * (GOAL - stone)) for stone in range(1, GOAL)] + [0] * 4)


@kernel
def evaluate(s, h, sparing):
    """Write the legal actions and what each is worth; return how many there are.

    If `sparing`, discards are left out where none can be the best.
    """
    if s.phase == DRAW and _open_piles(s) == 0:
        h.actions[0] = DRAW_PILE
        h.values[0] = 0.0
        return 1
    once, twice = cards_unseen(s)
    turns = turns_left(s, h)
    rate = h.weights[_UNSEEN] * min(1.0, turns / max(1, popcount(once) + popcount(twice)))
    p = s.seat
    total = _NO_STEPS  # steps to come on all paths that are open
    for c in range(COLOURS):
        held = packed(s.held[p], s.twice[p], c)
        unseen = packed(once, twice, c)
        top = s.top[p, c]
        chance = rate if top >= 0 else rate * h.weights[_ROW_UNSEEN]
        h.steps[c] = _steps(h, held, unseen, top, s.direction[p, c], chance)
        if s.stone[p, c] > 0:
            total += min(h.steps[c], STONES - np.int64(s.stone[p, c]))
    h.share = min(1.0, h.weights[_HASTE] * turns / total)
    _look_ahead(s, h)
    for c in range(COLOURS):
        h.worth[c] = _worth(s, h, c, s.stone[p, c], h.steps[c], turns)
    if s.phase == CARD:
        n = _lays(s, h, turns, rate, once, twice)
        if sparing:
            for k in range(n):
                if h.values[k] > -h.weights[_DISCARD]:  # no discard is worth more
                    return n
        return _discards(s, h, turns, n)
    if s.phase == DRAW:
        return _draws(s, h, turns)
    return _figures(s, h, turns)


# --- Outlook -----------------------------------------------------------------------------


@inlined
def cards_unseen(s):
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
def turns_left(s, h):
    """How many turns the seat may still hope for."""
    deck = h.weights[_TURNS_DECK] * (DECK - s.next) / s.players
    distances = np.int64(0)  # how many figures are 1, 2, ... stones from the goal: a byte each
    for q in range(s.players):
        for c in range(COLOURS):
            distances += _DISTANCE[s.stone[q, c]]
    need = np.int64(s.last_figure) - np.int64(s.goal)
    stones = 0
    for distance in range(1, GOAL):
        there = min(need, (distances >> (8 * distance)) & 0xFF)
        stones += there * distance
        need -= there
    stones += need * GOAL
    return min(deck, h.weights[_TURNS_GOAL] * stones / s.players)


@inlined
def packed(cards, twice, c):
    """The cards of a colour, and beside them those that are there twice."""
    shift = NUMBERS * c
    return (cards >> shift & _ROW) | (twice >> shift & _ROW) << SECOND


@inlined
def _steps(h, held, unseen, top, direction, rate):
    """How many more stones the cards of a colour, packed, will yield, for a row as given."""
    rising = RUNS[top + 1, direction + 1, 0]
    falling = RUNS[top + 1, direction + 1, 1]
    up = h.weights[_HELD] * popcount(held & rising) + rate * popcount(unseen & rising)
    down = h.weights[_HELD] * popcount(held & falling) + rate * popcount(unseen & falling)
    return max(up, down)


@inlined
def _end(h, stone, steps, turns):
    """Where a path will end on which a figure stands on a stone, whatever the weights are."""
    return stone + max(0.0, min(steps * h.share, turns))


@inlined
def _at(h, stone):
    """What a path is worth that will end on a stone, or between two."""
    below = min(int(stone), STONES - 1)
    share = min(stone - below, 1.0)
    low = h.weights[_STONE_0 + below]
    return low + share * (h.weights[_STONE_0 + below + 1] - low)


@inlined
def _look_ahead(s, h):
    """Add up what the tiles are worth that lie ahead on each path."""
    p = s.seat
    wish = h.weights[_TILES] * h.weights[_WISH_1 + min(s.wishing[p], _MOST_WISHES)]
    point = h.weights[_TILES] * h.weights[_POINT]
    clover = h.weights[_TILES_CLOVER]
    for c in range(COLOURS):
        total = 0.0
        for stone in range(np.int64(s.stone[p, c]) + 1, STONES + 1):
            tile = np.int64(s.tile[c, stone])
            worth = point * tile
            worth = clover if tile == CLOVER_TILE else worth
            worth = wish if tile == WISHING_STONE else worth
            total += worth
            h.tiles[c, stone] = total


@inlined
def _tiles_until(s, h, c, stone, end):
    """What the tiles are worth after a stone, up to where a path will end."""
    if stone >= STONES:
        return 0.0
    below = min(int(end), STONES - 1)
    low = h.tiles[c, below] if below > s.stone[s.seat, c] else 0.0
    passed = h.tiles[c, stone] if stone > s.stone[s.seat, c] else 0.0
    return low + min(end - below, 1.0) * (h.tiles[c, below + 1] - low) - passed


@inlined
def _worth(s, h, c, stone, steps, turns):
    """What a path will be worth to the seat whose figure stands on a stone of it."""
    end = _end(h, stone, steps, turns)
    worth = _at(h, end)
    tiles = _tiles_until(s, h, c, stone, end)
    if stone == 0:
        return max(0.0, worth + tiles + h.weights[_OPEN])  # it need not be opened
    return 2 * worth + tiles if s.large[s.seat] == c else worth + tiles


# --- A card ------------------------------------------------------------------------------


@inlined
def _lays(s, h, turns, rate, once, twice):
    """The cards that may be laid. What is the same for all of a colour is worked out once."""
    p = s.seat
    n = 0
    for c in range(COLOURS):
        shift = NUMBERS * c
        cards = (s.held[p] & s.fits[p]) >> shift & _ROW
        if cards == 0:
            continue
        stone = np.int64(s.stone[p, c])
        if stone >= STONES:
            base = max(0.0, _chain(s, h, turns, 0, 0, 0.0))
        else:
            base = _move(s, h, turns, c, stone, False, 0, 0.0)
            base += _clover(s, h, turns, c, stone, False)
        ends = stone >= STONES or _ends(s, stone, 0)
        held = packed(s.held[p], s.twice[p], c)
        unseen = packed(once, twice, c)
        top = s.top[p, c]
        while cards:
            number = lowest(cards)
            cards &= cards - 1
            value = base
            if not ends:
                direction = s.direction[p, c]
                if top >= 0 and number != top:
                    direction = 1 if number > top else -1
                second = held >> SECOND & bit(number)  # of two copies, one is left
                left = held ^ (second << SECOND if second else bit(number))
                rest = _steps(h, left, unseen, number, direction, rate)
                if stone == 0:
                    small, big = _entering(s, h, c, rest, turns)
                    large = s.small[p] == 0 or (s.large[p] < 0 and big > small)
                    if large:  # rare: what differs is worked out again
                        value = _move(s, h, turns, c, stone, True, 0, 0.0)
                        value += _clover(s, h, turns, c, stone, True)
                    value += _outlook(s, h, turns, c, stone, large, rest)
                else:
                    value += _outlook(s, h, turns, c, stone, False, rest)
            h.actions[n] = LAY + shift + number
            h.values[n] = value
            n += 1
    return n


@inlined
def _discards(s, h, turns, n):
    """The cards that may be discarded, from a place on; return how many actions there are then."""
    p = s.seat
    for c in range(COLOURS):
        shift = NUMBERS * c
        cards = s.held[p] >> shift & _ROW
        if cards == 0:
            continue
        stone = np.int64(s.stone[p, c])
        loss = 0.0
        if stone < STONES:
            less = _worth(s, h, c, stone, h.steps[c] - h.weights[_HELD], turns)
            loss = max(0.0, h.weights[_FUTURE] * (h.worth[c] - less))
        while cards:
            number = lowest(cards)
            cards &= cards - 1
            b = bit(number + shift)
            value = -h.weights[_DISCARD] - _gift(s, h, c, number, b)
            if s.fits[p] & b:
                value -= loss
            h.actions[n] = DISCARD + shift + number
            h.values[n] = value
            n += 1
    return n


@inlined
def _gift(s, h, c, number, b):
    """What a card on its pile is worth to those who come next."""
    worth = 0.0
    weight = h.weights[_GIFT]
    q = np.int64(s.seat)
    for _ in range(s.players - 1):
        q = q + 1 if q + 1 < s.players else 0
        if s.fits[q] & b and s.top[q, c] >= 0:
            worth += weight * (1 - _FADING * abs(number - s.top[q, c]))
        weight = h.weights[_GIFT_LATER]
    return max(0.0, worth)


# --- A figure ----------------------------------------------------------------------------


@inlined
def _entering(s, h, c, steps, turns):
    """What a small and the large figure are worth that enter a path from the start."""
    end = _end(h, 1, steps, turns)
    worth = _at(h, end)
    small = worth + _tiles_until(s, h, c, 1, end)
    other = 0.0
    if s.large[s.seat] < 0:
        for d in range(COLOURS):
            if d != c and s.stone[s.seat, d] == 0:
                other = max(other, h.worth[d])
    return small, small + worth - h.weights[_LARGE] - h.weights[_LARGE_WAIT] * other


@kernel
def _figures(s, h, turns):
    """The steps that may be made, or the figures that may enter; return how many."""
    p = s.seat
    _, _, other = board.legal(s)
    n = 0
    while other:
        action = lowest(other)
        other &= other - 1
        h.actions[n] = STEP + action
        if action == DECLINE - STEP:
            h.values[n] = 0.0
        else:
            large = action >= LARGE - STEP
            c = action - (LARGE - STEP) if large else action
            stone = np.int64(s.stone[p, c])
            h.values[n] = _move(s, h, turns, c, stone, large, 0, 0.0)
            h.values[n] += _clover(s, h, turns, c, stone, large)
            if not _ends(s, stone, 0):
                h.values[n] += _outlook(s, h, turns, c, stone, large, h.steps[c])
        n += 1
    return n


@inlined
def _clover(s, h, turns, c, stone, large):
    """What the further steps are worth that moving on from a stone brings, if it does."""
    if s.tile[c, stone + 1] != CLOVER_TILE:
        return 0.0
    entered = 1 if stone + 1 == GOAL else 0
    if s.goal + entered >= s.last_figure:
        return 0.0
    moved = _moved(0, c, stone, large)
    return max(0.0, _chain(s, h, turns, moved, entered, _gain(s, c, stone, large)))


_BITS = 4  # for the steps of a chain on a path: fewer than 16
_MOVES = (1 << _BITS) - 1
_LARGE_BIT = _BITS * COLOURS  # whether the large figure has been set out in a chain


@kernel
def _chain(s, h, turns, moved, entered, gain):
    """What the best step is worth, with the steps that clovers add, planned to the end.

    A step onto a clover costs nothing, since another follows: all that are worth something are
    made, the best first, and then the best of the others. `moved` holds how far each path has
    moved in the chain, _BITS a path, and a bit for the large figure; `entered` how many
    figures it brought to the goal area; `gain` what it added to the score.
    """
    p = s.seat
    total = 0.0
    while True:
        best = -_NEVER
        free = 0.0  # the best step onto a clover
        free_path = -1
        free_large = False
        for c in range(COLOURS):
            stone = np.int64(s.stone[p, c]) + (moved >> (_BITS * c) & _MOVES)
            if stone >= STONES:
                continue
            clover = s.tile[c, stone + 1] == CLOVER_TILE
            goal = s.goal + entered + (1 if stone + 1 == GOAL else 0)
            for large in (False, True):
                if not _may_move(s, moved, stone, large):
                    continue
                value = _move(s, h, turns, c, stone, large, entered, gain)
                if goal < s.last_figure or stone + 1 != GOAL:
                    value += _outlook(s, h, turns, c, stone, large, h.steps[c])
                best = max(best, value)
                if clover and value > free and goal < s.last_figure:
                    free = value
                    free_path = c
                    free_large = large
        if free_path < 0:
            return best if total == 0 else total + max(0.0, best)
        total += free
        stone = np.int64(s.stone[p, free_path]) + (moved >> (_BITS * free_path) & _MOVES)
        if stone + 1 == GOAL:
            entered += 1
        gain += _gain(s, free_path, stone, free_large)
        moved = _moved(moved, free_path, stone, free_large)


@inlined
def _moved(moved, c, stone, large):
    """Note a step of a chain."""
    if large and stone == 0:
        moved |= np.int64(1) << _LARGE_BIT
    return moved + (np.int64(1) << (_BITS * c))


@inlined
def _may_move(s, moved, stone, large):
    """Whether, after some steps of a chain, such a figure can make such a step."""
    p = s.seat
    if stone > 0:
        return not large
    large_left = s.large[p] < 0 and moved >> _LARGE_BIT & 1 == 0
    if large:
        return large_left
    small_left = np.int64(s.small[p])
    for c in range(COLOURS):
        if s.stone[p, c] == 0 and moved >> (_BITS * c) & _MOVES:
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
def _ends(s, stone, entered):
    """Whether a step from a stone ends the game."""
    return stone + 1 == GOAL and s.goal + entered + 1 == s.last_figure


@inlined
def _move(s, h, turns, c, stone, large, entered, gain):
    """What a step is worth, but for what a clover brings and for the outlook after it."""
    real = _gain(s, c, stone, large)
    if _ends(s, stone, entered):
        lead = both.lead(s, s.seat) + gain + real
        return lead + (_END if lead > 0 else -_END if lead < 0 else 0.0)
    now = h.weights[_NOW] + h.weights[_NOW_LATE] / (1.0 + turns)
    value = now * real - h.weights[_FUTURE] * _worth(s, h, c, stone, h.steps[c], turns)
    if stone + 1 == GOAL:
        value += h.weights[_GOAL_HURRY] * (both.lead(s, s.seat) + gain)
    return value + _tile(s, h, s.tile[c, stone + 1])


@inlined
def _outlook(s, h, turns, c, stone, large, steps):
    """What a path is worth after a step from a stone, when `steps` more will follow."""
    if stone == 0:
        small, big = _entering(s, h, c, steps, turns)
        after = small
        if large:
            after = big if s.small[s.seat] > 0 else big + h.weights[_LARGE]
        after += h.weights[_OPEN]
    else:
        after = _worth(s, h, c, stone + 1, steps, turns)
    value = h.weights[_FUTURE] * after
    if stone + 2 <= STONES and steps >= 1:
        value += h.weights[_AHEAD] * _tile(s, h, s.tile[c, stone + 2])
    return value


@inlined
def _tile(s, h, tile):
    """What it is worth to come onto a tile; for a clover, besides the step that it brings."""
    if tile == WISHING_STONE:
        return h.weights[_WISH_1 + min(s.wishing[s.seat], _MOST_WISHES)]
    if tile == CLOVER_TILE:
        return h.weights[_CLOVER]
    return h.weights[_POINT] * tile


# --- A draw ------------------------------------------------------------------------------


@inlined
def _open_piles(s):
    """The discard piles that may be drawn from, as bits."""
    return s.piles & ~bit(s.closed) if s.closed >= 0 else s.piles


@kernel
def _draws(s, h, turns):
    """The piles that may be drawn from; return how many."""
    p = s.seat
    lead = both.lead(s, s.seat)
    h.actions[0] = DRAW_PILE
    h.values[0] = h.weights[_HURRY] * lead
    if s.next + 1 == DECK:
        h.values[0] = lead + (_END if lead > 0 else -_END if lead < 0 else 0.0)
    n = 1
    piles = _open_piles(s)
    for c in range(COLOURS):
        if piles >> c & 1:
            card = np.int64(s.pile[c, s.pile_size[c] - 1])
            b = bit(card)
            value = -h.weights[_TAKE] + h.weights[_DENY] * _gift(s, h, c, card - NUMBERS * c, b)
            stone = np.int64(s.stone[p, c])
            if s.fits[p] & b:
                if stone < STONES:
                    more = _worth(s, h, c, stone, h.steps[c] + h.weights[_HELD], turns)
                    value += h.weights[_FUTURE] * (more - h.worth[c])
                else:
                    value += _FREE_STEP
            value -= h.weights[_STALL] * s.takes
            if s.takes >= PATIENCE:
                value -= _NEVER
            h.actions[n] = TAKE + c
            h.values[n] = value
            n += 1
    return n
