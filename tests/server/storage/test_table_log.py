"""Whoever reads, or replays a log, keeps nobody from writing."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update

from keltis.server import keys
from keltis.server.storage import games, maintenance, privacy, repair, table_log
from keltis.server.storage.schema import tables
from keltis.server.storage.store import Store
from keltis.server.storage.table_log import Log
from keltis.server.tables import table as tables_module
from keltis.server.tables.drafts import Surroundings
from keltis.server.tables.events import Event, Head
from keltis.server.tables.table import Table
from tests.server.transport.inside import bearer, make, new_key, serving, socket

NEAR = Surroundings(0.0, 2_000_000_000_000, 0.0, "fox", 0.0)


def test_what_is_only_read_is_told_while_somebody_writes_for_long(tmp_path: Path) -> None:
    """Once looks at days, duplicates and devices waited for whoever wrote, and held writers up."""
    file = tmp_path / "x.db"
    with serving(file, work=1e5, work_address=1e5) as (server, client):
        server.store.limit = 0.2
        key = new_key(client)
        table = make(client, key, "me", "random")["table"]
        wish = {"bots": ["fox"], "name": "Ann"}
        made = client.post("/api/duplicates", json=wish, headers=bearer(key)).json()["duplicate"]
        paths = [
            "/api/days/today", "/api/days/calendar/2026-11", "/api/days/chain",
            f"/api/duplicates/{made}", "/api/me", "/api/me/devices", "/api/me/duplicates",
            "/api/me/games", "/api/me/games/summary", "/api/me/games/running", "/api/tables",
            "/api/tables/mine", f"/api/tables/{table}",
        ]  # fmt: skip
        for path in paths:
            assert client.get(path, headers=bearer(key)).status_code == 200, path
        with closing(sqlite3.connect(file, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            for path in paths:
                assert client.get(path, headers=bearer(key)).status_code == 200, path
            writer.execute("ROLLBACK")


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, str, str]:
    """A file with a table that is over, its id, and a person at it."""
    file = tmp_path / "x.db"
    with serving(file) as (_, client):
        ann, ben = new_key(client), new_key(client)
        made = make(client, ann, "me", "open")
        wish = {"name": "Ben", "invitation": made["invitation"], "ready": True}
        client.post(f"/api/tables/{made['table']}/join", json=wish, headers=bearer(ben))
        with socket(client, made["table"], ann) as seat:
            seat.playing()
            seat.say(type="resign", id="x")
            seat.until("state")
    return file, made["table"], keys.digest(ann)


def unlocked(file: Path, replayed: Callable[..., Table]) -> Callable[..., Table]:
    """Replays a log, if somebody else can write meanwhile."""

    def replays(head: Head, events: Iterable[Event]) -> Table:
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("ROLLBACK")
        return replayed(head, events)

    return replays


def exported(store: Store, who: str) -> bool:
    return [found["names"] for found in privacy.export(store, who)] == [["Player 1"]]


def forgotten(store: Store, who: str) -> bool:
    return privacy.forget_person(store, who, NEAR) == (1, 0)


def unnamed(store: Store, who: str) -> bool:
    return privacy.forget_names(store, 0) == (1, 0)


def checked(store: Store, who: str) -> bool:
    return repair.check(store) == []


def filled_in(store: Store, who: str) -> bool:
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE holders SET over_at = NULL, seat = NULL")
    return games.fill_in(store) == 1


@pytest.mark.parametrize("work", [exported, forgotten, unnamed, checked, filled_in])
def test_nobody_waits_while_a_log_is_replayed(
    work: Callable[[Store, str], bool],
    played: tuple[Path, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once all decisions waited while one person's data was put together."""
    file, _, who = played
    slow = unlocked(file, tables_module.replayed)
    monkeypatch.setattr(privacy, "replayed", slow)
    monkeypatch.setattr(games, "replayed", slow)
    replays = repair._replay
    monkeypatch.setattr(
        repair, "_replay", lambda head, log: (slow(head, log), replays(head, log))[1]
    )
    with maintenance.opened(f"sqlite:///{file}") as store:
        assert work(store, who)


def test_what_happens_between_reading_and_writing_is_not_lost(
    played: tuple[Path, str, str],
) -> None:
    file, table, who = played
    seen: list[tuple[str, int]] = []
    with maintenance.opened(f"sqlite:///{file}") as store:

        def work_out(log: Log) -> str:
            assert log.head is not None
            seen.append((log.head.creator, len(log.events)))
            if len(seen) == 1:
                with store.engine.begin() as connection:
                    connection.execute(update(tables).values(creator=""))
            return log.head.creator

        found = table_log.change(store, table, work_out, lambda creator, connection: None)
    assert [creator for creator, _ in seen] == [who, ""]
    assert found == ""


def test_what_is_overtaken_again_and_again_is_done_at_last(played: tuple[Path, str, str]) -> None:
    file, table, _ = played
    with maintenance.opened(f"sqlite:///{file}") as store:
        times = 0

        def work_out(log: Log) -> int:
            nonlocal times
            times += 1
            if times <= table_log._TRIES:
                with store.engine.begin() as connection:
                    connection.execute(update(tables).values(created_at=times))
            return times

        assert table_log.change(store, table, work_out, lambda found, connection: None) == times
        assert times == table_log._TRIES + 1
