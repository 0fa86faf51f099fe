"""Examines the 20-hole unit for the technician. Its events stay in the unit, for the table."""

from dataclasses import dataclass
from typing import Any

from firmware_bridge.client import HoleUnit
from firmware_bridge.settings import Settings
from hardware.devices import ByteLink, Clock

PATIENCE = 4.0  # seconds: a unit greets within one, and takes its settings and tests itself within another
TURN = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found. `frames`: the last hundred each way, decoded, one a line."""

    trouble: str | None  # what to mend, in a sentence
    occupied: bool | None
    unit: dict[str, Any] | None  # as `HoleUnit.statistics` has it; None when it did not answer
    frames: list[str]

    def words(self) -> str:
        """The unit in a line."""
        if self.unit is None:
            return "no answer"
        level = "a disc lies in the hole" if self.occupied else "the hole is empty"
        colours = "with" if self.unit["colour_sensor"] else "without"
        return (
            f"unit {self.unit['device']}, firmware {self.unit['firmware']}, {colours} colour sensor, "
            f"clock known to {self.unit['clock_error_ms']:.1f} ms: {level}"
        )


def examine(link: ByteLink, clock: Clock, settings: Settings | None = None, device: str | None = None) -> Examination:
    """Meets the unit, has it take its settings and test itself, and closes the link. Waits `PATIENCE` at most."""
    unit = HoleUnit(link, clock, settings=settings, device=device)
    give_up = clock.now() + PATIENCE
    try:
        while clock.now() < give_up:
            unit.pump(clock.now())
            if _told_all(unit, settings):
                break
            clock.sleep_until(clock.now() + TURN)
        figures = unit.statistics().get("unit")
        return Examination(trouble_of(unit), unit.occupied(), figures, unit.diagnostics())
    finally:
        unit.close()


def _told_all(unit: HoleUnit, settings: Settings | None) -> bool:
    figures = unit.statistics().get("unit")
    if figures is None or not figures["settings_in_force"]:
        return False
    tests_itself = settings is not None and settings.sensor != "plain" and figures["protocol"] != "1.0"
    return figures["self_test"] is not None or not tests_itself


def trouble_of(unit: HoleUnit) -> str | None:
    """What is wrong with a unit, its firmware's age included, in a sentence; or None."""
    trouble, figures = unit.trouble(), unit.statistics().get("unit")
    if trouble is None and figures is not None and not figures["firmware_current"]:
        return "The 20-hole unit has another firmware than this software: run `crokinole-table flash`."
    return trouble
