"""A Pico's `machine` for MicroPython on a PC. Lines "<pin> <0|1>" on the FIFO that BOARD_PINS names drive its pins.

BOARD_LEVEL is the level at which the input pins start.
"""

import _thread
import os
import sys

import micropython

PWRON_RESET, WDT_RESET = 1, 3
_pins = {}


class _Irq:
    def __init__(self):
        self.seen = 0
        self.taken = 0

    def flags(self):
        return self.taken


class Pin:
    IN, OUT, PULL_UP = 0, 1, 1
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, number, mode, pull=None):
        self._level = int(os.getenv("BOARD_LEVEL")) if mode == Pin.IN else 0
        self._handler = None
        self._irq = _Irq()
        _pins[number] = self

    def value(self, level=None):
        if level is not None:
            self._level = level
        return self._level

    def irq(self, handler, trigger):
        self._handler = handler
        return self._irq

    def drive(self, level):
        if level != self._level:
            self._level = level
            waiting = self._irq.seen
            self._irq.seen |= Pin.IRQ_RISING if level else Pin.IRQ_FALLING
            if not waiting:  # else the handler finds both edges at once, as on the chip
                micropython.schedule(self._interrupt, None)

    def _interrupt(self, _):
        self._irq.taken = self._irq.seen
        self._irq.seen = 0
        self._handler(self)


class WDT:
    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        pass


def reset():
    sys.exit(3)


def reset_cause():
    return PWRON_RESET


def unique_id():
    return b"PC000001"


def _follow(path):
    while True:
        with open(path) as f:
            for line in f:
                number, level = line.split()
                _pins[int(number)].drive(int(level))


_thread.start_new_thread(_follow, (os.getenv("BOARD_PINS"),))
