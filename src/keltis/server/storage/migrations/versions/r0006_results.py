"""How each game ended for each of its players, beside who held a seat.

Games that were over before are filled in by the server while it runs (`storage/games.py`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (
        ("over_at", sa.BigInteger),
        ("seat", sa.SmallInteger),
        ("seats", sa.SmallInteger),
        ("game", sa.String(16)),
        ("players", sa.SmallInteger),
        ("result", sa.String(8)),
        ("score", sa.SmallInteger),
        ("lead", sa.SmallInteger),
        ("decisions", sa.Integer),
        ("ended", sa.String(8)),
        ("take_backs", sa.SmallInteger),
        ("others", sa.Text),
    ):
        op.add_column("holders", sa.Column(name, kind))
    op.create_index("holders_by_end", "holders", ["holder", "over_at", "table_id"])
    missing = sa.text("over_at IS NULL")
    op.create_index(
        "holders_not_over",
        "holders",
        ["table_id"],
        sqlite_where=missing,
        postgresql_where=missing,
    )
    op.create_index("holders_by_table", "holders", ["table_id"])
