"""One deal, played in every order of seats."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

import keltis
from keltis.arena import streams
from keltis.arena.faults import BotFault, Fault, fault_of
from keltis.bots.entrants import Entrant, NotABot
from keltis.bots.kernels import heuristic
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.registry import Bot
from keltis.bots.weights import heuristic_weights
from keltis.game.errors import quoted
from keltis.game.game import spread
from keltis.game.kinds import kind
from keltis.game.types import Record
from keltis.reviews.luck import Luck, luck_of
from keltis.rules.kernel import RESULT


@dataclass(frozen=True)
class Settings:
    """All that decides how the games of a contest go."""

    bots: tuple[str, ...]  # one for each seat
    game: str
    seed: int
    seconds: float | None = None  # for each decision of a bot that thinks
    rollouts: int | None = None

    @property
    def players(self) -> int:
        return len(self.bots)


@dataclass(frozen=True)
class Outcome:
    """One game: the figures are by seat."""

    deal: int
    order: tuple[int, ...]  # which of the contest's bots sat there
    scores: list[int]
    winners: list[int]
    decisions: list[int]
    seconds: list[float]  # that the bots thought, all decisions together
    record: Record | None = None
    fault: Fault | None = None  # of the bot that lost the game by it; the others share the win
    luck: list[Luck] | None = None  # of each seat's draws, if it was asked for

    @property
    def cut_off(self) -> bool:
        return not self.winners


def play_deal(
    settings: Settings,
    deal: int,
    keep: bool,
    seated: list[Entrant] | None = None,
    forfeit: bool = False,
    luck: bool = False,
) -> list[Outcome]:
    """Play a deal in every order, through views as anybody's bots would.

    `seated` are the bots, one a seat, if names of the registry do not tell which they are. Whatever
    a bot raises, or a move that is not legal, is a `BotFault`; with `forfeit` the bot loses that
    game instead.
    """
    entrants = [Entrant(name) for name in settings.bots] if seated is None else seated
    return [
        _play(settings, entrants, deal, number, order, keep, forfeit, luck)
        for number, order in enumerate(streams.orders(settings.bots))
    ]


def _new_game(settings: Settings, deal: int, order: tuple[int, ...]) -> keltis.Game:
    return keltis.new_game(
        settings.game,
        players=settings.players,
        seed=streams.deal_seed(settings.seed, deal),
        names=[settings.bots[which] for which in order],
    )


def _play(
    settings: Settings,
    entrants: list[Entrant],
    deal: int,
    number: int,
    order: tuple[int, ...],
    keep: bool,
    forfeit: bool,
    luck: bool,
) -> Outcome:
    game = _new_game(settings, deal, order)
    decisions = [0] * len(order)
    seconds = [0.0] * len(order)
    winners, fault = [], None
    seat: int | None = 0
    try:
        players: list[Bot] = []
        for seat, which in enumerate(order):
            seed = streams.bot_seed(settings.seed, deal, number, seat)
            players.append(
                entrants[which].seated(seed, seconds=settings.seconds, rollouts=settings.rollouts)
            )
        while (seat := game.seat) is not None:
            if sum(decisions) == keltis.DECISION_CAP:
                game.cut_off()
                break
            view = game.view(seat)
            decisions[seat] += 1
            start = time.perf_counter()
            move = players[seat].choose(view)
            seconds[seat] += time.perf_counter() - start
            _answer(game, move)
        winners = game.winners()
    except NotABot:
        raise
    except (Exception, SystemExit) as raised:
        assert seat is not None
        name = settings.bots[order[seat]]
        fault = fault_of(raised, name, deal, seat, sum(decisions))
        if not forfeit:
            raise BotFault(fault) from raised
        game.cut_off()
        winners = [other for other in range(len(order)) if other != seat]
    return Outcome(
        deal,
        order,
        game.scores(),
        winners,
        decisions,
        seconds,
        game.record() if keep else None,
        fault,
        luck_of(game, deal=False) if luck else None,
    )


def _answer(game: keltis.Game, move: str) -> None:
    try:
        game.play(move)
    except keltis.IllegalMove as why:
        raise keltis.IllegalMove(f"it answered {quoted(move)}: {why}") from None


COMPILED = ("random", "heuristic")  # bots that can play without leaving compiled code


def play_deals_compiled(
    settings: Settings, first: int, end: int, keep: bool, luck: bool = False
) -> list[Outcome]:
    """The same for bots that are kernels: the same deals, thousands of games a second.

    `heuristic` plays what it plays through views. `random` has other random numbers here. Who took
    how many decisions, and how long, is not told: each seat has an even share of both.
    """
    rules = kind(settings.game).rules
    own = heuristic_weights(settings.game, settings.players)
    states = np.zeros(1, rules.STATE)
    deals = range(first, end)
    seeds = np.array(
        [spread(streams.deal_seed(settings.seed, deal)) for deal in deals], dtype=np.uint64
    )
    again = keep or luck
    actions = np.zeros((len(seeds) if again else 0, keltis.DECISION_CAP), np.int16)
    outcomes = []
    for order in streams.orders(settings.bots):
        thinks = np.array([settings.bots[which] == "heuristic" for which in order])
        results = np.zeros(len(seeds), RESULT)
        scratch = heuristic_scratch(*[own] * settings.players)
        start = time.perf_counter()
        heuristic.contest(
            states,
            settings.players,
            scratch,
            thinks,
            seeds,
            keltis.DECISION_CAP,
            results,
            actions,
        )
        took = (time.perf_counter() - start) / len(seeds) / settings.players
        for k, (deal, result) in enumerate(zip(deals, results, strict=True)):
            scores = result["scores"][: settings.players].tolist()
            best = max(scores)
            over = result["reason"] != rules.RUNNING
            count = int(result["decisions"])
            game = _replayed(settings, deal, order, actions[k, :count].tolist()) if again else None
            winners = [seat for seat, score in enumerate(scores) if over and score == best]
            outcomes.append(
                Outcome(
                    deal,
                    order,
                    scores,
                    winners,
                    [count // settings.players] * settings.players,
                    [took] * settings.players,
                    game.record() if game and keep else None,
                    luck=luck_of(game, deal=False) if game and luck else None,
                )
            )
    return outcomes


def _replayed(
    settings: Settings, deal: int, order: tuple[int, ...], actions: list[int]
) -> keltis.Game:
    """A game that was played in compiled code."""
    game = _new_game(settings, deal, order)
    tokens = kind(settings.game).tokens
    for action in actions:
        game.play(tokens[action])
    if not game.is_over:
        game.cut_off()
    return game


def play_deals(
    settings: Settings,
    deals: range,
    *,
    keep: bool,
    seated: list[Entrant],
    forfeit: bool,
    luck: bool,
) -> tuple[float, list[list[Outcome]]]:
    """Play some deals: how many seconds it took, and the outcomes deal by deal."""
    start = time.perf_counter()
    if all(bot in COMPILED for bot in settings.bots):
        by_deal: dict[int, list[Outcome]] = {deal: [] for deal in deals}
        for outcome in play_deals_compiled(settings, deals.start, deals.stop, keep, luck):
            by_deal[outcome.deal].append(outcome)
        found = list(by_deal.values())
    else:
        found = [play_deal(settings, deal, keep, seated, forfeit, luck) for deal in deals]
    return time.perf_counter() - start, found
