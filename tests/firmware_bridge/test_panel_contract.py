"""The lamp ring and the buttons on the unit keep the contracts."""

from firmware_bridge import messages
from firmware_bridge.client import UnitButtons, UnitLamps
from tests.firmware_bridge.stepped import Stepped
from tests.hardware.panel_contract import ButtonPanelContract, LampsContract


class UnitBench(Stepped):
    def __init__(self) -> None:
        super().__init__(seed=4)
        self.lamps = UnitLamps(self.host, {"A": (255, 140, 0), "B": (0, 0, 255)})
        self.panel = UnitButtons(self.host)
        self.run(0.5)

    def look(self) -> object:
        self.run(0.05)
        shown = self.unit.lamps(self.clock.t)
        return "dark" if messages.SIGNALS[shown.signal] == "idle" else shown

    def press(self, button: str, chatter: int = 0) -> None:
        for down in (True, False):
            for k in range(chatter):
                self.unit.press(self.clock.t + 0.002 * k, button, down)
                self.unit.press(self.clock.t + 0.002 * k + 0.001, button, not down)
            self.clock.t += 0.002 * chatter
            self.unit.press(self.clock.t, button, down)
            self.run(0.2)

    def close(self) -> None:
        self.host.close()


class TestUnitLamps(LampsContract):
    make = UnitBench


class TestUnitButtons(ButtonPanelContract):
    make = UnitBench
