"""Who thinks at the server's tables, and for how long."""

from keltis import bots
from keltis.bots.network import NetworkBot
from keltis.bots.search import SearchBot
from keltis.server.live.bot_pool import LONGEST, SHORTEST, BotPool
from keltis.server.live.fair_pool import Queue


def test_with_many_in_the_queue_each_level_stays_itself_and_thinks_for_less() -> None:
    pool = BotPool(threads=2)
    try:
        budgets = []
        for waiting in (0, 1, 5, 1_000):
            seconds = pool._seconds(Queue(others=waiting, own=0))
            assert seconds == pool._seconds(Queue(others=0, own=waiting))
            budgets.append(seconds)
            assert SHORTEST / 2 < seconds <= LONGEST
            assert isinstance(pool._bot("bard", seconds), NetworkBot)
            druid, own = pool._bot("druid", seconds), bots.make("druid")
            assert isinstance(druid, SearchBot)
            assert isinstance(own, SearchBot)
            assert druid._rollouts == own._rollouts
            assert druid._seconds == min(seconds, own._seconds)
        assert budgets == sorted(budgets, reverse=True)
        assert budgets[-1] < budgets[0]
    finally:
        pool.stop()
