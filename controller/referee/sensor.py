"""The hole's sensor: how long discs stayed, whether sensor and camera are trusted, twenties without a camera."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.evidence import TABLE
from controller.referee.questions import question
from controller.referee.settings import SEATED
from controller.vision.readings import AT_HOLE, BoardReading

SURE = 6.0
"""Nats: the highest odds that it works, so that a few contradictions raise doubt. Judged."""
MAY_BE_BLIND = 3.5
"""Nats: the highest odds that the camera sees the hole's content, so that two contradictions raise doubt. Judged."""


@dataclass(frozen=True, slots=True)
class SensorHealth:
    """Whether the sensor, and the camera at the hole, are trusted: as long as each more likely works than not."""

    odds: float = SURE
    misses: float = -MAY_BE_BLIND  # the odds that the camera misses discs in the hole, but sees it empty
    blind: float = -MAY_BE_BLIND  # the odds that it can't tell the empty hole from a disc
    _filled: bool | None = None  # as the camera saw it last
    _level: bool | None = None
    _changed: float = -math.inf  # s: the sensor's last change by which the camera was weighed

    @property
    def believed(self) -> bool:
        """Whether the sensor is trusted."""
        return self.odds > 0

    @property
    def discs_unseen(self) -> bool:
        """Whether the camera misses discs in the hole."""
        return max(self.misses, self.blind) > 0

    @property
    def empty_unseen(self) -> bool:
        """Whether the camera mistakes the empty hole for a disc: one counts then only if the sensor reports it."""
        return self.blind > max(self.misses, 0)

    def _camera_compared(self, level: bool, *, shown: bool) -> "SensorHealth":
        """With the trust in the camera after a change of the sensor: a sensor that changes is alive.

        A camera that is blind there, or that misses a disc in it, is right half of the time.
        """
        wrong = TABLE["camera contradicts change"].value
        odds = math.log(0.5 / (1 - wrong if shown == level else wrong))
        misses = max(self.misses + odds, -MAY_BE_BLIND) if level else self.misses
        return replace(self, blind=max(self.blind + odds, -MAY_BE_BLIND), misses=misses)

    def after(self, state: MatchState, reading: BoardReading) -> "SensorHealth":
        """With the trust in both after the camera saw the hole filled or emptied.

        Nothing is compared while the camera is not sure of the hole, something hides the board, or the sensor has
        changed so recently that the disc may still move. A sensor that did not change and agrees proves nothing: a dead
        one agrees half of the time.
        """
        level, last = state.hole_level, state.hole[-1].t if state.hole else -math.inf
        if level is None or reading.obstructed:
            return self
        discs, health = [d for d in reading.discs if d.pose in AT_HOLE], self
        if self._changed < last <= reading.t:
            health = replace(self._camera_compared(level, shown=bool(discs)), _changed=last)
        unclear = reading.hole_unclear or any(d.pose == "leaning" or d.call == "close" for d in discs)
        if not unclear and reading.t - last >= SEATED:
            return health._sensor_compared(level, filled=bool(discs))
        return health

    def _sensor_compared(self, level: bool, *, filled: bool) -> "SensorHealth":
        works = self.odds
        if self._filled is not None and filled != self._filled:
            contradicts = TABLE["sensor misses"].value, TABLE["sensor contradicts, does not"].value
            if filled != level:
                works += math.log(contradicts[0] / contradicts[1])
            elif level != self._level:
                works = min(works - math.log(contradicts[1]), SURE)
        return replace(self, odds=works, _filled=filled, _level=level)


def twenty_alone(state: MatchState) -> list[ev.Event]:
    """The event for a disc that was just lifted out of the hole, if only the sensor noticed it.

    A disc that stayed long enough for a twenty counts for its owner if the unit measured its colour; else people are
    asked whose it was.
    """
    seen = [change for change in state.hole if change.occupied is not None]
    if not _in_play(state) or not seen or seen[-1] is not state.hole[-1] or not _just_lifted(seen):
        return []
    stay = takewhile(lambda change: change.occupied, reversed(seen[:-1]))
    side = next((change.side for change in stay if change.side is not None), None)
    number = state.game.round.number
    if side is not None:
        return [ev.DiscCounted(round=number, side=side, points=20)]
    does = {one: (ev.DiscCounted(round=number, side=one, points=20),) for one in state.sides}
    return [question(state, "whose_unseen", {**does, "nobody": ()})]


def _just_lifted(seen: Sequence[ev.HoleChange]) -> bool:
    """Whether a disc that stayed long enough for a twenty was lifted with the last change."""
    if seen[-1].occupied:
        return False
    spans, before = dwells(seen), dwells(seen[:-2])
    if not spans or spans[-1] < SEATED:
        return False
    chatters = len(before) == len(spans) and seen[-1].t - seen[-2].t < SEATED
    return not (chatters and before[-1] >= SEATED)  # then it was lifted with an earlier one


def _in_play(state: MatchState) -> bool:
    return not (state.paused or state.over or state.game.round.complete)


def ask_about_missed(state: MatchState | None, missed: int | None, *, sensor_alone: bool) -> list[ev.Event]:
    """The question whether a twenty is missing, if the sensor missed changes (None: nobody knows how many).

    It is asked if a disc certainly came and went, or may have where the sensor counts alone: a camera that counts sees
    such a disc, or asks about it. One open question is enough.
    """
    if state is None or not _in_play(state) or not (missed or (missed is None and sensor_alone)):
        return []
    if any(open_.asked.case == "gap" for open_ in state.questions.values()):
        return []
    return [question(state, "gap", {"agree": ()})]


def dwells(changes: Iterable[ev.HoleChange]) -> list[float]:
    """The time in seconds that each disc that came into the hole and left it was there.

    A gap shorter than `SEATED` is chatter of the contact: it is the same disc.
    """
    stays: list[tuple[float | None, float | None]] = []  # on and off; None: before the first change, after the last
    for change in changes:
        on, off = stays[-1] if stays else (None, None)
        if not change.occupied:
            if not stays:
                stays.append((None, change.t))
            elif off is None:
                stays[-1] = (on, change.t)
        elif not stays or (off is not None and change.t - off >= SEATED):
            stays.append((change.t, None))
        else:
            stays[-1] = (on, None)
    return [off - on for on, off in stays if on is not None and off is not None]
