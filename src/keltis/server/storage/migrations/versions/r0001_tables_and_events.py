"""Tables and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(16), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("creator", sa.String(64), nullable=False),
        sa.Column("server_seed", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("over_at", sa.BigInteger),
    )
    op.create_index("tables_by_status", "tables", ["status", "created_at"])
    op.create_index("tables_by_creator", "tables", ["creator", "status"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.SmallInteger),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("client", sa.String(80)),
        sa.UniqueConstraint("table_id", "client", name="events_once_per_client_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holders",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
        sqlite_with_rowid=False,
    )
