"""Leases: which of several servers does what a table owes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("server", sa.String(16), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("leases_by_until", "leases", ["until"])
    # Whoever comes first takes the tables of a server that knew no leases.
    op.execute(
        "INSERT INTO leases (table_id, server, until) "
        "SELECT id, '', 0 FROM tables WHERE status <> 'over'"
    )
