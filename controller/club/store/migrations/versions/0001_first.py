"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _club() -> "sa.Column[str]":
    return sa.Column("club", sa.String(64), primary_key=True)


def upgrade() -> None:
    """Make the tables. They are written out: what this step makes must not change with today's `tables.py`."""
    op.create_table("clubs", _club(), sa.Column("version", sa.BigInteger, nullable=False))
    op.create_table(
        "events",
        _club(),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("journal", sa.String(64), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("journal_schema", sa.Integer, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_index("events_by_version", "events", ["club", "version"])
    op.create_table(
        "evenings",
        _club(),
        sa.Column("evening", sa.String(64), primary_key=True),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "decisions",
        _club(),
        sa.Column("evening", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tables",
        _club(),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("by_hand", sa.Boolean, nullable=False),
    )
    op.create_table(
        "people",
        _club(),
        sa.Column("plain", sa.String(80), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("last", sa.Float, nullable=False),
    )
    op.create_table(
        "credentials",
        _club(),
        sa.Column("holder", sa.String(80), primary_key=True),
        sa.Column("hashed", sa.String(200), nullable=False),
        sa.Column("expires", sa.Float),
    )
