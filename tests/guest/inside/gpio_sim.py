"""A gpiochip whose pins the tests drive and read: the kernel's gpio-sim, with a Pi 4's name and number of lines."""

import threading
from functools import cache
from pathlib import Path

from gpiozero import DigitalInputDevice
from gpiozero.pins.lgpio import LGPIOFactory

CONFIG = Path("/sys/kernel/config/gpio-sim/table")
SENTINEL = 26  # a pin of our own: when its edge was reported, those before it were
PATIENCE = 10.0  # s


class Chip:
    """The far ends of all pins."""

    def __init__(self) -> None:
        bank = CONFIG / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text("54")
        (bank / "label").write_text("pinctrl-bcm2711")
        (CONFIG / "live").write_text("1")
        device, chip = (CONFIG / "dev_name").read_text().strip(), (bank / "chip_name").read_text().strip()
        self._lines = Path("/sys/devices/platform") / device / chip

    def drive(self, pin: int, high: bool) -> None:
        """Connect a pin to 3.3 V or to ground."""
        (self._lines / f"sim_gpio{pin}" / "pull").write_text("pull-up" if high else "pull-down")

    def level(self, pin: int) -> bool:
        """What the pin shows."""
        return (self._lines / f"sim_gpio{pin}" / "value").read_text().strip() == "1"


class Sentinel:
    """Tells when every edge up to now has been reported: gpiozero reports all pins' edges in order on one thread."""

    def __init__(self, chip: Chip, factory: LGPIOFactory) -> None:
        self._chip = chip
        self._high = False
        chip.drive(SENTINEL, False)
        self._seen = threading.Event()
        self._device = DigitalInputDevice(SENTINEL, pull_up=None, active_state=True, pin_factory=factory)
        self._device.when_activated = self._device.when_deactivated = self._seen.set

    def wait(self) -> None:
        self._seen.clear()
        self._high = not self._high
        self._chip.drive(SENTINEL, self._high)
        assert self._seen.wait(PATIENCE)


@cache
def chip() -> Chip:
    """The one of this guest."""
    return Chip()
