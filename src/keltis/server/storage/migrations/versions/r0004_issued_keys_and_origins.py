"""The secret that issued keys are marked with, and where tables that are not over were made."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
    op.add_column("tables", sa.Column("origin", sa.String(24)))
    op.create_index("tables_by_origin", "tables", ["origin"])
