"""How many wrong passwords may still come, and who was let in."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Nobody has guessed yet, and nobody was let in."""
    op.add_column("clubs", sa.Column("guesses_until", sa.Float, nullable=False, server_default="0"))
    op.create_table(
        "tokens",
        sa.Column("club", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(80), nullable=False),
        sa.Column("used", sa.Float, nullable=False),
    )
