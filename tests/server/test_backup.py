"""Copies of a database: made while people play, put back, and played on from."""

import contextlib
import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from keltis.server.settings import database_url
from keltis.server.storage.backup import BackupError, backup, restore
from keltis.server.storage.store import InUse, Store
from tests.cli.running import run
from tests.server.running import Client, Server, play_out


def test_a_game_goes_on_from_a_backup_made_while_it_ran(tmp_path: Path) -> None:
    file, copy = tmp_path / "x.db", tmp_path / "copy.db"
    with Server(file, tmp_path / "log") as server:
        ann = Client(server)
        table = ann.make("me", "random", game="stones")["table"]
        with ann.at(table) as seat:
            while seat.you["may"]["decide"] is None:
                seat.read()
            seat.decide()
            before = seat.seq
            done = run("tables", "backup", copy, "--database", file)
            assert done.code == 0, done.err
            play_out(seat)
        refused = run("tables", "restore", copy, "--database", file)
        assert refused.code == 2
        assert "another server is using" in refused.err
        assert server.stop() == 0
        done = run("tables", "restore", copy, "--database", file)
        assert done.code == 0, done.err
        assert ".before-1" in done.out
        server.start()
        state = ann.state(table)
        assert state["table"]["status"] == "playing"
        assert state["seq"] >= before
        with ann.at(table) as seat:
            play_out(seat)
        ann.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of the present schema, without tables."""
    file = tmp_path / "x.db"
    store = Store(database_url(str(file)), "")
    store.open()
    store.stop()
    return file


def test_a_backup_is_for_its_owner_alone_and_overwrites_nothing(database: Path) -> None:
    copy = database.with_name("copy.db")
    backup(database_url(str(database)), copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    content = copy.read_bytes()
    with pytest.raises(BackupError, match="never overwrites"):
        backup(database_url(str(database)), copy)
    assert copy.read_bytes() == content
    assert sorted(each.name for each in database.parent.iterdir() if "copy" in each.name) == [
        "copy.db"
    ]


def test_what_is_no_backup_is_refused_and_nothing_changes(database: Path) -> None:
    before = database.read_bytes()
    url = database_url(str(database))
    text = database.with_name("text")
    text.write_text("no database at all, but long enough to be looked at" * 20)
    foreign = database.with_name("foreign.db")
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE x (y)")
    connection.close()
    newer = database.with_name("newer.db")
    shutil.copy(database, newer)
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    plain = database.with_name("plain.db")
    shutil.copy(database, plain)
    plain.with_name("plain.db-wal").write_bytes(b"x")
    torn = database.with_name("torn.db")
    torn.write_bytes(before[: len(before) // 2])
    for wrong, words in (
        (text, "not a database"),
        (foreign, "not a database of Keltis"),
        (newer, "newer version"),
        (plain, "plain copy"),
        (torn, "damaged|malformed"),
        (database, "the database itself"),
        (database.with_name("nothing"), "there is no file"),
    ):
        with pytest.raises(BackupError, match=words):
            restore(wrong, url)
    assert database.read_bytes() == before


def test_postgresql_is_pointed_to_its_own_tools(tmp_path: Path) -> None:
    done = run("tables", "backup", tmp_path / "x", "--database", "postgresql://nobody@nowhere/x")
    assert done.code == 2
    assert "pg_dump" in done.err


@pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")
def test_the_lock_is_on_the_file_whatever_its_name(database: Path) -> None:
    database.chmod(0o644)
    hard, soft = database.with_name("hard.db"), database.with_name("soft.db")
    os.link(database, hard)
    soft.symlink_to(database)
    first = Store(database_url(str(database)), "")
    first.open()
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    for name in (hard, soft, database):
        second = Store(database_url(str(name)), "")
        with pytest.raises(InUse):
            second.open()
        second.stop()
    first.stop()


def test_maintenance_refuses_another_schema(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()
    for command in (("export", database.with_name("out")), ("prune",)):
        done = run("tables", *command, "--database", database)
        assert done.code == 2
        assert "start its server once" in done.err


def test_a_journal_that_was_left_behind_gets_into_no_backup(database: Path) -> None:
    """Whoever deletes a damaged database may leave its `-wal`: its pages went into the copy."""
    url, copy = database_url(str(database)), database.with_name("copy.db")
    backup(url, copy)
    journal = database.with_name(f"{database.name}-wal")
    with contextlib.closing(sqlite3.connect(database)) as other:
        other.execute("PRAGMA wal_autocheckpoint=0")
        with other:
            other.execute("CREATE TABLE newer (number)")
        left = journal.read_bytes()
    database.unlink()
    journal.write_bytes(left)
    assert restore(copy, url) is None
    with contextlib.closing(sqlite3.connect(database)) as restored:
        names = [row[0] for row in restored.execute("SELECT name FROM sqlite_master")]
        assert restored.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert "tables" in names
    assert "newer" not in names
    assert database.with_name(f"{database.name}.before-1-wal").read_bytes() == left
