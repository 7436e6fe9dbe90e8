"""One deal, played in every order of seats."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import keltis
from keltis import bots
from keltis.arena import streams
from keltis.bots.kernels import heuristic
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.weights import heuristic_weights
from keltis.game.game import spread
from keltis.game.kinds import kind
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
    record: dict[str, Any] | None = None

    @property
    def cut_off(self) -> bool:
        return not self.winners


def play_deal(settings: Settings, deal: int, keep: bool) -> list[Outcome]:
    """Play a deal in every order, through views as anybody's bots would."""
    return [
        _play(settings, deal, number, order, keep)
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
    settings: Settings, deal: int, number: int, order: tuple[int, ...], keep: bool
) -> Outcome:
    players = [
        bots.make(
            settings.bots[which],
            streams.bot_seed(settings.seed, deal, number, seat),
            seconds=settings.seconds,
            rollouts=settings.rollouts,
        )
        for seat, which in enumerate(order)
    ]
    game = _new_game(settings, deal, order)
    decisions = [0] * len(players)
    seconds = [0.0] * len(players)
    while (seat := game.seat) is not None:
        if sum(decisions) == keltis.DECISION_CAP:
            game.cut_off()
            break
        view = game.view(seat)
        start = time.perf_counter()
        move = players[seat].choose(view)
        seconds[seat] += time.perf_counter() - start
        decisions[seat] += 1
        game.play(move)
    return Outcome(
        deal,
        order,
        game.scores(),
        game.winners(),
        decisions,
        seconds,
        game.record() if keep else None,
    )


COMPILED = ("random", "heuristic")  # bots that can play without leaving compiled code


def play_deals_compiled(settings: Settings, first: int, end: int, keep: bool) -> list[Outcome]:
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
    actions = np.zeros((len(seeds) if keep else 0, keltis.DECISION_CAP), np.int16)
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
            winners = [seat for seat, score in enumerate(scores) if over and score == best]
            outcomes.append(
                Outcome(
                    deal,
                    order,
                    scores,
                    winners,
                    [count // settings.players] * settings.players,
                    [took] * settings.players,
                    _record(settings, deal, order, actions[k, :count].tolist()) if keep else None,
                )
            )
    return outcomes


def _record(
    settings: Settings, deal: int, order: tuple[int, ...], actions: list[int]
) -> dict[str, Any]:
    """The record of a game that was played in compiled code."""
    game = _new_game(settings, deal, order)
    tokens = kind(settings.game).tokens
    for action in actions:
        game.play(tokens[action])
    if not game.is_over:
        game.cut_off()
    return game.record()
