"""Clocks of games: they count the time in which the server ran, and nothing else."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from keltis.server.app import Server
from keltis.server.clock import PAUSE, Clock
from keltis.server.live import messages
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import Viewer
from keltis.server.problems import Problem
from keltis.server.tables import commands
from keltis.server.tables.drafts import Draft, Seats, Surroundings
from keltis.server.tables.table import Table
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


# --- Nobody gains time ---------------------------------------------------------------------------


async def act(server: Server, live: LiveTable, command: Callable[..., Draft | None]) -> None:
    await server.service.act(live, command, ANN)


def leaving(seat: int) -> Callable[..., Draft | None]:
    return lambda table, seats, near: commands.leave(table, seats, seat, near)


def returning(seat: int) -> Callable[..., Draft | None]:
    return lambda table, seats, near: commands.come_back(table, seats, seat)


def taking_back(table: Table, seats: Seats, near: Surroundings) -> Draft:
    return commands.take_back(table, seats, table.seq)


def move_left(live: LiveTable, now: float) -> Any:
    told = messages.clock(live.table, live.elapsed(now))
    assert told is not None
    return told["move_left"]


def slow(server: Server) -> asyncio.Event:
    """Bots decide when they may."""
    may = asyncio.Event()

    async def choose(name: str, view: Mapping[str, Any], asker: Asker) -> str:
        await may.wait()
        move: str = view["legal_moves"][0]
        return move

    server.service.bots.choose = choose  # type: ignore[method-assign]
    return may


def test_who_leaves_and_returns_has_no_more_time_for_the_decision(tmp_path: Path) -> None:
    """Once each return began the decision's time anew, so that nobody ever had to decide."""

    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(30, None))
            bots = slow(server)
            for gone in (10, 20, 29):
                time.pass_by(gone - live.table.seats[0].used / 1000, clock)
                await act(server, live, leaving(0))
                time.pass_by(5, clock)  # the bot's time
                await act(server, live, returning(0))
                assert move_left(live, clock.now()) == pytest.approx(30_000 - 1000 * gone, abs=5)
            bots.set()  # too late: the person is back
            bots.clear()
            time.pass_by(2, clock)
            server.service.scheduler.look(live)
            await until(lambda: live.table.seats[0].why == "move time")
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_who_had_no_time_left_returns_for_the_next_decision(tmp_path: Path) -> None:
    """Once the return came before the bot's decision, with all the time for it again."""

    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(30, None))
            bots = slow(server)
            time.pass_by(31, clock)
            server.service.scheduler.look(live)
            await until(lambda: live.table.seats[0].why == "move time")
            near = server.service.publisher.near()
            assert messages.you(live.table, messages.Group((0,), True), near)["may"]["return"] == []
            with pytest.raises(Problem, match="the bot has decided") as refused:
                await act(server, live, returning(0))
            assert refused.value.code == "not_allowed"
            bots.set()
            server.service.visit(live, Asker("here", ANN))
            await until(lambda: live.table.turn == 1)
            await act(server, live, returning(0))
            assert live.table.seats[0].is_a_persons
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def test_what_passes_until_a_take_back_is_the_time_of_who_takes_back(tmp_path: Path) -> None:
    """Once it was the time of the other player, whose decision it was meanwhile, and the decision
    taken back had all its time again."""

    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(60, 100))
            seats = live.table.seats
            for k in range(3):
                time.pass_by(5, clock)
                card = next(each for each in legal_moves(live) if each.startswith("x"))
                await server.service.decide(live, ANN, card, live.table.seq, f"card {k}")
                time.pass_by(2, clock)
                await act(server, live, taking_back)
                assert seats[0].used == pytest.approx(7000 * (k + 1), abs=5)
                assert move_left(live, clock.now()) == pytest.approx(60_000 - 7000 * (k + 1), abs=5)
            # The whole turn, so that it is the other's decision until it is taken back.
            card = next(each for each in legal_moves(live) if each.startswith("x"))
            await server.service.decide(live, ANN, card, live.table.seq, "card")
            await server.service.decide(live, ANN, "?", live.table.seq, "draw")
            discards = [each for each in legal_moves(live) if each.startswith("x")]
            other = next(each for each in discards if each[1] != card[1])
            await server.service.decide(live, ANN, other, live.table.seq, "other card")
            await server.service.decide(live, ANN, f"<{card[1]}", live.table.seq, "other draw")
            assert live.table.running == 0
            used = [seat.used for seat in seats]
            time.pass_by(20, clock)
            await act(server, live, taking_back)
            assert live.table.running == 1
            assert seats[0].used == used[0]
            assert seats[1].used == pytest.approx(used[1] + 20_000, abs=5)
            assert move_left(live, clock.now()) == pytest.approx(40_000, abs=5)
            assert facts(live.table) == facts(logged(server, live.table.id))

    run(play())


def legal_moves(live: LiveTable) -> list[str]:
    assert live.table.game is not None
    return live.table.game.legal_moves()
