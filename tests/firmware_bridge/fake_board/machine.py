"""A Pico's `machine` for MicroPython on a PC. Lines on the FIFO that BOARD_PINS names say what happens to it:

"pin N L" drives pin N to level L; "beam LIT DARK" is a break-beam sensor's light with its lamp on and off;
"tint C R G B" is what the colour sensor sees, if BOARD_COLOURS is set; "unplug-colours" takes it away; "hang" stops
the program.
BOARD_LEVEL is the level at which the hole's pin starts, BOARD_RESET the cause of this start, BOARD_WATCHDOG_MS the
watchdog's patience.
"""

import _thread
import os
import sys
import time

import micropython

PWRON_RESET, WDT_RESET = 1, 3
HOLE, EMITTER = 15, 14
_pins = {}
_levels = {HOLE: int(os.getenv("BOARD_LEVEL"))}  # of pins that the program has not opened yet
_beam = [0, 0]  # lit, dark
_tint = [400, 100, 150, 90]
_state = {"hang": False, "colours": os.getenv("BOARD_COLOURS") is not None}


class Pin:
    IN, OUT, PULL_UP = 0, 1, 1
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, number, mode=IN, pull=None, value=0):
        self._level = _levels.get(number, 1) if mode == Pin.IN else value
        self._number = number
        self._handler = None
        _pins[number] = self

    def value(self, level=None):
        while _state["hang"]:
            time.sleep_ms(5)
        if level is None:
            return self._level
        self._level = level
        if self._number == EMITTER and _beam[0]:
            _pins[HOLE].drive(level)  # without its lamp a beam is broken
        return None

    def irq(self, handler, trigger):
        self._handler = handler

    def drive(self, level):
        if level != self._level:
            self._level = level
            if self._handler is None:
                return
            try:  # noqa: SIM105  contextlib is not there
                micropython.schedule(self._handler, self)  # soft, as MicroPython's own: one call for each edge, later
            except RuntimeError:
                pass  # too many wait: the chip's port drops this one without a word, too


class ADC:
    def __init__(self, number):
        self.number = number

    def read_u16(self):
        return _beam[0 if _pins[EMITTER].value() else 1]


class I2C:
    """With a TCS34725 on it. Measures as slowly as the real one."""

    def __init__(self, bus, sda, scl, freq):
        self._registers = {0x12: b"\x44", 0x13: b"\x00", 0x00: b"\x00"}
        self._ready_ms = 0

    def readfrom_mem(self, address, register, count):
        self._require(address)
        assert register & 0xA0 == 0xA0
        register &= 0x1F
        if register == 0x13:
            return bytes([0x11 if time.ticks_diff(time.ticks_ms(), self._ready_ms) >= 0 else 0x10])
        if register == 0x14:
            return b"".join(n.to_bytes(2, "little") for n in _tint)[:count]
        return self._registers[register]

    def writeto_mem(self, address, register, data):
        self._require(address)
        register &= 0x1F
        self._registers[register] = data
        if register == 0x00 and data[0] == 3:
            cycles = 256 - self._registers[0x01][0]
            self._ready_ms = time.ticks_add(time.ticks_ms(), cycles * 24 // 10)

    def _require(self, address):
        if address != 0x29 or not _state["colours"]:
            raise OSError(5)


class WDT:
    """Once started it kills the process when it is not fed; nothing stops it."""

    def __init__(self, timeout):
        self._patience = int(os.getenv("BOARD_WATCHDOG_MS") or timeout)
        self.feed()
        _thread.start_new_thread(self._watch, ())

    def feed(self):
        self._fed = time.ticks_ms()

    def _watch(self):
        while time.ticks_diff(time.ticks_ms(), self._fed) < self._patience:
            time.sleep_ms(5)
        os.system("kill -9 $PPID")


def reset():
    sys.exit(3)


def reset_cause():
    return int(os.getenv("BOARD_RESET") or PWRON_RESET)


def unique_id():
    return b"PC000001"


def _follow(path):
    while True:
        with open(path) as f:
            for line in f:
                what, *numbers = line.split()
                numbers = [int(n) for n in numbers]
                if what == "pin" and numbers[0] not in _pins:
                    _levels[numbers[0]] = numbers[1]
                elif what == "pin":
                    _pins[numbers[0]].drive(numbers[1])
                elif what == "beam":
                    _beam[:] = numbers
                elif what == "tint":
                    _tint[:] = numbers
                elif what == "unplug-colours":
                    _state["colours"] = False
                elif what == "hang":
                    _state["hang"] = True


_thread.start_new_thread(_follow, (os.getenv("BOARD_PINS"),))
