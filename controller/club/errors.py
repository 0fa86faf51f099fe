"""The errors of a club's hub. Every message says what to do."""

from controller.errors import ControllerError, Refused


class ClubError(ControllerError):
    """The base of this room's errors."""


class StoreError(ClubError):
    """The club's database can't be opened or written; the message names it without its password, and the way out."""


class KeyTaken(StoreError):
    """Another process has written this row first."""


class Overtaken(Refused):
    """Somebody else was quicker: nothing was changed; look again and repeat."""
