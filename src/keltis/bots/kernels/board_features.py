"""The value network's features of the board game.

A position is seen as a seat leaves it, and as that seat: its own rows and figures come first, then
those of the others in the order of their turns. Only what the seat may know is read: its own hand,
and what is public.
"""

import numpy as np

from keltis.bots.kernels.board_heuristic import (
    PATIENCE,
    RUNS,
    SECOND,
    cards_unseen,
    packed,
    turns_left,
)
from keltis.bots.kernels.layout import (
    CHANCE,
    DISTANCES,
    GLOBAL,
    LEAD,
    LEADS,
    OTHERS_DECIDE,
    ROW_ENDS,
    SEAT_GOES_ON,
    Layout,
    activate,
    activate_distances,
    distance,
    leads_size,
    row_end,
    write_leads,
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

# --- The table of features ---------------------------------------------------------------------

_PLACES = STONES + 1  # where a figure can be: not on the path, or on a stone
_SOON = 8  # turns left that are told apart one by one; more of them in twos
_STAGES = 13  # so far
_UNSEENS = 12  # numbers of unseen cards that fit, in twos; more count as the last
_TILES = 5  # kinds of tiles
_WISHES = len(WISHES)  # numbers of wishing stones that score differently

PLAYER = Layout("Of a colour, for each player")
_END = PLAYER.add(ROW_ENDS, "how the row ends")
_FIGURE = PLAYER.add(2 * _PLACES, "the figure's stone, and whether it is the large one")
_STONE_STAGE = PLAYER.add(_STAGES * _PLACES, "its stone, by the turns left")
_STONE_UNSEEN = PLAYER.add(_PLACES * _UNSEENS, "its stone, by the unseen cards that fit the row")
_AHEAD = PLAYER.add(STONES * _TILES, "the tiles ahead, by how far they are")
_TOP = PLAYER.add(2 + DISTANCES, "the discard pile: none, or how far its top is from the row's end")
_PLAYER_SIZE = PLAYER.size

_TAKEN = 3  # numbers of cards; more count as the last
_GIFTS = 4  # the same

OTHER = Layout("Of a colour, for each other player, besides")
_OTHER_TAKEN = OTHER.add(_TAKEN, "cards that they were seen to take and that fit their row")
_OTHER_GIFTS = OTHER.add(_GIFTS, "cards that fit their row, and that the seat holds and can't lay")
_OTHER_STONES = OTHER.add(_PLACES**2, "the stones of both figures")
_OTHER_SIZE = OTHER.size

_PILES = 4  # numbers of cards; more count as the last
_HELD = 7  # the same
_USELESS = 5  # the same
_WISHES_AHEAD = 3  # wishing stones ahead; more count as the last

HAND_OF_COLOUR = Layout("Of a colour, for the seat itself, besides")
_PILE_SIZE = HAND_OF_COLOUR.add(_PILES, "cards on the discard pile")
_FITS_ONCE = HAND_OF_COLOUR.add(DISTANCES, "cards held that fit, by how far from the row's end")
_FITS_TWICE = HAND_OF_COLOUR.add(DISTANCES, "the same for those held twice")
_STONE_HELD = HAND_OF_COLOUR.add(_PLACES * _HELD, "how many are held that fit, by the stone")
_STAGE_HELD = HAND_OF_COLOUR.add(_STAGES * _HELD, "how many are held that fit, by the turns left")
_GAP = HAND_OF_COLOUR.add(NUMBERS + 1, "how far the nearest of them is")
_UNFIT = HAND_OF_COLOUR.add(_USELESS, "cards held that do not fit")
_WISHES_BOTH = HAND_OF_COLOUR.add(
    _WISHES * _WISHES_AHEAD, "wishing stones collected, by those ahead on the path"
)
_HAND_SIZE = HAND_OF_COLOUR.size

_LEAD_STEPS = LEADS // 2 + 1  # leads in twos
_LATE = 20  # cards in the draw pile that are told apart one by one; more of them in twos
_CARDS_LEFT = 52  # so far
_TURNS = 24  # numbers of turns; more count as the last
_SIGNS = 3  # of a lead: behind, even, ahead
_WISHES_LEFT = 10  # there are nine wishing stones
_TAKES, _TAKES_STEP = 6, 4  # draws from discard piles in a row, in fours

TABLE = Layout("Global, after the leads")
_LEAD_SOON = TABLE.add(_LEAD_STEPS * _SOON, "the lead, by the turns left")
_DRAW_PILE = TABLE.add(_CARDS_LEFT, "cards in the draw pile")
_GOAL = TABLE.add(LAST_FIGURE + 1, "figures in the goal area")
_TURNS_LEFT = TABLE.add(_TURNS, "turns left")
_UNFIT_ALL = TABLE.add(HAND + 1, "cards held that fit no row of the seat's")
_NEXT_ENDS = TABLE.add(2 * _SIGNS, "whether the next player may end the game, by who leads")
_SEAT_ENDS = TABLE.add(2 * _SIGNS, "whether the seat may end it in its next turn, by who leads")
_WISHES_ALL = TABLE.add(_WISHES_LEFT, "wishing stones ahead of the seat's figures")
_TAKES_SO_FAR = TABLE.add(_TAKES, "draws from discard piles in a row")
_TABLE_SIZE = TABLE.size

START = Layout("Global, for each player")
START.add(2 * (SMALL_FIGURES + 1), "small figures on the start, and whether the large one is")
_START_SIZE = START.size

WISHING = Layout("Global, for each other player, besides")
WISHING.add(_WISHES**2, "wishing stones, the seat's and theirs")
_WISHING_SIZE = WISHING.size

LAYOUTS = PLAYER, OTHER, HAND_OF_COLOUR, LEAD, TABLE, START, WISHING

_KINDS_OF_NEXT = 6  # others, chance, or the seat: to draw, for a clover, a figure, another card
_STAGE_TURNS = (2, 4, 8, 14)  # turns left at which another head takes over
_HEAD_STAGES = len(_STAGE_TURNS) + 1
HEADS = _KINDS_OF_NEXT * _HEAD_STAGES

_UNSEEN_SHARE = 0.3  # of a card held: what an unseen one counts when a row's direction is guessed


@inlined
def colour_size(s):
    """How many features there are of a colour."""
    players = np.int64(s.players)
    return players * _PLAYER_SIZE + (players - 1) * _OTHER_SIZE + _HAND_SIZE


@inlined
def global_size(s):
    """How many global features there are."""
    players = np.int64(s.players)
    of_players = players * _START_SIZE + (players - 1) * _WISHING_SIZE
    return leads_size(players) + _TABLE_SIZE + of_players


@inlined
def heads(s):
    """How many heads the network has."""
    return HEADS


# --- What an action leads to ---------------------------------------------------------------


@inlined
def list_actions(s, net):
    """Write the legal actions; return how many there are.

    But for taking from discard piles without end (B22).
    """
    lay, discard, other = board.legal(s)
    if s.phase == DRAW and s.takes >= PATIENCE:
        other = bit(DRAW_PILE - STEP)
    return _list(net, lay, discard, other)


@inlined
def list_legal(s, net):
    """Write all legal actions; return how many there are."""
    lay, discard, other = board.legal(s)
    return _list(net, lay, discard, other)


@inlined
def _list(net, lay, discard, other):
    n = 0
    while lay:
        net.actions[n] = lowest(lay)
        lay &= lay - 1
        n += 1
    while discard:
        net.actions[n] = DISCARD + lowest(discard)
        discard &= discard - 1
        n += 1
    while other:
        net.actions[n] = STEP + lowest(other)
        other &= other - 1
        n += 1
    return n


@inlined
def prepare(s, h, net):
    """Note which cards the seat that decides has not seen, and how many turns are left."""
    net.unseen, net.unseen_twice = cards_unseen(s)
    turns = np.int64(turns_left(s, h))
    net.stage = turns if turns < _SOON else min(_SOON + (turns - _SOON) // 2, _STAGES - 1)


@inlined
def changed_colour(s, action):
    """The colour of which an action changes something, or -1."""
    if action < STEP:
        return np.int64(_COLOUR[action % CARDS])
    if action < DECLINE:
        return np.int64((action - STEP) % COLOURS)
    return np.int64(action - TAKE) if action >= TAKE else np.int64(-1)


@inlined
def to_afterstate(s, action):
    """Carry out an action but for the card it draws; return what comes next."""
    if action == DRAW_PILE:
        s.next += 1
        s.takes = 0
        if s.next == DECK:
            s.phase = OVER
        return CHANCE
    p = s.seat
    board.apply(s, action)
    return SEAT_GOES_ON if s.phase != OVER and s.seat == p else OTHERS_DECIDE


@inlined
def head(s, net, following):
    """Which head of the network judges a position: by what comes next, and by the turns left."""
    kind = np.int64(following)
    if following == SEAT_GOES_ON:
        kind += 0 if s.phase == DRAW else 1 if s.phase == CLOVER else 2 if s.phase == FIGURE else 3
    stage = 0
    for turns in _STAGE_TURNS:
        stage += net.turns >= turns
    return kind * _HEAD_STAGES + stage


# --- Writing the features ------------------------------------------------------------------


@inlined
def write_colour(s, net, p, c, row):
    """Write the features of a colour."""
    net.active_count[row] = 0
    unseen = packed(net.unseen, net.unseen_twice, c)
    shift = NUMBERS * c
    useless = s.held[p] & ~s.fits[p]
    stone = np.int64(s.stone[p, c])
    first = 0
    q = np.int64(p)
    for k in range(s.players):
        _write_player(s, net, q, c, unseen, first, row)
        first += _PLAYER_SIZE
        if k > 0:
            fits = s.fits[q] >> shift & _ROW
            known = packed(s.known[q], s.known_twice[q], c)
            taken = popcount(known & (fits | fits << SECOND))
            gifts = popcount(useless >> shift & fits)
            stones = stone * _PLACES + np.int64(s.stone[q, c])
            activate(net, row, first + _OTHER_TAKEN + min(taken, _TAKEN - 1))
            activate(net, row, first + _OTHER_GIFTS + min(gifts, _GIFTS - 1))
            activate(net, row, first + _OTHER_STONES + stones)
            first += _OTHER_SIZE
        q = q + 1 if q + 1 < s.players else 0
    _write_hand(s, net, p, c, unseen, first, row)


@inlined
def _write_player(s, net, q, c, unseen, first, row):
    """Write a player's row, figure and tiles ahead; see PLAYER."""
    stone = np.int64(s.stone[q, c])
    top = np.int64(s.top[q, c])
    direction = np.int64(s.direction[q, c])
    rising, falling = RUNS[top + 1, direction + 1, 0], RUNS[top + 1, direction + 1, 1]
    activate(net, row, first + _END + row_end(top, direction))
    activate(net, row, first + _FIGURE + stone + (_PLACES if s.large[q] == c else 0))
    activate(net, row, first + _STONE_STAGE + net.stage * _PLACES + stone)
    to_come = max(popcount(unseen & rising), popcount(unseen & falling))
    to_come = min((to_come + 1) // 2, _UNSEENS - 1)
    activate(net, row, first + _STONE_UNSEEN + stone * _UNSEENS + to_come)
    for ahead in range(stone + 1, STONES + 1):
        tile = np.int64(s.tile[c, ahead])
        if tile:
            activate(net, row, first + _AHEAD + (ahead - stone - 1) * _TILES + tile - 1)
    pile = 0
    if s.piles >> c & 1:
        number = np.int64(s.pile[c, s.pile_size[c] - 1]) - NUMBERS * c
        fits = (rising | falling) >> number & 1
        pile = 2 + distance(top, direction, number) if fits else 1
    activate(net, row, first + _TOP + pile)


@inlined
def _write_hand(s, net, p, c, unseen, first, row):
    """Write what the own hand is good for; see HAND_OF_COLOUR."""
    stone = np.int64(s.stone[p, c])
    top = np.int64(s.top[p, c])
    direction = np.int64(s.direction[p, c])
    rising, falling = RUNS[top + 1, direction + 1, 0], RUNS[top + 1, direction + 1, 1]
    held = packed(s.held[p], s.twice[p], c)
    fits = held & (rising | falling)
    activate(net, row, first + _PILE_SIZE + min(np.int64(s.pile_size[c]), _PILES - 1))
    activate_distances(net, row, first + _FITS_ONCE, top, direction, fits & _ROW)
    activate_distances(net, row, first + _FITS_TWICE, top, direction, fits >> SECOND & _ROW)
    up, down = popcount(held & rising), popcount(held & falling)
    rises = up + _UNSEEN_SHARE * popcount(unseen & rising)
    falls = down + _UNSEEN_SHARE * popcount(unseen & falling)
    count = min(up if rises >= falls else down, _HELD - 1)
    activate(net, row, first + _STONE_HELD + stone * _HELD + count)
    activate(net, row, first + _STAGE_HELD + net.stage * _HELD + count)
    nearest = np.int64(NUMBERS)
    cards = fits & _ROW if top >= 0 else np.int64(0)
    while cards:
        nearest = min(nearest, abs(lowest(cards) - top))
        cards &= cards - 1
    activate(net, row, first + _GAP + nearest)
    activate(net, row, first + _UNFIT + min(popcount(held ^ fits), _USELESS - 1))
    ahead = min(_wishes_ahead(s, p, c), _WISHES_AHEAD - 1)
    activate(net, row, first + _WISHES_BOTH + _wishes(s, p) * _WISHES_AHEAD + ahead)


@inlined
def _wishes(s, p):
    """A player's wishing stones, as far as more of them make a difference."""
    return min(np.int64(s.wishing[p]), _WISHES - 1)


@inlined
def _wishes_ahead(s, p, c):
    """How many wishing stones lie ahead of a player's figure on a path."""
    wishes = 0
    for stone in range(np.int64(s.stone[p, c]) + 1, STONES + 1):
        wishes += s.tile[c, stone] == WISHING_STONE
    return wishes


@inlined
def write_global(s, h, net, p):
    """Write the global features; see TABLE, START and WISHING."""
    net.active_count[GLOBAL] = 0
    net.turns = turns_left(s, h)
    turns = np.int64(net.turns)
    write_leads(s, net, p)
    first = leads_size(np.int64(s.players))
    step = (net.lead + LEADS // 2) // 2
    activate(net, GLOBAL, first + _LEAD_SOON + step * _SOON + min(turns, _SOON - 1))
    left = DECK - np.int64(s.next)
    late = min(_LATE + (left - _LATE) // 2, _CARDS_LEFT - 1)
    activate(net, GLOBAL, first + _DRAW_PILE + (left if left < _LATE else late))
    activate(net, GLOBAL, first + _GOAL + np.int64(s.goal))
    activate(net, GLOBAL, first + _TURNS_LEFT + min(turns, _TURNS - 1))
    activate(net, GLOBAL, first + _UNFIT_ALL + min(popcount(s.held[p] & ~s.fits[p]), HAND))
    _write_end(s, net, p, first)
    wishes_left = 0
    for c in range(COLOURS):
        wishes_left += _wishes_ahead(s, p, c)
    activate(net, GLOBAL, first + _WISHES_ALL + wishes_left)
    takes = min(np.int64(s.takes) // _TAKES_STEP, _TAKES - 1)
    activate(net, GLOBAL, first + _TAKES_SO_FAR + takes)
    first += _TABLE_SIZE
    q = np.int64(p)
    for k in range(s.players):
        activate(net, GLOBAL, first + 2 * np.int64(s.small[q]) + (s.large[q] >= 0))
        first += _START_SIZE
        if k > 0:
            activate(net, GLOBAL, first + _wishes(s, p) * _WISHES + _wishes(s, q))
            first += _WISHING_SIZE
        q = q + 1 if q + 1 < s.players else 0


@inlined
def _write_end(s, net, p, first):
    """Write who may end the game in a turn, and who leads then."""
    sign = 0 if net.lead < 0 else 1 if net.lead == 0 else 2
    following = p + 1 if p + 1 < s.players else 0
    activate(
        net, GLOBAL, first + _NEXT_ENDS + sign + (0 if _can_end(s, following, False) else _SIGNS)
    )
    activate(net, GLOBAL, first + _SEAT_ENDS + sign + (0 if _can_end(s, p, True) else _SIGNS))


@inlined
def _can_end(s, p, holds):
    """Whether a player may be about to end the game.

    That is by the last cards of the draw pile, or if as many figures as are missing there stand
    before the goal, or a clover from it. `holds` asks for cards, too, that move them.
    """
    missing = np.int64(s.last_figure) - np.int64(s.goal)
    for c in range(COLOURS if missing <= 2 else 0):  # more than two figures take several turns
        stone = np.int64(s.stone[p, c])
        fits = s.fits[p] >> (NUMBERS * c) & _ROW
        if holds:
            fits &= s.held[p] >> (NUMBERS * c)
        clover = stone == GOAL - 2 and s.tile[c, GOAL - 1] == CLOVER_TILE
        if fits and (stone == GOAL - 1 or clover):
            missing -= 1
    return missing <= 0 or s.next + 2 >= DECK
