"""The health of the hole's sensor: how likely it is that it works, from how often the camera agrees with it."""

import math
from dataclasses import dataclass

from controller.match.state import MatchState
from controller.referee.model.evidence import TABLE, odds
from controller.referee.settings import HOLE
from controller.vision.readings import AT_HOLE, BoardReading

SURE = 6.0
"""Nats: the most that is believed of its health, so that it is doubted after a few contradictions. Judged."""


@dataclass(slots=True)
class SensorHealth:
    """Whether the sensor is believed: for as long as it is likelier to work than not."""

    odds: float = SURE
    _filled: bool | None = None  # as the camera saw it last
    _level: bool | None = None

    @property
    def believed(self) -> bool:
        """Whether what the sensor says counts."""
        return self.odds > 0

    def compare(self, state: MatchState, reading: BoardReading) -> None:
        """Weigh what both say of the hole after the camera saw it filled or emptied.

        Nothing is weighed while the camera is not sure of the hole, something hides the board, or the sensor has
        changed so lately that the disc may still move. A sensor that did not change and agrees says nothing: a dead one
        agrees half of the time.
        """
        filled, level = any(d.pose == "in_hole" for d in reading.discs), state.hole_level
        unclear = any(d.pose in AT_HOLE and (d.pose == "leaning" or d.call == "close") for d in reading.discs)
        last = state.hole[-1].t if state.hole else -math.inf
        if level is None or unclear or reading.hole_unclear or reading.obstructed:
            return
        if reading.t - last < HOLE.seated_seconds:
            return
        if self._filled is not None and filled != self._filled:
            contradicts = TABLE["sensor contradicts, works"].value, TABLE["sensor contradicts, does not"].value
            if filled != level:
                self.odds += math.log(contradicts[0] / contradicts[1])
            elif level != self._level:
                self.odds = min(self.odds - math.log(contradicts[1]), max(SURE, odds("sensor works")))
        self._filled, self._level = filled, level
