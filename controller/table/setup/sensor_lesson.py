"""The lesson by which the table learns which level of the hole's sensor means a disc: somebody puts one in and takes it
out again.

Sensors that look the same differ: some pull their output low above a disc, others high. The lesson determines whether
the present polarity is wrong.
"""

from typing import Literal

from controller.messages import Message, say

PATIENCE = 60.0  # seconds without a change: nobody is there, or the sensor does not see the disc
LAIN = 0.5  # seconds that the disc must stay: hand and disc may pass the sensor several times before

Phase = Literal["put_in", "take_out", "learnt", "failed"]


class Lesson:
    """A lesson, starting with an empty hole. Times are seconds on one clock."""

    def __init__(self, now: float, level: bool) -> None:
        """`level`: the sensor's level for the empty hole; True is occupied."""
        self.phase: Phase = "put_in"
        self._empty = level
        self._began = self._since = now

    @property
    def inverted(self) -> bool:
        """Whether the sensor reports the empty hole as occupied. Valid in the phase `learnt`."""
        return self._empty

    @property
    def goes_on(self) -> bool:
        """Whether it waits for somebody."""
        return self.phase in ("put_in", "take_out")

    def heard(self, t: float, level: bool) -> None:
        """The sensor's level at `t`. Ignores a repeated level, and anything from before the lesson."""
        if not self.goes_on or t < self._began:
            return
        if self.phase == "put_in" and level != self._empty:
            self.phase, self._since = "take_out", t
        elif self.phase == "take_out" and level == self._empty:
            self.phase = "learnt" if t - self._since >= LAIN else "put_in"
            self._since = t

    def wait(self, now: float) -> None:
        """Give up after `PATIENCE` without a change."""
        if self.goes_on and now - self._since > PATIENCE:
            self.phase = "failed"

    def words(self) -> Message:
        """The next instruction, or the result."""
        match self.phase:
            case "put_in":
                return say("Put a disc into the hole.")
            case "take_out":
                return say("The sensor sees it. Take the disc out again.")
            case "learnt":
                return say("Learnt: the sensor tells a disc from the empty hole. Try the other colour too.")
            case "failed":
                return say(
                    "The sensor's level did not change and change back. Turn the sensor's screw, look at its wires, or "
                    "try a lighter disc: one that is dark in infrared light is not seen."
                )
