"""What outcomes say: shares, intervals, Elo, the sequential test."""

import math
from random import Random

import pytest

from keltis.arena import streams
from keltis.arena.playing import Outcome, Settings
from keltis.arena.statistics import Mean, RunningMean, Sprt, elo, mean, share_of, summary


def test_orders_are_all_seatings_each_once() -> None:
    assert len(streams.orders(("a", "b"))) == 2
    assert len(streams.orders(("a", "b", "c"))) == 6
    assert len(streams.orders(("a", "b", "c", "d"))) == 24
    assert len(streams.orders(("a", "b", "b", "b"))) == 4
    assert len(streams.orders(("a", "a"))) == 1


def test_deals_and_bots_have_streams_of_their_own() -> None:
    seeds = [streams.deal_seed(1, deal) for deal in range(50)]
    seeds += [streams.bot_seed(1, deal, order, 0) for deal in range(50) for order in range(2)]
    assert len(set(seeds)) == len(seeds)
    assert streams.deal_seed(1, 0) != streams.deal_seed(2, 0)


def outcome(deal: int, order: tuple[int, ...], scores: list[int]) -> Outcome:
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    return Outcome(deal, order, scores, winners, [10] * len(scores), [0.5] * len(scores))


def test_a_summary_by_hand() -> None:
    settings = Settings(("ann", "ben"), "board", 0)
    outcomes = [
        outcome(0, (0, 1), [20, 10]),  # ann wins by 10
        outcome(0, (1, 0), [15, 15]),  # a tie
        outcome(1, (0, 1), [5, 9]),  # ben wins by 4
        outcome(1, (1, 0), [9, 11]),  # ann wins by 2
    ]
    ann, ben = summary(settings, outcomes)
    assert (ann.games, ann.deals) == (4, 2)
    assert ann.wins.value == pytest.approx((0.75 + 0.5) / 2)
    assert ben.wins.value == pytest.approx(1 - ann.wins.value)
    assert ann.margin.value == pytest.approx((5 - 1) / 2)
    assert ann.score.value == pytest.approx((20 + 15 + 5 + 11) / 4)
    # over two deals: 0.75 and 0.5, so a standard deviation of 0.1768
    assert ann.wins.error == pytest.approx(0.17678 / math.sqrt(2), abs=1e-4)
    assert ann.seconds == pytest.approx(0.05)


def test_a_game_cut_off_is_won_by_nobody() -> None:
    settings = Settings(("ann", "ben"), "board", 0)
    cut = Outcome(0, (0, 1), [20, 10], [], [1, 1], [0.0, 0.0])
    ann, ben = summary(settings, [cut])
    assert (ann.wins.value, ben.wins.value) == (0, 0)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Deals whose two games hang together: an interval over games would be too narrow."""
    chance = Random(1)
    held = 0
    for _ in range(400):
        values = []
        for _ in range(60):
            luck = chance.gauss(0, 1)
            values.append(((luck + chance.gauss(0.2, 1)) + (luck + chance.gauss(0.2, 1))) / 2)
        found = mean(values)
        held += found.low <= 0.2 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_a_mean_can_be_told_value_by_value() -> None:
    chance, values, running = Random(2), [], RunningMean()
    for _ in range(50):
        values.append(1e6 + chance.random())
        told, whole = running.add(values[-1]), mean(values)
        assert told.value == pytest.approx(whole.value)
        assert told.error == pytest.approx(whole.error, rel=1e-4)


def test_elo_and_its_inverse() -> None:
    assert elo(Mean(0.5, 0.01), 2).value == pytest.approx(0)
    assert elo(Mean(10 / 11, 0.01), 2).value == pytest.approx(400)
    assert elo(Mean(0.25, 0.01), 4).value == pytest.approx(0)
    for players in (2, 3, 4):
        assert elo(Mean(share_of(120, players), 0.01), players).value == pytest.approx(120)


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    test = Sprt(0, 40)
    for truth, wrong in ((0, "accepted"), (40, "rejected")):
        chance = Random(truth)
        share = share_of(truth, 2)
        errors = 0
        for _ in range(200):
            total = squares = 0.0
            for deals in range(1, 100_000):
                value = (chance.random() < share) / 2 + (chance.random() < share) / 2
                total += value
                squares += value * value
                if deals < 2:
                    continue
                variance = max((squares - total * total / deals) / (deals - 1), 0)
                wins = Mean(total / deals, math.sqrt(variance / deals))
                verdict = test.verdict(test.ratio(wins, deals, 2))
                if verdict:
                    errors += verdict == wrong
                    break
        assert errors <= 20  # 5 % of 200 is 10, and luck doubles that once in some hundred times
