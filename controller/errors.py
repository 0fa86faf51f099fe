"""The controller's errors. Every message says what to do; none needs a traceback."""

from collections.abc import Iterator
from typing import Literal

Offer = Literal["undo", "shot", "round", "clock", "next", "pause", "pin"]
"""A tool of the scorer's pages that leads on after a refusal: undo or redo, correct a shot, correct a round, the clock,
what the table waits for, pause, enter the PIN."""


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, its cause, the cause of that, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


class ControllerError(Exception):
    """Base class of this package's errors."""


class BadInput(ControllerError, ValueError):
    """An invalid file, picture, request or setting; the message says where, and what would be right."""


class CalibrationFailed(BadInput):
    """The board was not found, or not accurately enough; the message says why and what helps."""


class Refused(ControllerError):
    """A command that the match's state does not allow; the message is for its sender, and so are further attributes."""

    def __init__(self, message: object, offer: Offer | None = None) -> None:
        super().__init__(message)
        if offer:
            self.offer = offer


class NameTaken(Refused):
    """A player can't have a name because another `player` has it."""

    def __init__(self, message: object, player: str) -> None:
        super().__init__(message)
        self.player = player


class JournalError(ControllerError):
    """The journal can't be opened or written; the message names the file and says what to do."""


class NotAvailable(ControllerError):
    """Something can't be looked up at present; the message says why, and when to try again."""


class Unreadable(ControllerError):
    """A match of the journal can't be read; the message names it, why, and what can be done."""


class Stale(Refused):
    """A command based on an outdated state; `changes`: the audit's lines since then."""

    def __init__(self, message: object, changes: tuple[object, ...]) -> None:
        super().__init__(message)
        self.changes = changes
