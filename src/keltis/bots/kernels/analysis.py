"""A game looked at again: what each decision was worth, and what each draw brought.

Every value is that of the seat concerned, by what it knew, as the value network judges. The luck of
a draw is the value after what came less the mean over all that could have come, each as often as it
still lay hidden. So it is zero on average, whatever the network thinks and however anybody plays.
"""

import numpy as np

from keltis.bots.kernels import features
from keltis.bots.kernels.board_heuristic import cards_unseen
from keltis.bots.kernels.layout import OTHERS_DECIDE
from keltis.bots.kernels.scratch import HEURISTIC, NETWORK
from keltis.bots.kernels.value_network import (
    favourite,
    judge,
    judge_afterstate,
    judge_listed,
    look,
    members,
)
from keltis.rules import board, both, stones
from keltis.rules.board import CARDS, DECK
from keltis.rules.dispatch import STATES, by_game
from keltis.rules.kernel import bit, entry, kernel

PLACES = 3  # states that are worked in: the game, what an action leads to, what follows from that
_COLOUR = board._COLOUR

JUDGED = np.dtype(  # a decision of the game
    (
        np.record,
        [
            ("seat", np.int64),  # who decided
            ("first", np.int64),  # the place in `weighed` of the first of its actions
            ("count", np.int64),  # how many actions there were
            ("shown", np.int64),  # the card or tile that it brought to light, or -1
            ("wins", np.float64),  # luck of that, in chance to win
            ("lead", np.float64),  # the same in points of lead
        ],
    )
)

WEIGHED = np.dtype(  # an action, and what is to be expected after it
    (
        np.record,
        [
            ("action", np.int64),
            ("wins", np.float64),
            ("lead", np.float64),
        ],
    )
)


@entry(
    states=STATES,
    h=HEURISTIC,
    net=NETWORK,
    weights=np.float32,
    actions=np.int64,
    judged=JUDGED,
    weighed=WEIGHED,
)
def analyse(states, h, net, weights, actions, judged, weighed):
    """Play a game's actions from states[0] on and judge each; return how many were weighed.

    `judged` gets a record for each of the actions. `weighed` gets all that were legal at each
    decision, one decision after the other; if it has no room at all, only luck is judged.
    """
    s = states[0]
    weighed_so_far = 0
    for k in range(len(actions)):
        action = actions[k]
        out = judged[k]
        out.seat = s.seat
        out.first = weighed_so_far
        out.count = 0
        if len(weighed):
            n = features.list_legal(s, net[0])
            judge_listed(states, 0, h[0], net[0], n, weights)
            for j in range(n):
                one = weighed[weighed_so_far + j]
                one.action = net[0].actions[j]
                one.wins = net[0].values[j]
                one.lead = net[0].leads[j]
            out.count = n
            weighed_so_far += n
        out.shown = -1
        out.wins = out.lead = 0.0
        if both.reveals(s, action):
            _judge_draw(s, states, h[0], net[0], weights, out)
        both.apply(s, action)
    return weighed_so_far


@entry(states=STATES, h=HEURISTIC, net=NETWORK, weights=np.float32, values=WEIGHED)
def value_start(states, h, net, weights, values):
    """What the start of a game in states[0] is worth to each seat, by what it sees of it.

    Who begins is to decide; to the others it is worth what it would be if they had just decided.
    """
    s = states[0]
    first = s.seat
    for p in range(s.players):
        s.seat = p
        best = 0
        if p == first:
            best = favourite(net[0], judge(states, 0, h[0], net[0], weights))
        else:
            count = members(s, weights)
            look(s, h[0], net[0], 0, count, weights)
            own = np.int64(p)
            judge_afterstate(s, h[0], net[0], own, -1, OTHERS_DECIDE, 0, 0, count, weights)
        values[p].wins = net[0].values[best]
        values[p].lead = net[0].leads[best]
    s.seat = first


# --- The luck of a draw ------------------------------------------------------------------------


@kernel
def _judge_card(s, states, h, net, weights, out):
    """The luck of the card on top of the draw pile; with it in the hand, the others decide.

    Any card could have come that lies in the pile or, with two players, went out of the game.
    """
    came = np.int64(s.deck[s.next])
    out.shown = came
    if s.next + 1 == DECK:  # B19: the game is over, whatever comes
        return
    after = states[1]
    states[1] = s
    after.next += 1
    after.takes = 0
    p = np.int64(s.seat)
    count = members(s, weights)
    look(after, h, net, 0, count, weights)
    held, twice = after.held[p], after.twice[p]
    cards = 0
    wins = lead = 0.0
    for card in range(CARDS):
        copies = 0
        for place in range(s.removed_from, s.drawn_from):
            copies += s.deck[place] == card
        for place in range(s.next, DECK):
            copies += s.deck[place] == card
        if copies == 0:
            continue
        b = bit(card)
        after.held[p] = held | b
        after.twice[p] = twice | (held & b)
        net.unseen, net.unseen_twice = cards_unseen(after)
        c = np.int64(_COLOUR[card])
        judge_afterstate(after, h, net, p, c, OTHERS_DECIDE, 0, 0, count, weights)
        cards += copies
        wins += copies * net.values[0]
        lead += copies * net.leads[0]
        if card == came:
            out.wins, out.lead = net.values[0], net.leads[0]
    out.wins -= wins / cards
    out.lead -= lead / cards


@kernel
def _judge_tile(s, states, h, net, weights, out):
    """The luck of the tile that is turned over; the same seat then takes it or leaves it."""
    came = np.int64(s.deck[s.next])
    out.shown = came
    after = states[1]
    wins = lead = 0.0
    for place in range(s.next, stones.TILES):
        tile = np.int64(s.deck[place])
        states[1] = s
        after.deck[after.next] = tile
        stones.apply(after, stones.TURN_OVER)
        best = favourite(net, judge(states, 1, h, net, weights))
        wins += net.values[best]
        lead += net.leads[best]
        if tile == came:
            out.wins, out.lead = net.values[best], net.leads[best]
    tiles = stones.TILES - np.int64(s.next)
    out.wins -= wins / tiles
    out.lead -= lead / tiles


@by_game(_judge_card, _judge_tile)
def _judge_draw(s, states, h, net, weights, out):
    """The luck of what the seat that decides in states[0], which is `s`, brings to light."""
