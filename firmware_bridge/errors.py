"""What can go wrong between the host and the microcontroller. Every message says what to do."""


class BridgeError(Exception):
    """The base of all errors of this room."""


class FlashFailed(BridgeError):
    """The firmware could not be put on a unit; the message says what to try."""


class BadSetting(BridgeError, ValueError):
    """A setting of the 20-hole unit that can't be used; the message says what would be right."""
