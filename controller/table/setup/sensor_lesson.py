"""Teaches the table which level of the hole's sensor means a disc: somebody puts one in and takes it out again. Sensors
that look the same differ: some pull their output low above a disc, others high. The lesson determines whether the
present polarity is wrong."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from controller.errors import Refused
from controller.journal import Journal
from controller.messages import Message, say
from controller.table.devices import POLARITY, low_when_occupied
from hardware.devices import HoleEvent, HoleSensor

PATIENCE = 60.0  # seconds without a change: nobody is there, or the sensor does not see the disc
LAIN = 0.5  # seconds that the disc must stay: hand and disc may pass the sensor several times before
Phase = Literal["put_in", "take_out", "learnt", "failed"]


class Lesson:
    """A lesson, starting with an empty hole. Times are seconds on one clock."""

    def __init__(self, now: float, level: bool) -> None:
        """`level`: the sensor's level for the empty hole; True is occupied."""
        self.phase: Phase = "put_in"
        self.inverted = level  # whether the sensor reports the empty hole as occupied; valid in the phase `learnt`
        self._began = self._since = now

    @property
    def goes_on(self) -> bool:
        return self.phase in ("put_in", "take_out")

    def heard(self, t: float, level: bool) -> None:
        """The sensor's level at `t`. Ignores a repeated level, and anything from before the lesson."""
        if not self.goes_on or t < self._began:
            return
        if self.phase == "put_in" and level != self.inverted:
            self.phase, self._since = "take_out", t
        elif self.phase == "take_out" and level == self.inverted:
            self.phase = "learnt" if t - self._since >= LAIN else "put_in"
            self._since = t

    def wait(self, now: float) -> None:
        """Give up after `PATIENCE` without a change."""
        if self.goes_on and now - self._since > PATIENCE:
            self.phase = "failed"

    def words(self) -> Message:
        match self.phase:
            case "put_in":
                return say("Put a disc into the hole.")
            case "take_out":
                return say("The sensor sees it. Take the disc out again.")
            case "learnt":
                return say("Learnt: the sensor tells a disc from the empty hole. Try the other colour too.")
            case "failed":
                return say(
                    "The sensor's level did not change and change back. Turn the sensor's screw, check its wires, "
                    "or try a lighter disc: one that is dark in infrared light is not seen."
                )


@dataclass
class SensorSetup:
    """Gives one lesson at a time, and then sets the learnt polarity."""

    journal: Journal
    sensor: Callable[[], HoleSensor | None]
    now: Callable[[], float]
    _lesson: Lesson | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, *, polarity_is_set: bool, disc_seen: bool) -> None:
        """Start a lesson. `disc_seen`: whether the camera sees a disc in the hole. Raises `Refused`."""
        sensor = self.sensor()
        level = sensor.occupied() if sensor else None
        if polarity_is_set:
            raise Refused(
                say(
                    "The configuration fixes which level means a disc: remove low_when_occupied from [hole] to have "
                    "it learnt."
                )
            )
        if level is None:
            raise Refused(say("The sensor has not said anything yet."))
        if disc_seen:
            raise Refused(say("Take the disc out of the hole first: the lesson begins with an empty hole."))
        with self._lock:
            self._lesson = Lesson(self.now(), level)

    def heard(self, event: HoleEvent) -> None:
        if event.tint is not None or event.occupied is None:
            return
        with self._lock:
            lesson = self._lesson
            if lesson is None or not lesson.goes_on:
                return
            lesson.heard(event.t, event.occupied)
        if lesson.phase == "learnt":
            self._keep_polarity(lesson)

    def _keep_polarity(self, lesson: Lesson) -> None:
        """Store the polarity that the lesson determined, and set it on the sensor."""
        low = low_when_occupied(None, self.journal.facts.get) != lesson.inverted
        self.journal.facts.keep(POLARITY, "low" if low else "high")
        if (sensor := self.sensor()) is not None:
            sensor.set_polarity(low)

    def newest(self) -> Lesson | None:
        """The lesson that goes on, or the last one; None before the first."""
        with self._lock:
            if self._lesson is not None:
                self._lesson.wait(self.now())
            return self._lesson
