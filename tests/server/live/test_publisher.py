"""What everybody at a table is told: the same as if each was told alone, made once for all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from keltis.server.live import messages
from keltis.server.live.viewers import Viewer
from tests.server.live.playing import ANN, run, serving, started

PHONE = "b" * 64


def test_however_many_are_there_a_view_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    views = messages.views

    def counting(table: Any, seats: Any) -> Any:
        made.append(seats)
        return views(table, seats)

    async def play() -> None:
        async with serving(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            live.table._add_device(live.table.seats[1], PHONE, "Phone")
            heard: dict[Viewer, list[bytes]] = {}

            async def come(holder: str | None) -> Viewer:
                async def deliver(message: bytes) -> None:
                    heard[viewer].append(message)

                async def close(code: int) -> None:
                    raise AssertionError(code)

                viewer = Viewer(holder, "here", deliver, close)
                heard[viewer] = []
                server.service.enter(live, viewer, None)
                return viewer

            people = [await come(who) for who in (ANN, ANN, PHONE, None, None, "c" * 64) * 2]
            for viewer in heard:
                viewer._outbox.clear()
            monkeypatch.setattr(messages, "views", counting)
            happened = {"kind": "left", "seat": 0}
            server.service.publisher.state_to_all(live, happened, people[1], "one")
            assert sorted(made) == [(), (0, 1), (1,)]
            monkeypatch.setattr(messages, "views", views)
            now = server.service.publisher
            for viewer in people:
                (told,) = (each for each in viewer._outbox if isinstance(each, bytes))
                message = json.loads(told)
                assert message.pop("id", None) == ("one" if viewer is people[1] else None)
                alone = json.loads(orjson.dumps(now.snapshot(live, viewer.holder)))
                assert message == {**alone, "what": happened}
                assert message["you"]["key"] is (viewer.holder is not None)
            for viewer in people:
                server.service.exit(live, viewer)

    run(play())
