"""Running a server: settings, stops and starts, schemas, old tables."""

import asyncio
import json
import sqlite3
from dataclasses import fields
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, inspect

import keltis
from keltis.server.settings import BadSetting, Settings, database_url, read, variable
from keltis.server.storage import migrate
from keltis.server.storage.schema import metadata
from tests.cli.running import run
from tests.server.running import Client, Server, play_out

ROOT = Path(__file__).resolve().parents[2]


def test_every_setting_is_documented_and_has_a_flag() -> None:
    page = (ROOT / "docs" / "server.md").read_text()
    shown = run("serve", "--help").out
    for each in fields(Settings):
        flag = "--" + each.name.replace("_", "-")
        assert f"`{flag}`" in page, flag
        assert f"`{variable(each.name)}`" in page, each.name
        assert flag in shown


def test_settings_come_from_flags_then_the_environment() -> None:
    environment = {"KELTIS_PORT": "81", "KELTIS_GRACE": "5.5", "KELTIS_OPEN_BROWSER": "1"}
    settings = read({"port": 82, "host": None}, environment)
    assert (settings.port, settings.grace, settings.open_browser) == (82, 5.5, True)
    for wrong in ({"KELTIS_PORT": "x"}, {"KELTIS_METRICS": "some"}, {"KELTIS_GRACE": "-1"}):
        with pytest.raises(BadSetting):
            read({}, wrong)
    for number in ("nan", "inf", "-inf"):
        for name in ("KELTIS_GRACE", "KELTIS_RATE", "KELTIS_BOT_PACE"):
            with pytest.raises(BadSetting, match="expected a number"):
                read({}, {name: number})


def test_numbers_beyond_all_sense_are_refused() -> None:
    for name in ("KELTIS_KEEP_DAYS", "KELTIS_IDLE", "KELTIS_DATABASE_TIMEOUT"):
        with pytest.raises(BadSetting, match="more than"):
            read({}, {name: "1e300"})
    with pytest.raises(BadSetting, match="more than an hour"):
        Settings(database_timeout=3601)


@pytest.mark.parametrize("days", ["nan", "inf", "1e300", "-1", "x"])
def test_days_that_are_no_number_of_days_are_refused(days: str, tmp_path: Path) -> None:
    for command in (["prune"], ["prune", "--abandoned", "1"], ["export", "x"], ["forget-names"]):
        done = run("tables", *command, "--database", tmp_path / "x.db", "--days", days)
        assert done.code == 2
        assert f"--days {days}: expected" in done.err, done.err


@pytest.mark.parametrize(
    ("setting", "value"),
    [("allow_host", ";;"), ("allow_host", "example.org:80"), ("allow_host", "a.*.org"),
     ("allow_host", "https://example.org"), ("allow_origin", "example.org"),
     ("allow_origin", "https://example.org/")],
)  # fmt: skip
def test_names_that_can_match_nothing_are_refused(setting: str, value: str) -> None:
    with pytest.raises(BadSetting, match=setting):
        read({}, {variable(setting): value})
    for fine in ("example.org", "*.example.org", "*", "::1", "[::1]", "10.0.0.1", "localhost"):
        assert Settings(allow_host=fine)
    assert Settings(allow_origin="https://example.org, http://localhost:8000")


def test_a_misspelt_setting_is_refused() -> None:
    with pytest.raises(BadSetting, match="did you mean KELTIS_RATE_ADDRESS"):
        read({}, {"KELTIS_RATE_ADRESS": "5"})
    with pytest.raises(BadSetting, match="KELTIS_ZZZ: there is no such setting"):
        read({}, {"KELTIS_ZZZ": "5"})
    assert read({}, {"KELTIS_TRACEBACK": "1"}) == Settings()


def test_a_proxy_that_is_no_address_is_refused() -> None:
    assert Settings(trust_proxy="10.0.0.0/8, ::1").proxies == ["10.0.0.0/8", "::1"]
    done = run("serve", "--trust-proxy", "nonsense")
    assert done.code == 2
    assert "trust_proxy: nonsense is no address" in done.err


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("text.db", "file is not a database"),
        ("postgresql://u:secret@[bad", "its address is malformed"),
        ("postgresql://u:secret@127.0.0.1:1/x", "connection failed"),
        ("/proc/x.db", "keltis: "),
    ],
)
def test_a_database_that_cannot_be_used_is_told_in_words(
    database: str, said: str, tmp_path: Path
) -> None:
    if database == "text.db":
        database = str(tmp_path / database)
        Path(database).write_text("This is not a database. " * 50)
    for command in (["serve", "--port", "0"], ["tables", "check"]):
        done = run(*command, "--database", database)
        assert done.code == 2
        assert said in done.err
        assert "secret" not in done.err
        assert "should not happen" not in done.err


def test_every_error_code_is_documented() -> None:
    from keltis.server.problems import STATUS

    page = (ROOT / "docs" / "protocol.md").read_text()
    for code, status in STATUS.items():
        assert f"| `{code}` | {status} |" in page, code


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrations_lead_to_the_schema(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """From the first revision with a table in it, as an older program left it."""
    if kind == "sqlite":
        url = f"sqlite:///{tmp_path / 'x.db'}"
    else:
        address = request.getfixturevalue("postgresql")
        engine = create_engine(database_url(address), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql("DROP DATABASE IF EXISTS migrated")
            connection.exec_driver_sql("CREATE DATABASE migrated")
        engine.dispose()
        url = str(engine.url.set(database="migrated").render_as_string(hide_password=False))
    engine = create_engine(url)
    with engine.begin() as connection:
        migrate.upgrade(connection, "0001")
        values = "'abcdefghijkm', 'board', true, 'waiting', 'x', 'y', 1"
        connection.exec_driver_sql(
            "INSERT INTO tables (id, game, public, status, creator, server_seed, created_at) "
            f"VALUES ({values})"
        )
    with engine.begin() as connection:
        migrate.upgrade(connection)
        assert connection.exec_driver_sql("SELECT table_id FROM leases").scalar() == "abcdefghijkm"
    there = inspect(engine)
    for table in metadata.sorted_tables:
        found = {column["name"]: column["nullable"] for column in there.get_columns(table.name)}
        assert found == {column.name: bool(column.nullable) for column in table.columns}
        assert set(there.get_pk_constraint(table.name)["constrained_columns"]) == {
            column.name for column in table.primary_key
        }
        assert {index["name"] for index in there.get_indexes(table.name)} >= {
            index.name for index in table.indexes
        }
    engine.dispose()


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log"):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    done = run("serve", "--port", "0", "--database", file)
    assert done.code == 2
    assert "newer version of keltis" in done.err
    assert "Traceback" not in done.err


def test_a_stopped_server_says_so_and_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log") as server:
        second = run("serve", "--port", "0", "--database", file)
        assert second.code == 2
        assert "another server is using" in second.err
        ann = Client(server)
        table = ann.make("me", "random", "random", game="stones")["table"]
        with ann.at(table) as seat:
            while seat.you["may"]["decide"] is None:
                seat.read()
            seat.decide()
            before = ann.state(table)["seq"]
            assert server.stop() == 0
            assert seat.closed() == 1012
            bye = next(message for message in seat.received if message["type"] == "bye")
            assert 0 < bye["reconnect_after"] < 10_000
            before = max(before, seat.seq)
        server.start()
        with ann.at(table) as seat:
            assert seat.seq >= before
            play_out(seat)
        finished(ann, table, file, tmp_path)
        ann.close()


def finished(ann: Client, table: str, file: Path, folder: Path) -> None:
    """Finished tables are exported and pruned while the server runs."""
    waiting = ann.make("me", "open")["table"]
    out = folder / "records.jsonl"
    assert run("tables", "export", out, "--database", file).out.startswith("1 records")
    (line,) = out.read_text().splitlines()
    assert keltis.load(json.loads(line)).is_over
    assert "0 tables" in run("tables", "prune", "--database", file).out
    done = run("tables", "prune", "--database", file, "--days", "0", "--dry-run")
    assert "1 tables would be" in done.out
    done = run("tables", "prune", "--database", file, "--days", "0", "--abandoned", "1")
    assert "1 tables deleted" in done.out
    assert ann.state(waiting)["table"]["status"] == "waiting"
    missing = run("tables", "export", out, "--database", folder / "none.db")
    assert missing.code == 2


def test_the_page_is_served_below_any_path(server: Server) -> None:
    page = httpx.get(f"{server.url}/table/abc", timeout=60)
    assert page.status_code == 200
    assert '<base href="/">' in page.text
    assert page.headers["content-type"].startswith("text/html")
    etag = page.headers["etag"]
    again = httpx.get(f"{server.url}/", headers={"if-none-match": etag}, timeout=60)
    assert again.status_code == 304
    assert httpx.get(f"{server.url}/nothing.js", timeout=60).status_code == 404
    assert httpx.get(f"{server.url}/__init__.py", timeout=60).status_code == 404


def test_a_game_that_goes_round_in_circles_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B22, with a cap of twenty so that it does not take all day."""
    from keltis.server.app import Server as InProcess
    from keltis.server.live.fair_pool import Asker
    from keltis.server.tables.commands import created_body

    monkeypatch.setattr(keltis, "DECISION_CAP", 20)

    async def play() -> str | None:
        server = InProcess(Settings(database=str(tmp_path / "x.db"), bot_pace=0))
        server.store.open()
        server.store.start(asyncio.get_running_loop())
        seats = [{"who": "me", "name": "A", "level": None}]
        seats += [{"who": "bot", "name": "B", "level": "random"}]
        wishes = {
            "seats": seats, "practice": False, "hints": None, "clock": None, "ready": True,
            "spectators": True, "options": {}, "first": 0,
        }  # fmt: skip
        service = server.service
        body = created_body(wishes, "h", None)
        live = await service.create("board", False, body, Asker("here", "h"))
        while live.table.status == "waiting":
            await asyncio.sleep(0.01)
        from keltis.server.tables import commands

        await service.act(
            live, lambda table, seats, near: commands.leave(table, seats, None, near), "h"
        )
        while live.table.status != "over":
            await asyncio.sleep(0.01)
        assert live.table.game is not None
        await service.stop()
        await server.store.finish()
        return live.table.game.reason if len(live.table.steps) == 20 else None

    assert asyncio.run(asyncio.wait_for(play(), 120)) == "cut off"
