"""Keltis: Der Weg der Steine, the tile game (Reiner Knizia, Kosmos 2009), for two to four players.

The rules are those of the Dutch translation, the only rule book at hand; which tiles carry a
symbol (S2) is read off photographs. Clause numbers (S1 to S10) stand where the code is the
clause; `keltis rules stones` prints them in words.

A game is one record, `STATE`. A tile is colour * 11 + number, and a set of tiles is a bit mask:
what lies open, a player's rows, what fits them. Functions on a record `s` are for other kernels
and check nothing; functions on `(states, i)` are for callers from Python.
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
from keltis.rules.library import Scalar

# --- What there is -----------------------------------------------------------------------

MOST_PLAYERS = 4  # S1
COLOURS = 5  # S1: red, yellow, violet, green, blue
NUMBERS = 11  # S1: 0 to 10
TILES = COLOURS * NUMBERS  # S1

# S2: the numbers that carry each symbol, by colour R Y V G B
WISHING_STONES = ((4, 7), (6, 8), (1, 4), (6, 9), (2, 3))
CLOVERS = ((5, 8), (1, 7), (2, 9), (3, 4), (5, 6))
ONE_POINT = ((6,), (4,), (5,), (1,), (9,))
THREE_POINTS = ((2,), (3,), (7,), (5,), (8,))

ROWS = np.array([0, -4, -3, 2, 3, 6, 10])  # S8, by length; six and more count alike
WISHES = np.array([-4, -3, 2, 3, 6, 10])  # S8, by wishing stones; five and more count alike

# --- Decisions: the 57 actions -----------------------------------------------------------

TAKE, DECLINE, TURN_OVER = 0, 55, 56
ACTIONS = 57

TURN, TILE, FURTHER, OVER = range(4)  # phases
RUNNING, BY_DECK = 0, 2  # why a game ended, numbered as in `board`

STATE = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),
            ("rows", np.int64, MOST_PLAYERS),  # tiles in the rows
            ("fits", np.int64, MOST_PLAYERS),  # tiles that fit the rows
            ("open", np.int64),  # tiles that lie face up in the middle
            ("top", np.int8, (MOST_PLAYERS, COLOURS)),  # the row's last number, or -1
            ("direction", np.int8, (MOST_PLAYERS, COLOURS)),  # 1 rising, -1 falling, 0 open
            ("deck", np.uint8, TILES),  # in the order in which they turn up; never changes
            ("next", np.uint8),  # how many have been turned over
            ("players", np.uint8),
            ("seat", np.uint8),  # whose decision it is
            ("phase", np.uint8),
            ("tile", np.int8),  # in phase TILE: the one just turned over, else -1
            ("reason", np.uint8),
        ],
    )
)


def _mask(numbers):
    return np.int64(sum(1 << (NUMBERS * c + n) for c, row in enumerate(numbers) for n in row))


def _fits():
    """Which numbers fit a row, as 11 bits, by its last number and its direction (S5)."""
    table = np.zeros((NUMBERS, 3), np.int64)
    for top in range(NUMBERS):
        above = sum(1 << n for n in range(top + 1, NUMBERS))
        beneath = sum(1 << n for n in range(top))
        table[top] = beneath, above | beneath, above
    return table


_WISHING_STONES = _mask(WISHING_STONES)
_CLOVERS = _mask(CLOVERS)
_ONE_POINT = _mask(ONE_POINT)
_THREE_POINTS = _mask(THREE_POINTS)
FITS = _fits()
_COLOUR = np.repeat(np.arange(COLOURS, dtype=np.uint8), NUMBERS)
_NUMBER = np.tile(np.arange(NUMBERS, dtype=np.uint8), COLOURS)
_ROW = (1 << NUMBERS) - 1
_ALL_TILES = (1 << TILES) - 1


# --- Setting up --------------------------------------------------------------------------


@kernel
def start(s, players):
    """Begin a game with the deck that is in the record (S1, S3)."""
    for p in range(MOST_PLAYERS):
        s.rows[p] = 0
        s.fits[p] = _ALL_TILES
        for c in range(COLOURS):
            s.top[p, c] = -1
            s.direction[p, c] = 0
    s.open = 0
    s.next = 0
    s.players = players
    s.seat = 0
    s.phase = TURN
    s.tile = -1
    s.reason = RUNNING


@kernel
def shuffled(s, players):
    """Begin a game dealt by the record's own random numbers (S1)."""
    for k in range(TILES):
        s.deck[k] = k
    shuffle(s, s.deck, 0, TILES)
    start(s, players)


# --- What may be done --------------------------------------------------------------------


@inlined
def legal(s):
    """The legal actions as one mask."""
    if s.phase == TURN:  # S4
        return (s.open & s.fits[s.seat]) | bit(TURN_OVER)
    if s.phase == TILE:  # S4, S5
        return (bit(s.tile) & s.fits[s.seat]) | bit(DECLINE)
    if s.phase == FURTHER:  # S7
        return (s.open & s.fits[s.seat]) | bit(DECLINE)
    return np.int64(0)


# --- Doing it ----------------------------------------------------------------------------


@inlined
def apply(s, action):
    """Carry out a legal action."""
    if action == TURN_OVER:
        s.tile = s.deck[s.next]
        s.next += 1
        s.phase = TILE
    elif action < DECLINE:
        _take(s, action)
    else:
        if s.phase == TILE:
            s.open |= bit(s.tile)
        _end_turn(s)


@inlined
def reveals(s, action):
    """Whether an action brings to light what nobody knew: a face-down tile."""
    return action == TURN_OVER


@inlined
def is_over(s):
    """Whether the game has ended."""
    return s.phase == OVER


@inlined
def _take(s, tile):
    p = s.seat
    c = _COLOUR[tile]
    number = _NUMBER[tile]
    b = bit(tile)
    s.open &= ~b
    s.rows[p] |= b
    if s.top[p, c] >= 0:  # S5
        s.direction[p, c] = 1 if number > s.top[p, c] else -1
    s.top[p, c] = number
    shift = NUMBERS * c
    s.fits[p] = s.fits[p] & ~(np.int64(_ROW) << shift) | (
        FITS[number, s.direction[p, c] + 1] << shift
    )
    if b & _CLOVERS == 0:
        _end_turn(s)
    elif s.next < TILES:  # S6
        s.phase = TURN
        s.tile = -1
    elif s.open & s.fits[p]:  # S7
        s.phase = FURTHER
        s.tile = -1
    else:
        _end_turn(s)


@inlined
def _end_turn(s):
    s.tile = -1
    if s.next == TILES:  # S7
        s.phase = OVER
        s.reason = BY_DECK
    else:
        s.phase = TURN
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0


# --- The score ---------------------------------------------------------------------------


@kernel
def wishing_stones(s, p):
    """How many wishing stones a player has."""
    return popcount(s.rows[p] & _WISHING_STONES)


@kernel
def points(s, p):
    """The bonus points printed on a player's tiles."""
    return popcount(s.rows[p] & _ONE_POINT) + 3 * popcount(s.rows[p] & _THREE_POINTS)


@kernel
def score(s, p):
    """What a player would score if the game ended now (S8)."""
    total = WISHES[min(wishing_stones(s, p), len(WISHES) - 1)] + points(s, p)
    for c in range(COLOURS):
        length = popcount(s.rows[p] >> (NUMBERS * c) & _ROW)
        total += ROWS[min(length, len(ROWS) - 1)]
    return total


# --- Chance ------------------------------------------------------------------------------


@inlined
def random_action(s):
    """A legal action, each as likely as any other."""
    actions = legal(s)
    return select(actions, below(s, popcount(actions)))


@kernel
def reshuffle(s):
    """Shuffle the face-down tiles: nobody knows more of them than which they are."""
    shuffle(s, s.deck, s.next, TILES)


# --- For callers from Python: an array of records and a place in it ----------------------


@entry(states=STATE, deck=np.uint8)
def setup(states, i, players, deck):
    """Begin a game with a given deck."""
    s = states[i]
    for k in range(TILES):
        s.deck[k] = deck[k]
    start(s, players)


@entry(states=STATE, seed=Scalar(np.uint64))
def deal(states, i, players, seed):
    """Begin a game that is dealt by a seed."""
    s = states[i]
    s.rng = np.uint64(seed)
    shuffled(s, players)


@entry(states=STATE, out=np.int64)
def legal_actions(states, i, out):
    """Write the legal actions, rising; tell how many."""
    mask = legal(states[i])
    n = 0
    while mask:
        out[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def is_legal(s, action):
    """Whether a number is a legal action; any number may be asked."""
    return 0 <= action < ACTIONS and legal(s) >> action & 1 == 1


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
    """Shuffle what nobody knows; whose view it is makes no difference here."""
    reshuffle(states[i])


@entry(states=STATE, results=RESULT)
def playouts(states, i, players, cap, results):
    """Play a random game for each of the results, by the record's own random numbers.

    A game that is not over after `cap` decisions is left there, its reason RUNNING; no game
    of `stones` is longer than 165 decisions.
    """
    s = states[i]
    for k in range(len(results)):
        result = results[k]
        shuffled(s, players)
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
