"""`/healthz` says within two seconds whether the database takes writes."""

import asyncio
import contextlib
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from keltis.server.storage import health
from tests.server import running
from tests.server.databases import Database
from tests.server.running import Server
from tests.server.transport import inside


def until(server: Server, status: int) -> float:
    """Ask until the answer is this; the longest that any answer took."""
    longest = 0.0
    deadline = time.monotonic() + running.PATIENCE
    while time.monotonic() < deadline:
        began = time.monotonic()
        answer = httpx.get(f"{server.url}/healthz", timeout=30)
        longest = max(longest, time.monotonic() - began)
        if answer.status_code == status:
            return longest
        time.sleep(0.1)
    raise AssertionError(f"/healthz never answered {status}")


def test_a_locked_database_is_told_and_so_is_its_end(tmp_path: Path) -> None:
    with Server(tmp_path / "x.db", tmp_path / "log") as server:
        until(server, 200)
        lock = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        assert until(server, 503) < 2 + busy()
        assert "database is locked" in (tmp_path / "log").read_text()
        assert "keltis_database_up 0.0" in httpx.get(f"{server.url}/metrics", timeout=30).text
        lock.execute("ROLLBACK")
        lock.close()
        until(server, 200)
        assert "keltis_database_up 1.0" in httpx.get(f"{server.url}/metrics", timeout=30).text


def test_a_frozen_postgresql_is_told(database: Database, tmp_path: Path) -> None:
    with Server(database.address, tmp_path / "log") as server:
        until(server, 200)
        with database.frozen():
            assert until(server, 503) < 2 + busy()
        until(server, 200)


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process's files")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    """No file of the server may grow: to it that is a disk without room."""
    with Server(tmp_path / "x.db", tmp_path / "log") as server:
        assert server.process is not None
        until(server, 200)
        grown = (tmp_path / "x.db-wal").stat().st_size
        psutil.Process(server.process.pid).rlimit(psutil.RLIMIT_FSIZE, (grown, grown))
        assert until(server, 503) < 2 + busy()
        assert "keltis_database_up 0.0" in httpx.get(f"{server.url}/metrics", timeout=30).text
        log = (tmp_path / "log").read_text()
        assert "disk I/O error" in log or "disk is full" in log


def test_a_file_damaged_under_a_running_server_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log") as server:
        until(server, 200)
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        damaged(file)
        assert until(server, 503) < 2 + busy()
        assert '"cause": "DatabaseError' in (tmp_path / "log").read_text()


def test_damage_that_people_meet_is_told_too(tmp_path: Path) -> None:
    """The probe writes where nothing is wrong; the server found more than it looks for."""
    file = tmp_path / "x.db"
    with inside.serving(file) as (server, client):
        assert client.get("/healthz").status_code == 200
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            query = "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'tables'"
            pages = connection.execute(query).fetchall()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        content = bytearray(file.read_bytes())
        for (page,) in pages:
            content[(page - 1) * size : page * size] = b"x" * size
        file.write_bytes(content)
        server.store.engine.dispose()
        answer = client.get("/api/tables/aaaaaaaaaaaa")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        assert health.write_sqlite(str(file)) is None
        deadline = time.monotonic() + running.PATIENCE
        while client.get("/healthz").status_code != 503:
            assert time.monotonic() < deadline
        assert server.probe.fault == "SQLITE_CORRUPT"


def test_a_disk_that_says_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(health, "write_sqlite", lambda file: answered.wait(60) and None)

    async def probe() -> None:
        probing = health.Health(f"sqlite:///{tmp_path / 'x.db'}")
        began = time.monotonic()
        # However many ask, there is one probe.
        faults = await asyncio.gather(*(probing.check() for _ in range(20)))
        assert time.monotonic() - began < 2 + busy()
        assert set(faults) == {"no answer within 1.5 seconds"}
        assert sum(thread.name == "health" for thread in threading.enumerate()) == 1
        answered.set()
        while await probing.check() is not None:
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(probe(), running.PATIENCE))


def busy() -> float:
    """Seconds to allow for other work on the machine: the limit itself is the program's."""
    return 1 + os.getloadavg()[0] / (os.cpu_count() or 1)


def damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[:4096] = b"x" * 4096
    file.write_bytes(content)


@pytest.mark.parametrize("spoil", [damaged, Path.unlink], ids=["damaged", "gone"])
def test_a_database_that_cannot_be_written_is_told(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    file = tmp_path / "with space & more?.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('1')")
    connection.close()
    assert health.write_sqlite(str(file)) is None
    spoil(file)
    assert health.write_sqlite(str(file)) is not None
    assert not file.exists() or spoil is damaged
