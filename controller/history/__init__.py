"""What was played: every match of the journal to look up, to step through, and in figures."""

from controller.history.archive import Archive
from controller.history.summing import set_aside

__all__ = ["Archive", "set_aside"]
