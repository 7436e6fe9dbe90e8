"""A database that version 0.1 itself has made, with a game that is over and one under way."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import column, create_engine, select, table

from keltis.server import keys
from keltis.server.settings import database_url
from keltis.server.storage import migrate, schema
from tests.server.days.playing import Calendar, Person, serving

DUMP = Path(__file__).with_name("version_0_1.sql")  # `.dump` of sqlite3
KEY = "BRTVu59PqZvwb7DtwCMg3Stj0me56lyy3LzRrVgqxn8"
OVER, RUNNING = "V4Vxn6QUAJai", "KEay2tXc2r6k"
REVISION = "0002"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    file = tmp_path / "x.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(DUMP.read_text("utf-8"))
    connection.close()
    if request.param == "sqlite":
        return str(file)
    url = database_url(request.getfixturevalue("postgresql"))
    of, to = create_engine(f"sqlite:///{file}"), create_engine(url)
    with of.connect() as there, to.begin() as here:
        migrate.upgrade(here, REVISION)
        for name in ("tables", "events", "holders"):
            known = schema.metadata.tables[name]
            had = [row[1] for row in there.exec_driver_sql(f"PRAGMA table_info({name})")]
            columns = [column(each, known.c[each].type) for each in had]
            rows = [dict(row) for row in there.execute(select(*columns).select_from(table(name)))
                    .mappings()]  # fmt: skip
            here.execute(known.insert(), rows)
    of.dispose()
    to.dispose()
    return url


def test_what_was_played_with_version_0_1_is_there_goes_on_and_can_be_deleted(
    database: str,
) -> None:
    digest = keys.digest(KEY)
    with serving(database, Calendar("2026-11-20")) as (server, client):
        ann = Person(client, "Ännchen", KEY)
        while not (games := ann.get("me/games")["games"]):  # made from the log at the start
            pass
        (over,) = games
        assert over["table"] == OVER
        assert (over["result"], over["score"], over["lead"]) == ("lost", -4, -24)
        assert (over["ended"], over["hinted"]) == ("deck", None)  # hints were in no log then
        record = ann.get(f"tables/{OVER}/record")
        assert record["result"]["scores"] == [-4, 20]
        assert len(record["moves"]) == over["decisions"]
        (running,) = ann.get("me/games/running")["tables"]
        assert (running["id"], running["your_turn"]) == (RUNNING, True)
        assert ann.decide(RUNNING)
        ann.state(RUNNING)
        duplicate = ann.post(f"tables/{OVER}/duplicate", name="Ännchen").json()["duplicate"]
        (own,) = ann.get(f"duplicates/{duplicate}")["boards"][0]["results"]
        assert (own["original"], own["lead"]) == (True, -24)
        assert ann.get("days/today")["first_day"] == "2026-11-20"
        assert client.delete("/api/me", headers=ann.headers).json()["unreadable"] == 0
        with server.store.engine.connect() as connection:
            whole = repr([
                row
                for each in schema.metadata.sorted_tables
                for row in connection.execute(select(each))
            ])  # fmt: skip
    for secret in ("nnchen", digest, f"{digest[:12]}:"):
        assert secret not in whole
