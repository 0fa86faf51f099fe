"""The level of the contact in the 20 hole, with its bounce, leaning discs, skimming discs and faults."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hardware.simulated.faults import FaultPlan

BOUNCES = 2.0  # mean number of times that the contact opens again, like a small switch
BOUNCE_GAP = (0.0002, 0.0015)  # s between two edges: a few milliseconds in all
FAULTY_BOUNCES = (8, 25)
FAULTY_BOUNCE_GAP = (0.0005, 0.003)  # s: tens of milliseconds in all
LEANING_SHARE = 0.5  # of the leaning discs: those that reach the contact
LEANERS_SHARE = 0.85  # with the fault "leaners"
SKIM_SHARE = 0.3  # of the discs that cross the hole: those that touch the contact
SKIM_PULSE = (0.002, 0.008)  # s


@dataclass(slots=True)
class HoleContact:
    """The raw level over time. Changes are scheduled ahead and delivered when `advance` reaches them."""

    faults: FaultPlan
    random: np.random.Generator
    level: bool = False
    listeners: list[Callable[[float, bool], None]] = field(default_factory=list)
    _pressed: bool = False  # whether a disc presses on the contact, noticed or not
    _wanted: bool = False  # the level of the contact if it were not stuck
    _changes: int = 0
    _edges: list[tuple[float, int, bool | None]] = field(default_factory=list)  # None: the contact is no longer stuck
    _pushed: int = 0  # orders edges of the same time

    def seat(self, t: float) -> None:
        """A disc is flat in the hole from `t` on."""
        self._press(t, True)

    def lean(self, t: float) -> None:
        """A disc leans into the hole from `t` on; it may or may not reach the contact."""
        if self.random.random() < (LEANERS_SHARE if "leaners" in self.faults.names else LEANING_SHARE):
            self._press(t, True)

    def lift(self, t: float) -> None:
        """The hole is empty from `t` on."""
        self._press(t, False)

    def skim(self, t: float) -> None:
        """A disc crosses the hole; sometimes it touches the contact."""
        if not self._pressed and self.random.random() < SKIM_SHARE:
            self._push(t, True)
            self._push(t + self.random.uniform(*SKIM_PULSE), False)

    def advance(self, t: float) -> None:
        """Deliver every edge up to `t`."""
        while self._edges and self._edges[0][0] <= t:
            at, _, level = heapq.heappop(self._edges)
            if level is not None:
                self._wanted = level
            if (until := self.faults.stuck_until(at)) is not None:
                self._push(until, None)
            elif self._wanted != self.level:
                self.level = self._wanted
                for listener in self.listeners:
                    listener(at, self.level)

    def _press(self, t: float, pressed: bool) -> None:
        if pressed == self._pressed:
            return
        self._pressed = pressed
        self._changes += 1
        if self.faults.misses_edge(self._changes):
            return
        bounces, gap = int(self.random.poisson(BOUNCES)), BOUNCE_GAP
        if self.faults.bounces:
            bounces, gap = int(self.random.integers(*FAULTY_BOUNCES)), FAULTY_BOUNCE_GAP
        self._push(t, pressed)
        for _ in range(bounces):
            for level in (not pressed, pressed):
                t += self.random.uniform(*gap)
                self._push(t, level)

    def _push(self, t: float, level: bool | None) -> None:
        self._pushed += 1
        heapq.heappush(self._edges, (t, self._pushed, level))
