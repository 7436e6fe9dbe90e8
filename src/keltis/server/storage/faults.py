"""Why the database failed, in one word for the log and the metrics: never a row's content."""

from __future__ import annotations

import sqlite3

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_DAMAGE = ("DataCorrupted", "IndexCorrupted")  # PostgreSQL's names
READ_ONLY = psycopg.errors.ReadOnlySqlTransaction.sqlstate


def cause(fault: BaseException | None) -> str:
    """SQLite's name of a fault (`SQLITE_FULL`), PostgreSQL's (`QueryCanceled`), or what else."""
    if isinstance(fault, DBAPIError):
        fault = fault.orig
    if isinstance(fault, TimeoutError | PoolTimeout):
        return "no answer in time"
    if isinstance(fault, sqlite3.Error):
        return getattr(fault, "sqlite_errorname", None) or type(fault).__name__
    if isinstance(fault, psycopg.Error):
        if fault.sqlstate is not None:
            return type(fault).__name__
        if "no answer within" in str(fault) or "timeout" in str(fault):
            return "no answer in time"
        return "no connection"
    return type(fault).__name__


def is_damage(cause: str) -> bool:
    """Whether what is stored is broken, which no waiting mends."""
    return cause.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or cause in _DAMAGE


def words(fault: BaseException) -> str:
    """The same for whoever runs the server: the database's own words, without the password."""
    if isinstance(fault, DBAPIError) and fault.orig is not None:
        fault = fault.orig
    if isinstance(fault, psycopg.ProgrammingError) and fault.sqlstate is None:
        return "its address is malformed"  # libpq would repeat all of it
    return str(fault).strip().partition("\n")[0] or type(fault).__name__


def is_conflict(fault: BaseException | None) -> bool:
    """Whether a row was there already: an answer, not a failure of the database."""
    return isinstance(fault, sqlite3.IntegrityError | psycopg.IntegrityError)
