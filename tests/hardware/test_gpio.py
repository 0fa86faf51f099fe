import logging
import sys
from contextlib import suppress
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.devices import HoleEvent, ManualClock, SystemClock
from hardware.errors import DeviceNotFound
from hardware.gpio import HOLE_LOCKOUT, GpioButtons, GpioHole, GpioLamps, header_chip, open_factory
from tests.hardware.hole_contract import HoleSensorContract
from tests.hardware.panel_contract import ButtonPanelContract, LampsContract


class Alarms:
    """Time that moves by hand, with what falls due on the way."""

    def __init__(self):
        self.clock = ManualClock()
        self._due = []
        self._count = 0

    def schedule(self, seconds, call):
        self._count += 1
        self._due.append((self.clock.t + seconds, self._count, call))

    def run_until(self, t):
        while self._due and min(self._due)[0] <= t:
            due = min(self._due)
            self._due.remove(due)
            self.clock.t = due[0]
            due[2]()
        self.clock.t = t


class PinBench:
    def __init__(self):
        self.factory = MockFactory()
        self.alarms = Alarms()
        self.sensor = GpioHole("17", self.alarms.clock, self.factory, schedule=self.alarms.schedule)
        self.pin = self.factory.pin(17)

    def listen(self, listener):
        self.sensor.start(listener)

    def drive(self, t, occupied):
        self.run_until(t)
        if occupied:
            self.pin.drive_low()
        else:
            self.pin.drive_high()

    def run_until(self, t):
        self.alarms.run_until(t)

    def close(self):
        self.sensor.close()


class TestGpioHole(HoleSensorContract):
    make = PinBench


@pytest.fixture
def bench():
    bench = PinBench()
    yield bench
    bench.close()


def test_a_level_that_changed_during_the_lock_out_is_reported_at_its_end(bench):
    events = []
    bench.listen(events.append)
    bench.drive(1.0, True)
    bench.drive(1.001, False)
    bench.run_until(1.0 + HOLE_LOCKOUT + 0.001)
    assert events == [HoleEvent(1.0, True), HoleEvent(1.0 + HOLE_LOCKOUT, False)]


def test_the_lock_out_and_the_level_are_those_that_were_asked_for():
    factory, clock, events = MockFactory(), ManualClock(2.0), []
    hole = GpioHole("17", clock, factory, low_when_occupied=False, lockout=0.5, schedule=lambda *_: None)
    hole.start(events.append)
    factory.pin(17).drive_high()
    clock.t = 2.4
    factory.pin(17).drive_low()
    assert events == [HoleEvent(2.0, True)]
    hole.close()


def test_the_kernels_debounce_is_off(bench):
    assert bench.pin.bounce is None


def test_a_failing_listener_stops_nothing_and_is_logged_once(bench, caplog):
    events = []

    def listener(event):
        if event.t < 5:
            raise RuntimeError("the queue is gone")
        events.append(event)

    bench.listen(listener)
    with caplog.at_level(logging.INFO, "hardware.gpio"):
        for k in range(4):
            bench.drive(1.0 + k, k % 2 == 0)
        assert len(caplog.records) == 1
        trouble = bench.sensor.trouble()
        assert "the queue is gone" in trouble
        bench.drive(6.0, True)
    assert events == [HoleEvent(6.0, True)]
    assert len(caplog.records) == 2
    assert bench.sensor.trouble() is None


def test_a_change_without_an_edge_is_reported_late_as_trouble(bench):
    events = []
    bench.listen(events.append)
    device = bench.sensor._device
    device.when_activated = device.when_deactivated = None  # lgpio's thread is dead
    bench.drive(1.0, True)
    assert bench.sensor.trouble() is None  # an edge may be on its way
    bench.run_until(2.0)
    assert "GPIO 17 misses edges (so far: 1)" in str(bench.sensor.trouble())
    assert events == [HoleEvent(2.0, True)]
    bench.run_until(3.0)
    bench.sensor.trouble()
    assert len(events) == 1


def test_the_lock_out_runs_on_real_timers():
    """With the driver's own scheduling: a level that changed in between arrives without another edge."""
    import queue

    factory = MockFactory()
    hole = GpioHole("17", SystemClock(), factory)
    events = queue.Queue()
    hole.start(events.put)
    factory.pin(17).drive_low()
    factory.pin(17).drive_high()
    first, second = events.get(timeout=10), events.get(timeout=10)
    assert (first.occupied, second.occupied) == (True, False)
    assert second.t - first.t >= HOLE_LOCKOUT
    hole.close()


@pytest.mark.parametrize("pin", ["99", "seventeen", "-3", ""])
def test_an_invalid_pin_is_refused_by_name(pin):
    with pytest.raises(DeviceNotFound, match=f"GPIO {pin} can't be used"):
        GpioHole(pin, ManualClock(), MockFactory())


def test_two_devices_on_one_pin_are_refused():
    factory = MockFactory()
    hole = GpioHole("17", ManualClock(), factory)
    with pytest.raises(DeviceNotFound, match="GPIO 17 is used twice"):
        GpioButtons({"undo": "5", "confirm": "17"}, ManualClock(), factory)
    with pytest.raises(DeviceNotFound, match="used twice"):
        GpioLamps({"A": "GPIO17"}, factory)  # the same pin by another name
    GpioButtons({"undo": "5"}, ManualClock(), factory).close()  # the refusal gave pin 5 back
    hole.close()


def lit(factory, pins):
    return {name for name, pin in pins.items() if factory.pin(int(pin)).state}


@pytest.mark.parametrize("lit", [True, False])
def test_the_buzzer_sounds_for_a_foul_and_not_for_a_turn(lit):
    factory = MockFactory()
    lamps = GpioLamps({"buzzer": "24"}, factory)
    lamps.show("turn", "A", lit=lit)
    assert not factory.pin(24).state
    lamps.show("foul", "A", lit=lit)
    buzzer = lamps._lamps["buzzer"]
    buzzer._blink_thread.join(timeout=10)
    assert [bool(state.state) for state in factory.pin(24).states].count(True) == 2
    lamps.close()


LAMP_PINS = {"A": "20", "B": "21", "twenty": "22", "foul": "23", "check": "24"}
BUTTON_PINS = {"undo": 5, "confirm": 6}


class GpioLampsBench:
    def __init__(self):
        self.factory = MockFactory()
        self.lamps = GpioLamps(LAMP_PINS, self.factory)

    def look(self):
        return {name for name, pin in LAMP_PINS.items() if self._lit(int(pin))}

    def _lit(self, number):
        pin = self.factory.pin(number)
        return pin.function == "output" and bool(pin.state)

    def close(self):
        self.lamps.close()


class TestGpioLamps(LampsContract):
    make = GpioLampsBench


class GpioButtonsBench:
    def __init__(self):
        self.alarms = Alarms()
        self.factory = MockFactory()
        self.panel = GpioButtons({"undo": "5", "confirm": "6"}, self.alarms.clock, self.factory, self.alarms.schedule)

    def press(self, button, chatter=0):
        pin = self.factory.pin(BUTTON_PINS[button])
        for last, other in ((pin.drive_low, pin.drive_high), (pin.drive_high, pin.drive_low)):
            for _ in range(chatter):
                last()
                self.alarms.run_until(self.alarms.clock.t + 0.001)
                other()
                self.alarms.run_until(self.alarms.clock.t + 0.001)
            last()
            self.alarms.run_until(self.alarms.clock.t + 0.2)

    def close(self):
        with suppress(Exception):
            self.panel.close()


class TestGpioButtons(ButtonPanelContract):
    make = GpioButtonsBench


def chips(folder, **labels):
    """Device files of GPIO chips, and how their labels are asked for; an error instead of a label is raised."""
    for name in labels:
        (folder / name).touch()

    def label(device):
        answer = labels[device.name]
        if isinstance(answer, OSError):
            raise answer
        return answer

    return label


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, 4),  # Linux 6.6 on a Pi 5
        ({"gpiochip10": "gpio-brcmstb@107d508500", "gpiochip15": "pinctrl-rp1"}, 15),  # Linux 6.12 on a Pi 5
        ({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, 0),
        ({"gpiochip0": "raspberrypi-exp-gpio", "gpiochip1": "pinctrl-bcm2835"}, 1),
        ({"gpiochip0": PermissionError(13, "Permission denied"), "gpiochip1": "pinctrl-rp1"}, 1),
        ({"gpiochip0": OSError(19, "No such device"), "gpiochip11": "pinctrl-rp1"}, 11),
    ],
)
def test_the_headers_chip_is_found_by_its_label(tmp_path, labels, number):
    assert header_chip(tmp_path, chips(tmp_path, **labels)) == number


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"gpiochip0": PermissionError(13, "Permission denied")}, r"may not open .*gpiochip0\. .*adduser"),
        ({"gpiochip0": "gpio-brcmstb@107d508500"}, r"no chip .*pinctrl-rp1.*gpiochip0 is gpio-brcmstb@107d508500"),
        ({}, r"there is no .*gpiochip\*"),
    ],
)
def test_without_the_headers_chip_the_true_cause_is_named(tmp_path, labels, words):
    with pytest.raises(DeviceNotFound, match=words) as raised:
        header_chip(tmp_path, chips(tmp_path, **labels))
    assert ("group" in str(raised.value)) == any(isinstance(label, OSError) for label in labels.values())


def test_the_found_chip_is_opened_also_by_a_gpiozero_that_chooses_by_itself(monkeypatch):
    opened = []
    lgpio = ModuleType("lgpio")
    lgpio.__getattr__ = lambda name: 0
    lgpio.gpiochip_open = opened.append
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio)
    del sys.modules["gpiozero.pins.lgpio"]
    from gpiozero.pins.lgpio import LGPIOFactory

    monkeypatch.setattr(LGPIOFactory, "__init__", lambda self, chip=None: opened.append(4))  # as 2.0.1 on a Pi 5
    assert open_factory(lambda: 11).chip == 11
    assert opened == [11]
