"""What the lamp ring shows: a pattern for each signal, so that nobody has to distinguish colours.

Runs on the microcontroller.
"""

from firmware_bridge.messages import SIGNALS

BRIGHTEST = 64  # of 255: 24 lamps of 60 mA then draw 360 mA, and a USB port gives 500
RED = (BRIGHTEST, 0, 0)
AMBER = (BRIGHTEST, BRIGHTEST // 2, 0)
DARK = (0, 0, 0)
STEP_MS = 50  # a twenty runs around the ring at 20 lamps a second
BLINK_MS = 125  # a foul blinks 4 times a second
PULSE_MS = 1000  # a check comes and goes once a second


def pixels(signal: int, colour: tuple[int, int, int], now_ms: int, count: int) -> list[tuple[int, int, int]]:
    """The colours of `count` lamps now, as red, green, blue. `signal` is an index of SIGNALS."""
    name = SIGNALS[signal]
    own = (colour[0] * BRIGHTEST // 255, colour[1] * BRIGHTEST // 255, colour[2] * BRIGHTEST // 255)
    if name == "turn":
        return [own] * count
    if name == "twenty":  # half the ring rotates
        first = now_ms // STEP_MS % count
        return [own if (k - first) % count < (count + 1) // 2 else DARK for k in range(count)]
    if name == "foul":
        return [DARK if now_ms // BLINK_MS % 2 else RED] * count
    if name == "check":
        rising = now_ms % PULSE_MS * 2 * BRIGHTEST // PULSE_MS
        level = min(rising, 2 * BRIGHTEST - rising)
        return [(AMBER[0] * level // BRIGHTEST, AMBER[1] * level // BRIGHTEST, 0)] * count
    return [DARK] * count
