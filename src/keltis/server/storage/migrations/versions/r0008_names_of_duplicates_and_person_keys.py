"""Names of those who make duplicates; several keys of one person, and links that make them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("shared_deals", sa.Column("name", sa.String(24)))
    op.create_table(
        "person_keys",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("number", sa.SmallInteger, nullable=False),
        sa.Column("name", sa.String(24)),
        sa.Column("added_at", sa.BigInteger, nullable=False),
        sa.Column("signed_out", sa.Boolean, nullable=False),
        sa.UniqueConstraint("holder", "number", name="person_keys_by_number"),
    )
    op.create_table(
        "key_links",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("link", sa.String(64), nullable=False),
        sa.Column("made_by", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("key_links_by_link", "key_links", ["link"], unique=True)
