"""Deals that many people play: the chain of days, duplicates, attempts, and pars."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chains",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("root", sa.String(64), nullable=False),
        sa.Column("anchor", sa.String(64), nullable=False),
        sa.Column("first_day", sa.String(10), nullable=False),
        sa.Column("latest_day", sa.String(10), nullable=False),
    )
    op.create_table(
        "shared_deals",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("creator", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("source", sa.String(16)),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("shared_deals_by_creator", "shared_deals", ["creator"])
    op.create_table(
        "attempts",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("deal", sa.String(16), primary_key=True),
        sa.Column("board", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("begun_at", sa.BigInteger, nullable=False),
        sa.Column("over_at", sa.BigInteger),
        sa.Column("state", sa.SmallInteger, nullable=False),
        sa.Column("lead", sa.SmallInteger),
        sa.Column("score", sa.SmallInteger),
        sa.Column("name", sa.String(24)),
        sqlite_with_rowid=False,
    )
    op.create_index("attempts_by_lead", "attempts", ["deal", "state", "lead"])
    op.create_table(
        "pars",
        sa.Column("deal", sa.String(16), primary_key=True),
        sa.Column("run", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("lead", sa.SmallInteger, nullable=False),
    )
