"""The club's database: tables' events and the organiser's decisions, unchanged; everything else is derived from them.

SQLite by default, PostgreSQL by its URL. The rest of the program does not depend on the choice."""

from controller.club.store.store import (
    NO_EVENING,
    SILENT,
    ClubStore,
    Journal,
    StoredEvening,
    StoredEvent,
    TableOfClub,
    TableStatus,
)
from controller.club.store.tokens import HubTokens

__all__ = [
    "NO_EVENING",
    "SILENT",
    "ClubStore",
    "HubTokens",
    "Journal",
    "StoredEvening",
    "StoredEvent",
    "TableOfClub",
    "TableStatus",
]
