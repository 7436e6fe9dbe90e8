"""The value network: what a position is worth, learned from millions of games.

It judges positions as a seat leaves them (afterstates), by the seat's chance to win and its lead
at the end. To judge an action is to look at what it leads to. `tools/train_network.py` trains a
network for each game and number of players: it plays against the heuristic and learns from how its
games go on. There may be several for the same game, an ensemble whose members were trained apart
from each other: what each gets wrong differs, so that their mean is better than any of them.

Colours are much alike, so what is learned of one holds for all: the features of a colour go
through a small layer that is the same for each. Their outcomes, added up, and the global features
make the hidden layer, from which a head tells chance and lead. There are thousands of features, but
only a hundred or two of them hold at a time. What the colours add is worked out once for a
decision, and anew for each action only what it changes: one colour, and the global features. (The
features of a colour also tell how many wishing stones there are and how far the game is; for other
colours these stay as they were.)
"""

import numpy as np

from keltis.bots.kernels import features
from keltis.bots.kernels.heuristic import best_first, evaluate
from keltis.bots.kernels.layout import CHANGED, GLOBAL, MOST_ACTIVE
from keltis.bots.kernels.scratch import COLOUR_UNITS, HEURISTIC, HIDDEN_UNITS, NETWORK
from keltis.rules import both
from keltis.rules.board import COLOURS
from keltis.rules.dispatch import STATES
from keltis.rules.kernel import entry, inlined, kernel

OUTPUTS = 2  # the chance to win, as a logit, and the lead
POINTS = 20.0  # of lead: what the network counts as one
POINT_WORTH = 0.005  # of a win: what a point of lead counts besides. That costs no wins.
_CLEAR = 0.05  # of a win: by how much an action must fall short to be judged by one member only

# Loops over numbers without a sign are compiled to work on many at a time.
_HIDDEN, _COLOUR = np.uint64(HIDDEN_UNITS), np.uint64(COLOUR_UNITS)
_AFTER, _TOTAL = np.uint64(CHANGED), np.uint64(GLOBAL)  # rows of net.hidden, after the colours'
_ONES = np.ones(MOST_ACTIVE, np.float32)


# --- Where the weights of a member are ---------------------------------------------------------


@entry()
def size(colour_size, global_size, heads):
    """How many weights a network has, by the numbers of its features and heads.

    They are, one after the other, those from the features of a colour to the colours' layer, from
    that to the hidden layer, from the global features to it, to the heads, and the heads' biases.
    """
    return (
        colour_size * COLOUR_UNITS
        + COLOUR_UNITS * HIDDEN_UNITS
        + global_size * HIDDEN_UNITS
        + heads * OUTPUTS * (HIDDEN_UNITS + 1)
    )


@inlined
def colour_weights(s, m):
    """Where the weights of member `m` begin: first those of a colour's features."""
    return m * size(features.colour_size(s), features.global_size(s), features.heads(s))


@inlined
def joint_weights(s, m):
    """Where those begin that join the colours' layer to the hidden layer."""
    return colour_weights(s, m) + features.colour_size(s) * COLOUR_UNITS


@inlined
def global_weights(s, m):
    """Where those of the global features begin."""
    return joint_weights(s, m) + COLOUR_UNITS * HIDDEN_UNITS


@inlined
def head_weights(s, m, head):
    """Where those of a head begin, one output after the other, and where its biases."""
    start = global_weights(s, m) + features.global_size(s) * HIDDEN_UNITS
    biases = start + features.heads(s) * OUTPUTS * HIDDEN_UNITS
    return np.uint64(start + head * OUTPUTS * HIDDEN_UNITS), np.uint64(biases + head * OUTPUTS)


@inlined
def members(s, weights):
    """How many members the ensemble has."""
    return len(weights) // colour_weights(s, 1)


# --- The layers --------------------------------------------------------------------------------


@inlined
def _add_rows(total, units, weights, start, rows, scales, count):
    """Add some rows of a matrix of weights to a layer, each times its scale.

    It goes by four rows at a time: to read the layer and to write it takes longer than to add.
    """
    k = 0
    while k + 4 <= count:
        a = start + np.uint64(rows[k]) * units
        b = start + np.uint64(rows[k + 1]) * units
        c = start + np.uint64(rows[k + 2]) * units
        d = start + np.uint64(rows[k + 3]) * units
        of_a, of_b, of_c, of_d = scales[k], scales[k + 1], scales[k + 2], scales[k + 3]
        for j in range(units):
            total[j] += (of_a * weights[a + j] + of_b * weights[b + j]) + (
                of_c * weights[c + j] + of_d * weights[d + j]
            )
        k += 4
    while k < count:
        a = start + np.uint64(rows[k]) * units
        of_a = scales[k]
        for j in range(units):
            total[j] += of_a * weights[a + j]
        k += 1


@inlined
def add_colour(s, net, m, row, weights):
    """What the features of a colour tell member `m`: a row of net.colours and of net.hidden."""
    layer, hidden = net.colours[m, row], net.hidden[m, row]
    for j in range(_COLOUR):
        layer[j] = 0
    start = np.uint64(colour_weights(s, m))
    _add_rows(layer, _COLOUR, weights, start, net.active[row], _ONES, net.active_count[row])
    n = 0
    for j in range(_COLOUR):
        net.positive[n] = j
        net.positive_value[n] = layer[j]
        n += layer[j] > 0
    for j in range(_HIDDEN):
        hidden[j] = 0
    start = np.uint64(joint_weights(s, m))
    _add_rows(hidden, _HIDDEN, weights, start, net.positive, net.positive_value, n)


@inlined
def add_global(s, net, m, row, weights):
    """Add what the global features tell member `m` to a row of the hidden layer."""
    start = np.uint64(global_weights(s, m))
    active, count = net.active[GLOBAL], net.active_count[GLOBAL]
    _add_rows(net.hidden[m, row], _HIDDEN, weights, start, active, _ONES, count)


@inlined
def outputs(s, net, m, row, weights, head):
    """The chance to win, as a logit, and the lead, by a row of the hidden layer."""
    none = np.float32(0)
    a = b = c = d = none  # sums that go on side by side
    at, bias = head_weights(s, m, head)
    for j in range(np.uint64(0), _HIDDEN, np.uint64(2)):
        one = max(net.hidden[m, row, j], none)
        other = max(net.hidden[m, row, j + np.uint64(1)], none)
        a += one * weights[at + j]
        b += other * weights[at + j + np.uint64(1)]
        c += one * weights[at + _HIDDEN + j]
        d += other * weights[at + _HIDDEN + j + np.uint64(1)]
    logit = np.float64(a + b + weights[bias])
    return logit, POINTS * np.float64(c + d + weights[bias + np.uint64(1)])


@inlined
def won(lead, smooth=0.0):
    """What a game is worth that ends with a lead: 1 if it is won, 1/2 if first place is shared.

    `smooth` is over how many points a game lost becomes one that is won.
    """
    if smooth > 0:
        return (1 + np.tanh(lead / smooth)) / 2
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@inlined
def sigmoid(logit):
    """The chance that a logit stands for."""
    return 1 / (1 + np.exp(-logit))


# --- Judging actions ---------------------------------------------------------------------------


@kernel
def judge(states, at, h, net, weights):
    """Judge the actions of the seat that decides in states[at]; return how many there are.

    net.values gets the chance to win after each, and net.leads the lead that is to be expected.
    states[at + 1] is overwritten.
    """
    n = features.list_actions(states[at], net)
    judge_listed(states, at, h, net, n, weights)
    return n


@kernel
def judge_listed(states, at, h, net, n, weights):
    """The same for the first `n` of net.actions."""
    _judge_by_one(states, at, h, net, n, 0, weights)
    if members(states[at], weights) > 1:
        _judge_by_all(states, at, h, net, n, weights)


@kernel
def glance(states, at, h, net, most, m, weights):
    """The same by one member, and for so many actions at most: those that the heuristic likes best.

    Whoever follows what it finds best of five plays `board` as well as by all actions, in two
    thirds of the time.
    """
    s = states[at]
    n = features.list_actions(s, net)
    if n > most:
        best_first(h, evaluate(s, h, False), most)
        n = most
        for k in range(n):
            net.actions[k] = h.actions[k]
    _judge_by_one(states, at, h, net, n, m, weights)
    return n


@inlined
def _judge_by_one(states, at, h, net, n, m, weights):
    """Let member `m` judge `n` actions."""
    s = states[at]
    look(s, h, net, m, m + 1, weights)
    for k in range(n):
        _judge_action(states, at, h, net, k, m, m + 1, weights)


@inlined
def look(s, h, net, first, end, weights):
    """What the colours tell the members from `first` to `end`, as the seat that decides sees them.

    It is what `judge_afterstate` goes on from.
    """
    features.prepare(s, h, net)
    for c in range(COLOURS):
        features.write_colour(s, net, np.int64(s.seat), c, c)
    _add_colours(s, net, first, end, weights)


@inlined
def _judge_by_all(states, at, h, net, n, weights):
    """Let all members judge those of `n` actions that may be the best, by the first member.

    What it thinks of the rest is shifted as the value of its favourite is, and so stays below; but
    how a game has ended is certain.
    """
    s = states[at]
    count = members(s, weights)
    _add_colours(s, net, 1, count, weights)
    best = favourite(net, n)
    chance, lead = net.values[best], net.leads[best]
    least = _worth(net, best) - _CLEAR
    _judge_action(states, at, h, net, best, 0, count, weights)
    for k in range(n):
        if k == best or net.ended[k]:
            continue
        if _worth(net, k) >= least:
            _judge_action(states, at, h, net, k, 0, count, weights)
        else:
            net.values[k] += net.values[best] - chance
            net.leads[k] += net.leads[best] - lead


@inlined
def _worth(net, k):
    """What an action is worth that has been judged: points of lead count a little, too."""
    return net.values[k] + POINT_WORTH * net.leads[k]


@inlined
def favourite(net, n):
    """The place of the action that is worth most, of `n` that have been judged."""
    best = 0
    for k in range(1, n):
        if _worth(net, k) > _worth(net, best):
            best = k
    return best


@inlined
def _add_colours(s, net, first, end, weights):
    """What the colours tell members from `first` to `end`, before anything is done."""
    for m in range(first, end):
        for j in range(_HIDDEN):
            net.hidden[m, _TOTAL, j] = 0
        for c in range(COLOURS):
            add_colour(s, net, m, c, weights)
            for j in range(_HIDDEN):
                net.hidden[m, _TOTAL, j] += net.hidden[m, np.uint64(c), j]


@kernel
def _judge_action(states, at, h, net, k, first, end, weights):
    """Judge the action in a place by the mean of the members from `first` to `end`."""
    s = states[at]
    after = states[at + 1]
    p = np.int64(s.seat)
    states[at + 1] = states[at]
    action = net.actions[k]
    following = features.to_afterstate(after, action)
    net.ended[k] = both.is_over(after)
    if net.ended[k]:
        lead = both.lead(after, p)
        net.values[k], net.leads[k] = won(lead), lead
        return
    c = features.changed_colour(s, action)
    judge_afterstate(after, h, net, p, c, following, k, first, end, weights)


@inlined
def judge_afterstate(after, h, net, p, c, following, k, first, end, weights):
    """Judge a position as seat `p` leaves it, by the mean of the members from `first` to `end`.

    The outcome goes to place `k` of net.values and net.leads. The rows of net.hidden have what the
    colours tell, but for colour `c` if that is not -1: it has changed since.
    """
    if c >= 0:
        features.write_colour(after, net, p, c, CHANGED)
    features.write_global(after, h, net, p)
    head = features.head(after, net, following)
    logits = leads = 0.0
    for m in range(first, end):
        if c >= 0:
            add_colour(after, net, m, CHANGED, weights)
            for j in range(_HIDDEN):
                of_others = net.hidden[m, _TOTAL, j] - net.hidden[m, np.uint64(c), j]
                net.hidden[m, _AFTER, j] += of_others
        else:
            for j in range(_HIDDEN):
                net.hidden[m, _AFTER, j] = net.hidden[m, _TOTAL, j]
        add_global(after, net, m, _AFTER, weights)
        logit, lead = outputs(after, net, m, _AFTER, weights, head)
        logits += logit
        leads += lead
    count = end - first
    net.values[k], net.leads[k] = sigmoid(logits / count), leads / count


@entry(states=STATES, h=HEURISTIC, net=NETWORK, weights=np.float32)
def weigh(states, h, net, weights):
    """The same as `judge` for states[0], but points of lead count a little besides.

    It is for callers from Python: `h` and `net` are arrays.
    """
    n = judge(states, 0, h[0], net[0], weights)
    for k in range(n):
        net[0].values[k] = _worth(net[0], k)
    return n


@kernel
def follow(states, at, h, net, weights):
    """The action that the network likes most; of equals the one that comes first."""
    if features.list_actions(states[at], net) == 1:
        return net.actions[0]
    return net.actions[favourite(net, judge(states, at, h, net, weights))]
