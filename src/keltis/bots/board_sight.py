"""What the network of `foresight` sees of the board game.

A position is seen as a seat leaves it, and as that seat: its own rows and figures come first, then
those of the others in the order of their turns. Only what the seat may know is read: its own hand,
and what is public.
"""

import numpy as np

from keltis.bots.board_policy import PATIENCE, RUNS, SECOND, cards_unseen, packed, turns_left
from keltis.bots.marks import (
    AFTERWARDS,
    AGAIN,
    DISTANCES,
    LASTS,
    LEADS,
    REST,
    UNSEEN,
    distance,
    last,
    leads,
    mark,
    mark_distances,
    mark_leads,
)
from keltis.rules import board
from keltis.rules.board import (
    CARDS,
    CLOVER,
    CLOVER_TILE,
    COLOURS,
    DECK,
    DECLINE,
    DISCARD,
    DRAW,
    DRAW_PILE,
    FIGURE,
    GOAL,
    HAND,
    LAST_FIGURE,
    NUMBERS,
    OVER,
    SMALL_FIGURES,
    STEP,
    STONES,
    TAKE,
    WISHES,
    WISHING_STONE,
)
from keltis.rules.kernel import bit, inlined, lowest, popcount

_ROW = (1 << NUMBERS) - 1
_COLOUR = board._COLOUR

# Of a colour, and a player: the row, the figure's stone and whether it is the large one, the stone
# with how many turns are left and with how many unseen cards fit, the tiles ahead, and the discard
# pile's top.
_FIGURES = 2 * (STONES + 1)
_UNSEENS = 12
_KINDS_OF_TILES = 5
_TOPS = 2 + DISTANCES  # no pile, a top that does not fit, and how far it is from the row's end
_SOON, _TIMES = 8, 13  # turns left: each told apart below this, then in twos
_BY_STONE = (_TIMES + _UNSEENS) * (STONES + 1)
_OF_PLAYER = LASTS + _FIGURES + _BY_STONE + STONES * _KINDS_OF_TILES + _TOPS
# Besides, of the own hand: what fits, once and twice; how much of it, by stone and by turns left;
# how far the nearest is; what does not fit; and the wishing stones ahead with those collected.
_MOST_WISHES = len(WISHES) - 1
_HELD, _GAPS, _USELESS, _WISHES_AHEAD = 7, NUMBERS + 1, 5, 3
_OF_HAND = 2 * DISTANCES + (STONES + 1 + _TIMES) * _HELD + _GAPS + _USELESS
_OF_HAND += (_MOST_WISHES + 1) * _WISHES_AHEAD
_KNOWN = 3  # cards that fit another's row and that they were seen to take,
_GIFTS = 4  # that they could use and the seat can't,
_BOTH = (STONES + 1) ** 2  # and stones, the own and another's
_PILES = 4

_KINDS_OF_WISHES = (_MOST_WISHES + 1) ** 2
_STEPS_OF_LEAD = LEADS // 2 + 1  # in twos, by how many turns are left
_LATE, _CARDS_LEFT = 20, 52  # cards in the draw pile, each told apart below this, then in twos
_AT_START = 2 * (SMALL_FIGURES + 1)
_TURNS = 24
_ENDINGS = 4 * 3
_WISHES_LEFT = 10
_TAKES, _TAKES_STEP = 6, 4
_KINDS_OF_NEXT, _STAGES = 6, 5

HEADS = _KINDS_OF_NEXT * _STAGES


@inlined
def of_colour(s):
    """How much there is to see of a colour."""
    players = np.int64(s.players)
    return players * _OF_PLAYER + _OF_HAND + _PILES + (players - 1) * (_KNOWN + _GIFTS + _BOTH)


@inlined
def heads(s):
    """How many parts of a network there are of which one has the last word."""
    return HEADS


@inlined
def of_rest(s):
    """How much there is to see of the rest."""
    players = np.int64(s.players)
    rest = leads(players) + _STEPS_OF_LEAD * _SOON + _CARDS_LEFT + LAST_FIGURE + 1
    rest += _TURNS + HAND + 1 + _ENDINGS + _WISHES_LEFT + _TAKES
    return rest + players * _AT_START + (players - 1) * _KINDS_OF_WISHES


# --- What an action leads to ---------------------------------------------------------------


@inlined
def list_actions(s, t):
    """Write the legal actions to a thought; tell how many.

    But for taking from discard piles without end (B22).
    """
    lay, discard, other = board.legal(s)
    if s.phase == DRAW and s.takes >= PATIENCE:
        other = bit(DRAW_PILE - STEP)
    n = 0
    while lay:
        t.actions[n] = lowest(lay)
        lay &= lay - 1
        n += 1
    while discard:
        t.actions[n] = DISCARD + lowest(discard)
        discard &= discard - 1
        n += 1
    while other:
        t.actions[n] = STEP + lowest(other)
        other &= other - 1
        n += 1
    return n


@inlined
def look_round(s, t):
    """Note which cards the seat that decides has not seen, and how many turns are left."""
    t.once, t.twice = cards_unseen(s)
    turns = np.int64(turns_left(s, t))
    t.stage = turns if turns < _SOON else min(_SOON + (turns - _SOON) // 2, _TIMES - 1)


@inlined
def changed(s, action):
    """The colour that an action changes something of, or -1."""
    if action < STEP:
        return np.int64(_COLOUR[action % CARDS])
    if action < DECLINE:
        return np.int64((action - STEP) % COLOURS)
    return np.int64(action - TAKE) if action >= TAKE else np.int64(-1)


@inlined
def foresee(s, action):
    """Carry out an action but for what it reveals; tell what comes then."""
    if action == DRAW_PILE:
        s.next += 1
        s.takes = 0
        if s.next == DECK:
            s.phase = OVER
        return UNSEEN
    p = s.seat
    board.apply(s, action)
    return AGAIN if s.phase != OVER and s.seat == p else AFTERWARDS


@inlined
def head(s, t, then):
    """Which part of the network has the last word."""
    kind = np.int64(then)
    if then == AGAIN:
        kind += 0 if s.phase == DRAW else 1 if s.phase == CLOVER else 2 if s.phase == FIGURE else 3
    stage = 0 if t.turns < 2 else 1 if t.turns < 4 else 2 if t.turns < 8 else 3
    return kind * _STAGES + (4 if t.turns >= 14 else stage)


# --- What is seen --------------------------------------------------------------------------


@inlined
def see_colour(s, t, p, c, line):
    """Mark what there is of a colour."""
    t.marked[line] = 0
    not_seen = packed(t.once, t.twice, c)
    shift = NUMBERS * c
    useless = s.held[p] & ~s.fits[p]
    stone = np.int64(s.stone[p, c])
    place = 0
    q = np.int64(p)
    for k in range(s.players):
        place = _see_player(s, t, q, c, not_seen, place, line)
        if k > 0:
            fits = s.fits[q] >> shift & _ROW
            known = packed(s.known[q], s.known_twice[q], c)
            count = popcount(known & (fits | fits << SECOND))
            mark(t, line, place + min(count, _KNOWN - 1))
            place += _KNOWN
            mark(t, line, place + min(popcount(useless >> shift & fits), _GIFTS - 1))
            place += _GIFTS
            mark(t, line, place + stone * (STONES + 1) + np.int64(s.stone[q, c]))
            place += _BOTH
        q = q + 1 if q + 1 < s.players else 0
    mark(t, line, place + min(np.int64(s.pile_size[c]), _PILES - 1))
    _see_hand(s, t, p, c, not_seen, place + _PILES, line)


@inlined
def _see_player(s, t, q, c, not_seen, place, line):
    """Mark a player's row and figure; tell the place after it."""
    stone = np.int64(s.stone[q, c])
    top = np.int64(s.top[q, c])
    direction = np.int64(s.direction[q, c])
    rising, falling = RUNS[top + 1, direction + 1, 0], RUNS[top + 1, direction + 1, 1]
    mark(t, line, place + last(top, direction))
    place += LASTS
    mark(t, line, place + stone + (STONES + 1 if s.large[q] == c else 0))
    place += _FIGURES
    mark(t, line, place + t.stage * (STONES + 1) + stone)
    place += _TIMES * (STONES + 1)
    to_come = max(popcount(not_seen & rising), popcount(not_seen & falling))
    mark(t, line, place + stone * _UNSEENS + min((to_come + 1) // 2, _UNSEENS - 1))
    place += (STONES + 1) * _UNSEENS
    for ahead in range(stone + 1, STONES + 1):
        tile = np.int64(s.tile[c, ahead])
        if tile:
            mark(t, line, place + (ahead - stone - 1) * _KINDS_OF_TILES + tile - 1)
    place += STONES * _KINDS_OF_TILES
    pile = 0
    if s.piles >> c & 1:
        number = np.int64(s.pile[c, s.pile_size[c] - 1]) - NUMBERS * c
        fits = (rising | falling) >> number & 1
        pile = 2 + distance(top, direction, number) if fits else 1
    mark(t, line, place + pile)
    return place + _TOPS


@inlined
def _see_hand(s, t, p, c, not_seen, place, line):
    """Mark what the own hand is good for."""
    stone = np.int64(s.stone[p, c])
    top = np.int64(s.top[p, c])
    direction = np.int64(s.direction[p, c])
    rising, falling = RUNS[top + 1, direction + 1, 0], RUNS[top + 1, direction + 1, 1]
    held = packed(s.held[p], s.twice[p], c)
    fits = held & (rising | falling)
    mark_distances(t, line, place, top, direction, fits & _ROW)
    place += DISTANCES
    mark_distances(t, line, place, top, direction, fits >> SECOND & _ROW)
    place += DISTANCES
    up, down = popcount(held & rising), popcount(held & falling)
    more = up + 0.3 * popcount(not_seen & rising) >= down + 0.3 * popcount(not_seen & falling)
    count = min(up if more else down, _HELD - 1)
    mark(t, line, place + stone * _HELD + count)
    place += (STONES + 1) * _HELD
    mark(t, line, place + t.stage * _HELD + count)
    place += _TIMES * _HELD
    nearest = np.int64(NUMBERS)
    cards = fits & _ROW if top >= 0 else np.int64(0)
    while cards:
        nearest = min(nearest, abs(lowest(cards) - top))
        cards &= cards - 1
    mark(t, line, place + nearest)
    place += _GAPS
    mark(t, line, place + min(popcount(held ^ fits), _USELESS - 1))
    place += _USELESS
    wishes = 0
    for ahead in range(stone + 1, STONES + 1):
        wishes += s.tile[c, ahead] == WISHING_STONE
    collected = min(np.int64(s.wishing[p]), _MOST_WISHES)
    mark(t, line, place + collected * _WISHES_AHEAD + min(wishes, _WISHES_AHEAD - 1))


@inlined
def see_rest(s, t, p):
    """Mark what is of no colour."""
    t.marked[REST] = 0
    t.turns = turns_left(s, t)
    turns = np.int64(t.turns)
    place = mark_leads(s, t, p)
    lead = t.lead
    mark(t, REST, place + (lead + LEADS // 2) // 2 * _SOON + min(turns, _SOON - 1))
    place += _STEPS_OF_LEAD * _SOON
    left = DECK - np.int64(s.next)
    late = min(_LATE + (left - _LATE) // 2, _CARDS_LEFT - 1)
    mark(t, REST, place + (left if left < _LATE else late))
    place += _CARDS_LEFT
    mark(t, REST, place + np.int64(s.goal))
    place += LAST_FIGURE + 1
    mark(t, REST, place + min(turns, _TURNS - 1))
    place += _TURNS
    mark(t, REST, place + min(popcount(s.held[p] & ~s.fits[p]), HAND))
    place += HAND + 1
    place = _see_end(s, t, p, lead, place)
    wishes_left = 0
    for c in range(COLOURS):
        for stone in range(np.int64(s.stone[p, c]) + 1, STONES + 1):
            wishes_left += s.tile[c, stone] == WISHING_STONE
    mark(t, REST, place + wishes_left)
    place += _WISHES_LEFT
    mark(t, REST, place + min(np.int64(s.takes) // _TAKES_STEP, _TAKES - 1))
    place += _TAKES
    wishes = min(np.int64(s.wishing[p]), _MOST_WISHES)
    q = np.int64(p)
    for k in range(s.players):
        mark(t, REST, place + 2 * np.int64(s.small[q]) + (s.large[q] >= 0))
        place += _AT_START
        if k > 0:
            theirs = min(np.int64(s.wishing[q]), _MOST_WISHES)
            mark(t, REST, place + wishes * (_MOST_WISHES + 1) + theirs)
            place += _KINDS_OF_WISHES
        q = q + 1 if q + 1 < s.players else 0


@inlined
def _see_end(s, t, p, lead, place):
    """Mark who may end the game in a turn, and who leads then; tell the place after it."""
    sign = 0 if lead < 0 else 1 if lead == 0 else 2
    following = p + 1 if p + 1 < s.players else 0
    mark(t, REST, place + sign + (0 if _can_end(s, following, False) else 3))
    mark(t, REST, place + 6 + sign + (0 if _can_end(s, p, True) else 3))
    return place + _ENDINGS


@inlined
def _can_end(s, p, holds):
    """Whether a player may be about to end the game.

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
    return missing <= 0 or s.next + 2 >= DECK
