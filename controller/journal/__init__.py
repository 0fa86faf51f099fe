"""Storage: the log of events, pictures and facts in one SQLite file; backups, clips and exports beside it. All SQL of
the table is here and in `controller.views.history`, whose tables can be recomputed from the log."""

from controller.journal.backup import AutomaticBackups, check, restore
from controller.journal.events import Journal
from controller.journal.media import Picture, Pictures
from controller.journal.store import JOURNAL_ID, SCHEMA_VERSION, Facts, Stored
from controller.journal.tokens import TokenTable

__all__ = [
    "JOURNAL_ID",
    "SCHEMA_VERSION",
    "AutomaticBackups",
    "Facts",
    "Journal",
    "Picture",
    "Pictures",
    "Stored",
    "TokenTable",
    "check",
    "restore",
]
