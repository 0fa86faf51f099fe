"""The tables of the club's database. Every row names its club, so that many clubs can share one PostgreSQL.

`version` counts the changes of a club: a write transaction takes the next number, which locks out all other writers of
the club until it ends. So the numbers follow the order in which changes become visible, and a reader at version 7 has
missed exactly the rows with a greater one."""

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

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
    # seconds since 1970 when all password attempts are there again: see `Credentials.take_attempt`
    Column("guesses_until", Float, nullable=False, server_default="0"),
)

EVENTS = Table(
    "events",
    METADATA,
    _club(),
    Column("table_id", String(LONGEST_ID), primary_key=True),
    Column("journal", String(LONGEST_ID), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # the event's own, in its table's journal
    Column("match", BigInteger, nullable=False),
    Column("at", Float, nullable=False),  # by the table's clock, for people; never used for ordering
    Column("kind", String(LONGEST_ID), nullable=False),
    Column("body", Text, nullable=False),  # JSON, as in the table's journal; null if it could not be sent
    Column("journal_schema", Integer, nullable=False),  # the version of its stored form
    Column("version", BigInteger, nullable=False),
    Index("events_by_version", "club", "version"),
)

EVENINGS = Table(
    "evenings",
    METADATA,
    _club(),
    Column("evening", String(LONGEST_ID), primary_key=True),
    Column("title", String(LONGEST_NAME), nullable=False),
    Column("at", Float, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("opened", BigInteger, nullable=False, server_default="0"),  # the version when it was last activated
)

DECISIONS = Table(
    "decisions",
    METADATA,
    _club(),
    Column("evening", String(LONGEST_ID), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("entry", Text, nullable=False),  # JSON: controller.club.tournament.record
    Column("who", String(LONGEST_NAME), nullable=False),
    Column("at", Float, nullable=False),
    Column("version", BigInteger, nullable=False),
)

TABLES = Table(
    "tables",
    METADATA,
    _club(),
    Column("table_id", String(LONGEST_ID), primary_key=True),
    Column("name", String(LONGEST_NAME), nullable=False),
    Column("by_hand", Boolean, nullable=False),  # a board without hardware: phones keep its score
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

PEOPLE = Table(
    "people",
    METADATA,
    _club(),
    Column("plain", String(LONGEST_NAME), primary_key=True),  # the normalized name
    Column("name", String(LONGEST_NAME), nullable=False),
    Column("last", Float, nullable=False),  # when this person was last entered
)

CREDENTIALS = Table(
    "credentials",
    METADATA,
    _club(),
    Column("holder", String(LONGEST_NAME), primary_key=True),  # "organiser", "join 3"
    Column("hashed", String(200), nullable=False),
    Column("expires", Float),  # seconds since 1970; none: never
)

TOKENS = Table(
    "tokens",
    METADATA,
    _club(),
    Column("hash", String(LONGEST_ID), primary_key=True),
    Column("kind", String(LONGEST_ID), nullable=False),  # as in `controller.api.Tokens`
    Column("holder", String(LONGEST_NAME), nullable=False),
    Column("used", Float, nullable=False),  # seconds since 1970: when it was last used, give or take an hour
)
