"""What was played: every match of the journal to look up, to step through, and in figures."""

from controller.history.archive import Archive

__all__ = ["Archive"]
