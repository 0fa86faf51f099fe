"""The colour sensor TCS34725 on an I2C bus. Runs on the microcontroller.

Source of registers and values: the maker's data sheet (ams TCS3472, DN40).
"""

ADDRESS = 0x29
COMMAND = 0xA0  # command bit, and successive bytes from successive registers
ENABLE, ATIME, CONTROL, ID, STATUS, DATA = 0x00, 0x01, 0x0F, 0x12, 0x13, 0x14
KNOWN_IDS = (0x44, 0x4D)  # TCS34725 and TCS34727
POWER_ON, CONVERT = 0x01, 0x02
CYCLES = 20  # of 2.4 ms: one conversion takes 48 ms
GAIN_16 = 0x02  # a dark disc a few millimetres away still gives hundreds of counts
CONVERSION_MS = 12 * CYCLES // 5
VALID = 0x01


class ColourSensor:
    """The sensor on `bus`, a `machine.I2C`. No method waits for a missing sensor."""

    def __init__(self, bus: object) -> None:
        self._bus = bus
        self._started_ms = 0
        self.fitted = False
        try:
            self.fitted = self._get(ID, 1)[0] in KNOWN_IDS
            if self.fitted:
                self._set(ATIME, 256 - CYCLES)
                self._set(CONTROL, GAIN_16)
                self._set(ENABLE, POWER_ON)
        except OSError:
            self.fitted = False

    def measure(self, now_ms: int) -> None:
        """Begin a conversion. Raises OSError if the sensor is gone."""
        self._set(ENABLE, POWER_ON)
        self._set(ENABLE, POWER_ON | CONVERT)
        self._started_ms = now_ms

    def read(self, now_ms: int) -> tuple[int, int, int, int] | None:
        """Clear, red, green and blue of the last conversion; None until it has finished. Raises OSError."""
        if now_ms - self._started_ms < CONVERSION_MS:
            return None
        if not self._get(STATUS, 1)[0] & VALID:
            return None
        data = self._get(DATA, 8)
        clear, red, green, blue = (data[i] | data[i + 1] << 8 for i in (0, 2, 4, 6))
        return clear, red, green, blue

    def _get(self, register: int, count: int) -> bytes:
        return self._bus.readfrom_mem(ADDRESS, COMMAND | register, count)  # type: ignore[attr-defined,no-any-return]

    def _set(self, register: int, value: int) -> None:
        self._bus.writeto_mem(ADDRESS, COMMAND | register, bytes([value]))  # type: ignore[attr-defined]
