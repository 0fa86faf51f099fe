"""Whether sensor and camera are believed at the hole, from how often they agree as discs come and go."""

import math
from dataclasses import dataclass

from controller.match.state import MatchState
from controller.referee.evidence import TABLE, odds
from controller.referee.settings import HOLE
from controller.vision.readings import AT_HOLE, BoardReading

SURE = 6.0
"""Nats: the most that is believed of its health, so that it is doubted after a few contradictions. Judged."""


MAY_BE_BLIND = 3.5
"""Nats at most that the camera distinguishes an empty hole from a disc: doubted after two contradictions. Judged."""


@dataclass(slots=True)
class SensorHealth:
    """Whether the sensor is believed, and the camera at the hole: as long as each is likelier to work than not."""

    odds: float = SURE
    camera: float = MAY_BE_BLIND  # the odds that what the camera sees of the hole changes as discs come and go
    _filled: bool | None = None  # as the camera saw it last
    _level: bool | None = None
    _changed: float = -math.inf  # s: the sensor's last change by which the camera was weighed

    @property
    def believed(self) -> bool:
        """Whether what the sensor says counts."""
        return self.odds > 0

    @property
    def camera_believed(self) -> bool:
        """Whether a disc that the camera sees at the hole counts where the sensor feels none."""
        return self.camera > 0

    def _compare_camera(self, level: bool, *, shown: bool) -> None:
        """Weigh what the camera sees of the hole after the sensor has changed: a sensor that changes is alive.

        A camera that takes the empty hole for a disc, or a disc for the empty hole, is right half of the time.
        """
        wrong = TABLE["camera contradicts change"].value
        odds = math.log((1 - wrong if shown == level else wrong) / 0.5)
        self.camera = min(self.camera + odds, MAY_BE_BLIND)

    def compare(self, state: MatchState, reading: BoardReading) -> None:
        """Weigh what both say of the hole after the camera saw it filled or emptied.

        Nothing is weighed while the camera is not sure of the hole, something hides the board, or the sensor has
        changed so lately that the disc may still move. A sensor that did not change and agrees says nothing: a dead one
        agrees half of the time.
        """
        level, last = state.hole_level, state.hole[-1].t if state.hole else -math.inf
        if level is None or reading.obstructed:
            return
        discs = [d for d in reading.discs if d.pose in AT_HOLE]
        if self._changed < last <= reading.t:
            self._compare_camera(level, shown=bool(discs))
            self._changed = last
        unclear = reading.hole_unclear or any(d.pose == "leaning" or d.call == "close" for d in discs)
        if not unclear and reading.t - last >= HOLE.seated_seconds:
            self._compare_sensor(level, filled=bool(discs))

    def _compare_sensor(self, level: bool, *, filled: bool) -> None:
        if self._filled is not None and filled != self._filled:
            contradicts = TABLE["sensor contradicts, works"].value, TABLE["sensor contradicts, does not"].value
            if filled != level:
                self.odds += math.log(contradicts[0] / contradicts[1])
            elif level != self._level:
                self.odds = min(self.odds - math.log(contradicts[1]), max(SURE, odds("sensor works")))
        self._filled, self._level = filled, level
