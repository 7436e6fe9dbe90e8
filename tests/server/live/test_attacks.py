"""What once parted memory from the log, by accident and by intent."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from keltis.server.app import Server
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.problems import Problem
from keltis.server.storage import repair, store
from tests.server.live.playing import ANN, FakeTime, facts, logged, run, serving, started, until


def legal(live: LiveTable) -> str:
    assert live.table.game is not None
    return live.table.game.legal_moves()[0]


def check(server: Server, lives: list[LiveTable]) -> None:
    """Memory and log are one."""
    for live in lives:
        assert live.in_step
        assert facts(live.table) == facts(logged(server, live.table.id))
    assert repair.check(server.store) == []


async def go_on_after_a_restart(file: Path, lives: list[LiveTable]) -> None:
    async with serving(file) as server:
        await server.service.scheduler.go_on()
        again = [await server.service.find(live.table.id) for live in lives]
        for live, before in zip(again, lives, strict=True):
            assert live.table.seq >= before.table.seq
        listed = await server.service.tables_of(ANN)
        assert len(listed) == 20  # as many as are listed


@pytest.mark.parametrize("early", [0.0, 0.001])
def test_the_same_id_again_at_the_deadline_beside_44_other_decisions(
    early: float, tmp_path: Path
) -> None:
    """The second writing of an id failed and took the others of its commit along; the clock ran
    out before anybody looked whether the move had been written, and the game went on without it.
    """

    async def play() -> None:
        file, time = tmp_path / "x.db", FakeTime()
        clock = time.clock()
        async with serving(file, clock) as server:
            service = server.service
            attacked = await started(server, "me", "me", clock=(5, None), practice=True)
            others = [await started(server, "me", "me") for _ in range(44)]
            first = await service.decide(attacked, ANN, legal(attacked), attacked.table.seq, "mine")
            time.pass_by(5 - early, clock)
            service.scheduler.look(attacked)  # as its timer does
            sent = [(live, "one") for live in others]
            for place in (0, 22, 46):
                sent.insert(place, (attacked, "mine"))
            answers = await asyncio.gather(
                *(
                    service.decide(live, ANN, legal(live), live.table.seq, own_id)
                    for live, own_id in sent
                )
            )
            for (live, own_id), answer in zip(sent, answers, strict=True):
                row = server.store.events_after(live.table.id, answer.seq - 1)[0]
                assert row.client is not None
                assert row.client.endswith(":" + own_id)
                assert answer.changed == (live is not attacked)
                assert live is not attacked or answer.seq == first.seq
            time.pass_by(1, clock)
            service.scheduler.look(attacked)
            await until(lambda: any(seat.why == "move time" for seat in attacked.table.seats))
            await until(lambda: attacked.table.running is not None and attacked.in_step)
            check(server, [*others, attacked])
        await go_on_after_a_restart(file, [attacked, *others])

    run(play())


def test_a_database_that_is_locked_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than a write waits, while people decide and clocks run out."""
    monkeypatch.setattr(store, "BUSY_TIMEOUT", 0.1)

    async def play() -> None:
        file, time = tmp_path / "x.db", FakeTime()
        clock = time.clock()
        async with serving(file, clock) as server:
            service = server.service
            lives = [await started(server, "me", "me", clock=(5, None)) for _ in range(20)]
            lock = sqlite3.connect(file, isolation_level=None)
            lock.execute("BEGIN IMMEDIATE")
            refused: list[str] = []

            async def decide(live: LiveTable, own_id: str) -> None:
                try:
                    await service.decide(live, ANN, legal(live), live.table.seq, own_id)
                except Problem as problem:
                    refused.append(problem.code)

            for minute in range(3):
                await asyncio.gather(*(decide(live, f"{minute}") for live in lives[:10]))
                time.pass_by(20, clock)
                for live in lives:
                    service.scheduler.look(live)
                await asyncio.sleep(0.2)
            assert set(refused) == {"busy"}
            assert all(live.table.seq == 2 for live in lives)  # created, started
            lock.execute("ROLLBACK")
            lock.close()
            for live in lives:
                service.visit(live, Asker("here", ANN))  # bots decide for somebody who is there
            await until(
                lambda: all(
                    live.in_step and live.table.seq > 3 and live.table.running is not None
                    for live in lives
                )
            )
            for live in lives:
                assert server.store.events_after(live.table.id, 2)[0].kind == "time"
            check(server, lives)
        await go_on_after_a_restart(file, lives)

    run(play())
