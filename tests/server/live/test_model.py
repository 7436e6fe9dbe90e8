"""Tables under commands, clocks, failing writes, kills and other servers, in any order.

Whatever happens, what a server has in memory is what the log says, every log can be replayed,
and what was acknowledged is in the log once.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from keltis.server.app import Server
from keltis.server.live import scheduler
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.service import Written
from keltis.server.live.viewers import Viewer
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.storage import repair
from keltis.server.storage.store import Outcome, Store, Unit
from keltis.server.tables import commands, deals, devices
from keltis.server.tables.commands import created_body
from keltis.server.tables.drafts import Check, Draft, Seats, Surroundings
from keltis.server.tables.events import Event
from keltis.server.tables.table import Table, replayed
from tests.server.live.playing import FakeTime, facts

ANN, BEN, CAT = "a" * 64, "b" * 64, "c" * 64  # the digests of keys
LOST = OperationalError("INSERT", {}, Exception())
FAULTS = ["none", "none", "none", "lost", "written and lost", "locked", "cancelled"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Wish:
    """What somebody sends."""

    kind: str
    holder: str
    own_id: str | None
    pick: int  # of the legal moves
    behind: int  # events that the sender has not seen


WISHES = st.builds(
    Wish,
    st.sampled_from(
        ["decide"] * 8
        + ["take_back", "leave", "return", "replace", "end", "resign", "rematch"]
        + ["commit", "commit", "seed", "seed", "invite", "link", "join", "remove"]
    ),
    st.sampled_from([ANN, ANN, BEN, BEN, CAT]),
    st.sampled_from([None, *"abcdefgh"]),
    st.integers(0, 3),
    st.sampled_from([0, 0, 0, 0, 1]),
)


@dataclass
class Running:
    """A server, its clock, and what people at its tables were told."""

    server: Server
    time: FakeTime
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    waiting: int = 0  # bots at the gate
    told: dict[str, list[Any]] = field(default_factory=dict)

    async def choose(self, name: str, view: Mapping[str, Any], asker: Asker) -> str:
        """A bot that decides when it is let."""
        self.waiting += 1
        try:
            await self.gate.acquire()
        finally:
            self.waiting -= 1
        moves: list[str] = view["legal_moves"]
        return moves[len(view["history"]) % len(moves)]

    def is_quiet(self) -> bool:
        service = self.server.service
        return (
            len(service.background._tasks) <= self.waiting
            and not self.server.store._handed_over
            and not any(
                live.lock.locked() or (live.timer is not None and service.scheduler._due(live) == 0)
                for live in service.registry
            )
        )


@pytest.fixture(scope="module", autouse=True)
def hasty() -> Iterator[None]:
    """Nothing waits long before it is tried again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scheduler, "_FIRST_PAUSE", 0.001)
        patch.setattr(scheduler, "_LONGEST_PAUSE", 0.004)
        yield


class Tables(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="keltis-model-"))
        self.file = self.folder / "x.db"
        shutil.copy(_empty_database(), self.file)
        self.running: list[Running] = []
        self.tables: list[str] = []
        self.links: dict[str, str] = {}  # the last one of each table
        self.acknowledged: list[tuple[str, str, int]] = []  # table, client's id, number
        self.ran = 0.0  # seconds that clocks went

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    def teardown(self) -> None:
        async def end() -> None:
            for each in self.running:
                for live in each.server.service.registry:
                    await each.server.service.catch_up(live)
                    assert facts(live.table) == facts(self._replayed(each, live.table.id))
                await each.server.service.stop()
                await each.server.store.finish()

        self.run(end())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.folder)

    # --- Servers ------------------------------------------------------------------------------

    @initialize(servers=st.integers(1, 2))
    def begin(self, servers: int) -> None:
        for _ in range(servers):
            self.running.append(self.run(self._start(FakeTime())))

    async def _start(self, time: FakeTime) -> Running:
        server = Server(Settings(database=str(self.file), bot_pace=0), time.clock())
        server.store.limit = 0.05
        server.store.start(asyncio.get_running_loop())  # unlocked: others may use the file
        started = Running(server, time)
        server.service.bots.choose = started.choose  # type: ignore[method-assign]
        await server.service.scheduler.go_on()
        await self._quiet()
        return started

    @rule(which=st.integers(0, 1), killed=st.booleans(), wishes=st.lists(WISHES, max_size=3))
    @precondition(lambda self: self.tables)
    def restart(self, which: int, killed: bool, wishes: list[Wish]) -> None:
        """Stop a server, or kill it while commands are under way, and start it again."""

        async def work() -> None:
            k = which % len(self.running)
            old = self.running[k]
            asked = [asyncio.ensure_future(self._send(old, self.tables[0], w)) for w in wishes]
            if killed:
                for _ in range(3):
                    await asyncio.sleep(0)
                # A dead process writes nothing, and nobody hears how its writes went.
                old.server.store._outcomes = _lose  # type: ignore[method-assign]
            await old.server.service.stop()
            await asyncio.gather(*asked)
            await old.server.store.finish()
            self.running[k] = await self._start(old.time)

        self.run(work())

    async def _quiet(self) -> None:
        """Until nothing goes on by itself."""
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0.0005)
            quiet = quiet + 1 if all(each.is_quiet() for each in self.running) else 0

    # --- What people do -----------------------------------------------------------------------

    @rule(
        which=st.integers(0, 1),
        who=st.sampled_from(
            [["me", "me"], ["me", "open"], ["me", "random"], ["me", "open", "random"]]
        ),
        clock=st.sampled_from([None, (5, None), (None, 12), (6, 15)]),
        practice=st.booleans(),
        ready=st.booleans(),
    )
    @precondition(lambda self: len(self.tables) < 3)
    def make(
        self,
        which: int,
        who: list[str],
        clock: tuple[int | None, int | None] | None,
        practice: bool,
        ready: bool,
    ) -> None:
        async def work() -> None:
            running = self.running[which % len(self.running)]
            seats = [
                {"who": "bot" if each == "random" else each, "name": f"P{k}", "level": each}
                for k, each in enumerate(who)
            ]
            body = created_body(
                {"seats": seats, "practice": practice and "open" not in who, "hints": None,
                 "clock": clock, "ready": ready, "spectators": True, "options": {}, "first": 0},
                ANN, None,
            )  # fmt: skip
            live = await running.server.service.create("stones", True, body, Asker("here", ANN))
            self.tables.append(live.table.id)
            if "open" in who:
                await running.server.service.act(
                    live,
                    lambda at, seats, near: commands.join(
                        at, BEN, near, name="Ben", invitation=None, seat=None, ready=ready
                    ),
                    BEN,
                )
            await self._quiet()

        self.run(work())

    @rule(
        which=st.lists(st.integers(0, 1), min_size=1, max_size=4),
        wishes=st.lists(WISHES, min_size=4, max_size=4),
        where=st.integers(0, 2),
        fault=st.sampled_from(FAULTS),
        how_often=st.integers(1, 3),
    )
    @precondition(lambda self: self.tables)
    def say(
        self, which: list[int], wishes: list[Wish], where: int, fault: str, how_often: int
    ) -> None:
        """Some commands at once, and something that goes wrong meanwhile."""

        async def work() -> None:
            lock = None
            for each in self.running:
                if fault in ("lost", "written and lost"):
                    _fail(each.server.store, how_often, after=fault != "lost")
                elif fault == "cancelled":
                    _slow_down(each.server.store)
            if fault == "locked":
                lock = sqlite3.connect(self.file, isolation_level=None)
                lock.execute("BEGIN IMMEDIATE")
            asked = [
                asyncio.ensure_future(
                    self._send(
                        self.running[k % len(self.running)],
                        self.tables[(where + n // 3) % len(self.tables)],
                        wishes[n],
                    )
                )
                for n, k in enumerate(which)
            ]
            if fault == "cancelled":
                for _ in range(how_often):
                    await asyncio.sleep(0)
                asked[0].cancel()
            await asyncio.wait(asked)
            if lock is not None:
                lock.execute("ROLLBACK")
                lock.close()
            for answer in asked:
                if not answer.cancelled():
                    answer.result()
            await self._quiet()
            for each in self.running:
                _work(each.server.store)

        self.run(work())

    async def _send(self, running: Running, table_id: str, wish: Wish) -> None:
        """One command; whatever it is answered by must be true."""
        service = running.server.service
        try:
            live = await service.find(table_id)
            self._watch(running, live)
            seq = max(0, live.table.seq - wish.behind)
            written = await self._carry_out(running, live, wish, seq)
        except Problem as problem:
            if problem.code in ("unreadable", "internal"):
                raise
            return
        except SQLAlchemyError:
            return
        if wish.own_id is not None and written.changed:
            self.acknowledged.append((table_id, f"{wish.holder[:12]}:{wish.own_id}", written.seq))

    async def _carry_out(self, running: Running, live: LiveTable, wish: Wish, seq: int) -> Written:
        service = running.server.service
        if wish.kind == "decide":
            moves = live.table.game.legal_moves() if live.table.game is not None else []
            move = moves[wish.pick % len(moves)] if moves else "R7"
            return await service.decide(live, wish.holder, move, seq, wish.own_id or "z")
        if wish.kind == "rematch":
            return await service.rematch(live, Asker("here", wish.holder), wish.own_id)
        return await service.act(
            live, self._check(live.table.id, wish, seq), wish.holder, wish.own_id
        )

    def _check(self, table_id: str, wish: Wish, seq: int) -> Check:
        holder = wish.holder

        def link(table: Table, seats: Seats, near: Surroundings) -> Draft:
            made = devices.link(table, holder, seats, wish.pick, near, 1)
            self.links[table_id] = made.text
            return made.draft

        if wish.kind == "link":
            return link
        if wish.kind == "invite":
            return lambda table, seats, near: devices.invite(table, holder, seats, 1).draft
        if wish.kind == "join":
            return lambda table, seats, near: commands.join(
                table, holder, near, name="Cat", invitation=self.links.get(table_id), seat=None,
                ready=False,
            )  # fmt: skip
        if wish.kind == "remove":
            return lambda table, seats, near: devices.remove(table, holder, seats, wish.pick)
        model, command = commands.COMMANDS[wish.kind]
        bodies: dict[str, dict[str, Any]] = {
            "take_back": {"seq": seq},
            "replace": {"seat": 1},
            "commit": {"commitment": deals.player_commitment(table_id, holder)},
            "seed": {"seed": holder},
        }
        checked = model.model_validate(bodies.get(wish.kind, {}))
        return lambda table, seats, near: command(table, seats, near, checked)

    def _watch(self, running: Running, live: LiveTable) -> None:
        """Somebody without a seat looks on; two people come and stay."""
        if live.viewers:
            return
        told = running.told[live.table.id] = []

        async def deliver(message: bytes) -> None:
            told.append(json.loads(message))

        async def close(code: int) -> None:
            pass

        for holder in (None, ANN, BEN)[: 1 + live.table.seq % 3]:
            hears = deliver if holder is None else _hear_nothing
            running.server.service.enter(live, Viewer(holder, "here", hears, close), None)

    # --- What happens by itself ---------------------------------------------------------------

    @rule(which=st.integers(0, 1), seconds=st.sampled_from([0.5, 2, 4, 7, 70]))
    def clocks_go(self, which: int, seconds: float) -> None:
        async def work() -> None:
            running = self.running[which % len(self.running)]
            self.ran += seconds
            running.time.pass_by(seconds, running.server.clock)
            for live in running.server.service.registry:
                running.server.service.scheduler.look(live)
            await self._quiet()

        self.run(work())

    @rule(
        which=st.integers(0, 1),
        asleep=st.sampled_from([0, 4, 32, 100_000]),
        wall=st.sampled_from([0, 32, -32, 10**7, -(10**7)]),
    )
    def the_machine_sleeps_or_its_clock_is_set(
        self, which: int, asleep: float, wall: float
    ) -> None:
        """Nothing happens by that alone."""

        async def work() -> None:
            running = self.running[which % len(self.running)]
            before = self._logs()
            running.time.sleep(asleep)
            running.time.wall += wall
            running.server.clock.now()
            running.server.service.after_a_pause()
            await self._quiet()
            assert self._logs() == before

        self.run(work())

    @rule(which=st.integers(0, 1), decisions=st.integers(1, 6))
    def bots_think(self, which: int, decisions: int) -> None:
        async def work() -> None:
            running = self.running[which % len(self.running)]
            for _ in range(decisions):
                if running.waiting:
                    running.gate.release()
                    await self._quiet()

        self.run(work())

    @rule(which=st.integers(0, 1))
    def memory_is_needed(self, which: int) -> None:
        """Tables leave the memory, and come back from their logs."""
        running = self.running[which % len(self.running)]
        running.server.service.registry.let_go(-1)

    # --- What must hold -----------------------------------------------------------------------

    def _logs(self) -> dict[str, list[Event]]:
        return {
            table_id: self.running[0].server.store.events_after(table_id, 0)
            for table_id in self.tables
        }

    def _replayed(self, running: Running, table_id: str, until: int | None = None) -> Any:
        head = running.server.store.head(table_id)
        assert head is not None
        return replayed(head, running.server.store.events_after(table_id, 0)[:until])

    @invariant()
    def memory_is_what_the_log_says(self) -> None:
        for each in self.running:
            for live in each.server.service.registry:
                table = live.table
                assert facts(table) == facts(self._replayed(each, table.id, table.seq))
                if len(self.running) == 1:
                    assert live.in_step
                    assert facts(table) == facts(self._replayed(each, table.id))

    @invariant()
    def every_log_can_be_replayed(self) -> None:
        if self.running:
            assert repair.check(self.running[0].server.store) == []
            assert not any(each.server.service.registry._unreadable for each in self.running)

    @invariant()
    def nobody_comes_after_the_seal(self) -> None:
        """Who came then could choose a seed that goes with those already known."""
        if not self.running:
            return
        for log in self._logs().values():
            kinds = [event.kind for event in log]
            if "sealed" in kinds:
                after = kinds[kinds.index("sealed") :]
                assert not {"joined", "committed"} & set(after)
            if "seeded" in kinds:
                assert "sealed" in kinds[: kinds.index("seeded")]

    @invariant()
    def what_was_acknowledged_is_there_once(self) -> None:
        if not self.running:
            return
        logs = self._logs()
        for table_id, client, seq in self.acknowledged:
            found = [event.seq for event in logs[table_id] if event.client == client]
            assert found == [seq]

    @invariant()
    def people_were_told_what_is_in_the_log_and_all_that_is_in_memory(self) -> None:
        for each in self.running:
            for table_id, told in each.told.items():
                live = each.server.service.registry.get(table_id)
                if live is None or not live.viewers:
                    continue
                seqs = [message["seq"] for message in told if "seq" in message]
                assert seqs == sorted(seqs)
                assert seqs[-1] == live.table.seq
                first = told[0]["seq"]
                moved = {message["seq"] for message in told if message["type"] == "moved"}
                log = each.server.store.events_after(table_id, first)
                assert moved == {
                    event.seq
                    for event in log
                    if event.kind == "moved" and event.seq <= live.table.seq
                }

    @invariant()
    def nobody_is_charged_for_time_that_did_not_go_by(self) -> None:
        for each in self.running:
            for live in each.server.service.registry:
                assert sum(seat.used for seat in live.table.seats) <= 1000 * self.ran + 1


async def _hear_nothing(message: bytes) -> None:
    """A reader whose messages nobody looks at."""


def _lose(units: list[Unit]) -> Sequence[Outcome]:
    return [LOST] * len(units)


def _work(store: Store) -> None:
    """Let writes succeed again."""
    store.__dict__.pop("_outcomes", None)


def _slow_down(store: Store) -> None:
    writes = Store._outcomes.__get__(store)

    def slowly(units: list[Unit]) -> Sequence[Outcome]:
        time.sleep(0.02)  # the log is read again before this is written
        return writes(units)  # type: ignore[no-any-return]

    store._outcomes = slowly  # type: ignore[method-assign]


def _fail(store: Store, times: int, *, after: bool) -> None:
    """Let some writes fail; `after`: though they were written."""
    left = times
    writes = Store._outcomes.__get__(store)

    def fails(units: list[Unit]) -> Sequence[Outcome]:
        nonlocal left
        if left == 0:
            return writes(units)  # type: ignore[no-any-return]
        left -= 1
        if after:
            writes(units)
        return _lose(units)

    store._outcomes = fails  # type: ignore[method-assign]


_template: list[Path] = []


def _empty_database() -> Path:
    """A database of the present schema, made once."""
    if not _template:
        file = Path(tempfile.mkdtemp(prefix="keltis-template-")) / "x.db"
        made = Store(f"sqlite:///{file}", "")
        made.open()
        made.stop()
        _template.append(file)
    return _template[0]


TestTables = Tables.TestCase
TestTables.settings = settings(max_examples=25, stateful_step_count=25)
