"""Devices that may be missing: each is opened as soon as it is there, and says what is wrong with it."""

import logging
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from controller.messages import Message, say
from hardware.errors import HardwareError

log = logging.getLogger(__name__)


class Closes(Protocol):
    """Whatever is opened and given back."""

    def close(self) -> None:
        """Give the device back."""
        ...


D = TypeVar("D", bound=Closes)


class Supervised(Generic[D]):
    """A device of a table. `check` opens it as soon as it is there, and says what is wrong. For one thread."""

    def __init__(
        self, open_: Callable[[], D], begin: Callable[[D], None], trouble: Callable[[D], str | None] = lambda _: None
    ) -> None:
        """`begin` is called once with the opened device; `trouble` asks it how it is."""
        self.device: D | None = None
        self.trouble: Message | str | None = None
        """What was wrong with it at the last `check`; None when nothing was."""
        self._open = open_
        self._begin = begin
        self._ask_trouble = trouble

    def check(self) -> Message | str | None:
        """What is wrong with the device, or None; tries to open it where it is not open."""
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
        """Give the device back, if it was opened."""
        if self.device is not None:
            self.device.close()
