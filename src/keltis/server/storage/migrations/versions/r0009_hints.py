"""Whether somebody was given hints in a game that is over; of games before nobody knows."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("holders", sa.Column("hinted", sa.Boolean))
