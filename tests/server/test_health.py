"""`/healthz` says within two seconds whether the database takes writes."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from keltis.server.storage.health import write_sqlite
from tests.server import running
from tests.server.running import Server


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


def test_a_frozen_postgresql_is_told(tmp_path: Path) -> None:
    with (
        running.postgresql() as database,
        Server(database.address, tmp_path / "log") as server,
    ):
        until(server, 200)
        with database.frozen():
            assert until(server, 503) < 2 + busy()
        until(server, 200)


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
    assert write_sqlite(str(file)) is None
    spoil(file)
    assert write_sqlite(str(file)) is not None
    assert not file.exists() or spoil is damaged
