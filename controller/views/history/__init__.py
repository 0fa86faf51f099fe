"""The history: every match of the journal, to look up, to step through, and in figures."""

from controller.views.history.archive import Archive
from controller.views.history.statistics import Selection

__all__ = ["Archive", "Selection"]
