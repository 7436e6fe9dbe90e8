"""Who has to wait for whom."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from keltis.server.live import fair_pool
from keltis.server.live.fair_pool import Asker, FairPool, Queue
from keltis.server.problems import Problem
from tests.server.live.playing import run


def test_addresses_take_turns_and_so_do_the_keys_of_one() -> None:
    async def play() -> None:
        pool = FairPool(1, "test")
        begin = threading.Event()
        done: list[str] = []

        def work(name: str) -> asyncio.Task[None]:
            address, key = name[0], name[:2]

            def doing(queue: Queue) -> None:
                begin.wait(60)
                done.append(name)

            return asyncio.create_task(pool.run(Asker(address, key), doing))

        asked = [work(f"a1{k}") for k in range(100)]
        await asyncio.sleep(0)
        asked += [work("b1"), work("a2"), work("b2"), work("c1")]
        await asyncio.sleep(0)
        assert pool.waiting == 103
        begin.set()
        await asyncio.gather(*asked)
        pool.stop()
        assert done[0] == "a10"
        assert set(done[1:8]) >= {"b1", "a2", "b2", "c1"}
        assert [name for name in done if name.startswith("a1")] == [f"a1{k}" for k in range(100)]
        assert pool.waiting == 0

    run(play())


def test_work_is_told_how_many_others_wait_and_how_much_of_its_own() -> None:
    async def play() -> None:
        pool = FairPool(1, "test")
        begin = threading.Event()
        seen: list[tuple[str, Queue]] = []

        def work(address: str) -> asyncio.Task[None]:
            def doing(queue: Queue) -> None:
                begin.wait(60)
                seen.append((address, queue))

            return asyncio.create_task(pool.run(Asker(address, ""), doing))

        asked = [work("a"), work("a"), work("a"), work("b")]
        await asyncio.sleep(0)
        begin.set()
        await asyncio.gather(*asked)
        pool.stop()
        assert seen[0] == ("a", Queue(0, 0))  # it began before the others came
        assert ("b", Queue(1, 0)) in seen
        assert seen[-1] == ("a", Queue(0, 0))

    run(play())


def test_faults_reach_who_asked_and_what_nobody_awaits_is_not_done() -> None:
    async def play() -> None:
        pool = FairPool(1, "test")
        begin = threading.Event()
        asker = Asker("a", "")
        first = asyncio.create_task(pool.run(asker, lambda _: begin.wait(60)))
        fails = asyncio.create_task(pool.run(asker, lambda _: 1 // 0))
        done: list[int] = []
        given_up = asyncio.create_task(pool.run(asker, lambda _: done.append(1)))
        await asyncio.sleep(0)
        given_up.cancel()
        begin.set()
        with pytest.raises(ZeroDivisionError):
            await fails
        await first
        assert await pool.run(asker, lambda _: 7) == 7
        assert done == []
        pool.stop()

    run(play())


def test_what_waits_for_one_address_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_pool, "_MOST", 3)

    async def play() -> None:
        pool = FairPool(1, "test")
        begin = threading.Event()
        asked = [
            asyncio.create_task(pool.run(Asker("a", ""), lambda _: begin.wait(60)))
            for _ in range(4)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="waits"):
            await pool.run(Asker("a", "other"), lambda _: None)
        begin.set()
        await pool.run(Asker("b", ""), lambda _: None)
        await asyncio.gather(*asked)
        pool.stop()

    run(play())


def test_what_nobody_waits_for_begins_only_when_nothing_waits_in_the_pool_ahead() -> None:
    async def play() -> None:
        front = FairPool(1, "front")
        back = FairPool(1, "back", ahead=front)
        begin, held = threading.Event(), threading.Event()
        done: list[str] = []

        def work(name: str, until: threading.Event | None = None) -> Callable[[Queue], None]:
            def doing(queue: Queue) -> None:
                if until is not None:
                    until.wait(60)
                done.append(name)

            return doing

        first = [
            asyncio.create_task(front.run(Asker("a", ""), work(name, begin)))
            for name in ("one", "two")
        ]
        await asyncio.sleep(0)
        behind = asyncio.create_task(back.run_behind(work("behind", held)))
        # What somebody waits for has its own thread at once.
        await back.run(Asker("b", ""), work("asked"))
        assert done == ["asked"]
        begin.set()
        await asyncio.gather(*first)
        assert done == ["asked", "one", "two"]
        # Now it begins; who comes to the front does not wait for it.
        await front.run(Asker("a", ""), work("three"))
        assert done[-1] == "three"
        held.set()
        await behind
        assert done[-1] == "behind"
        front.stop()
        back.stop()

    run(play())
