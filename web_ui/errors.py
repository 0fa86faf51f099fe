"""The scoreboard's errors. Every message says what to do."""

from controller.errors import ControllerError


class WebError(ControllerError):
    """The base of all errors of this room."""


class AddressUnavailable(WebError, OSError):
    """The server can't listen on the configured address, for example because it is already in use."""
