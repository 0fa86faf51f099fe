"""The 20 hole's sensor in a match: the events of its changes, whether it is stuck, and whose disc it sees.

A flickering one is kept from the match: each change costs a write to the journal's disk and a look of the referee, and
a loose wire may flicker for days."""

import json
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from controller.journal import Journal
from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.referee.sensor import ask_about_missed
from controller.vision.readings import AT_HOLE, BoardReading
from firmware_bridge.tints import DiscTints
from hardware.devices import HoleEvent, Tint

BURST = 20  # changes that pass at once: more than any hand can seat and lift discs within 10 s
REGAIN = 0.5  # seconds after which one more may pass
OVER = 10.0  # seconds without a change: then the flicker is over
FLICKERS = say(
    "The hole's sensor flickers: only the camera counts until it is calm. Check its mounting, its plug, and stray "
    "light."
)


@dataclass
class FlickerFilter:
    """Passes a sensor's events on to `listener`, whichever sensor it is. Of one that flickers it passes that it can't
    tell, and after 10 s of calm its level. Thread-safe."""

    listener: Callable[[HoleEvent], None]
    now: Callable[[], float]
    _held: HoleEvent | None = None  # the newest change, while it flickers
    _spent_until: float = 0.0  # when a whole burst may pass again
    _over_at: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, event: HoleEvent) -> None:
        """Take a sensor's event: its listener."""
        with self._lock:
            now = self.now()
            self._settle(now)
            if event.tint is None:
                self._over_at = now + OVER
                changes = 1 + (event.missed or 0)
                self._spent_until = max(self._spent_until, now) + REGAIN * changes
            if self._held is not None:
                self._held = event if event.tint is None else self._held
            elif self._spent_until - now > REGAIN * BURST:
                self._held = event
                self.listener(replace(event, occupied=None, tint=None, missed=None))
            else:
                self.listener(event)

    def trouble(self) -> Message | None:
        """Whether it flickers, in a sentence. Call it regularly: it passes on the level once that is calm."""
        with self._lock:
            self._settle(self.now())
            return None if self._held is None else FLICKERS

    def _settle(self, now: float) -> None:
        if self._held is not None and now >= self._over_at:
            self.listener(replace(self._held, missed=0))
            self._held = None
            self._spent_until = now + REGAIN * BURST


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
            events.append(ev.HoleChanged(t=event.t, occupied=event.occupied, side=side))
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
