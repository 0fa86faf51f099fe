"""The tables of the club's database: one log of events, and beside it what is no event. Every row names its club, so
that many clubs can share one PostgreSQL.

`version` counts the changes of a club: a write transaction takes the next number, which locks out all other writers of
the club until it ends. So the numbers follow the order in which changes become visible, and a reader at version 7 has
missed exactly the rows with a greater one."""

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, String, Table, Text

LONGEST_ID = 64  # characters of a club's, a table's or a journal's id
LONGEST_NAME = 80  # characters of what people call something
METADATA = MetaData()


def _club() -> Column[str]:
    return Column("club", String(LONGEST_ID), primary_key=True)


CLUBS = Table(
    "clubs",
    METADATA,
    _club(),
    Column("version", BigInteger, nullable=False),
    # seconds since 1970 when all password attempts are there again: see `HubTokens.take_attempt`
    Column("guesses_until", Float, nullable=False, server_default="0"),
)

EVENTS = Table(
    "events",
    METADATA,
    _club(),
    Column("table_id", String(LONGEST_ID), primary_key=True),  # "" for the hub's own
    Column("journal", String(LONGEST_ID), primary_key=True),  # of the hub's own: the evening, or "club"
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # the event's own, in its journal
    Column("match", BigInteger, nullable=False),
    Column("at", Float, nullable=False),  # by the table's clock, for people; never used for ordering
    Column("kind", String(LONGEST_ID), nullable=False),
    Column("body", Text, nullable=False),  # JSON, as in the journal; null if it could not be sent
    Column("journal_schema", Integer, nullable=False),  # the version of its stored form
    Column("version", BigInteger, nullable=False),
    Index("events_by_version", "club", "version"),
)

REPORTS = Table(
    "reports",
    METADATA,
    _club(),
    Column("table_id", String(LONGEST_ID), primary_key=True),  # "" for requests without a valid token
    Column("seen", Float, nullable=False),  # seconds since 1970: when it was last heard, 0 when it had gone
    Column("answer", Text, nullable=False),  # JSON: what it says to its assignment
    Column("trouble", Text, nullable=False),  # JSON: a message, what was wrong with what it sent
)

TOKENS = Table(
    "tokens",
    METADATA,
    _club(),
    Column("hash", String(LONGEST_ID), primary_key=True),
    Column("kind", String(LONGEST_ID), nullable=False),  # as in `controller.api.Tokens`, "join", "password" or "secret"
    Column("holder", String(LONGEST_NAME), nullable=False),
    Column("used", Float, nullable=False),  # seconds since 1970: when it was last used, give or take an hour
)
