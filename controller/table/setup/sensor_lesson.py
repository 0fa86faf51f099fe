"""How the table learns which level of the hole's sensor means a disc: somebody puts one in, and takes it out again.

Sensors that look alike differ: some pull their output low above a disc, others high. Here a level is what the sensor
says with the polarity that is set now. The lesson finds out whether that polarity is the wrong way round.
"""

from typing import Literal

from controller.messages import Message, say

PATIENCE = 60.0  # seconds without a change: nobody is there any more, or the sensor does not see the disc
LAIN = 0.5  # seconds that the disc must lie there: on their way in, hand and disc may pass the sensor several times

Phase = Literal["put_in", "take_out", "learnt", "failed"]


class Lesson:
    """Begins with an empty hole. Times are seconds on one clock."""

    def __init__(self, now: float, level: bool) -> None:
        """`level`: what the sensor says of the empty hole; True is occupied."""
        self.phase: Phase = "put_in"
        self._empty = level
        self._began = self._since = now

    @property
    def wrong_way_round(self) -> bool:
        """Whether the sensor took the empty hole for a full one. It holds once the phase is `learnt`."""
        return self._empty

    @property
    def goes_on(self) -> bool:
        """Whether it waits for a person."""
        return self.phase in ("put_in", "take_out")

    def heard(self, t: float, level: bool) -> None:
        """What the sensor said at `t`. A repeated level is ignored, and so is anything from before the lesson."""
        if not self.goes_on or t < self._began:
            return
        if self.phase == "put_in" and level != self._empty:
            self.phase, self._since = "take_out", t
        elif self.phase == "take_out" and level == self._empty:
            self.phase = "learnt" if t - self._since >= LAIN else "put_in"
            self._since = t

    def wait(self, now: float) -> None:
        """Give up when nothing came for too long."""
        if self.goes_on and now - self._since > PATIENCE:
            self.phase = "failed"

    def words(self) -> Message:
        """What to do next, or what came of it."""
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
