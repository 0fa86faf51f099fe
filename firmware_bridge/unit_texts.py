"""Messages about the unit for the page and the technician: what is wrong, and what to do."""

from firmware_bridge import messages
from firmware_bridge.settings import Sensor

NO_ANSWER = "The 20-hole unit does not answer: is its USB cable in?"
NO_UNIT = (
    "What is at the 20-hole unit's port speaks something else: name the right port, or put the firmware on the unit "
    "with `crokinole-table flash`."
)
OTHER_FIRMWARE = "The 20-hole unit has another firmware than this software: run `crokinole-table flash`."
NO_COLOURS = "The 20-hole unit's colour sensor stopped answering: check its wires (GP4, GP5)."

FULL_SCALE = 65535
WEAK_BEAM = 0.05  # of full scale: 165 mV, 20 times the step of the Pico's converter (8.7 effective bits, RP2040 data)
STRAY_LIGHT = 0.5  # of full scale, with the lamp off: at most half is left for the beam


def wrong_unit(found: str, expected: str) -> str:
    """A device other than the configured one answers."""
    return f"Another 20-hole unit is plugged in: {found}, not {expected}. Plug in the right one."


def self_test(sensor: Sensor, result: messages.Status) -> str | None:
    """What a self-test found; None if the sensor works. The analogue output may rise or fall with the light."""
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
