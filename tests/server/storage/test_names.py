"""Names and keys of people can be taken out of what is kept."""

import json
from pathlib import Path

from keltis.server.storage import privacy
from keltis.server.tables import commands, devices
from keltis.server.tables.drafts import Check, Draft, Seats, Surroundings
from keltis.server.tables.table import Table
from tests.server.live.playing import ANN, logged, run, serving, started

PHONE, TABLET = "b" * 64, "c" * 64


def _joining(holder: str, secret: str) -> Check:
    return lambda table, seats, near: commands.join(
        table, holder, near, name="Ann's", invitation=secret, seat=None, ready=True
    )


def test_devices_are_forgotten_and_the_game_stays(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path / "x.db") as server:
            service = server.service
            live = await started(server, "me", "random")
            secret = ""

            def link(table: Table, seats: Seats, near: Surroundings) -> Draft:
                nonlocal secret
                made = devices.link(table, ANN, seats, 0, near, 1)
                secret = made.text
                return made.draft

            for holder in (PHONE, TABLET):
                await service.act(live, link, ANN)
                await service.act(live, _joining(holder, secret), holder)
            await service.act(
                live, lambda table, seats, near: devices.remove(table, ANN, seats, 2), ANN
            )
            await service.act(
                live, lambda table, seats, near: commands.end(table, seats, near), ANN
            )
            record = live.table.record()
            assert record is not None
            assert privacy.forget_names(server.store, 0) == (1, 0)
            kept = json.dumps(server.store.events_after(live.table.id, 0))
            assert not [each for each in (ANN, PHONE, TABLET, "Ann's") if each in kept]
            again = logged(server, live.table.id)
            assert [device.number for device in again.seats[0].devices] == [1, 3]
            players = ["Player 1", "random"]
            assert again.record() == {**record, "players": players}

    run(test())
