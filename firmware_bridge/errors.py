"""Errors between the host and the microcontroller. Every message says what to do."""


class BridgeError(Exception):
    """Base class of this package's errors."""


class FlashFailed(BridgeError):
    """The firmware could not be installed; the message says what to try."""


class BadSetting(BridgeError, ValueError):
    """An invalid setting of the 20-hole unit; the message gives the valid range."""
