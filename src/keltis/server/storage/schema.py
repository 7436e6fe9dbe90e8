"""The tables of the database, the same in SQLite and PostgreSQL.

The migrations make them; `tests/server` checks that both say the same.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)  # fmt: skip

metadata = MetaData()

_NOT_OVER = text("over_at IS NULL")

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

# Where a key holds a seat, to find one's tables again; the events decide what it holds. Once the
# table is over, how the game ended for it (`tables/results.py`): `over_at` is set then, and `seat`
# is null if there is nothing to list.
holders = Table(
    "holders",
    metadata,
    Column("holder", String(64), primary_key=True),  # digest of a key
    Column("table_id", String(16), primary_key=True),
    Column("over_at", BigInteger),  # milliseconds since 1970
    Column("seat", SmallInteger),
    Column("seats", SmallInteger),
    Column("game", String(16)),
    Column("players", SmallInteger),
    Column("result", String(8)),
    Column("score", SmallInteger),
    Column("lead", SmallInteger),
    Column("decisions", Integer),
    Column("ended", String(8)),
    Column("take_backs", SmallInteger),
    Column("others", Text),  # JSON: who else played
    Column("hinted", Boolean),  # null: not known
    Index("holders_by_end", "holder", "over_at", "table_id"),
    Index("holders_not_over", "table_id", sqlite_where=_NOT_OVER, postgresql_where=_NOT_OVER),
    Index("holders_by_table", "table_id"),
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

# The chain that the seeds of days come from: one row, made when a server first starts.
chains = Table(
    "chains",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("root", String(64), nullable=False),  # hex; all days follow from it
    Column("anchor", String(64), nullable=False),  # what it hashes to; published
    Column("first_day", String(10), nullable=False),
    Column("latest_day", String(10), nullable=False),  # that has begun: it never goes back
)

# Deals of people's own making, to be played by others: duplicates.
shared_deals = Table(
    "shared_deals",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("creator", String(64), nullable=False),  # digest of the maker's key
    Column("created_at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("source", String(16)),  # the table whose deal it was
    Column("body", Text, nullable=False),  # game, options, bots, seeds: JSON
    Column("name", String(24)),  # of the maker, for the others to see
    Index("shared_deals_by_creator", "creator"),
)

# One row for each person and deal, of a day or a duplicate: kept for ever.
attempts = Table(
    "attempts",
    metadata,
    Column("holder", String(64), primary_key=True),  # digest of a key; "~" and more: forgotten
    Column("deal", String(16), primary_key=True),
    Column("board", SmallInteger, primary_key=True, autoincrement=False),
    Column("table_id", String(16), nullable=False),
    Column("begun_at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("over_at", BigInteger),
    Column("state", SmallInteger, nullable=False),  # playing, finished, given up, late
    Column("lead", SmallInteger),
    Column("score", SmallInteger),
    Column("name", String(24)),  # only of duplicates, for the others to see
    Index("attempts_by_lead", "deal", "state", "lead"),
    sqlite_with_rowid=False,
)

# What the strongest bot makes of a day's deal, run by run.
pars = Table(
    "pars",
    metadata,
    Column("deal", String(16), primary_key=True),
    Column("run", SmallInteger, primary_key=True, autoincrement=False),
    Column("lead", SmallInteger, nullable=False),
)

# Reviews of finished games, to be made once: nothing of who played is in them.
reviews = Table(
    "reviews",
    metadata,
    Column("hash", String(64), primary_key=True),  # of the record without names and proof
    Column("version", SmallInteger, primary_key=True, autoincrement=False),
    Column("seed", Integer, primary_key=True, autoincrement=False),
    Column("asked_at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("done", SmallInteger, nullable=False),  # decisions that were searched
    Column("planned", SmallInteger, nullable=False),  # of so many that are worth it
    Column("body", LargeBinary, nullable=False),  # JSON, deflated
    Index("reviews_by_date", "asked_at"),
)

# What the review of a table says of each seat, for statistics.
reviewed = Table(
    "reviewed",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("hash", String(64), nullable=False),
    Column("version", SmallInteger, nullable=False),
    Column("lost", Float),  # points of lead by each real decision; null: there was none
    Column("error", Float),
    Column("decisions", SmallInteger, nullable=False),
    Column("luck", Float, nullable=False),  # points of lead that chance gave
    Index("reviewed_by_hash", "hash"),
    sqlite_with_rowid=False,
)

# Further keys of a person, one for each device that came by a link; and keys that are signed out.
# The first key is its person: there is no row for it until it is signed out.
person_keys = Table(
    "person_keys",
    metadata,
    Column("key", String(64), primary_key=True),  # digest
    Column("holder", String(64), nullable=False),  # whose it is: digest of the person's first key
    Column("number", SmallInteger, nullable=False),  # its own among the person's; the first is 1
    Column("name", String(24)),  # of the device, as its person calls it
    Column("added_at", BigInteger, nullable=False),  # milliseconds since 1970
    Column("signed_out", Boolean, nullable=False),
    UniqueConstraint("holder", "number", name="person_keys_by_number"),
)

# The one open link that brings another device to a person.
key_links = Table(
    "key_links",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("link", String(64), nullable=False),  # digest of its secret
    Column("made_by", String(64), nullable=False),  # digest of the key
    Column("until", BigInteger, nullable=False),  # milliseconds since 1970
    Index("key_links_by_link", "link", unique=True),
)
