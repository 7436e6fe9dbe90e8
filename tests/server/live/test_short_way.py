"""The short way of a decision, when the write at its end goes wrong."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from keltis.server.app import Server
from keltis.server.live.viewers import Viewer
from keltis.server.settings import Settings
from keltis.server.storage.store import Outcome, Unit
from keltis.server.tables.commands import created_body


@pytest.mark.parametrize("outcome", [False, OperationalError("INSERT", {}, Exception())])
def test_a_decision_that_was_not_written_did_not_happen(outcome: Outcome, tmp_path: Path) -> None:
    async def play() -> None:
        server = Server(Settings(database=str(tmp_path / "x.db"), bot_pace=0))
        service, store = server.service, server.store
        store.open()
        store.start(asyncio.get_running_loop())
        seats = [{"who": "me", "name": name, "level": None} for name in ("A", "B")]
        wishes: dict[str, Any] = {
            "seats": seats, "practice": False, "hints": None, "clock": None, "ready": True,
            "options": {}, "first": 0,
        }  # fmt: skip
        live = await service.create("board", False, created_body(wishes, "h", None), "h")
        while live.table.status == "waiting":
            await asyncio.sleep(0.01)
        told: list[bytes] = []

        async def never(_: Any) -> None:
            raise AssertionError

        def push(message: bytes) -> bool:
            told.append(message)
            return True

        viewer = Viewer("h", "here", push, never, never)
        await service.enter(live, viewer, None)
        assert live.table.game is not None
        move, seq = live.table.game.legal_moves()[0], live.table.seq
        otherwise = asyncio.Event()

        def fails(units: list[Unit]) -> Sequence[Outcome]:
            return [outcome] * len(units)

        writes, store._outcomes = store._outcomes, fails  # type: ignore[method-assign]
        assert service.decide_at_once(live, viewer, move, seq, "one", otherwise.set)
        assert not service.decide_at_once(live, viewer, move, seq, "two", otherwise.set)
        await otherwise.wait()
        store._outcomes = writes  # type: ignore[method-assign]
        assert not any(b'"moved"' in message for message in told)
        written = await service.decide(live, "h", move, seq, "one", viewer)
        assert written.seq == seq + 1
        assert live.table.game is not None
        assert live.table.game.moves == [move]
        assert any(b'"moved"' in message for message in told)
        assert not live.lock.locked()
        await service.stop()
        await store.finish()

    asyncio.run(asyncio.wait_for(play(), 60))
