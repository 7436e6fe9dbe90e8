"""What is stored of people: documented, given to them, deleted, and taken out of old games."""

import contextlib
import json
import logging
import sqlite3
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

import keltis
from keltis.server import keys
from keltis.server.clock import Clock
from keltis.server.live.housekeeping import Housekeeping
from keltis.server.settings import Settings, database_url
from keltis.server.storage import maintenance, privacy
from keltis.server.storage.schema import metadata
from keltis.server.storage.store import Store
from keltis.server.tables.drafts import Surroundings
from tests.cli.running import run as command
from tests.server.live.playing import FakeTime, run
from tests.server.live.playing import serving as inside
from tests.server.running import Client, Server, play_out, together
from tests.server.transport.inside import bearer, make, new_key, serving

ROOT = Path(__file__).resolve().parents[3]
NEAR = Surroundings(0.0, 0, 60.0, "fox", 60.0)
DAY = 86_400_000


def stored(file: Path) -> str:
    """Everything in the database, as one text."""
    with sqlite3.connect(file) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master "
                                                      "WHERE type = 'table'")]  # fmt: skip
        rows = [row for name in names for row in connection.execute(f"SELECT * FROM {name}")]
    connection.close()
    return repr(rows)


def test_every_column_that_is_stored_is_documented() -> None:
    page = (ROOT / "docs" / "server.md").read_text()
    section = page.partition("## What is stored")[2].partition("\n## ")[0]
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.name != "id":
                assert f"`{table.name}.{column.name}`" in section, f"{table.name}.{column.name}"


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, str, str, str]:
    """A file with a game between Ann and Ben that is over; its id and their keys."""
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log") as server:
        ann, ben = Client(server), Client(server)
        made = ann.make("me", "open", game="stones", first=0)
        ben.join(made, name="Benedikt")
        with ann.at(made["table"]) as first, ben.at(made["table"]) as second:
            for seat in (first, second):
                while seat.table["status"] == "waiting":
                    seat.read()
            together(first, second)
            play_out(first, second)
        ann.close()
        ben.close()
    return file, made["table"], ann.key, ben.key


def test_names_are_taken_out_of_old_tables_and_the_games_stay(
    played: tuple[Path, str, str, str],
) -> None:
    file, table, ann, ben = played
    with maintenance.opened(database_url(str(file))) as store:
        before = record(store, table)
        assert before["players"] == ["P0", "Benedikt"]
        assert privacy.forget_names(store, 1) == (0, 0)  # it has been over for a minute
        assert privacy.forget_names(store, 0) == (1, 0)
        assert privacy.forget_names(store, 0) == (0, 0)
        after = record(store, table)
    assert after["players"] == ["Player 1", "Player 2"]
    assert after == {**before, "players": after["players"]}
    assert keltis.load(after).is_over
    text = stored(file)
    for secret in ("Benedikt", keys.digest(ann), keys.digest(ben), keys.digest(ann)[:12] + ":"):
        assert secret not in text


def test_a_damaged_table_is_left_and_the_others_are_not(
    played: tuple[Path, str, str, str],
) -> None:
    file, _, _, _ = played
    with sqlite3.connect(file) as connection:
        copy = "INSERT INTO {0} SELECT {1} FROM {0}"
        connection.execute(copy.format("tables", "'damaged', game, public, status, creator, "
                           "server_seed, created_at - 1, over_at, origin"))  # fmt: skip
        connection.execute(copy.format("events", "'damaged', seq, at, kind, seat, body, client, "
                           "spent"))  # fmt: skip
        connection.execute("UPDATE events SET body = '{' WHERE table_id = 'damaged' AND seq = 2")
    connection.close()
    done = command("tables", "forget-names", "--database", file, "--days", "0")
    assert "names taken out of 1 tables" in done.out
    assert (done.code, "1 tables are damaged" in done.err) == (1, True)


@pytest.fixture
def set_aside(played: tuple[Path, str, str, str]) -> tuple[Path, str, str]:
    """A file whose one table a repair has set aside whole, and the keys of those who played."""
    file, _, ann, ben = played
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE events SET body = '{}' WHERE seq = 1")
    connection.close()
    assert command("tables", "check", "--repair", "--database", file).code == 0
    assert "Benedikt" in stored(file)
    return file, ann, ben


def test_nobody_stays_in_what_a_repair_has_set_aside(set_aside: tuple[Path, str, str]) -> None:
    file, ann, ben = set_aside
    stranger = keys.digest("somebody else")
    with maintenance.opened(database_url(str(file))) as store:
        privacy.forget_person(store, stranger, NEAR)
        assert "Benedikt" in stored(file)
        privacy.forget_person(store, keys.digest(ben), NEAR)
    for secret in ("Benedikt", keys.digest(ben)[:12], keys.digest(ann)[:12]):
        assert secret not in stored(file)


def test_old_names_go_from_what_a_repair_has_set_aside(set_aside: tuple[Path, str, str]) -> None:
    file, _, _ = set_aside
    with maintenance.opened(database_url(str(file))) as store:
        privacy.forget_names(store, 1)
        assert "Benedikt" in stored(file)
        privacy.forget_names(store, 0)
    assert "Benedikt" not in stored(file)


def record(store: Store, table_id: str) -> Any:
    from keltis.server.tables.table import replayed

    head = store.head(table_id)
    assert head is not None
    return replayed(head, store.events_after(table_id, 0)).record()


def test_a_person_is_given_all_that_is_stored_and_no_more(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db") as (_, client):
        ann, ben = new_key(client), new_key(client)
        table = make(client, ann, "me", "open", game="board")
        joining = {"name": "Ben", "invitation": table["invitation"], "ready": True}
        path = f"/api/tables/{table['table']}"
        assert client.post(f"{path}/join", json=joining, headers=bearer(ben)).status_code == 200
        deadline = time.monotonic() + 60
        while client.get(path, headers=bearer(ann)).json()["table"]["status"] == "waiting":
            assert time.monotonic() < deadline
        assert client.get("/api/me").status_code == 403
        lines = client.get("/api/me", headers=bearer(ben)).text.splitlines()
        (mine,) = map(json.loads, lines)
        assert (mine["table"], mine["seats"], mine["names"]) == (table["table"], [1], ["Ben"])
        # A game under way is shown as the person sees it: the other's hand is not in it.
        hers = client.get(path, headers=bearer(ann)).json()["views"][0]
        theirs = client.get(path, headers=bearer(ben)).json()["views"][0]
        assert mine["views"] == [theirs]
        assert hers["hand"] != theirs["hand"]
        assert json.dumps(hers["hand"], separators=(",", ":")) not in lines[0]
        assert json.dumps(theirs["hand"], separators=(",", ":")) in lines[0]
        assert keys.digest(ann) not in lines[0]
        assert client.get("/api/me", headers=bearer(new_key(client))).text == ""


def test_a_person_is_deleted_from_a_game_that_goes_on(tmp_path: Path) -> None:
    """The others play on with a bot; the key is worth nothing there any more."""
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log") as server:
        ann, ben = Client(server), Client(server)
        made = ann.make("me", "open", game="stones", first=0)
        ben.join(made, name="Benedikt")
        alone = ben.make("me", "random", game="stones")["table"]
        table = made["table"]
        with ann.at(table) as seat:
            while seat.table["status"] == "waiting":
                seat.read()
            answer = ben.http.delete("/api/me")
            assert answer.json() == {"tables": 2, "unreadable": 0}
            assert seat.closed() == 1012
        with ann.at(table) as seat:
            names = [place["name"] for place in seat.table["seats"]]
            assert names == ["P0", "Player 2"]
            assert seat.table["seats"][1]["played_by"] is not None
            play_out(seat)
        assert ben.post(table, "return").status_code == 403
        assert ben.http.get("/api/me").text == ""
        assert ben.state(alone)["table"]["status"] == "over"
        assert ann.post(table, "rematch").json()["error"]["code"] == "not_allowed"
        players = ann.record(table)["players"]
        assert players == ["P0", "Player 2"]
        ann.close()
        ben.close()
    assert "Benedikt" not in stored(file)
    assert keys.digest(ben.key) not in stored(file)
    assert keys.digest(ann.key) in stored(file)
    done = command("tables", "check", "--database", file)
    assert done.code == 0, done.out


@pytest.mark.parametrize("who", [["me", "fawn"], ["me", "open"]])
def test_a_further_device_of_a_seat_takes_nothing_from_whom_it_belongs_to(
    tmp_path: Path, who: list[str]
) -> None:
    """Else whoever came by a link to a seat could end its game, and take the name out of it."""
    file = tmp_path / "x.db"
    with serving(file) as (_, client):
        ann, phone, ben = (new_key(client) for _ in range(3))
        made = make(client, ann, *who, game="stones", first=0)
        path = f"/api/tables/{made['table']}"
        if made["invitation"]:
            joining = {"name": "Ben", "invitation": made["invitation"], "ready": True}
            assert client.post(f"{path}/join", json=joining, headers=bearer(ben)).is_success
        deadline = time.monotonic() + 60
        while client.get(path, headers=bearer(ann)).json()["table"]["status"] == "waiting":
            assert time.monotonic() < deadline
        answer = client.post(f"{path}/invitations", json={"seat": 0}, headers=bearer(ann))
        joining = {"name": "Phone", "invitation": answer.json()["invitation"], "ready": True}
        assert client.post(f"{path}/join", json=joining, headers=bearer(phone)).is_success
        before = client.get(path, headers=bearer(ann)).json()
        assert len(before["devices"][0]["devices"]) == 2
        assert client.delete("/api/me", headers=bearer(phone)).is_success
        after = client.get(path, headers=bearer(ann)).json()
        assert (after["you"]["seats"], after["table"]["status"]) == ([0], before["table"]["status"])
        assert [seat["name"] for seat in after["table"]["seats"]] == [
            seat["name"] for seat in before["table"]["seats"]
        ]
        assert client.get(path, headers=bearer(phone)).json()["you"]["seats"] == []
        assert len(after["devices"][0]["devices"]) == 1
        assert client.post(f"{path}/resign", json={}, headers=bearer(ann)).is_success
        assert client.post(f"{path}/rematch", json={}, headers=bearer(ann)).is_success
    text = stored(file)
    assert "'Phone'" not in text
    assert keys.digest(phone) not in text
    assert keys.digest(ann) in text


def test_the_same_by_command(played: tuple[Path, str, str, str], tmp_path: Path) -> None:
    file, table, ann, ben = played
    out = tmp_path / "out.jsonl"
    done = command("tables", "export-person", out, "--database", file, typed=f"{ben}\n")
    assert "1 tables written" in done.out
    assert stat.S_IMODE(out.stat().st_mode) == 0o600  # it is nobody else's business
    assert json.loads(out.read_text())["record"]["players"] == ["P0", "Benedikt"]
    assert command("tables", "delete-person", "--database", file, typed="x\n").code == 2
    done = command("tables", "delete-person", "--database", file, typed=f"{ben}\n")
    assert "deleted from 1 tables" in done.out
    assert "Benedikt" not in stored(file)
    assert keys.digest(ben) not in stored(file)
    done = command("tables", "delete-person", "--database", file, typed=f"{ann}\n")
    assert table not in stored(file)  # nobody is left


def test_a_running_server_is_not_gone_behind(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log"):
        done = command("tables", "delete-person", "--database", file, typed=f"{keys.new_key()}\n")
    assert (done.code, "DELETE /api/me" in done.err) == (2, True)


def test_the_server_prunes_by_itself_but_not_after_a_jump_of_the_clock(
    played: tuple[Path, str, str, str],
) -> None:
    file, table, _, _ = played
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE tables SET over_at = over_at - ?", (8 * DAY,))
    connection.close()
    machine = FakeTime()

    async def look() -> None:
        async with inside(file, machine.clock(), keep_days=7, keep_names_days=1) as server:
            keeping = Housekeeping(server.service)
            assert keeping.is_wanted
            machine.wall += 400 * 86400
            assert await keeping.run() is None
            assert server.store.head(table) is not None
            done = await keeping.run()
            assert done is not None
            assert (done.deleted, done.unnamed) == (1, 0)
            assert server.store.head(table) is None
            assert not Housekeeping(server.service)._settings.abandoned_days

    run(look())


def test_nothing_is_deleted_unless_it_is_asked_for(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path / "x.db", Clock()) as server:
            keeping = Housekeeping(server.service)
            assert not keeping.is_wanted
            await keeping.go_on()  # comes back at once

    run(look())
    assert (Settings().keep_days, Settings().keep_names_days, Settings().abandoned_days) == (
        0,
        0,
        0,
    )


def test_one_of_many_servers_prunes(postgresql: str) -> None:
    from keltis.server.live.housekeeping import _ONE_AT_A_TIME

    async def look() -> None:
        async with inside(postgresql, Clock(), keep_days=1) as server:
            keeping = Housekeeping(server.service)
            with server.store.engine.connect() as connection:
                lock = text("SELECT pg_advisory_lock(:key)")
                connection.execute(lock, {"key": _ONE_AT_A_TIME})
                assert await keeping.run() is None
                unlock = text("SELECT pg_advisory_unlock(:key)")
                connection.execute(unlock, {"key": _ONE_AT_A_TIME})
            assert await keeping.run() is not None

    run(look())


def dealt(client: Any, ann: str, ben: str, **wishes: Any) -> str:
    """A table of two people whose game has begun."""
    made = make(client, ann, "me", "open", game="stones", **wishes)
    table = str(made["table"])
    joining = {"name": "Ben", "invitation": made["invitation"], "ready": True}
    path = f"/api/tables/{table}"
    assert client.post(f"{path}/join", json=joining, headers=bearer(ben)).status_code == 200
    deadline = time.monotonic() + 60
    while client.get(path, headers=bearer(ann)).json()["table"]["status"] == "waiting":
        assert time.monotonic() < deadline
    return table


def test_who_left_before_the_game_is_not_given_its_record(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db") as (_, client):
        ann, ben, guest = (new_key(client) for _ in range(3))
        made = make(client, ann, "me", "open", "open", game="stones", spectators=False)
        path = f"/api/tables/{made['table']}"
        joining = {"name": "Eve", "invitation": made["invitation"], "ready": True}
        for who in (guest, ben):
            assert client.post(f"{path}/join", json=joining, headers=bearer(who)).status_code == 200
            if who == guest:
                answer = client.post(f"{path}/leave", json={}, headers=bearer(guest))
                assert answer.status_code == 200
        client.post(f"{path}/replace", json={"seat": 2}, headers=bearer(ann))
        deadline = time.monotonic() + 60
        while client.get(path, headers=bearer(ann)).json()["table"]["status"] == "waiting":
            assert time.monotonic() < deadline
        for who in (ann, ben):
            assert client.post(f"{path}/resign", json={}, headers=bearer(who)).status_code == 200
        assert client.get(f"{path}/record", headers=bearer(guest)).status_code == 403
        (own,) = map(json.loads, client.get("/api/me", headers=bearer(guest)).text.splitlines())
        assert {each["kind"] for each in own["sent"]} <= {"joined", "left"}
        assert own["seats"] == []
        assert "record" not in own
        (own,) = map(json.loads, client.get("/api/me", headers=bearer(ben)).text.splitlines())
        assert own["record"]["game"] == "stones"


def test_nobody_has_what_somebody_who_was_forgotten_held(tmp_path: Path) -> None:
    """Who comes without a key is not the one in whose place nobody is."""
    with serving(tmp_path / "x.db") as (server, client):
        ann, ben = new_key(client), new_key(client)
        table = dealt(client, ann, ben, spectators=False)
        path = f"/api/tables/{table}"
        assert client.post(f"{path}/resign", json={}, headers=bearer(ben)).status_code == 200
        assert client.delete("/api/me", headers=bearer(ben)).json() == {
            "tables": 1, "unreadable": 0,
        }  # fmt: skip
        client.cookies.clear()
        name = {"name": "Eve"}
        asked = [
            client.get(path),
            client.get(f"{path}/record"),
            client.get(f"{path}/review"),
            client.get(f"{path}/events"),
            client.post(f"{path}/rematch", json={}),
            client.post(f"{path}/hint", json={}),
            client.post(f"{path}/duplicate", json=name),
            client.post("/api/review/play", json={"table": table, "step": 0, "level": "random"}),
        ]
        codes = [each.json()["error"]["code"] for each in asked]
        assert codes == ["no_spectators"] * len(asked)
        assert server.service.registry.get(table).table.held_by("") == ()  # type: ignore[union-attr]
        assert client.get("/api/me/duplicates").json() == {"duplicates": []}
        assert client.get(f"{path}/record", headers=bearer(ann)).status_code == 200


def test_a_file_that_cannot_be_written_anew_is_said_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that stops does not wait for it, and loses nothing."""
    there = Store(f"sqlite:///{tmp_path / 'x.db'}", "", 0.2)
    there.open()
    there.has_deleted = True
    with contextlib.closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with caplog.at_level(logging.WARNING, "keltis.store"):
            there.stop()
        other.execute("ROLLBACK")
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert "still holds parts of what was deleted" in caplog.text


def test_a_damaged_file_does_not_keep_a_server_from_stopping(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "x.db"
    there = Store(f"sqlite:///{file}", "", 0.2)
    there.open()
    there.has_deleted = True
    there.engine.dispose()
    file.write_bytes(b"no database" * 1000)
    with caplog.at_level(logging.WARNING, "keltis.store"):
        there.stop()
    assert "still holds parts of what was deleted" in caplog.text
    there.lock()  # it was given back
    there.stop()
