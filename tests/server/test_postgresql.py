"""PostgreSQL as it is in life: killed, frozen, cut off, replaced by its replica, and deaf.

Nothing that a client was told is lost, nothing happens twice, nobody waits for ever, and when the
database is back everything goes on by itself.
"""

import asyncio
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from keltis.server.clock import Clock
from keltis.server.live.bus import NAME
from tests.server import databases
from tests.server.databases import Database
from tests.server.live.playing import run, serving, started
from tests.server.running import PATIENCE, Client, Seat, Server, play_out, together

QUICK: dict[str, Any] = {"lease": 2, "poll": 0.5, "database_timeout": 3}


def until(holds: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def begin(*seats: Seat) -> None:
    for seat in seats:
        while seat.table["status"] == "waiting":
            seat.say("sync")
            seat.read()
    together(*seats)


def decisions(count: int, *seats: Seat) -> None:
    """So many decisions of whoever's turn it is, each seen by all."""
    taken = 0
    while taken < count:
        ready = [seat for seat in seats if seat.you["may"]["decide"] is not None]
        if ready:
            assert ready[0].decide()["type"] == "moved"
            taken += 1
        else:
            seats[0].read()
        together(*seats)


def moves(seat: Seat) -> list[str]:
    return [step["move"] for step in seat.views[0]["history"]]


def in_the_log(database: Database, table: str) -> list[str]:
    query = (
        "SELECT string_agg(body, ' ' ORDER BY seq) FROM events "
        f"WHERE kind = 'moved' AND table_id = '{table}'"
    )
    return (database.ask(query) or "").split()


def refused(seat: Seat) -> None:
    """A decision is refused, and in time."""
    began = time.monotonic()
    answer = seat.decide()
    assert (answer["type"], answer["code"]) == ("error", "busy"), answer
    assert answer["retry_after"] > 0
    assert time.monotonic() - began < QUICK["database_timeout"] + 15  # however busy the machine is


def healthy(server: Server) -> bool:
    return httpx.get(f"{server.url}/healthz", timeout=30).status_code == 200


def test_a_killed_postgresql_loses_nothing_and_is_found_again(
    database: Database, tmp_path: Path
) -> None:
    """Meanwhile decisions are refused, and the socket stays open."""
    with Server(database.address, tmp_path / "log", **QUICK) as server:
        ann = Client(server)
        table = ann.make("me", "me", game="board")["table"]
        with ann.at(table) as seat:
            begin(seat)
            decisions(10, seat)
            before = moves(seat)
            database.kill()
            refused(seat)
            until(lambda: not healthy(server))
            database.start()
            until(lambda: seat.decide()["type"] == "moved")
            play_out(seat)
            assert ann.record(table)["moves"] == moves(seat) == in_the_log(database, table)
            assert moves(seat)[:10] == before
        until(lambda: healthy(server))
        ann.close()


def test_a_frozen_postgresql_is_not_waited_for(database: Database, tmp_path: Path) -> None:
    with Server(database.address, tmp_path / "log", **QUICK) as server:
        ann = Client(server)
        table = ann.make("me", "me", game="stones")["table"]
        with ann.at(table) as seat:
            begin(seat)
            decisions(5, seat)
            with database.frozen():
                for _ in range(3):
                    refused(seat)
                # A table in memory is still shown.
                assert ann.state(table)["seq"] == seat.seq
            until(lambda: seat.decide()["type"] == "moved" or seat.say("sync") is None)
            play_out(seat)
            # What was refused may have been written after all, once, and was told then.
            assert ann.record(table)["moves"] == moves(seat) == in_the_log(database, table)
        ann.close()


def test_a_server_that_is_cut_off_refuses_and_the_other_goes_on(
    database: Database, tmp_path: Path
) -> None:
    """The other takes its bots over. When the way is open again, it follows."""
    with (
        databases.way(database) as way,
        Server(way.address, tmp_path / "log1", **QUICK) as one,
        Server(database.address, tmp_path / "log2", **QUICK) as other,
    ):
        ann, ben = Client(one), Client(other)
        made = ann.make("me", "open", "random", game="board", first=0)
        ben.join(made)
        table = made["table"]
        with ann.at(table) as first, ben.at(table) as second:
            begin(first, second)
            decisions(8, first, second)
            while first.you["may"]["decide"] is None:
                if second.you["may"]["decide"] is not None:
                    second.decide()
                else:
                    first.read()
                together(first, second)
            way.cut()
            refused(first)
            until(lambda: not healthy(one))
            assert healthy(other)
            seen = second.seq
            elsewhere = Client(other, key=ann.key)
            with elsewhere.at(table) as again:
                decisions(12, again, second)
            assert second.seq >= seen + 12
            elsewhere.close()
            way.mend()
            play_out(first, second)
            assert moves(first) == moves(second) == in_the_log(database, table)
        until(lambda: healthy(one))
        ann.close()
        ben.close()


def test_a_replica_takes_over_and_nothing_that_was_told_is_lost(
    pair: tuple[Database, Database], tmp_path: Path
) -> None:
    first, second = pair
    address = databases.either(first, second)
    with (
        Server(address, tmp_path / "log1", **QUICK) as one,
        Server(address, tmp_path / "log2", **QUICK) as other,
    ):
        ann, ben = Client(one), Client(other)
        made = ann.make("me", "open", game="stones", first=0)
        ben.join(made)
        table = made["table"]
        with ann.at(table) as here, ben.at(table) as there:
            begin(here, there)
            decisions(10, here, there)
            before = moves(here)
            first.kill()
            ready = here if here.you["may"]["decide"] is not None else there
            refused(ready)
            assert second.ask("SELECT pg_promote(true, 60)")
            until(lambda: ready.decide()["type"] == "moved")
            play_out(here, there)
            assert moves(here) == moves(there) == in_the_log(second, table)
            assert moves(here)[:10] == before
        assert healthy(one)
        assert healthy(other)
        ann.close()
        ben.close()


def test_a_commit_that_the_replica_lacks_is_not_told(
    pair: tuple[Database, Database], tmp_path: Path
) -> None:
    """It stays open, and is seen by nobody, until the replica has it or has taken over."""
    first, second = pair
    with Server(databases.either(first, second), tmp_path / "log", **QUICK) as server:
        ann = Client(server)
        table = ann.make("me", "me", game="stones")["table"]
        with ann.at(table) as seat:
            begin(seat)
            decisions(5, seat)
            before = moves(seat)
            with second.frozen():
                for _ in range(2):
                    refused(seat)
                assert ann.state(table)["seq"] == seat.seq
                assert moves(seat) == before
                first.kill()
            assert second.ask("SELECT pg_promote(true, 60)")
            assert in_the_log(second, table)[:5] == before
            until(lambda: seat.decide()["type"] == "moved")
            play_out(seat)
            assert moves(seat) == in_the_log(second, table)
            assert moves(seat)[:5] == before
        ann.close()


def notices(server: Server) -> float:
    text = httpx.get(f"{server.url}/metrics", timeout=30).text
    found = re.search(r"^keltis_notices_total (\S+)", text, re.MULTILINE)
    assert found
    return float(found[1])


def test_without_notices_the_others_events_are_found_all_the_same(
    database: Database, tmp_path: Path
) -> None:
    """LISTEN is broken again and again; a look at the log tells. Later notices come again."""
    with (
        Server(database.address, tmp_path / "log1", **QUICK) as one,
        Server(database.address, tmp_path / "log2", **QUICK) as other,
    ):
        ann, ben = Client(one), Client(other)
        made = ann.make("me", "open", game="stones", first=0)
        ben.join(made)
        done = threading.Event()
        broken = 0

        def break_it() -> None:
            nonlocal broken
            query = (
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                f"WHERE application_name = '{NAME}'"
            )
            while not done.wait(0.05):
                broken += database.ask(query)

        with ann.at(made["table"]) as first, ben.at(made["table"]) as second:
            begin(first, second)
            breaking = threading.Thread(target=break_it)
            breaking.start()
            try:
                until(lambda: broken > 4)  # all four connections at least once
                decisions(8, first, second)
            finally:
                done.set()
                breaking.join()
            before = notices(one), notices(other)
            deadline = time.monotonic() + PATIENCE
            while not (notices(one) > before[0] and notices(other) > before[1]):
                assert time.monotonic() < deadline
                assert not first.over
                decisions(1, first, second)
                time.sleep(0.3)
            play_out(first, second)
            assert moves(first) == moves(second)
        ann.close()
        ben.close()


@pytest.mark.parametrize(("one_is", "other_is"), [(-4.0, 4.0), (4.0, -4.0), (-4000.0, 4000.0)])
def test_servers_whose_clocks_are_apart_agree_on_time(
    one_is: float, other_is: float, postgresql: str
) -> None:
    """Dates are the database's: nobody loses time to a server whose own clock is wrong."""

    def wrong(seconds: float) -> Clock:
        return Clock(wall=lambda: time.time() + seconds)

    async def play() -> None:
        async with (
            serving(postgresql, wrong(one_is)) as one,
            serving(postgresql, wrong(other_is)) as other,
        ):
            for each in (one, other):
                # One sweep, as each server makes every few seconds.
                sweeping = asyncio.create_task(each.service.scheduler.sweep())
                while abs(each.clock.wall() / 1000 - time.time()) > 2:
                    await asyncio.sleep(0.05)
                sweeping.cancel()
            before = time.monotonic()
            live = await started(one, "me", "me", clock=[10, None])
            there = await other.service.find(live.table.id)
            taken = there.elapsed(other.clock.now())
            assert taken <= 1000 * (time.monotonic() - before) + 500
            assert abs(there.table.last_at / 1000 - time.time()) < 30

    run(play())
