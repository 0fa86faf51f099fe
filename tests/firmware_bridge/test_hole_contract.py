"""The unit over its wire keeps the contracts: the sensor in the hole, the lamp ring, the buttons."""

from firmware_bridge import messages
from firmware_bridge.client import UnitButtons, UnitLamps
from tests.firmware_bridge.stepped import TICK, Stepped
from tests.hardware.hole_contract import HoleSensorContract
from tests.hardware.panel_contract import ButtonPanelContract, LampsContract


class UnitBench(Stepped):
    """The unit over its wire; it and the host take a turn every hundredth of a second."""

    def __init__(self):
        super().__init__(seed=2)
        self.sensor = self.host

    def listen(self, listener):
        self.host.attach(listener)
        self.turn(self.clock.t)

    def drive(self, t, occupied):
        self.run_until(t)
        self.unit.sense(t, occupied)

    def run_until(self, t):
        while self.clock.t + TICK <= t:
            self.turn(self.clock.t + TICK)
        self.turn(t)

    def turn(self, t):
        self.clock.t = t
        self.unit.step(t)
        self.host.pump(t)

    def close(self):
        self.host.close()


class TestHoleUnit(HoleSensorContract):
    make = UnitBench


class PanelBench(Stepped):
    def __init__(self):
        super().__init__(seed=4)
        self.lamps = UnitLamps(self.host, {"A": (255, 140, 0), "B": (0, 0, 255)})
        self.panel = UnitButtons(self.host)
        self.run(0.5)

    def look(self):
        self.run(0.05)
        shown = self.unit.lamps(self.clock.t)
        return "dark" if messages.SIGNALS[shown[0]] == "idle" else shown

    def press(self, button, chatter=0):
        for down in (True, False):
            for k in range(chatter):
                self.unit.press(self.clock.t + 0.002 * k, button, down)
                self.unit.press(self.clock.t + 0.002 * k + 0.001, button, not down)
            self.clock.t += 0.002 * chatter
            self.unit.press(self.clock.t, button, down)
            self.run(0.2)

    def close(self):
        self.host.close()


class TestUnitLamps(LampsContract):
    make = PanelBench


class TestUnitButtons(ButtonPanelContract):
    make = PanelBench
