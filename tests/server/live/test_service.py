"""The one way in which a table changes, and what becomes of it when a write goes wrong."""

import asyncio
import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from keltis.server.app import Server
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import Viewer
from keltis.server.problems import Problem
from keltis.server.storage.store import Outcome, Unit
from keltis.server.tables.drafts import Draft, Seats, Surroundings
from keltis.server.tables.events import Event
from keltis.server.tables.table import Table
from tests.server.live.playing import (
    ANN,
    PATIENCE,
    FakeTime,
    facts,
    logged,
    run,
    serving,
    started,
    until,
)

LOST = OperationalError("INSERT", {}, Exception())


def failing(server: Server, outcome: Outcome, *, after: bool = False) -> Any:
    """Let the next write fail; `after`: though it was written. Gives back a way to undo that."""
    store = server.store
    writes = store._outcomes

    def fails(units: list[Unit]) -> Sequence[Outcome]:
        if after:
            writes(units)
        return [outcome] * len(units)

    store._outcomes = fails  # type: ignore[method-assign]

    def undo() -> None:
        store._outcomes = writes  # type: ignore[method-assign]

    return undo


def watching(server: Server, live: LiveTable, holder: str | None = ANN) -> list[bytes]:
    """What somebody at the table is sent."""
    told: list[bytes] = []

    async def deliver(message: bytes) -> None:
        told.append(message)

    async def close(code: int) -> None:
        told.append(b"closed %d" % code)

    server.service.enter(live, Viewer(holder, "here", deliver, close), None)
    return told


def legal(live: LiveTable) -> str:
    assert live.table.game is not None
    return live.table.game.legal_moves()[0]


@pytest.mark.parametrize("after", [False, True])
def test_a_clock_that_runs_out_after_a_failed_write_leaves_memory_and_log_alike(
    after: bool, tmp_path: Path
) -> None:
    """Once a move played but not written stayed in memory, and the log could not be replayed."""

    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(5, None))
            seq, move = live.table.seq, legal(live)
            undo = failing(server, LOST, after=after)
            with pytest.raises(Problem, match="does not answer"):
                await server.service.decide(live, ANN, move, seq, "one")
            undo()
            time.pass_by(6, clock)
            server.service.scheduler.look(live)
            await until(lambda: live.table.seq > seq and live.in_step)
            assert facts(live.table) == facts(logged(server, live.table.id))
            kinds = [event.kind for event in server.store.events_after(live.table.id, seq)]
            assert kinds[0] == ("moved" if after else "time")

    run(play())


@pytest.mark.parametrize("outcome", [False, LOST])
def test_a_decision_that_was_not_written_did_not_happen(outcome: Outcome, tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            told = watching(server, live)
            seq, move = live.table.seq, legal(live)
            undo = failing(server, outcome)
            with pytest.raises(Problem) as refused:
                await server.service.decide(live, ANN, move, seq, "one")
            assert refused.value.code == "busy"
            undo()
            assert live.table.seq == seq
            assert not any(b'"moved"' in message for message in told)
            written = await server.service.decide(live, ANN, move, seq, "one")
            assert (written.seq, written.changed) == (seq + 1, True)
            await until(lambda: any(b'"moved"' in message for message in told))
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_a_decision_that_was_written_though_the_answer_was_lost_is_told_and_not_repeated(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            told = watching(server, live, None)
            seq, move = live.table.seq, legal(live)
            undo = failing(server, LOST, after=True)
            with pytest.raises(Problem):
                await server.service.decide(live, ANN, move, seq, "one")
            undo()
            assert not any(b'"moved"' in message for message in told)
            await until(lambda: live.table.seq == seq + 1)  # by itself, from the log
            await until(lambda: any(b'"moved"' in message for message in told))
            written = await server.service.decide(live, ANN, move, seq, "one")
            assert (written.seq, written.changed) == (seq + 1, False)
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_somebody_who_goes_away_while_it_is_written_takes_nothing_along(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            seq, move = live.table.seq, legal(live)
            asking = asyncio.create_task(server.service.decide(live, ANN, move, seq, "one"))
            while live.in_step:
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
            await until(lambda: live.in_step)
            assert live.table.seq == seq + 1
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_of_two_servers_one_is_first_and_the_other_follows(tmp_path: Path) -> None:
    async def play() -> None:
        file = tmp_path / "x.db"
        async with serving(file) as one, serving(file, alone=False) as other:
            here = await started(one, "me", "me")
            there = await other.service.find(here.table.id)
            seq, move = here.table.seq, legal(here)
            both = await asyncio.gather(
                one.service.decide(here, ANN, move, seq, "one"),
                other.service.decide(there, ANN, move, seq, "two"),
                return_exceptions=True,
            )
            assert sorted(type(each).__name__ for each in both) == ["Problem", "Written"]
            (refused,) = [each for each in both if isinstance(each, Problem)]
            assert refused.code == "stale"
            await one.service.catch_up(here)
            assert facts(here.table) == facts(there.table) == facts(logged(one, here.table.id))

    run(play())


@pytest.mark.parametrize("kind", ["take_back", "decide"])
def test_the_same_id_counts_once_even_if_the_command_would_be_allowed_again(
    kind: str, tmp_path: Path
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me", practice=True)
            service = server.service
            for k in range(4):
                await service.decide(live, ANN, legal(live), live.table.seq, f"move {k}")
            if kind == "decide":
                again = await service.decide(live, ANN, legal(live), live.table.seq, "move 2")
                assert (again.seq, again.changed) == (live.table.seq - 1, False)
                return
            from keltis.server.tables import commands

            for attempt in range(3):
                done = await service.act(
                    live, lambda t, s, n: commands.take_back(t, s, live.table.seq), ANN, "back"
                )
                assert done.changed == (attempt == 0)
            assert live.table.game is not None
            assert len(live.table.game.moves) == 3

    run(play())


def test_one_bad_write_does_not_spoil_those_beside_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            lives = [await started(server, "me", "me") for _ in range(3)]
            units = [
                Unit([Event(live.table.id, live.table.seq + 1, 1, "moved", 0, "R1", None, 5)])
                for live in lives
            ]
            units[1].events[0] = units[1].events[0]._replace(body=None)  # type: ignore[arg-type]
            done = await asyncio.gather(
                *(server.store.write(unit) for unit in units), return_exceptions=True
            )
            assert [done[0], done[2]] == [True, True]
            assert isinstance(done[1], Exception)
            again = await asyncio.gather(*(server.store.write(unit) for unit in units[::2]))
            assert again == [False, False]

    run(play())


def test_a_write_that_nobody_waits_for_any_more_is_followed_when_it_is_done(tmp_path: Path) -> None:
    """Its sender goes away, and the log is read again before it is written."""

    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            seq, move = live.table.seq, legal(live)
            goes_on = threading.Event()
            writes = server.store._outcomes

            def slowly(units: list[Unit]) -> Sequence[Outcome]:
                assert goes_on.wait(PATIENCE)
                return writes(units)

            server.store._outcomes = slowly  # type: ignore[method-assign]
            asking = asyncio.create_task(server.service.decide(live, ANN, move, seq, "one"))
            await until(lambda: not live.in_step)
            asking.cancel()
            await asyncio.wait([asking])
            await asyncio.sleep(0.5)  # longer than the pause before the log is read again
            goes_on.set()
            await until(lambda: live.table.seq == seq + 1)
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_a_damaged_log_is_found_once_and_nothing_is_built_on_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me", practice=True)
            service, table_id = server.service, live.table.id
            for k in range(3):
                await service.decide(live, ANN, legal(live), live.table.seq, f"{k}")
            seq = live.table.seq
            bad = Event(table_id, seq + 1, 1, "taken back", 0, '{"decisions":9}', None)
            assert await server.store.write(Unit([bad]))
            told = watching(server, live)
            waiting = [service.decide(live, ANN, legal(live), seq, f"more {k}") for k in range(5)]
            refused = await asyncio.gather(*waiting, return_exceptions=True)
            assert [getattr(each, "code", each) for each in refused] == ["unreadable"] * 5
            assert len(server.store.events_after(table_id, 0)) == seq + 1
            with pytest.raises(Problem, match="damaged"):
                await service.find(table_id)
            with pytest.raises(Problem, match="damaged"):
                await service.catch_up(live)
            await until(lambda: b"closed 4404" in told)

    run(play())


def test_a_table_without_events_is_no_table(tmp_path: Path) -> None:
    """It has no seats, so that nobody is missing, and it would start by itself."""

    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            with server.store.engine.begin() as connection:
                connection.exec_driver_sql("DELETE FROM events")
                connection.exec_driver_sql("UPDATE tables SET status = 'waiting'")
            server.service.registry.let_go(-1e9)
            with pytest.raises(Problem) as refused:
                await server.service.find(live.table.id)
            assert refused.value.code == "unreadable"
            await server.service.scheduler.go_on()
            assert server.store.events_after(live.table.id, 0) == []

    run(play())


def test_whoever_finds_a_table_while_it_is_made_is_at_the_same_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            registry = server.service.registry
            assert registry.add(logged(server, live.table.id)) is live

    run(play())


@pytest.mark.parametrize("status", ["playing", "waiting"])
def test_a_log_has_an_end_whatever_people_do(
    status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is taken back, or left and returned to, is an event too: to read it all takes time."""
    from keltis.server.tables import commands, devices, table

    monkeypatch.setattr(table, "LONGEST_LOG", 30)

    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            if status == "playing":
                live = await started(server, "me", "me")
            else:
                wishes = {"seats": [{"who": "me", "name": "A"}, {"who": "open"}], "practice": False,
                          "hints": None, "clock": None, "ready": True, "spectators": True,
                          "options": {}, "first": 0}  # fmt: skip
                body = commands.created_body(wishes, ANN, None)
                live = await server.service.create("board", False, body, Asker("here", ANN))

            def once_more(at: Table, seats: Seats, near: Surroundings) -> Draft | None:
                if status == "waiting":
                    return devices.link(at, ANN, seats, 0, near, 1).draft
                if at.seats[0].played_by is None:
                    return commands.leave(at, seats, None, near)
                return commands.come_back(at, seats, None)

            with contextlib.suppress(Problem):  # at last: the game is over
                for _ in range(100):
                    await server.service.act(live, once_more, ANN)
                    await asyncio.sleep(0)
            await until(lambda: live.table.status == "over")
            assert 25 <= live.table.seq < 40
            assert facts(logged(server, live.table.id)) == facts(live.table)

    run(play())


def test_the_list_of_tables_is_made_once_for_all_who_ask_meanwhile(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            asked = 0
            ids = server.store.public_ids

            def counting(most: int, most_of_one: int) -> list[str]:
                nonlocal asked
                asked += 1
                return ids(most, most_of_one)

            server.store.public_ids = counting  # type: ignore[method-assign]
            lists = await asyncio.gather(*(server.service.public_tables() for _ in range(20)))
            assert lists == [[]] * 20
            assert asked == 1

    run(play())
