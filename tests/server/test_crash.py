"""The short form of `make chaos`: nothing acknowledged is lost, nothing happens twice."""

import time
from pathlib import Path

from tests.server import chaos, running
from tests.server.running import PATIENCE, Client, Server, play_out


def test_sqlite_survives_kills(tmp_path: Path) -> None:
    databases = [str(tmp_path / "tables.db")]
    figures = chaos.run(databases, tmp_path, tables=4, kills=2, between=(0.5, 1.5), seed=1)
    assert figures["kills"] == 2
    assert figures["acknowledged to clients"] > 50


def test_two_servers_with_postgresql_survive_kills(tmp_path: Path, postgresql: str) -> None:
    databases = [postgresql, postgresql]
    figures = chaos.run(databases, tmp_path, tables=4, kills=3, between=(0.5, 1.5), seed=2)
    assert figures["kills"] == 3
    assert figures["acknowledged to clients"] > 50


def test_a_killed_postgresql_loses_nothing_and_is_found_again(tmp_path: Path) -> None:
    """Meanwhile decisions are refused, and the socket stays open."""
    with (
        running.postgresql() as database,
        Server(database.address, tmp_path / "log", lease=2, poll=0.5) as server,
    ):
        ann = Client(server)
        table = ann.make("me", "me", game="board")["table"]
        with ann.at(table) as seat:
            while seat.table["status"] == "waiting":
                seat.say("sync")
                seat.read()
            for _ in range(10):
                assert seat.decide()["type"] == "moved"
            before = [step["move"] for step in seat.views[0]["history"]]
            database.kill()
            refused = seat.decide()
            assert (refused["type"], refused["code"]) == ("error", "busy")
            assert refused["retry_after"] > 0
            database.start()
            deadline = time.monotonic() + PATIENCE
            while seat.decide()["type"] != "moved":
                assert time.monotonic() < deadline
                time.sleep(0.2)
            play_out(seat)
        moves = ann.record(table)["moves"]
        assert moves[:10] == before
        assert moves == [step["move"] for step in seat.views[0]["history"]]
        ann.close()
