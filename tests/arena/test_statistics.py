"""What outcomes say: shares, intervals, Elo, the sequential test."""

import math
from random import Random

import pytest

from keltis.arena import streams
from keltis.arena.playing import Outcome, Settings
from keltis.arena.statistics import (
    Mean,
    RunningShare,
    Sprt,
    elo,
    elo_of,
    mean,
    plain,
    share,
    share_of,
    summary,
    wilson,
)


def test_a_difference_of_any_size_is_a_share() -> None:
    assert share_of(0, 2) == 0.5
    assert share_of(1e9, 4) == 1.0
    assert share_of(-1e9, 2) == pytest.approx(0.0)


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


def test_a_share_can_be_told_value_by_value() -> None:
    chance, values, running = Random(2), [], RunningShare()
    for _ in range(50):
        values.append(chance.choice((0.0, 0.5, 1.0)))
        told, whole = running.add(values[-1]), share(values)
        for name in ("value", "error", "low", "high"):
            assert getattr(told, name) == pytest.approx(getattr(whole, name), rel=1e-6)


def test_an_interval_of_deals_won_or_lost_as_a_whole_is_wilsons() -> None:
    for won, deals in ((10, 10), (0, 10), (8, 10), (500, 1000)):
        found = share([1.0] * won + [0.0] * (deals - won))
        assert (found.low, found.high) == pytest.approx(wilson(won / deals, deals))
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-4)
    assert wilson(0.5, 0) == (0, 1)


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_deals_that_are_all_alike_do_not_look_like_certainty(alike: float) -> None:
    for deals in (1, 2, 10, 1000):
        found = share([alike] * deals)
        assert found.high - found.low > 1 / (deals + 1)
        assert 0 <= found.low <= alike <= found.high <= 1


def test_the_more_is_won_the_higher_is_the_interval() -> None:
    """Also at the end, where there is nothing left to tell how uncertain it is."""
    for deals in (5, 50, 1000):
        lows = [share([1.0] * (deals - 1) + [last]).low for last in (0.0, 0.5, 1.0)]
        assert lows == sorted(lows)


@pytest.mark.parametrize("truth", [0.5, 0.9, 0.98, 0.999])
@pytest.mark.parametrize("deals", [10, 100])
def test_intervals_of_shares_hold_the_truth_near_the_ends_too(truth: float, deals: int) -> None:
    """Deals of two games that hang together: half of all deals are won or lost as a whole."""
    chance = Random(3)
    held = 0
    for _ in range(400):
        values = []
        for _ in range(deals):
            first, second = chance.random() < truth, chance.random() < truth
            values.append((first + (first if chance.random() < 0.5 else second)) / 2)
        found = share(values)
        held += found.low <= truth <= found.high
    assert held / 400 >= 0.92


def test_elo_is_told_only_where_it_can_be() -> None:
    settings = Settings(("ann", "ben"), "board", 0)
    clear = [outcome(deal, order, [9, 5] if order[0] == 0 else [5, 9])
             for deal in range(20) for order in ((0, 1), (1, 0))]  # fmt: skip
    ann, ben = summary(settings, clear)
    assert (ann.elo, ben.elo) == (None, None)
    assert ann.wins.high == 1
    assert 0.8 < ann.wins.low < 0.9
    assert plain([ann])[0]["elo"] is None
    [one, _] = summary(settings, [outcome(0, (0, 1), [9, 5]), outcome(0, (1, 0), [9, 5])])
    assert one.elo is None
    assert plain([one])[0]["wins"]["error"] is None
    lost = [*clear[:-1], outcome(19, (1, 0), [9, 5])]
    [ann, _] = summary(settings, lost)
    assert ann.elo is not None
    assert ann.elo.low < ann.elo.value < ann.elo.high
    assert elo(ann.wins.low, 2) == ann.elo.low


def test_elo_and_its_inverse() -> None:
    assert elo(0.5, 2) == pytest.approx(0)
    assert elo(10 / 11, 2) == pytest.approx(400)
    assert elo(0.25, 4) == pytest.approx(0)
    for players in (2, 3, 4):
        assert elo(share_of(120, players), players) == pytest.approx(120)
    assert elo_of(share([1.0, 1.0]), 2) is None


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
                wins = Mean(total / deals, math.sqrt(variance / deals), 0, 1)
                verdict = test.verdict(test.ratio(wins, deals, 2))
                if verdict:
                    errors += verdict == wrong
                    break
        assert errors <= 20  # 5 % of 200 is 10, and luck doubles that once in some hundred times
