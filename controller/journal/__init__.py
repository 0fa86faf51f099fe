"""What the table keeps: the log of events in one SQLite file, and apart from it pictures, facts, backups and exports.

The room's only SQL beside that of `controller.views.history`, which keeps what can be computed from the log anew.
"""

from controller.journal.backup import JOURNAL_ID, Keeping, check, restore
from controller.journal.events import Journal, Row
from controller.journal.facts import Facts
from controller.journal.pictures import Picture, Pictures
from controller.journal.schema import MIGRATIONS, SCHEMA_VERSION

__all__ = [
    "JOURNAL_ID",
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "Facts",
    "Journal",
    "Keeping",
    "Picture",
    "Pictures",
    "Row",
    "check",
    "restore",
]
