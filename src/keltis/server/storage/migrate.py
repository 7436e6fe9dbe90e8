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
    there = MigrationContext.configure(connection).get_current_revision()
    config = _config()
    script = ScriptDirectory.from_config(config)
    try:
        known = there is None or script.get_revision(there) is not None
    except CommandError:
        known = False
    if not known:
        raise NewerSchema(
            f"the database has schema {there}, made by a newer version of keltis; this version "
            f"knows schemas up to {script.get_current_head()}. Nothing was changed: "
            "start the newer version, or use another database"
        )
    config.attributes["connection"] = connection
    command.upgrade(config, to)
