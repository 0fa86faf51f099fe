"""The 20 hole's sensor in a match: the events of its changes, whether it is stuck, and whose disc it sees."""

import json
import math
from collections.abc import Callable, Sequence

from controller.journal import Journal
from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import say
from controller.referee.sensor import ask_about_missed
from controller.vision.readings import AT_HOLE, BoardReading
from firmware_bridge.tints import DiscTints
from hardware.devices import HoleEvent, Tint

FACT = "tints"  # the fact in which the journal stores what was learnt
STUCK = 2.0  # s of an occupied sensor over an empty hole: longer than any disc takes to fall or be lifted
STUCK_SENSOR = say(
    "The hole sensor reports a disc, but the hole is empty. Clean it, check its wire, or teach it "
    "with a disc on the set-up page."
)


class HoleWatch:
    """Follows the sensor of one table. Learns by the discs' colours, not sides, so that later matches benefit. For the
    engine's thread."""

    def __init__(self, journal: Journal, level: Callable[[], bool | None] = lambda: None) -> None:
        """`level`: the sensor's level, None for no answer."""
        self._journal = journal
        self._level = level
        self._compared = False  # whether the match's level was compared with the sensor's
        self._tints = journal.facts.read(FACT, lambda text: DiscTints(json.loads(text))) or DiscTints({})
        self._last: Tint | None = None  # the newest disc's

    def side(self, event: HoleEvent, state: MatchState | None) -> str | None:
        """The side whose disc looks like the event's; None if uncertain, or if the hole has changed."""
        self._last = event.tint
        guess = None if event.tint is None else self._tints.classify(event.tint)
        sides = [id_ for id_, side in _colours(state).items() if guess and guess.certain and side == guess.label]
        return sides[0] if len(sides) == 1 else None

    def events(self, event: HoleEvent, side: str | None, state: MatchState | None, *, alone: bool) -> list[ev.Event]:
        """The match's events of a change; a level that is known is none. `side`: the disc's, if it is known; `alone`:
        whether the sensor alone counts twenties."""
        events: list[ev.Event] = []
        if state is None or event.occupied != state.hole_level or side is not None:
            events.append(ev.HoleChanged.model_validate({"t": event.t, "occupied": event.occupied, "side": side}))
        return [*events, *ask_about_missed(state, event.missed, sensor_alone=alone)]

    def forget_level(self) -> None:
        """The match may have another level than the sensor: compare them at the next reading."""
        self._compared = False

    def unreported(self, state: MatchState | None) -> bool | None:
        """The sensor's level, if it changed while nobody listened; else None."""
        level = self._level()
        if state is None or self._compared or level is None:
            return None
        self._compared = True
        return level if level != state.hole_level else None

    def is_stuck(self, reading: BoardReading, state: MatchState | None) -> bool:
        """Whether the sensor reports a disc while the camera sees an empty hole: it is stuck or dirty."""
        level = self._level() if state is None else state.hole_level
        since = state.hole[-1].t if state is not None and state.hole else -math.inf
        at_hole = any(d.pose in AT_HOLE for d in reading.discs)
        return level is True and not at_hole and reading.t - since > STUCK

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Learn from a shot after which the camera saw a disc in the hole with certainty."""
        for event in events:
            if isinstance(event, ev.ShotSeen) and self._last is not None:
                sunk = [d for d, where in event.rest.items() if where == "hole" and d in event.measured]
                owner = state.game.round.owners.get(sunk[0]) if len(sunk) == 1 else None
                label = _colours(state).get(owner or "")
                if label and event.measured[sunk[0]].call == "sure":
                    self._tints.learn(label, self._last)
                    self._journal.facts.try_to_keep(FACT, json.dumps(self._tints.shown()))
                self._last = None


def _colours(state: MatchState | None) -> dict[str, str]:
    """Each side's colour, as far as people chose one."""
    return {id_: side.colour for id_, side in state.started.by_id.items() if side.colour} if state else {}
