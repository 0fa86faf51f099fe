"""Which evening is the present one: it was only known to the process that had opened it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """The evening that was begun last is the present one, as it was after a restart."""
    op.add_column("evenings", sa.Column("opened", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE evenings SET opened = version")
