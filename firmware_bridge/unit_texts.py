"""Messages about the unit for the page and the technician: what is wrong, and what to do."""

import logging

from firmware_bridge import messages
from firmware_bridge.settings import Sensor

NO_ANSWER = "The 20-hole unit does not answer: is its USB cable in?"
NO_UNIT = (
    "What is at the 20-hole unit's port speaks something else: name the right port, or put the firmware on the unit "
    "with `crokinole-table flash`."
)
OLD_FIRMWARE = (
    "The 20-hole unit's firmware is too old for its lamps, its buttons and its self-test: put this software's on it "
    "with `crokinole-table flash`."
)
NO_SETTINGS = "The 20-hole unit does not take its settings: unplug it and plug it in again."
UNWRITABLE = "The 20-hole unit can't write to its flash: twenties are lost if it is unplugged. Replace it."
DAMAGED = "The 20-hole unit's flash was damaged: check the last twenties, then unplug it and plug it in again."
FLICKERS = "The hole's sensor flickers: twenties may be missed. Check its mounting, its plug, and stray light."
FAULTS = (
    (messages.JOURNAL_UNWRITABLE, UNWRITABLE),
    (messages.JOURNAL_DAMAGED, DAMAGED),
    (messages.SENSOR_FLICKERS, FLICKERS),
)
"""The messages for the bits of `Pong.faults`, the worst first."""

FULL_SCALE = 65535
WEAK_BEAM = 0.05  # of full scale: 165 mV, 20 times the step of the Pico's converter (8.7 effective bits, RP2040 data)
STRAY_LIGHT = 0.5  # of full scale, with the lamp off: at most half is left for the beam


def wrong_unit(found: str, expected: str) -> str:
    """A device other than the configured one answers."""
    return f"Another 20-hole unit is plugged in: {found}, not {expected}. Plug in the right one."


def wrong_version(major: int) -> str:
    """The unit speaks another major version."""
    mend = (
        "put this software's firmware on it with `crokinole-table flash`"
        if major < messages.MAJOR
        else "update the table's software"
    )
    return f"The 20-hole unit speaks protocol {major}, this software {messages.MAJOR}: {mend}."


def self_test(sensor: Sensor, result: messages.SelfTestResult) -> str | None:
    """What a self-test found; None if the sensor works. The analogue output may rise or fall with the light."""
    if sensor == "plain":
        return None
    breaks = sensor == "break-beam"
    if bool(result.occupied_dark) != breaks:
        shows, why = ("no disc", "stray light") if breaks else ("a disc", "stray light, or its output lies on ground")
        return f"The hole's sensor is stuck: it shows {shows} with its lamp off. Look for {why} (wires at GP14, GP15)."
    strength = abs(result.lit - result.dark) / FULL_SCALE
    stray = (result.dark if result.lit >= result.dark else FULL_SCALE - result.dark) / FULL_SCALE
    lamp_is_seen = bool(result.occupied_lit) != breaks  # nothing in a beam, or a disc above a reflective sensor
    if lamp_is_seen and strength < WEAK_BEAM:
        return (
            f"The hole's sensor gets only {strength:.0%} of the light that it could: clean it, and check that lamp and "
            "receiver face each other (wires at GP14, GP26)."
        )
    if strength >= WEAK_BEAM and stray > STRAY_LIGHT:
        return f"Stray light is {stray:.0%} of what the hole's sensor can take: shade it, or move the lamp above it."
    return None


def log(message: messages.Log) -> tuple[int, str]:
    """The `logging` level and the text of a log line of the unit."""
    a, b = message.a, message.b
    match message.code:
        case messages.LOG_JOURNAL_DAMAGED:
            return logging.ERROR, f"its flash was damaged; {a} events could be read, the next has number {b}"
        case messages.LOG_JOURNAL_FULL:
            return logging.ERROR, f"its journal is full: event {a} found no place"
        case messages.LOG_EDGES_LOST:
            return logging.WARNING, f"the sensor flickers: {a} edges came faster than they could be taken"
        case messages.LOG_SLOW_TURN:
            return logging.WARNING, f"one turn of its loop took {a / 1000:.0f} ms"
        case messages.LOG_FLICKERED:
            return logging.WARNING, f"the sensor flickered: {a} changes that cancelled each other were not kept"
        case messages.LOG_COLOUR_SENSOR_LOST:
            return logging.WARNING, "its colour sensor stopped answering: check its wires (GP4, GP5)"
    return logging.INFO, f"log line {message.code} ({a}, {b}): its firmware is newer than this software"
