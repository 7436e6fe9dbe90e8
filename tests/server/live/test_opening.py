"""The time that people have for their share in the shuffle."""

from pathlib import Path
from typing import Any

from keltis.server.app import Server
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import Viewer
from keltis.server.tables import commands, deals, opening
from keltis.server.tables.drafts import Check
from tests.server.live.playing import ANN, FakeTime, run, serving, until

BEN = "b" * 64


async def _nothing(_: Any) -> None:
    pass


async def _seated(server: Server) -> LiveTable:
    """Ann and Ben, both there, who want a share in the shuffle."""
    seats = [{"who": who, "name": "N", "level": None} for who in ("me", "open")]
    body = commands.created_body(
        {"seats": seats, "practice": False, "hints": None, "clock": None, "ready": False,
         "spectators": True, "options": {}, "first": 0}, ANN, None,
    )  # fmt: skip
    service = server.service
    live = await service.create("stones", True, body, Asker("here", ANN))
    await service.act(
        live,
        lambda table, seats, near: commands.join(
            table, BEN, near, name="Ben", invitation=None, seat=None, ready=False
        ),
        BEN,
    )
    for holder in (ANN, BEN):
        service.enter(live, Viewer(holder, "here", _nothing, _nothing), None)
    return live


def _commit(holder: str) -> Check:
    return lambda table, seats, near: opening.commit(
        table, seats, deals.player_commitment(table.id, holder)
    )


def _reveal(holder: str) -> Check:
    return lambda table, seats, near: opening.seed(table, seats, holder)


def test_who_says_nothing_is_waited_for_twice_and_no_longer(tmp_path: Path) -> None:
    async def test() -> None:
        time = FakeTime()
        clock = time.clock()
        async with serving(tmp_path / "x.db", clock, seed_time=15) as server:
            service = server.service
            live = await _seated(server)
            await service.act(live, _commit(ANN), ANN)
            time.pass_by(14.5, clock)
            service.scheduler.look(live)
            assert live.table.sealed is None
            time.pass_by(1, clock)
            service.scheduler.look(live)
            await until(lambda: live.table.sealed is not None)
            assert live.table.proof()["player_commitments"][1] == ""
            # Ann has her time anew, and does not reveal.
            time.pass_by(14.5, clock)
            service.scheduler.look(live)
            assert live.table.status == "waiting"
            time.pass_by(1, clock)
            service.scheduler.look(live)
            await until(lambda: live.table.status == "playing")
            assert live.table.seeds == [None, ""]

    run(test())


def test_nobody_waits_when_all_have_given_theirs(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path / "x.db", FakeTime().clock()) as server:
            service = server.service
            live = await _seated(server)
            for holder in (ANN, BEN):
                await service.act(live, _commit(holder), holder)
            await until(lambda: live.table.sealed is not None)
            for holder in (ANN, BEN):
                await service.act(live, _reveal(holder), holder)
            await until(lambda: live.table.status == "playing")
            assert live.table.seeds == [ANN, BEN]

    run(test())
