"""Reviews of finished games, and what they say of each seat."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("version", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("seed", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("done", sa.SmallInteger, nullable=False),
        sa.Column("planned", sa.SmallInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("reviews_by_date", "reviews", ["asked_at"])
    op.create_table(
        "reviewed",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("version", sa.SmallInteger, nullable=False),
        sa.Column("lost", sa.Float),
        sa.Column("error", sa.Float),
        sa.Column("decisions", sa.SmallInteger, nullable=False),
        sa.Column("luck", sa.Float, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("reviewed_by_hash", "reviewed", ["hash"])
