"""What can go wrong in the game's room. Every message says what to do; none needs a traceback."""

from collections.abc import Mapping


class ControllerError(Exception):
    """The base of all errors of this room."""


class BadInput(ControllerError, ValueError):
    """A file, a picture, a request or a setting that can't be used; the message says where and what would be right."""


class CalibrationFailed(BadInput):
    """The board was not found, or not well enough; the message names the trouble and what helps."""


class Refused(ControllerError):
    """A command that does not fit the match as it stands; the message is for the person who sent it."""


class NameTaken(Refused):
    """A player can't be given a name because another has it; `player` is that other."""

    def __init__(self, message: object, player: str) -> None:
        super().__init__(message)
        self.player = player


class JournalError(ControllerError):
    """The journal can't be opened or written; the message names the file and the way out."""


class DiskFull(JournalError):
    """The journal can't be written because the disk is full."""


class NotNow(ControllerError):
    """Something can't be looked up at the moment; the message says why, and when to try again."""


class Unreadable(ControllerError):
    """A match of the journal can't be read; the message names it, why, and what can be done."""


class Stale(Refused):
    """A command given on a state that has changed since; `changes` are the lines of the audit that it did not know."""

    def __init__(self, message: object, changes: tuple[Mapping[str, object], ...]) -> None:
        super().__init__(message)
        self.changes = changes
