"""Contests of the levels that don't search, in compiled code: thousands of games a second.

They play the arena's deals, in every order of seats, as those bots do through views; only where
a level slips it has other random numbers here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from keltis import DECISION_CAP, bots
from keltis.arena import streams
from keltis.arena.contest import Contest
from keltis.arena.playing import Outcome, Settings
from keltis.arena.statistics import summary
from keltis.bots.heuristic import HeuristicBot
from keltis.bots.kernels.heuristic import best_of, evaluate
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.kernels.value_network import POINT_WORTH, judge
from keltis.bots.network import NetworkBot
from keltis.bots.weights import heuristic_weights, network_weights
from keltis.game.game import spread
from keltis.game.kinds import kind
from keltis.rules import both
from keltis.rules.kernel import kernel
from tools.train_network import slip


@kernel
def play(states, players, scratch, network, weights, judges, temperatures, order, seeds, out):
    """A game for each seed: the scores go to `out`, and last how many decisions it took.

    Each bot has a record of `scratch`; `judges` says which of them go by the network.
    """
    s = states[0]
    net = network[0]
    for k in range(len(seeds)):
        s.rng = seeds[k]
        both.shuffled(s, players)
        decisions = 0
        while not both.is_over(s) and decisions < DECISION_CAP:
            decisions += 1
            bot = order[s.seat]
            h = scratch[bot]
            if judges[bot]:
                n = judge(states, 0, h, net, weights)
                for j in range(n):
                    net.values[j] += POINT_WORTH * net.leads[j]
                place = (
                    slip(s, net, n, temperatures[bot]) if temperatures[bot] > 0 else best_of(net, n)
                )
                both.apply(s, net.actions[place])
            else:
                n = evaluate(s, h, False)
                place = slip(s, h, n, temperatures[bot]) if temperatures[bot] > 0 else best_of(h, n)
                both.apply(s, h.actions[place])
        for p in range(players):
            out[k, p] = both.score(s, p)
        out[k, players] = decisions


def contest(names: list[str], game: str, players: int, games: int, seed: int) -> Contest:
    """What comes of the levels' games, as the arena tells it; places left go to the last one."""
    seats = (*names, *[names[-1]] * (players - len(names)))
    settings = Settings(seats, game, seed)
    made = [bots.make(name) for name in seats]
    sights = [bot.sight if isinstance(bot, HeuristicBot) else 1.0 for bot in made]
    judges = np.array([isinstance(bot, NetworkBot) for bot in made])
    temperatures = np.array([_temperature(bot, game, players) for bot in made])
    orders = streams.orders(seats)
    deals = -(-games // len(orders))
    seeds = np.array(
        [spread(streams.deal_seed(seed, deal)) for deal in range(deals)], dtype=np.uint64
    )
    memory = (
        np.zeros(2, kind(game).rules.STATE),
        players,
        heuristic_scratch(*[heuristic_weights(game, players, sight) for sight in sights]),
        network_scratch(),
        network_weights(game, players),
        judges,
        temperatures,
    )
    outcomes: list[Outcome] = []
    for order in orders:
        out = np.zeros((deals, players + 1), np.int64)
        play(*memory, np.array(order), seeds, out)
        outcomes += [_outcome(deal, order, row) for deal, row in enumerate(out)]
    outcomes.sort(key=lambda outcome: outcome.deal)
    return Contest(settings, outcomes, summary(settings, outcomes))


def _temperature(bot: bots.Bot, game: str, players: int) -> float:
    if not isinstance(bot, HeuristicBot | NetworkBot):
        raise TypeError(f"{bot} does not play in compiled code")
    return bot.temperature.get((game, players), 0.0)


def _outcome(deal: int, order: tuple[int, ...], row: NDArray[np.int64]) -> Outcome:
    *scores, decisions = row.tolist()
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    if decisions == DECISION_CAP:
        winners = []
    each = [decisions // len(order)] * len(order)
    return Outcome(deal, order, scores, winners, each, [0.0] * len(order))
