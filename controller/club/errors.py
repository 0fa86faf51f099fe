"""What can go wrong in a club's hub. Every message says what to do."""

from controller.errors import ControllerError, Refused

__all__ = ["BadMessage", "ClubError", "Overtaken", "StoreError"]


class ClubError(ControllerError):
    """The base of this room's errors."""


class StoreError(ClubError):
    """The club's database can't be opened or written; the message names it without its password, and the way out."""


class Overtaken(Refused):
    """Somebody else decided something meanwhile: nothing was changed; look again and repeat."""


class BadMessage(ClubError, ValueError):
    """A message of a table that can't be taken: it is left in the table's journal, and changes nothing."""
