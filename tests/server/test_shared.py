"""Several servers with one PostgreSQL: one table, wherever its people are."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

import keltis
from keltis.server.settings import database_url
from tests.server.running import Client, Seat, Server, play_out, together


@pytest.fixture
def two(postgresql: str, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    with (
        Server(postgresql, tmp_path / "log1", lease=2, poll=0.5, grace=1) as one,
        Server(postgresql, tmp_path / "log2", lease=2, poll=0.5, grace=1) as other,
    ):
        yield one, other


def test_people_on_different_servers_play_together_and_survive_one(
    two: tuple[Server, Server], postgresql: str
) -> None:
    one, other = two
    ann, ben = Client(one), Client(other)
    made = ann.make("me", "open", "random", game="stones", first=0)
    ben.join(made)
    table = made["table"]
    first, second = Seat(ann, table), Seat(ben, table)
    for seat in (first, second):
        while seat.table["status"] == "waiting" or not all(
            place["present"] for place in seat.table["seats"]
        ):
            seat.say("sync")
            seat.read()
    for _ in range(6):
        ready = [seat for seat in (first, second) if seat.you["may"]["decide"] is not None]
        if ready:
            ready[0].decide()
        else:
            first.read()
        together(first, second)
    assert [step["move"] for step in first.views[0]["history"]] == [
        step["move"] for step in second.views[0]["history"]
    ]
    one.kill()
    first.close()
    elsewhere = Client(other, key=ann.key)
    with elsewhere.at(table) as again:
        play_out(again, second)
    elsewhere.close()
    second.close()
    record = ben.record(table)
    assert keltis.load(record).is_over
    engine = create_engine(database_url(postgresql))
    with engine.connect() as connection:
        query = text("SELECT count(*) FROM events WHERE table_id = :id AND kind = 'moved'")
        assert connection.execute(query, {"id": table}).scalar() == len(record["moves"])
        leased = text("SELECT count(*) FROM leases WHERE table_id = :id")
        assert connection.execute(leased, {"id": table}).scalar() == 0
    engine.dispose()
    ann.close()
    ben.close()


def test_bots_go_on_when_their_server_dies(two: tuple[Server, Server]) -> None:
    """Whoever comes to the other server finds that it does what the dead one owed."""
    one, other = two
    ann = Client(one)
    table = ann.make("me", "random", game="board")["table"]
    while ann.state(table)["table"]["status"] != "playing":
        time.sleep(0.05)
    ann.post(table, "leave")
    one.kill()
    ann.close()
    watching = Client(other)
    with watching.at(table) as seat:
        while not seat.over:
            seat.read()
    watching.close()
