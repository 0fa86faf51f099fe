"""The set-up of the hole's sensor: its lesson, and the page's text about it. `heard` is for the engine's thread."""

import threading
from collections.abc import Callable

from controller.errors import Refused
from controller.journal import Journal
from controller.messages import Message, say
from controller.table.devices import POLARITY, low_when_occupied
from controller.table.setup.sensor_lesson import Lesson
from hardware.devices import HoleEvent, HoleSensor


class SensorSetup:
    """Gives one lesson at a time, and then sets the learnt polarity."""

    def __init__(self, journal: Journal, sensor: Callable[[], HoleSensor | None], now: Callable[[], float]) -> None:
        self._journal = journal
        self._sensor = sensor
        self._now = now
        self._lesson: Lesson | None = None
        self._lock = threading.Lock()

    def begin(self, *, polarity_is_set: bool, disc_seen: bool) -> None:
        """Start a lesson. `disc_seen`: whether the camera sees a disc in the hole. Raises `Refused`."""
        sensor = self._sensor()
        level = sensor.occupied() if sensor else None
        if polarity_is_set:
            raise Refused(
                say(
                    "The settings say which level means a disc: take low_when_occupied out of [hole] to have it learnt."
                )
            )
        if level is None:
            raise Refused(say("The sensor has not said anything yet."))
        if disc_seen:
            raise Refused(say("Take the disc out of the hole first: the lesson begins with an empty hole."))
        with self._lock:
            self._lesson = Lesson(self._now(), level)

    def heard(self, event: HoleEvent) -> None:
        """The sensor changed."""
        if event.tint is not None:
            return
        with self._lock:
            lesson = self._lesson
            if lesson is None or not lesson.goes_on:
                return
            lesson.heard(event.t, event.occupied)
        if lesson.phase == "learnt":
            keep_polarity(self._journal, self._sensor(), lesson)

    def words(self) -> tuple[Message, bool] | None:
        """The lesson's words, and whether it goes on; None before the first."""
        with self._lock:
            if self._lesson is None:
                return None
            self._lesson.wait(self._now())
            return self._lesson.words(), self._lesson.goes_on

    def failed(self) -> bool:
        """Whether the last lesson failed."""
        with self._lock:
            return self._lesson is not None and self._lesson.phase == "failed"

    def learnt(self) -> bool:
        """Whether the polarity was ever learnt."""
        return self._journal.facts.get(POLARITY) is not None


def keep_polarity(journal: Journal, sensor: HoleSensor | None, lesson: Lesson) -> None:
    """Store the polarity that a lesson determined, and set it on the sensor."""
    low = low_when_occupied(None, journal.facts.get) != lesson.inverted
    journal.facts.keep(POLARITY, "low" if low else "high")
    if sensor is not None:
        sensor.set_polarity(low)
