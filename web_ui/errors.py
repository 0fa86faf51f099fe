"""What can go wrong in the scoreboard's room. Every message says what to do."""

from controller.errors import ControllerError


class WebError(ControllerError):
    """The base of all errors of this room."""


class AddressTaken(WebError, OSError):
    """The scoreboard can't listen where it was told to."""
