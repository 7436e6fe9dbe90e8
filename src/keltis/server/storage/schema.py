"""The tables of the database, the same in SQLite and PostgreSQL.

The migrations make them; `tests/server` checks that both say the same.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)  # fmt: skip

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("status", String(8), nullable=False),  # waiting, playing, over
    Column("creator", String(64), nullable=False),  # digest of the maker's key
    Column("server_seed", String(64), nullable=False),  # secret until the end
    Column("created_at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("over_at", BigInteger),
    Column("origin", String(24)),  # keyed hash of the maker's address; null once it is over
    Index("tables_by_status", "status", "created_at"),
    Index("tables_by_creator", "creator", "status"),
    Index("tables_by_origin", "origin"),
)

# Append-only. A decision is one small row: kind "moved", the token as its body.
events = Table(
    "events",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("kind", String(16), nullable=False),
    Column("seat", SmallInteger),
    Column("body", Text, nullable=False),  # a token, or JSON
    Column("client", String(80)),  # who sent the command, and its own id for it
    Column("spent", BigInteger),  # milliseconds of the decision that it ended; null: ended none
    UniqueConstraint("table_id", "client", name="events_once_per_client_id"),
    sqlite_with_rowid=False,
)

# Where a key holds a seat, to find one's tables again; the events decide what it holds.
holders = Table(
    "holders",
    metadata,
    Column("holder", String(64), primary_key=True),  # digest of a key
    Column("table_id", String(16), primary_key=True),
    sqlite_with_rowid=False,
)

# Which server does what a table owes: bots' decisions, clocks. Only with PostgreSQL.
leases = Table(
    "leases",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("server", String(16), nullable=False),
    Column("until", BigInteger, nullable=False),  # milliseconds since 1970, the database's clock
    Index("leases_by_until", "until"),
)

# What the server itself must remember: "keys" is what it marks issued keys with.
secrets = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", String(64), nullable=False),  # hex
)

# What `keltis tables check --repair` has cut off: nothing reads it again, nothing is lost.
set_aside = Table(
    "set_aside",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(16), nullable=False),
    Column("set_aside_at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("reason", Text, nullable=False),
    Column("row", Text, nullable=False),  # as it was, in JSON
    Index("set_aside_by_table", "table_id"),
)
