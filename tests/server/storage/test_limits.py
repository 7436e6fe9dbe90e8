"""No call waits for ever for the database, and its cause is in the log and the metrics."""

import asyncio
import logging
import sqlite3
import threading
import time
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from keltis.server.live.live_table import LiveTable
from keltis.server.problems import Problem
from keltis.server.storage import faults, postgresql
from keltis.server.storage.store import Store
from tests.server.live.playing import ANN, run, serving, started
from tests.server.running import silent


def legal(live: LiveTable) -> str:
    assert live.table.game is not None
    return live.table.game.legal_moves()[0]


def test_a_locked_file_is_refused_in_time_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", limit=0.2) as server:
            live = await started(server, "me", "me")
            lock = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
            lock.execute("BEGIN IMMEDIATE")
            with pytest.raises(Problem, match="the database does not answer") as refused:
                await server.service.decide(live, ANN, legal(live), live.table.seq, "1")
            assert refused.value.code == "busy"
            lock.execute("ROLLBACK")
            lock.close()
            assert b'keltis_database_faults_total{cause="SQLITE_BUSY"}' in server.metrics.text()
            assert "SQLITE_BUSY" in [getattr(each, "cause", None) for each in caplog.records]
            await server.service.decide(live, ANN, legal(live), live.table.seq, "2")

    with caplog.at_level(logging.ERROR):
        run(play())


def test_a_disk_that_hangs_does_not_hang_requests(tmp_path: Path) -> None:
    """Nothing tells the program so: it counts by itself. What was written late is found later."""
    hanging = threading.Event()

    async def play() -> None:
        async with serving(tmp_path / "x.db", database_timeout=0.5) as server:
            live, service = await started(server, "me", "me"), server.service
            writes = server.store._outcomes

            def slowly(units):  # type: ignore[no-untyped-def]
                hanging.wait(60)
                return writes(units)

            server.store._outcomes = slowly  # type: ignore[method-assign]
            move, seq = legal(live), live.table.seq

            async def decide(own_id: str) -> str:
                try:
                    await service.decide(live, ANN, move, seq, own_id)
                except Problem as problem:
                    return problem.code
                return "done"

            async with asyncio.timeout(30):
                answers = await asyncio.gather(*(decide(str(k)) for k in range(8)))
            assert answers == ["busy"] * 8
            hanging.set()
            while live.table.seq == seq or not live.in_step:
                await asyncio.sleep(0.01)
            assert await decide("0") == "done"  # it was carried out, once
            assert live.table.seq == seq + 1

    run(play())


def test_postgresql_that_says_nothing_is_given_up() -> None:
    with silent() as address:
        began = time.monotonic()
        with pytest.raises(psycopg.OperationalError) as failed:
            postgresql.connect(f"{address}?sslmode=disable", 1.0)
        assert time.monotonic() - began < 30
    assert faults.cause(failed.value) == "no answer in time"


def test_postgresql_ends_slow_statements_and_waits_for_locks(postgresql: str) -> None:
    there = Store(f"postgresql+psycopg://{postgresql.partition('://')[2]}", "", 6.0)
    seen: list[str] = []
    there.on_fault = seen.append
    try:
        for statement in ("SELECT pg_sleep(60)", "SELECT pg_advisory_lock(12345)"):
            with (
                psycopg.connect(postgresql, autocommit=True) as other,
                there.engine.connect() as connection,
            ):
                other.execute("SELECT pg_advisory_lock(12345)")
                with pytest.raises(OperationalError):
                    connection.exec_driver_sql(statement)
    finally:
        there.engine.dispose()
    assert seen[0] == "QueryCanceled"
    assert seen[1] in ("QueryCanceled", "LockNotAvailable")
    there.stop()


def test_a_cause_tells_no_row() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE secret (y PRIMARY KEY)")
    with pytest.raises(sqlite3.Error, match="secret") as failed:
        connection.execute("INSERT INTO secret VALUES (1), (1)")
    connection.close()
    assert faults.is_conflict(failed.value)
    assert faults.cause(failed.value) == "SQLITE_CONSTRAINT_PRIMARYKEY"
    assert faults.cause(sqlite3.OperationalError("secret")) == "OperationalError"
    assert faults.cause(psycopg.errors.UniqueViolation("Key (x)=(secret)")) == "UniqueViolation"
