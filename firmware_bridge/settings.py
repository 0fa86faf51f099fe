"""The unit's settings from the table's configuration."""

from dataclasses import dataclass
from typing import Literal, get_args

from firmware_bridge import messages
from firmware_bridge.errors import BadSetting

Sensor = Literal["plain", "reflective", "break-beam"]
"""How the sensor is built and wired.

| sensor      | wires to the unit                  | what a good one shows in the self-test with its lamp off  |
| ----------- | ---------------------------------- | --------------------------------------------------------- |
| plain       | its output                         | (not tested: the unit can't switch its lamp)              |
| reflective  | its output, its lamp and its light | no disc                                                   |
| break-beam  | its output, its lamp and its light | a disc                                                    |
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """`lockout`: seconds after a change in which further changes count as bounce. Its default outlasts the 10 ms for
    which contacts and comparators bounce. `active_low`: the pin is low while a disc is in the hole, as with the usual
    open-collector sensors. `sensor`: a plain one can't be tested."""

    lockout: float = 0.02
    active_low: bool = True
    sensor: Sensor = "plain"

    def orders(self) -> messages.Orders:
        """The orders for the unit, with dark lamps, and the first self-test. Raises `BadSetting`."""
        low, high = (ms / 1000 for ms in messages.LOCKOUT_MS)
        if not low <= self.lockout <= high:
            raise BadSetting(f"The hole sensor's lock-out is {self.lockout} s: set it between {low} and {high} s.")
        if self.sensor not in get_args(Sensor):
            raise BadSetting(f"There is no hole sensor {self.sensor!r}: use one of {', '.join(get_args(Sensor))}.")
        return messages.Orders(
            0, round(self.lockout * 1000), int(self.active_low), int(self.sensor != "plain"), 0, 0, 0, 0
        )
