"""The small parts of the firmware that touch a device through a thin interface: colour sensor and ring."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.firmware import ring
from firmware_bridge.firmware.tcs34725 import ADDRESS, CONVERSION_MS, ColourSensor
from firmware_bridge.messages import SIGNALS


class Bus:
    """An I2C bus with a TCS34725 on it, by its data sheet."""

    def __init__(self, identity=0x44):
        self.plugged = True
        self.registers = bytearray(0x1C)
        self.registers[0x12] = identity
        self.valid = True

    def readfrom_mem(self, address, register, count):
        self._require(address)
        start = register & 0x1F
        self.registers[0x13] = int(self.valid)
        return bytes(self.registers[start : start + count])

    def writeto_mem(self, address, register, data):
        self._require(address)
        start = register & 0x1F
        self.registers[start : start + len(data)] = data

    def _require(self, address):
        if not self.plugged or address != ADDRESS:
            raise OSError(5, "EIO")


def test_the_colour_sensor_is_set_up_and_read_when_it_is_ready():
    bus = Bus()
    sensor = ColourSensor(bus)
    assert sensor.fitted
    assert (256 - bus.registers[0x01]) * 2.4 == CONVERSION_MS
    bus.registers[0x14:0x1C] = b"\x92\x01\xb4\x00\x83\x00\x60\xff"
    sensor.measure(1000)
    assert bus.registers[0x00] == 3
    assert sensor.read(1000 + CONVERSION_MS - 1) is None
    bus.valid = False
    assert sensor.read(1000 + CONVERSION_MS) is None
    bus.valid = True
    assert sensor.read(1000 + CONVERSION_MS) == (402, 180, 131, 0xFF60)


def test_a_missing_sensor_another_chip_and_a_pulled_wire_are_noticed():
    nothing = Bus()
    nothing.plugged = False
    assert not ColourSensor(nothing).fitted
    assert not ColourSensor(Bus(identity=0x10)).fitted
    bus = Bus()
    sensor = ColourSensor(bus)
    bus.plugged = False
    with pytest.raises(OSError, match="EIO"):
        sensor.measure(0)


@given(
    st.integers(0, len(SIGNALS) - 1), st.tuples(*[st.integers(0, 255)] * 3), st.integers(0, 2**40), st.integers(1, 60)
)
def test_the_ring_never_draws_more_than_a_usb_port_gives(signal, colour, now_ms, count):
    lamps = ring.pixels(signal, colour, now_ms, count)
    assert len(lamps) == count
    assert all(0 <= part <= ring.BRIGHTEST for lamp in lamps for part in lamp)


def test_each_signal_has_a_pattern_of_its_own():
    def film(signal):
        """A second at 40 pictures a second, without colours."""
        moments = (ring.pixels(signal, (255, 255, 255), k * 25, 12) for k in range(40))
        return tuple("".join("x" if any(lamp) else "." for lamp in lamps) for lamps in moments)

    films = [film(k) for k in range(len(SIGNALS))]
    assert len(set(films)) == len(SIGNALS)
    assert films[SIGNALS.index("turn")] == ("x" * 12,) * 40
    assert films[SIGNALS.index("idle")] == ("." * 12,) * 40
    assert all(picture.count("x") == 6 for picture in films[SIGNALS.index("twenty")])
