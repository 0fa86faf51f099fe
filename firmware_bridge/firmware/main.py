"""The 20-hole unit's program for a Raspberry Pi Pico: its pins, its USB port, its watchdog. All else is in core.py.

On the microcontroller this file lies in the root, the package firmware_bridge beside it.
"""

import os
import select
import sys
import time

import micropython
from machine import WDT, WDT_RESET, Pin, reset, reset_cause, unique_id

from firmware_bridge import frames, messages
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.fingerprint import fingerprint
from firmware_bridge.firmware.journal import FileStore, Journal

HOLE_PIN = 15  # the sensor's output, pulled up: low when a disc lies in the hole, unless the host says otherwise
LED_PIN = 25  # the board's own lamp shows the level
EDGES = 64  # kept between two turns of the loop
WATCHDOG_MS = 8000  # the longest that an RP2040 knows is 8388
READ_AT_ONCE = 256
REPL_MARK = "start-repl"  # this file makes the next start end at the prompt


class Hole:
    """The pin: its edges with their times, caught by interrupt."""

    def __init__(self):
        self.pin = Pin(HOLE_PIN, Pin.IN, Pin.PULL_UP)
        self._ticks = [0] * EDGES  # ticks are small numbers on every board: to store one takes no memory
        self._levels = bytearray(EDGES)
        self._in = 0
        self._out = 0
        self._irq = None
        self._irq = self.pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def _edge(self, pin):
        ticks = time.ticks_us()
        level = pin.value()
        if self._irq is not None and self._irq.flags() == Pin.IRQ_FALLING | Pin.IRQ_RISING:
            self._keep(ticks, 1 - level)  # a whole pulse while interrupts were off, as during a write to flash
        self._keep(ticks, level)

    def _keep(self, ticks, level):
        following = (self._in + 1) % EDGES
        if following != self._out:
            self._ticks[self._in] = ticks
            self._levels[self._in] = level
            self._in = following

    def edges(self):
        """Each edge since the last call, as (ticks, level)."""
        while self._out != self._in:
            yield self._ticks[self._out], self._levels[self._out]
            self._out = (self._out + 1) % EDGES


class Uptime:
    """Microseconds since the start that never wrap, from ticks that do."""

    def __init__(self):
        self._ticks = time.ticks_us()
        self.us = 0

    def read(self):
        """Now. Call it more often than the ticks wrap (9 minutes on an RP2040)."""
        ticks = time.ticks_us()
        self.us += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self.us

    def of(self, ticks):
        """The moment of earlier `ticks`, as of the last `read`."""
        return max(0, self.us + time.ticks_diff(ticks, self._ticks))


def random32():
    """Four random bytes as a number."""
    return int.from_bytes(os.urandom(4), "little")


def read_waiting(port):
    """The bytes that have arrived; never waits."""
    data = b""
    while len(data) < READ_AT_ONCE and port.poll(0):
        byte = sys.stdin.buffer.read(1)
        if not byte:
            break
        data += byte
    return data


def run():
    """The unit, until the host asks for a restart."""
    uptime = Uptime()
    hole = Hole()
    led = Pin(LED_PIN, Pin.OUT)
    journal = Journal(FileStore("journal.bin"), random32())
    device = (unique_id() + bytes(8))[:8]
    firmware = fingerprint(frames.__file__.rsplit("/", 1)[0])
    unit = Unit(journal, device, random32(), int(reset_cause() == WDT_RESET), firmware, uptime.read(), hole.pin.value())
    port = select.poll()
    port.register(sys.stdin, select.POLLIN)
    micropython.kbd_intr(-1)  # else a byte 3 in a frame would end the program
    watchdog = WDT(timeout=WATCHDOG_MS)
    while unit.leave is None:
        watchdog.feed()
        data = read_waiting(port) if port.poll(1) else b""
        now_us = uptime.read()
        for ticks, level in hole.edges():
            unit.sense(uptime.of(ticks), level)
        unit.sense(now_us, hole.pin.value())
        if data:
            unit.receive(data, now_us)
        out = unit.step(now_us)
        if out:
            sys.stdout.buffer.write(out)
        led.value(unit.occupied)
    if unit.leave == messages.INTO_REPL:
        open(REPL_MARK, "w").close()
    reset()


if REPL_MARK in os.listdir():
    os.remove(REPL_MARK)  # and the watchdog, which nothing can stop, was not started
else:
    run()
