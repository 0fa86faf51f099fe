"""The host's side of the protocol without I/O or a clock: bytes in, events and bytes out, time as a parameter.

The unit's lines have levels and counts, so any of them may be lost: what was missed is the difference to the next."""

from collections import deque
from dataclasses import dataclass, replace
from typing import Literal

from firmware_bridge import messages
from hardware.devices import HoleCounts, HoleEvent, Signal, Tint

Sensor = Literal["plain", "reflective", "break-beam"]
"""How the sensor is built and wired.

| sensor      | wires to the unit                  | what a good one shows in the self-test with its lamp off  |
| ----------- | ---------------------------------- | --------------------------------------------------------- |
| plain       | its output                         | (not tested: the unit can't switch its lamp)              |
| reflective  | its output, its lamp and its light | no disc                                                   |
| break-beam  | its output, its lamp and its light | a disc                                                    |
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """`lockout`: seconds after a change in which further changes count as bounce. Its default outlasts the 10 ms for
    which contacts and comparators bounce. `active_low`: the pin is low while a disc is in the hole, as with the usual
    open-collector sensors. `sensor`: a plain one can't be tested."""

    lockout: float = 0.02
    active_low: bool = True
    sensor: Sensor = "plain"

    def orders(self) -> messages.Orders:
        """The orders for the unit, with dark lamps, and the first self-test."""
        return messages.Orders(
            0, round(self.lockout * 1000), int(self.active_low), int(self.sensor != "plain"), 0, 0, 0, 0
        )


# What is wrong with the unit, and what to do, for the page and the technician.

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


Button = Literal["undo", "confirm"]
ORDERS_EVERY = 1.0  # seconds
FRESH = 2.5  # seconds: a line that answers older orders lay in a buffer; two orders in a row are hardly ever lost
SILENT_AFTER = 2.0  # seconds: four lines in a row are hardly ever lost, and a later press would undo something else
TEST_AGAIN = 10.0  # seconds, after a bad self-test: somebody may be cleaning the sensor
STRANGE = 2 * messages.LONGEST  # bytes without a sound line: more than two damaged ones
LOGGED = 200  # lines
DRIFT = 600e-6  # seconds per second: 500 ppm is the most that Linux slews its clock, 100 ppm is a poor crystal


class UnitSession:
    """The protocol between one host and one unit, over any number of reconnections."""

    def __init__(self, settings: Settings, *, firmware: int, kept: HoleCounts | None, device: str | None) -> None:
        """`firmware`: our fingerprint; `kept`: the last counts that the table took in, None if it never met a unit;
        `device`: the expected unit's id in hex, None for any."""
        self.unit: messages.Status | None = None  # its last line; None before the first
        self.silent = False
        self.silences = self.damaged = 0
        self.log: deque[str] = deque(maxlen=LOGGED)  # a flight recorder: time, direction, line
        self._settings = settings
        self._firmware = firmware
        self._device = device
        self._orders = settings.orders()
        self._configured = 0  # `sent_ms` of the first orders with the present settings, or less
        self._due = 0.0
        self._lines = messages.Lines()
        self._strange = 0  # bytes since the last sound line
        self._unreachable: str | None = None
        self._refusal: str | None = None
        self._heard: float | None = None  # when the last line came, or when the session began
        self._counts = kept
        self._tinted: HoleCounts | None = None  # the counts of the last disc whose colour was reported
        self._offset = 0.0  # our time less the unit's
        self._newest = float("-inf")  # the time of the last event
        self._tested_at = 0.0

    # Calls that change the session.

    def lost(self, why: str) -> None:
        """The port is gone."""
        self._unreachable = why
        self._due = 0.0

    def connected(self) -> None:
        """The port is open. The unit that may be there begins like a new one."""
        if self._unreachable is not None:
            self._unreachable = self._heard = self.unit = None
            self.silent = False

    def configure(self, settings: Settings) -> None:
        """Change the settings."""
        orders = settings.orders()
        self._settings, self._configured = settings, self._orders.sent_ms + 1
        self._order(lockout_ms=orders.lockout_ms, active_low=orders.active_low)

    def show(self, signal: Signal, colour: tuple[int, int, int]) -> None:
        """Set the lamp ring's signal and colour: red, green and blue, 0 to 255."""
        red, green, blue = colour
        self._order(signal=messages.SIGNALS.index(signal), red=red, green=green, blue=blue)

    def test(self) -> None:
        """Have the unit test its sensor; a plain one can't be tested."""
        if self._settings.sensor != "plain":
            self._order(test=self._orders.test + 1)

    def _order(self, **changes: int) -> None:
        self._orders = self._orders._replace(**changes)
        self._due = 0.0

    def send(self, now: float) -> bytes:
        """The bytes to send now."""
        if now < self._due or self._unreachable is not None:
            return b""
        if self._found_bad() and now - self._tested_at > TEST_AGAIN:
            self.test()
            self._tested_at = now
        self._due = now + ORDERS_EVERY
        self._orders = self._orders._replace(sent_ms=max(int(now * 1000), self._orders.sent_ms + 1))
        line = messages.encode(messages.HOST, self._orders)
        self._note(now, "out", line)
        return line

    def receive(self, data: bytes, now: float) -> list[HoleEvent | Button]:
        """Take bytes from the unit, or none. Returns what they report, in order."""
        if self._heard is None:
            self._heard = now
        outputs: list[HoleEvent | Button] = []
        if not self.silent and now - self._heard > SILENT_AFTER:
            self.silent = True
            self.silences += 1
            outputs.append(self._event(now, None))
        self._strange += len(data)
        for line in self._lines.feed(data):
            self._note(now, "in", line)
            found = messages.decode(line)
            if found is None:
                self.damaged += 1
            else:
                self._strange = 0
                outputs += self._take(*found, now)
        return outputs

    # Queries.

    @property
    def answers(self) -> messages.Status | None:
        """The unit's last line; None while it does not answer."""
        return None if self.silent else self.unit

    def wake(self) -> float:
        """When `send` is next due."""
        return self._due

    def occupied(self) -> bool | None:
        """The hole's level; None while the unit does not answer, or does not sense yet."""
        unit = self.answers  # it senses once it has answered orders with the present settings
        return bool(unit.level) if unit and unit.heard_ms >= self._configured else None

    def trouble(self) -> str | None:
        """A sentence that says what is wrong; None if nothing is."""
        unit = self.answers
        if self._unreachable or (self._refusal and unit is None):
            return self._unreachable or self._refusal
        if unit is None:
            silence = NO_UNIT if self._strange > STRANGE else NO_ANSWER
            return silence if self.silent else None
        if unit.firmware != self._firmware:
            return OTHER_FIRMWARE
        if unit.flags & messages.COLOUR_SENSOR_LOST:
            return NO_COLOURS
        return self._found_bad()

    def _found_bad(self) -> str | None:
        """What the self-test found wrong."""
        tested = self.answers if self._settings.sensor != "plain" else None
        return self_test(self._settings.sensor, tested) if tested and tested.test else None

    def _note(self, now: float, direction: str, line: bytes) -> None:
        text = line[: messages.LONGEST].strip().decode("ascii", "backslashreplace")
        self.log.append(f"{now:.3f} {direction} {text}")

    # Receiving.

    def _take(self, word: str, numbers: list[int], now: float) -> list[HoleEvent | Button]:
        unit = messages.status(word, numbers)
        if unit is None:
            self._refusal = OTHER_FIRMWARE
            return []
        if self._device is not None and unit.device != int(self._device, 16):
            self._refusal = (
                f"Another 20-hole unit is plugged in: {unit.device:016x}, not {self._device}. Plug in the right one."
            )
            return []
        if not now - FRESH <= unit.heard_ms / 1000 <= self._orders.sent_ms / 1000:
            return []
        assert self._heard is not None
        before, age = self.answers, now - self._heard
        lag = now - unit.now_ms / 1000
        same_clock = self.unit is not None and self.unit.boot == unit.boot
        self._offset = min(lag, self._offset + DRIFT * age) if same_clock else lag
        self.unit, self._heard, self.silent, self._refusal = unit, now, False, None
        events = self._changes(unit, now, listening=before is not None) + self._colour(unit, now)
        return [*events, *(_presses(before, unit) if before else [])]

    def _changes(self, unit: messages.Status, now: float, *, listening: bool) -> list[HoleEvent]:
        """What happened since the last counts: exactly, with its times, as far as this line says it. `listening`:
        whether the line before was heard too."""
        known, counts = self._counts, HoleCounts(unit.boot, unit.rises, unit.falls)
        self._counts = counts
        level = bool(unit.level)
        changed = self._offset + unit.changed_ms / 1000
        changes = counts.since(known) if known else 0
        if changes == 0 and listening:
            return []
        if changes == 1:
            return [self._event(changed, level, counts)]
        if changes == 2 and listening:
            return [self._event(changed - unit.lasted_ms / 1000, not level), self._event(changed, level, counts)]
        if changes == 0 or (changes is None and listening):  # it restarted at once: no disc comes and goes so fast
            return [self._event(now, level, counts)]
        odd = changes % 2 if changes else 0  # then the last is the level's, which a restart must not lose
        before = replace(counts, rises=counts.rises - odd * level, falls=counts.falls - odd * (not level))
        missed = changes - odd if changes else changes
        return [self._event(now, None, before, missed), self._event(now, level, counts)]

    def _colour(self, unit: messages.Status, now: float) -> list[HoleEvent]:
        """The colour of the disc in the hole, once for each disc."""
        if not unit.clear or self._tinted == self._counts:
            return []
        self._tinted = self._counts
        return [replace(self._event(now, True), tint=Tint(unit.clear, unit.red, unit.green, unit.blue))]

    def _event(
        self, t: float, occupied: bool | None, counts: HoleCounts | None = None, missed: int | None = 0
    ) -> HoleEvent:
        """An event at `t`, but not before an earlier one: the estimate of the unit's clock improves."""
        self._newest = max(t, self._newest)
        return HoleEvent(self._newest, occupied, counts=counts, missed=missed)


def _presses(before: messages.Status, unit: messages.Status) -> list[Button]:
    """The presses between two lines of one boot."""
    if before.boot != unit.boot:
        return []
    undo: list[Button] = ["undo"] * (unit.undo - before.undo)
    return [*undo, *["confirm"] * (unit.confirm - before.confirm)]  # type: ignore[list-item]
