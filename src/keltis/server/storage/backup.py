"""Copies of a SQLite database: made while a server runs, and put back when none does.

A plain copy of the file is no backup: the newest commits are in the file `-wal` beside it, and a
copy of both is torn if the server writes in between. SQLite's own backup reads one consistent
state. PostgreSQL has tools of its own; docs/server.md says which.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.engine import make_url

from keltis.server.storage import migrate
from keltis.server.storage.postgresql import is_postgresql
from keltis.server.storage.store import Store

_PAGES = 2_000  # copied at a time, between which the server may write
_BESIDE = ("-wal", "-shm", "-journal")  # files that belong to a database


class BackupError(RuntimeError):
    """No copy was made or put back; the message says why. Nothing was changed."""


def backup(url: str, file: Path, progress: Callable[[int, int], None] | None = None) -> int:
    """Copy the database into a new file, which appears when it is whole; its size in bytes.

    `progress` gets the pages copied and the pages in all.
    """
    source = _file_of(url)
    if not source.is_file():
        raise BackupError(f"there is no database {source}")
    if file.exists():
        raise BackupError(f"{file} is there already: a backup never overwrites a file")
    part = file.with_name(f"{file.name}.part")
    try:
        # Made before SQLite opens it, so that nobody else can read it for a moment.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupError(f"{part} is there already: is another backup running?") from None
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as there,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            told = (lambda status, left, total: progress(total - left, total)) if progress else None
            there.backup(copy, pages=_PAGES, progress=told)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
            _check(copy, part)
        _sync(part)
        os.link(part, file)  # unlike a rename, it fails if somebody was faster
    except sqlite3.Error as fault:
        raise BackupError(f"cannot copy {source}: {fault}") from None
    except FileExistsError:
        raise BackupError(f"{file} is there already: a backup never overwrites a file") from None
    finally:
        for each in (part, *_beside(part)):
            each.unlink(missing_ok=True)
    _sync(file.parent)
    return file.stat().st_size


def restore(file: Path, url: str) -> Path | None:
    """Put a backup in the place of the database; where the database before is kept now, if any."""
    target = _file_of(url)
    if not file.is_file():
        raise BackupError(f"there is no file {file}")
    if file.resolve() == target.resolve():
        raise BackupError(f"{file} is the database itself")
    if any(each.exists() for each in _beside(file)):
        raise BackupError(
            f"{file} has a file beside it that belongs to it ({', '.join(_BESIDE)}): it is a plain "
            "copy or in use, not a backup made by 'keltis tables backup'"
        )
    try:
        with contextlib.closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as copy:
            _check(copy, file)
    except sqlite3.Error as fault:
        raise BackupError(f"{file}: {fault}") from None
    target.parent.mkdir(parents=True, exist_ok=True)
    store = Store(url, "")
    try:
        if target.exists():
            store.lock()  # raises `InUse`
        part = target.with_name(f"{target.name}.restoring")
        _copy(file, part)
        kept = _set_aside(target)
        os.replace(part, target)
        _sync(target.parent)
    finally:
        store.stop()
    return kept


def _file_of(url: str) -> Path:
    if is_postgresql(url):
        raise BackupError(
            "this is for SQLite; PostgreSQL is backed up by pg_dump or by archiving its log, and "
            "restored by pg_restore: see docs/server.md"
        )
    return Path(make_url(url).database or "").absolute()


def _beside(file: Path) -> list[Path]:
    return [file.with_name(file.name + suffix) for suffix in _BESIDE]


def _all(file: Path) -> list[Path]:
    return [file, *_beside(file)]


def _check(connection: sqlite3.Connection, file: Path) -> None:
    """A whole database of ours, of a schema that this program knows."""
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise BackupError(f"{file} is damaged: {verdict}")
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError:
        row = None
    if row is None:
        raise BackupError(f"{file} is not a database of Keltis")
    if not migrate.is_known(row[0]):
        raise BackupError(f"{file} has schema {row[0]}, made by a newer version of keltis")


def _copy(file: Path, to: Path) -> None:
    to.unlink(missing_ok=True)
    binary = getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines
    descriptor = os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY | binary, 0o600)
    with os.fdopen(descriptor, "wb") as out, file.open("rb") as source:
        while piece := source.read(1 << 20):
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())


def _set_aside(target: Path) -> Path | None:
    """Move a database out of the way with all that belongs to it; where it is, if there was one.

    What lies beside a database that is gone goes too: SQLite would take its pages for newer ones of
    the database that comes in its place.
    """
    number = 1
    while any(each.exists() for each in _all(target.with_name(f"{target.name}.before-{number}"))):
        number += 1
    aside = target.with_name(f"{target.name}.before-{number}")
    was_there = target.exists()
    for old, new in zip(_all(target), _all(aside), strict=True):
        if old.exists():
            os.replace(old, new)
    return aside if was_there else None


def _sync(path: Path) -> None:
    """Make a file, or a folder's list of files, durable."""
    if os.name != "posix":  # Windows cannot open a folder, and orders renames by itself
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
