"""The time that decisions took, and a place for what a repair cuts off."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("events", sa.Column("spent", sa.BigInteger))
    op.create_table(
        "set_aside",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("set_aside_at", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("row", sa.Text, nullable=False),
    )
    op.create_index("set_aside_by_table", "set_aside", ["table_id"])
