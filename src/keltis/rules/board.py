"""Keltis, the board game (Reiner Knizia, Kosmos 2008), for two to four players.

The rules are those of the German rule book. Clause numbers (B1 to B22) stand where the code
is the clause; `keltis rules board` prints them in words. One deviation: the books set no end to
drawing from discard piles (B22), so callers that must come to an end cap the decisions.

A game is one record, `STATE`. Hands and rows are bit masks of cards: a card is
colour * 11 + number, and a second mask tells which cards are there twice. Functions on a
record `s` are for other kernels and check nothing: `legal` first, then `apply`. Functions on
`(states, i)` are for callers from Python, who pay for a whole array instead of one record.
"""

import numpy as np

from keltis.rules.kernel import (
    RESULT,
    below,
    bit,
    entry,
    inlined,
    kernel,
    lowest,
    popcount,
    select,
    shuffle,
)
from keltis.rules.library import Array, Scalar

# --- What there is -----------------------------------------------------------------------

MOST_PLAYERS = 4  # B1
COLOURS = 5  # B1: red, yellow, violet, green, blue
STONES = 9  # B1: the end stone is the last
VALUES = np.array([0, -4, -3, -2, 1, 2, 3, 6, 7, 10, 0])  # B2, by stone; 0 is the start
NO_PATH = STONES + 1  # the figure's stone on a path that a shrunken game has not
GOAL = 7  # B2: the first stone of the goal area
NUMBERS = 11  # B3: 0 to 10
CARDS = COLOURS * NUMBERS
DECK = 2 * CARDS  # B3
SMALL_FIGURES = 4  # B4, and one large
POINTS_TILES = (1, 1, 2, 2, 2, 3, 3)  # B5; a points tile's code is its points
NO_TILE, CLOVER_TILE, WISHING_STONE = 0, 4, 5
TILES = np.array([WISHING_STONE] * 9 + [CLOVER_TILE] * 9 + list(POINTS_TILES), np.int8)  # B5
TILED = np.array(  # B5, B6: the stones with a tile, by colour R Y V G B
    [[2, 3, 5, 7, 9], [2, 4, 6, 7, 9], [3, 4, 6, 7, 9], [3, 5, 6, 7, 9], [2, 4, 5, 7, 9]]
)
HAND = 8  # B7
REMOVED_WITH_TWO = 30  # B7
LAST_FIGURE = 5  # B18
WISHES = np.array([-4, -3, 2, 3, 6, 10])  # B20, by wishing stones; five and more count alike

# --- Decisions: the 127 actions ----------------------------------------------------------

LAY, DISCARD, STEP, LARGE, DECLINE, DRAW_PILE, TAKE = 0, 55, 110, 115, 120, 121, 122
ACTIONS = TAKE + COLOURS

CARD, FIGURE, CLOVER, END_STONE, DRAW, OVER = range(6)  # phases
RUNNING, BY_GOAL, BY_DECK = range(3)  # why a game ended

# Where the rule books differ, as bits of a record's `options`; 0 is the German book.
END_STONE_MAY = 1  # B16: the step from an end stone may be declined
CLOVER_MUST = 2  # B14: a clover's step may not be declined
OWN_DISCARD = 4  # B17: the card just discarded may be drawn again
TOP_CARDS = 8  # B12: only the top of a discard pile is shown, which changes nothing here

STATE = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),
            ("held", np.int64, MOST_PLAYERS),  # cards in the hand
            ("twice", np.int64, MOST_PLAYERS),  # of these, the ones held twice
            ("known", np.int64, MOST_PLAYERS),  # of the hand, what everybody saw being taken
            ("known_twice", np.int64, MOST_PLAYERS),
            ("laid", np.int64, MOST_PLAYERS),  # cards in the rows
            ("laid_twice", np.int64, MOST_PLAYERS),
            ("fits", np.int64, MOST_PLAYERS),  # cards that fit the rows
            ("top", np.int8, (MOST_PLAYERS, COLOURS)),  # the row's last number, or -1
            ("direction", np.int8, (MOST_PLAYERS, COLOURS)),  # 1 rising, -1 falling, 0 open
            ("stone", np.uint8, (MOST_PLAYERS, COLOURS)),  # where the figure is; 0: none here
            ("large", np.int8, MOST_PLAYERS),  # the large figure's path; -1: on the start
            ("small", np.int8, MOST_PLAYERS),  # small figures on the start
            ("wishing", np.uint8, MOST_PLAYERS),  # wishing stones collected
            ("points", np.int16, MOST_PLAYERS),  # points collected under way
            ("tile", np.int8, (COLOURS, STONES + 1)),
            ("pile", np.uint8, (COLOURS, 2 * NUMBERS)),  # discards, bottom first
            ("pile_size", np.uint8, COLOURS),
            ("piles", np.int64),  # the discard piles that are not empty, as bits
            ("deck", np.uint8, DECK),  # as dealt: hands, removed cards, draw pile; never changes
            ("removed_from", np.uint8),  # place in the deck of the first card out of the game
            ("drawn_from", np.uint8),  # place of the card that was on top of the draw pile first
            ("next", np.uint8),  # place in the deck of the top of the draw pile
            ("players", np.uint8),
            ("seat", np.uint8),  # whose decision it is
            ("phase", np.uint8),
            ("path", np.int8),  # in phase FIGURE: the path that a figure enters
            ("closed", np.int8),  # the pile that may not be drawn from in this turn, or -1
            ("takes", np.uint16),  # draws from discard piles since the last from the draw pile
            ("goal", np.uint8),  # figures in the goal area
            ("last_figure", np.uint8),  # how many end the game
            ("options", np.uint8),  # which of the options above are on
            ("reason", np.uint8),
        ],
    )
)


def _fits():
    """Which numbers fit a row, as 11 bits, by its last number and its direction (B9)."""
    table = np.zeros((NUMBERS, 3), np.int64)
    for top in range(NUMBERS):
        for number in range(NUMBERS):
            if number >= top:
                table[top, 1 + 1] |= 1 << number
            if number <= top:
                table[top, 1 - 1] |= 1 << number
            table[top, 1] |= 1 << number
    return table


FITS = _fits()
_COLOUR = np.repeat(np.arange(COLOURS, dtype=np.uint8), NUMBERS)
_NUMBER = np.tile(np.arange(NUMBERS, dtype=np.uint8), COLOURS)
_ROW = (1 << NUMBERS) - 1
_ALL_CARDS = (1 << CARDS) - 1
_TILED_A_PATH = TILED.shape[1]


# --- Setting up --------------------------------------------------------------------------


@kernel
def start(s, players, options):
    """Begin a game with the deck and the tiles that are in the record (B4, B7, B8)."""
    for p in range(MOST_PLAYERS):
        s.held[p] = s.twice[p] = s.known[p] = s.known_twice[p] = 0
        s.laid[p] = s.laid_twice[p] = 0
        s.fits[p] = _ALL_CARDS
        s.large[p] = -1
        s.small[p] = SMALL_FIGURES
        s.wishing[p] = 0
        s.points[p] = 0
        for c in range(COLOURS):
            s.top[p, c] = -1
            s.direction[p, c] = 0
            s.stone[p, c] = 0
    for c in range(COLOURS):
        s.pile_size[c] = 0
    for p in range(players):
        for k in range(HAND * p, HAND * (p + 1)):
            _add(s.held, s.twice, p, s.deck[k])
    s.piles = 0
    s.takes = 0
    s.removed_from = HAND * players
    s.drawn_from = s.next = HAND * players + removed(players)
    s.players = players
    s.seat = 0
    s.phase = CARD
    s.path = s.closed = -1
    s.goal = 0
    s.last_figure = LAST_FIGURE
    s.options = options
    s.reason = RUNNING


@entry()
def removed(players):
    """How many cards go out of the game unseen (B7)."""
    return REMOVED_WITH_TWO if players == 2 else 0


@kernel
def shuffled(s, players, options):
    """Begin a game dealt by the record's own random numbers (B5, B7)."""
    for k in range(DECK):
        s.deck[k] = k >> 1
    shuffle(s, s.deck, 0, DECK)
    shuffle_tiles(s)
    start(s, players, options)


@kernel
def shuffle_tiles(s):
    """Lay the tiles out in order, and shuffle them where they lie (B5)."""
    for c in range(COLOURS):
        for stone in range(STONES + 1):
            s.tile[c, stone] = NO_TILE
        for k in range(_TILED_A_PATH):
            s.tile[c, TILED[c, k]] = TILES[_TILED_A_PATH * c + k]
    for last in range(len(TILES) - 1, 0, -1):
        other = below(s, last + 1)
        a, b = last // _TILED_A_PATH, other // _TILED_A_PATH
        stone_a, stone_b = TILED[a, last % _TILED_A_PATH], TILED[b, other % _TILED_A_PATH]
        tile = s.tile[a, stone_a]
        s.tile[a, stone_a] = s.tile[b, stone_b]
        s.tile[b, stone_b] = tile


# --- What may be done --------------------------------------------------------------------


@inlined
def legal(s):
    """The legal actions as three masks: cards to lay, cards to discard, and from STEP on."""
    if s.phase == CARD:
        held = s.held[s.seat]
        return held & s.fits[s.seat], held, np.int64(0)  # B9, B12
    return np.int64(0), np.int64(0), _other(s)


@inlined
def _other(s):
    """The legal actions that play no card, counted from STEP."""
    if s.phase == DRAW:
        piles = s.piles
        if s.closed >= 0:
            piles &= ~bit(s.closed)  # B17
        return (piles << (TAKE - STEP)) | bit(DRAW_PILE - STEP)
    if s.phase == FIGURE:  # B10
        return bit(s.path) | bit(s.path + LARGE - STEP)
    if s.phase == OVER:
        return np.int64(0)
    p = s.seat
    here = small = np.int64(0)
    for c in range(COLOURS):
        stone = np.int64(s.stone[p, c])
        here |= np.int64((stone > 0) & (stone < STONES)) << c
        small |= np.int64(stone == 0) << c
    steps = here
    if s.small[p] > 0:
        steps |= small
    if s.large[p] < 0:
        steps |= small << (LARGE - STEP)
    binding = s.options & CLOVER_MUST if s.phase == CLOVER else ~s.options & END_STONE_MAY
    if not binding:  # B14, B16
        steps |= bit(DECLINE - STEP)
    return steps


# --- Doing it ----------------------------------------------------------------------------


@inlined
def apply(s, action):
    """Carry out a legal action."""
    if action < DISCARD:
        _lay(s, action)
    elif action < STEP:
        _discard(s, action - DISCARD)
    elif action < LARGE:
        _step(s, action - STEP, False)
    elif action < DECLINE:
        _step(s, action - LARGE, True)
    elif action == DECLINE:
        s.phase = DRAW
    elif action == DRAW_PILE:
        _draw(s)
    else:
        _take(s, action - TAKE)


@inlined
def reveals(s, action):
    """Whether an action brings to light what nobody knew: the top of the draw pile."""
    return action == DRAW_PILE


@inlined
def is_over(s):
    """Whether the game has ended."""
    return s.phase == OVER


@inlined
def _add(cards, twice, p, card):
    b = bit(card)
    twice[p] |= cards[p] & b
    cards[p] |= b


@inlined
def _play_card(s, p, card):
    """Take a card out of a hand; if a copy was seen being taken, it is that one."""
    b = bit(card)
    second = s.twice[p] & b
    s.twice[p] ^= second
    s.held[p] ^= b ^ second
    second = s.known_twice[p] & b
    s.known_twice[p] ^= second
    s.known[p] ^= (s.known[p] & b) ^ second


@inlined
def _lay(s, card):
    p = s.seat
    c = _COLOUR[card]
    number = _NUMBER[card]
    _play_card(s, p, card)
    _add(s.laid, s.laid_twice, p, card)
    top = s.top[p, c]
    if top >= 0 and number != top:  # B9
        s.direction[p, c] = 1 if number > top else -1
    s.top[p, c] = number
    shift = NUMBERS * c
    s.fits[p] = s.fits[p] & ~(np.int64(_ROW) << shift) | (
        FITS[number, s.direction[p, c] + 1] << shift
    )
    stone = s.stone[p, c]
    if stone == STONES:  # B16
        s.phase = END_STONE if _can_step(s) else DRAW
    elif stone > 0:  # B11
        _step(s, c, False)
    elif s.large[p] < 0 and s.small[p] > 0:  # B10
        s.phase = FIGURE
        s.path = c
    else:
        _step(s, c, s.large[p] < 0)


@inlined
def _discard(s, card):
    p = s.seat
    c = _COLOUR[card]
    _play_card(s, p, card)
    s.pile[c, s.pile_size[c]] = card
    s.pile_size[c] += 1
    s.piles |= bit(c)
    s.closed = -1 if s.options & OWN_DISCARD else c  # B17
    s.phase = DRAW


@inlined
def _can_step(s):
    """Whether any figure of the seat's can move.

    Five figures and five paths: where none is on a path, one is on the start.
    """
    finished = 0
    for c in range(COLOURS):
        finished += s.stone[s.seat, c] >= STONES
    return finished < COLOURS


@inlined
def _step(s, c, large):
    """Move the figure on a path by a stone, or bring one onto it, and carry out the tile."""
    p = s.seat
    stone = s.stone[p, c] + 1
    if stone == 1:
        if large:
            s.large[p] = c
        else:
            s.small[p] -= 1
    s.stone[p, c] = stone
    if stone == GOAL:
        s.goal += 1
        if s.goal == s.last_figure:  # B18
            s.phase = OVER
            s.reason = BY_GOAL
            return
    tile = s.tile[c, stone]
    s.phase = DRAW
    if tile == WISHING_STONE:  # B15
        s.wishing[p] += 1
        s.tile[c, stone] = NO_TILE
    elif tile == CLOVER_TILE:  # B14
        if _can_step(s):
            s.phase = CLOVER
    else:
        s.points[p] += tile  # B13


@inlined
def _draw(s):
    _add(s.held, s.twice, s.seat, s.deck[s.next])
    s.next += 1
    s.takes = 0
    if s.next == DECK:  # B19
        s.phase = OVER
        s.reason = BY_DECK
    else:
        _pass_on(s)


@inlined
def _take(s, c):
    p = s.seat
    s.pile_size[c] -= 1
    card = s.pile[c, s.pile_size[c]]
    if s.pile_size[c] == 0:
        s.piles ^= bit(c)
    s.takes += 1
    _add(s.held, s.twice, p, card)
    _add(s.known, s.known_twice, p, card)
    _pass_on(s)


@inlined
def _pass_on(s):
    s.closed = -1
    s.phase = CARD
    s.seat = s.seat + 1 if s.seat + 1 < s.players else 0


# --- The score ---------------------------------------------------------------------------


@kernel
def score(s, p):
    """What a player would score if the game ended now (B20)."""
    total = np.int64(s.points[p]) + WISHES[min(s.wishing[p], len(WISHES) - 1)]
    for c in range(COLOURS):
        total += VALUES[s.stone[p, c]]
    if s.large[p] >= 0:
        total += VALUES[s.stone[p, s.large[p]]]
    return total


# --- Chance ------------------------------------------------------------------------------


@inlined
def random_action(s):
    """A legal action, each as likely as any other."""
    lay, discard, other = legal(s)
    if other:
        return STEP + select(other, below(s, popcount(other)))
    lays = popcount(lay)
    k = below(s, lays + popcount(discard))
    return LAY + select(lay, k) if k < lays else DISCARD + select(discard, k - lays)


@kernel
def reshuffle(s, seat):
    """Deal anew, uniformly, all cards that a seat does not know where they are.

    These are the other hands but for the cards seen being taken, the draw pile, and the cards
    out of the game. A seat of -1 is a spectator, who knows no hand. The part of the deck that
    was dealt as hands serves as room to shuffle in: it no longer tells how the game began.
    """
    end = np.int64(s.removed_from)
    first = end
    counts = np.int64(0)  # of unknown cards, eight bits a player
    for p in range(s.players):
        if p != seat:
            before = first
            first = _spread(s, first, s.held[p] & ~s.known[p])
            first = _spread(s, first, s.twice[p] & ~s.known_twice[p])
            counts |= np.int64(before - first) << (8 * p)
            s.held[p] = s.known[p]
            s.twice[p] = s.known_twice[p]
    dealt = np.int64(s.drawn_from) - first
    gap = s.next - dealt  # from places in the pool to places in the draw pile
    for last in range(DECK - gap - 1, 0, -1):
        other = below(s, last + 1)
        a = last + (first if last < dealt else gap)
        b = other + (first if other < dealt else gap)
        card = s.deck[a]
        s.deck[a] = s.deck[b]
        s.deck[b] = card
    for p in range(s.players):
        for _ in range((counts >> (8 * p)) & 0xFF):
            _add(s.held, s.twice, p, s.deck[first])
            first += 1


@kernel
def reshuffle_pile(s):
    """Shuffle what is in no hand: the draw pile and the cards out of the game together."""
    out = np.int64(s.drawn_from) - np.int64(s.removed_from)
    gap = s.next - out  # from places in the pool to places in the draw pile
    for last in range(DECK - gap - 1, 0, -1):
        other = below(s, last + 1)
        a = last + (s.removed_from if last < out else gap)
        b = other + (s.removed_from if other < out else gap)
        card = s.deck[a]
        s.deck[a] = s.deck[b]
        s.deck[b] = card


@kernel
def _spread(s, end, cards):
    """Write a mask's cards to the deck, the last before `end`; tell where they begin."""
    while cards:
        end -= 1
        s.deck[end] = lowest(cards)
        cards &= cards - 1
    return end


# --- For callers from Python: an array of records and a place in it ----------------------


@entry(states=STATE, deck=np.uint8, tiles=Array(np.int8, 2))
def setup(states, i, players, deck, tiles, options):
    """Begin a game with a given deck and given tiles (a row a colour, stone 0 unused)."""
    s = states[i]
    for k in range(DECK):
        s.deck[k] = deck[k]
    for c in range(COLOURS):
        for stone in range(STONES + 1):
            s.tile[c, stone] = tiles[c, stone]
    start(s, players, options)


@entry(states=STATE, seed=Scalar(np.uint64))
def deal(states, i, players, seed, options):
    """Begin a game that is dealt by a seed."""
    s = states[i]
    s.rng = np.uint64(seed)
    shuffled(s, players, options)


@entry(states=STATE, out=np.int64)
def legal_actions(states, i, out):
    """Write the legal actions, rising; tell how many."""
    lay, discard, other = legal(states[i])
    n = _write(lay, LAY, out, 0)
    n = _write(discard, DISCARD, out, n)
    return _write(other, STEP, out, n)


@kernel
def _write(mask, offset, out, n):
    while mask:
        out[n] = offset + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def is_legal(s, action):
    """Whether a number is a legal action; any number may be asked."""
    lay, discard, other = legal(s)
    if action < 0 or action >= ACTIONS:
        return False
    if action < DISCARD:
        return lay >> action & 1 == 1
    if action < STEP:
        return discard >> (action - DISCARD) & 1 == 1
    return other >> (action - STEP) & 1 == 1


@entry(states=STATE)
def play(states, i, action):
    """Carry out an action if it is legal; tell whether it was."""
    s = states[i]
    if not is_legal(s, action):
        return False
    apply(s, action)
    return True


@entry(states=STATE, actions=np.int64)
def replay(states, i, actions):
    """Carry out actions in turn up to the first that is not legal; tell how many."""
    for k in range(len(actions)):
        if not play(states, i, actions[k]):
            return k
    return len(actions)


@entry(states=STATE, out=np.int64)
def scores(states, i, out):
    """Write what each player would score if the game ended now."""
    for p in range(states[i].players):
        out[p] = score(states[i], p)


@entry(states=STATE)
def resample(states, i, seat):
    """Deal anew what a seat does not know; -1 is a spectator."""
    reshuffle(states[i], seat)


@entry(states=STATE, results=RESULT)
def playouts(states, i, players, options, cap, results):
    """Play a random game for each of the results, by the record's own random numbers.

    A game that is not over after `cap` decisions is left there, its reason RUNNING (B22).
    """
    s = states[i]
    for k in range(len(results)):
        result = results[k]
        shuffled(s, players, options)
        decisions = 0
        turns = 1
        seat = s.seat
        while s.phase != OVER and decisions < cap:
            apply(s, random_action(s))
            decisions += 1
            if s.seat != seat:
                seat = s.seat
                turns += 1
        result.decisions = decisions
        result.turns = turns
        result.reason = s.reason
        for p in range(players):
            result.scores[p] = score(s, p)
