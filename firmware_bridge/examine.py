"""Examines the 20-hole unit for the technician, leaving its events for the table."""

from dataclasses import dataclass
from typing import Any

from firmware_bridge.client import HoleUnit
from firmware_bridge.settings import Settings
from hardware.devices import ByteLink, Clock

PATIENCE = 4.0  # seconds: a unit greets within one, and applies settings and tests itself within another
TURN = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Examination:
    """The result. `frames`: the last hundred in each direction, decoded, one per line."""

    trouble: str | None  # what to mend, in a sentence
    occupied: bool | None
    unit: dict[str, Any] | None  # from `HoleUnit.statistics`; None if it did not answer
    frames: list[str]

    def words(self) -> str:
        """One line about the unit."""
        if self.unit is None:
            return "no answer"
        level = "a disc lies in the hole" if self.occupied else "the hole is empty"
        colours = "with" if self.unit["colour_sensor"] else "without"
        return (
            f"unit {self.unit['device']}, firmware {self.unit['firmware']}, {colours} colour sensor, "
            f"clock known to {self.unit['clock_error_ms']:.1f} ms: {level}"
        )


def examine(link: ByteLink, clock: Clock, settings: Settings | None = None, device: str | None = None) -> Examination:
    """Connect, apply the settings, run the self-test, and close the link. Waits `PATIENCE` at most."""
    unit = HoleUnit(link, clock, settings=settings, device=device)
    give_up = clock.now() + PATIENCE
    try:
        while clock.now() < give_up:
            unit.pump(clock.now())
            if _is_complete(unit, settings):
                break
            clock.sleep_until(clock.now() + TURN)
        figures = unit.statistics().get("unit")
        return Examination(trouble_of(unit), unit.occupied(), figures, unit.diagnostics())
    finally:
        unit.close()


def _is_complete(unit: HoleUnit, settings: Settings | None) -> bool:
    figures = unit.statistics().get("unit")
    if figures is None or not figures["settings_in_force"]:
        return False
    tests_itself = settings is not None and settings.sensor != "plain" and figures["protocol"] != "1.0"
    return figures["self_test"] is not None or not tests_itself


def trouble_of(unit: HoleUnit) -> str | None:
    """A sentence that says what is wrong with a unit or its firmware's version; None if nothing is."""
    trouble, figures = unit.trouble(), unit.statistics().get("unit")
    if trouble is None and figures is not None and not figures["firmware_current"]:
        return "The 20-hole unit has another firmware than this software: run `crokinole-table flash`."
    return trouble
