"""Device errors. Every message says what to do."""


class HardwareError(Exception):
    """Base class of this package's errors."""


class DriverMissing(HardwareError, ImportError):
    """A driver's library is not installed; the message says what to install."""


class DeviceNotFound(HardwareError, LookupError):
    """No such device, or it does not answer."""


class DeviceRefused(DeviceNotFound):
    """The device is there, but does not open, or gives nothing once it is open. If it worked before in this process, a
    new process may be able to use it."""


class DeviceExhausted(DeviceRefused):
    """The memory for the device has run out: libraries lose some whenever they open it, and only a new process gets it
    back."""


class DeviceLost(HardwareError, OSError):
    """A device that worked is gone: unplugged, stalled, or taken by another program."""


class DeviceStuck(HardwareError):
    """A call into a driver does not return: only a new process may be able to use the device."""


class BadFile(HardwareError, ValueError):
    """A file or recording that can't be read, or holds something else than it should; the message names it."""


class UnknownFault(HardwareError, ValueError):
    """The simulated table has no such fault; the message lists the known ones."""
