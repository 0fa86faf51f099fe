"""The club's database: what tables reported and what the organiser decided, as it came; all else is derived from it.

SQLite by default, PostgreSQL by its URL. Nothing else of the program knows which one it is.
"""

from controller.club.store.credentials import Credentials
from controller.club.store.store import Decision, Evening, Journal, Kept, Person, Store, TableOfClub

__all__ = ["Credentials", "Decision", "Evening", "Journal", "Kept", "Person", "Store", "TableOfClub"]
