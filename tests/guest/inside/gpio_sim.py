"""A gpiochip whose pins the tests drive and read: the kernel's gpio-sim, with a Pi 4's name and number of lines."""

from functools import cache
from pathlib import Path

CONFIG = Path("/sys/kernel/config/gpio-sim/table")


class Chip:
    """The far ends of all pins."""

    def __init__(self):
        bank = CONFIG / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text("54")
        (bank / "label").write_text("pinctrl-bcm2711")
        (CONFIG / "live").write_text("1")
        device, chip = (CONFIG / "dev_name").read_text().strip(), (bank / "chip_name").read_text().strip()
        self._lines = Path("/sys/devices/platform") / device / chip

    def drive(self, pin, high):
        """Connect a pin to 3.3 V or to ground."""
        (self._lines / f"sim_gpio{pin}" / "pull").write_text("pull-up" if high else "pull-down")

    def level(self, pin):
        """What the pin shows."""
        return (self._lines / f"sim_gpio{pin}" / "value").read_text().strip() == "1"


@cache
def chip():
    """The one of this guest."""
    return Chip()
