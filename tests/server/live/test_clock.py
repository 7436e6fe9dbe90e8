"""Clocks of games: they count the time in which the server ran, and nothing else."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from keltis.server.clock import PAUSE, Clock
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import Viewer
from tests.server.live.playing import ANN, FakeTime, facts, logged, run, serving, started, until


def legal(live: LiveTable) -> str:
    assert live.table.game is not None
    return live.table.game.legal_moves()[0]


def test_time_goes_on_through_small_steps_only() -> None:
    time = FakeTime()
    clock = time.clock()
    began = clock.now()
    time.pass_by(100, clock)
    assert clock.now() - began == pytest.approx(100)
    for jump in (PAUSE + 0.1, 32.0, 1e6, -32.0, -1e6):
        time.monotonic += jump
        assert clock.now() - began == pytest.approx(100), jump
        assert clock.now() - began == pytest.approx(100), jump
    assert clock.pauses == 5
    time.pass_by(2, clock)
    assert clock.now() - began == pytest.approx(102)


@pytest.mark.parametrize("jump", [32.0, -32.0, 1e7, -1e7])
def test_setting_the_machines_clock_moves_nobodys_time(jump: float, tmp_path: Path) -> None:
    """Once a jump forward took people's time, and a jump back stopped the clocks."""

    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(30, 100))
            time.pass_by(10, clock)
            time.wall += jump
            server.service.scheduler.look(live)
            await server.service.decide(live, ANN, legal(live), live.table.seq, "one")
            assert live.table.seats[0].used == pytest.approx(10_000, abs=5)
            time.wall -= 2 * jump
            time.pass_by(29, clock)
            server.service.scheduler.look(live)
            asked = live.table.running
            assert asked is not None
            assert live.elapsed(clock.now()) == pytest.approx(29_000, abs=5)
            time.pass_by(2, clock)
            server.service.scheduler.look(live)
            await until(lambda: live.table.seats[asked].why == "move time")
            await until(lambda: live.table.running == 1 - asked and live.in_step)
            used = 31_000 if asked else 41_000
            assert live.table.seats[asked].used == pytest.approx(used, abs=5)
            dates = [event.at for event in server.store.events_after(live.table.id, 0)]
            assert dates == sorted(dates)
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_a_pause_is_told_once_and_takes_nobodys_time(tmp_path: Path) -> None:
    """Once 2,000 events a second were written after a pause, without end."""

    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(30, None))
            watch = asyncio.create_task(clock.watch(server.service.after_a_pause))
            told: list[dict[str, object]] = []

            async def deliver(message: bytes) -> None:
                told.append(json.loads(message))

            async def close(code: int) -> None: ...

            server.service.enter(live, Viewer(None, "here", deliver, close), None)
            for pauses in (1, 2):
                time.pass_by(5, clock)
                time.sleep(32)
                await until(lambda: sum(_resumed(each) for each in told) == pauses)  # noqa: B023
                server.service.scheduler.look(live)
            await asyncio.sleep(1.2)  # the clock is looked at twice more
            assert sum(_resumed(each) for each in told) == 2
            last = [each for each in told if _resumed(each)][-1]
            assert 19_000 < last["table"]["clock"]["move_left"] <= 20_000  # type: ignore[index]
            assert live.table.seq == 2  # created, started: nothing was written
            assert "keltis_pauses_total 2.0" in server.metrics.text().decode()
            watch.cancel()

    run(play())


def _resumed(message: dict[str, object]) -> bool:
    return message.get("what") == {"kind": "resumed"}


def test_what_is_due_and_leads_to_nothing_is_tried_ever_less_often(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            tries = 0

            async def fails(name: str, view: Mapping[str, Any], asker: Asker) -> str:
                nonlocal tries
                tries += 1
                raise RuntimeError("a bot that breaks")

            server.service.bots.choose = fails  # type: ignore[method-assign]
            live = await started(server, "random", "me")
            await until(lambda: tries >= 3)
            before = tries
            await asyncio.sleep(1.5)
            assert tries - before <= 1
            assert live.stalls >= 3

    run(play())


def test_a_clock_of_the_system_does_not_go_back() -> None:
    clock = Clock()
    times = [clock.now() for _ in range(1000)]
    assert times == sorted(times)
    assert clock.pauses == 0
