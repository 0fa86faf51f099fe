"""What can go wrong with a device. Every message says what to do."""


class HardwareError(Exception):
    """The base of all errors of this room."""


class DriverMissing(HardwareError, ImportError):
    """A driver's library is not installed; the message says what to install."""


class DeviceNotFound(HardwareError, LookupError):
    """No such device, or it does not answer."""


class DeviceLost(HardwareError, OSError):
    """A device that worked went away: unplugged, stalled, taken by another program."""


class DeviceStuck(HardwareError):
    """A call into a driver does not come back: this process can't use the device any more, a new one may."""


class BadRecording(HardwareError, ValueError):
    """A recording folder or picture that can't be read; the message names the file and the line."""


class UnknownFault(HardwareError, ValueError):
    """A fault that the simulated table does not know; the message lists those that it does."""
