"""Devices that may be missing: each is opened as soon as it appears, and its trouble is reported."""

import logging
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from controller.messages import Message, say
from hardware.errors import HardwareError

log = logging.getLogger(__name__)


class Closes(Protocol):
    """Anything that can be closed."""

    def close(self) -> None:
        """Close the device."""
        ...


D = TypeVar("D", bound=Closes)


class Supervised(Generic[D]):
    """A device of a table, opened and checked by `check`. Not thread-safe."""

    def __init__(
        self, open_: Callable[[], D], begin: Callable[[D], None], trouble: Callable[[D], str | None] = lambda _: None
    ) -> None:
        """`begin` is called once with the opened device; `trouble` returns what is wrong with it, if anything."""
        self.device: D | None = None
        self.trouble: Message | str | None = None
        """The result of the last `check`."""
        self._open = open_
        self._begin = begin
        self._ask_trouble = trouble

    def check(self) -> Message | str | None:
        """What is wrong with the device, or None; tries to open it first if it is not open."""
        self.trouble = self._check()
        return self.trouble

    def _check(self) -> Message | str | None:
        try:
            if self.device is None:
                self.device = self._open()
                self._begin(self.device)
            return self._ask_trouble(self.device)
        except HardwareError as error:
            return str(error)
        except Exception:  # a fault in one driver must not keep the other devices from being checked
            log.exception("A device failed")
            return say("Something went wrong inside with a device; the log says what.")

    def close(self) -> None:
        """Close the device, if it was opened."""
        if self.device is not None:
            self.device.close()
