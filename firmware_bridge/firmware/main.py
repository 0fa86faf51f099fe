"""The 20-hole unit's program for a Raspberry Pi Pico: its pins, USB port and watchdog. All else is in core.py.

On the microcontroller the package firmware_bridge is in the root folder, beside a main.py that calls `start`.
"""

import os
import select
import sys
import time

import micropython
from machine import ADC, I2C, WDT, WDT_RESET, Pin, reset, reset_cause, unique_id
from neopixel import NeoPixel

from firmware_bridge import messages
from firmware_bridge.firmware import ring
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.fingerprint import fingerprint
from firmware_bridge.firmware.tcs34725 import ColourSensor

HOLE_PIN = 15  # the sensor's output, pulled up: low while a disc is in the hole, unless the host sets otherwise
EMITTER_PIN = 14  # the sensor's lamp, on when high; optional
LIGHT_PIN = 26  # the sensor's analogue output; optional
I2C_BUS, SDA_PIN, SCL_PIN = 0, 4, 5  # the colour sensor; optional
RING_PIN, RING_LAMPS = 16, 24  # WS2812 lamps; a smaller ring ignores the rest
BUTTON_PINS = (18, 19)  # to ground when pressed, in the order of messages.BUTTONS
LED_PIN = "LED"  # the board's own lamp shows the level
EDGES = 64  # that can be kept between two turns of the loop
WATCHDOG_MS = 8000  # an RP2040 allows 8388 at most
READ_AT_ONCE = 256
TEST_SETTLE_MS = 2  # for phototransistor and comparator to follow the sensor's lamp
LAMPS_EVERY_MS = 25  # half a step of the fastest pattern
REPL_MARK = "start-repl"  # with this file, the next start ends at the prompt


class Hole:
    """The sensor's pin: its edges with their times.

    The interrupts are soft: the interpreter calls the handler after the edge, between two of its instructions. An
    edge's time is late by that delay. If two edges come before the first call, both calls find the level after the
    second edge.
    """

    def __init__(self):
        self.pin = Pin(HOLE_PIN, Pin.IN, Pin.PULL_UP)
        self._ticks = [0] * EDGES  # ticks are small integers on every board: storing one allocates no memory
        self._levels = bytearray(EDGES)
        self._in = 0
        self._out = 0
        self._level = self.pin.value()
        self.pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def _edge(self, pin):
        ticks = time.ticks_ms()
        level = pin.value()
        if level == self._level:
            self._keep(ticks, 1 - level)  # a whole pulse passed before this call
        self._keep(ticks, level)
        self._level = level

    def _keep(self, ticks, level):
        following = (self._in + 1) % EDGES
        if following != self._out:  # else so many edges came that it flickers: the level at the turn's end is enough
            self._ticks[self._in] = ticks
            self._levels[self._in] = level
            self._in = following

    def edges(self):
        """Each edge since the last call, as (ticks, level)."""
        while self._out != self._in:
            yield self._ticks[self._out], self._levels[self._out]
            self._out = (self._out + 1) % EDGES

    def forget(self):
        """Drop the edges since the last call: the self-test made them."""
        self._out = self._in
        self._level = self.pin.value()


class Beam:
    """The sensor's lamp and its light, for the self-test."""

    def __init__(self, hole):
        self._hole = hole
        self._emitter = Pin(EMITTER_PIN, Pin.OUT, value=1)
        self._light = ADC(LIGHT_PIN)

    def test(self):
        """Measure light and pin with the lamp on and off. Edges in these 6 ms do not count."""
        lit, level_lit = self._look()
        self._emitter.value(0)
        dark, level_dark = self._look()
        self._emitter.value(1)
        self._look()
        self._hole.forget()
        return lit, dark, level_lit, level_dark

    def _look(self):
        time.sleep_ms(TEST_SETTLE_MS)  # not sleep_us: sleep_ms lets pending soft interrupts run
        return self._light.read_u16(), self._hole.pin.value()


class Colours:
    """Measures a disc's colour once it has come to rest."""

    def __init__(self):
        self._sensor = ColourSensor(I2C(I2C_BUS, sda=Pin(SDA_PIN), scl=Pin(SCL_PIN), freq=100_000))
        self.fitted = self._sensor.fitted
        self._measuring = False

    def serve(self, unit, now_ms):
        """One turn."""
        if not self.fitted or not unit.wants_tint(now_ms):
            self._measuring = False
            return
        try:
            if not self._measuring:
                self._sensor.measure(now_ms)
                self._measuring = True
            elif counts := self._sensor.read(now_ms):
                unit.tint(counts)
        except OSError:
            self.fitted = False
            unit.flags |= messages.COLOUR_SENSOR_LOST


class Lamps:
    """The ring and the board's own lamp. The ring is written only when it changes: that takes 0.7 ms."""

    def __init__(self):
        self._own = Pin(LED_PIN, Pin.OUT)
        self._ring = NeoPixel(Pin(RING_PIN, Pin.OUT), RING_LAMPS)
        self._shown = None
        self._level = None
        self._due_ms = 0

    def serve(self, unit, now_ms):
        """One turn."""
        if unit.occupied != self._level:  # only then, because it is slow on a Pico W
            self._level = unit.occupied
            self._own.value(self._level)
        if now_ms < self._due_ms:
            return
        self._due_ms = now_ms + LAMPS_EVERY_MS
        signal, *colour = unit.lamps(now_ms)
        colours = ring.pixels(signal, colour, now_ms, RING_LAMPS)
        if colours != self._shown:
            for k in range(RING_LAMPS):
                self._ring[k] = colours[k]
            self._ring.write()
            self._shown = colours


class Uptime:
    """Milliseconds since the start, which never wrap, from ticks, which do."""

    def __init__(self):
        self._ticks = time.ticks_ms()
        self.ms = 0

    def read(self):
        """The present time. Call it before half the ticks have passed (6 days)."""
        ticks = time.ticks_ms()
        self.ms += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self.ms

    def of(self, ticks):
        """The time of `ticks` before the last `read`."""
        return max(0, self.ms + time.ticks_diff(ticks, self._ticks))


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
    """Run the unit until the host asks for a restart."""
    uptime = Uptime()
    hole = Hole()
    beam = Beam(hole)
    lamps = Lamps()
    colours = Colours()
    buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in BUTTON_PINS]
    unit = Unit(
        fingerprint(messages.__file__.rsplit("/", 1)[0]),
        int.from_bytes(unique_id(), "big"),
        int.from_bytes(os.urandom(4), "big"),
        (reset_cause() == WDT_RESET) * messages.BY_WATCHDOG + colours.fitted * messages.COLOUR_SENSOR,
    )
    port = select.poll()
    port.register(sys.stdin, select.POLLIN)
    micropython.kbd_intr(-1)  # otherwise a byte 3 in some noise would end the program
    watchdog = WDT(timeout=WATCHDOG_MS)
    while unit.leave is None:
        data = read_waiting(port) if port.poll(1) else b""
        now_ms = uptime.read()
        unit.receive(data, now_ms)
        for ticks, level in hole.edges():
            unit.sense(uptime.of(ticks), level)
        unit.sense(now_ms, hole.pin.value())
        for k, button in enumerate(buttons):
            unit.press(now_ms, k, 1 - button.value())
        if unit.test_due:
            unit.tested(*beam.test())
        colours.serve(unit, now_ms)
        lamps.serve(unit, now_ms)
        out = unit.step(now_ms)
        if out:
            sys.stdout.buffer.write(out)
        watchdog.feed()  # only after a whole turn: anything that hangs or fails causes a reset
    if unit.leave == messages.PROMPT:
        open(REPL_MARK, "w").close()
    reset()


def start():
    """Run the unit, or leave the prompt to the host if it asked for it before the restart."""
    if REPL_MARK in os.listdir():
        os.remove(REPL_MARK)  # the watchdog, which can't be stopped, has not been started
    else:
        run()
