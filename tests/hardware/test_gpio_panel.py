"""Lamps and buttons on the Pi's pins keep the contracts."""

from contextlib import suppress

from gpiozero.pins.mock import MockFactory

from hardware.devices import Buttons
from hardware.gpio import GpioButtons, GpioLamps
from tests.hardware.panel_contract import ButtonPanelContract, LampsContract
from tests.hardware.test_gpio import Alarms

LAMP_PINS = {"A": "20", "B": "21", "twenty": "22", "foul": "23", "check": "24"}
BUTTON_PINS = {"undo": 5, "confirm": 6}


class GpioLampsBench:
    def __init__(self) -> None:
        self.factory = MockFactory()
        self.lamps = GpioLamps(LAMP_PINS, self.factory)

    def look(self) -> object:
        return {name for name, pin in LAMP_PINS.items() if self._lit(int(pin))}

    def _lit(self, number: int) -> bool:
        pin = self.factory.pin(number)
        return pin.function == "output" and bool(pin.state)

    def close(self) -> None:
        self.lamps.close()


class TestGpioLamps(LampsContract):
    make = GpioLampsBench


class GpioButtonsBench:
    def __init__(self) -> None:
        self.alarms = Alarms()
        self.factory = MockFactory()
        self.panel = GpioButtons(Buttons(undo="5", confirm="6"), self.alarms.clock, self.factory, self.alarms.schedule)

    def press(self, button: str, chatter: int = 0) -> None:
        pin = self.factory.pin(BUTTON_PINS[button])
        for last, other in ((pin.drive_low, pin.drive_high), (pin.drive_high, pin.drive_low)):
            for _ in range(chatter):
                last()
                self.alarms.run_until(self.alarms.clock.t + 0.001)
                other()
                self.alarms.run_until(self.alarms.clock.t + 0.001)
            last()
            self.alarms.run_until(self.alarms.clock.t + 0.2)

    def close(self) -> None:
        with suppress(Exception):
            self.panel.close()


class TestGpioButtons(ButtonPanelContract):
    make = GpioButtonsBench
