"""`doctor --learn-sensor`: teaches the hole's sensor at a terminal, for a technician without a phone."""

from collections.abc import Callable

from controller.config import Config
from controller.errors import Refused
from controller.journal import Journal
from controller.table.devices import TableDevices
from controller.table.setup.sensor_lesson import Lesson, keep_polarity
from firmware_bridge.client import HoleUnit
from firmware_bridge.session import PING_EVERY
from hardware.devices import Clock, HoleSensor

ANSWER = 5.0  # seconds for a unit to greet and to apply settings: it needs one or two
LEVEL_KNOWN = 2 * PING_EVERY  # seconds within which a unit has reported its level, in an event or an answer to a ping
TURN = 0.05  # seconds between readings of the level


def teach(config: Config, clock: Clock, report: Callable[[str], None]) -> None:
    """Learn which level of the hole's sensor means a disc, and store it, as the page does. Raises `Refused` if nothing
    can be learnt, and `HardwareError` if the sensor can't be opened."""
    if config.hole.low_when_occupied is not None:
        raise Refused("[hole] low_when_occupied says already which level means a disc: take it out to have it learnt.")
    if not config.hole.spec.has_level:
        raise Refused(f"[hole] device = {config.hole.device!r} has no level to be learnt.")
    journal = Journal(config.table.journal)
    hole = TableDevices(config, clock, journal.facts.get).open_hole({}, lambda _: None)
    try:
        hole.start(lambda _: None)
        _wait_for_level(hole, clock)
        _wait_for_settings(hole, clock)
        lesson = Lesson(clock.now(), _wait_for_level(hole, clock))
        said = None
        while lesson.goes_on:
            if lesson.phase != said:
                report(str(lesson.words()))
                said = lesson.phase
            clock.sleep_until(clock.now() + TURN)
            level = hole.occupied()  # a unit reports its level each second, also while its events wait for the table
            if level is not None:
                lesson.heard(clock.now(), level)
            lesson.wait(clock.now())
        if lesson.phase == "failed":
            raise Refused(str(lesson.words()))
        keep_polarity(journal, hole, lesson)
        report(str(lesson.words()))
        _wait_for_settings(hole, clock)
    finally:
        hole.close()
        journal.close()


def _wait_for_level(hole: HoleSensor, clock: Clock) -> bool:
    give_up = clock.now() + ANSWER
    while (level := hole.occupied()) is None:
        if clock.now() > give_up:
            raise Refused(hole.trouble() or "The hole's sensor has not said anything.")
        clock.sleep_until(clock.now() + TURN)
    return level


def _wait_for_settings(hole: HoleSensor, clock: Clock) -> None:
    """Wait until a unit has applied our settings and reported its level; a bare pin needs no wait."""
    if not isinstance(hole, HoleUnit):
        return
    give_up = clock.now() + ANSWER
    while not hole.statistics().get("unit", {}).get("settings_in_force"):
        if clock.now() > give_up:
            raise Refused(
                hole.trouble() or "The hole's unit does not take its settings: unplug it and plug it in again."
            )
        clock.sleep_until(clock.now() + TURN)
    clock.sleep_until(clock.now() + LEVEL_KNOWN)
