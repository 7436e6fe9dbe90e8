"""Bring a database to the schema of this program, or say why it cannot be."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, text

_ONE_AT_A_TIME = 7_341_985_512  # any number, the same for all servers: PostgreSQL's advisory lock


class NewerSchema(RuntimeError):
    """The database was made by a newer version of this program."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


def head() -> str:
    """The revision that this program works with."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    assert revision is not None
    return revision


def upgrade(connection: Connection, to: str = "head") -> None:
    """Migrate inside one transaction, one server at a time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
    check(connection)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def check(connection: Connection) -> str | None:
    """The revision of a database, None if it is empty; raises `NewerSchema`."""
    there = MigrationContext.configure(connection).get_current_revision()
    if there is not None and not is_known(there):
        raise NewerSchema(
            f"the database has schema {there}, made by a newer version of keltis; this version "
            f"knows schemas up to {head()}. Nothing was changed: "
            "start the newer version, or use another database"
        )
    return there


def is_known(revision: str) -> bool:
    """Whether this program can read a schema, or bring it up to date."""
    try:
        return ScriptDirectory.from_config(_config()).get_revision(revision) is not None
    except CommandError:
        return False
