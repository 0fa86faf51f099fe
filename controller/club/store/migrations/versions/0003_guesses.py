"""How many wrong passwords may still come: each process of the hub had a count of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Nobody has guessed yet."""
    for lane in ("strangers", "known"):
        op.add_column("clubs", sa.Column(f"{lane}_until", sa.Float, nullable=False, server_default="0"))
