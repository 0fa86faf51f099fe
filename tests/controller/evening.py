"""An evening of the simulated players, seen by a camera that measures with noise and now and then misses a disc."""

import math
import random

from controller.simulation.setting import RulesUmpire
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import HoleEvent
from hardware.simulated.table import SimulatedTable
from tests.controller.fed_table import COLOUR, NOTHING, ReadTable, disc

SIDE = {colour: side for side, colour in COLOUR.items()}
NOISE = 0.05  # mm, of a place: what the painter's pictures are read with
STEP = 0.08  # s
REST = 0.16  # s without hand or motion before a board counts as still, as the gate has it
FOR_GOOD = 3600.0  # s: an evening that lasts longer has got stuck


class Onlooker:
    """Looks at a simulated table and reports to an engine what it sees."""

    def __init__(self, engine, seed, missed=0.0):
        self._engine = engine
        self._dice = random.Random(seed)
        self._missed = missed
        self._word, self._calm, self._read = "still", 0.0, False

    def look(self, t, scene):
        """What stands there now."""
        moving = any(math.hypot(d.vx, d.vy) > 1 for d in scene.discs)
        if scene.hands or moving:
            self._calm, self._read = t, False
        now = "hand" if scene.hands else "moving" if t - self._calm < REST else "still"
        if now != self._word:
            self._word = now
            self._engine.observe(GateChanged(t, now))
        if self._word == "still" and not self._read:
            self._read = True
            self._engine.observe(BoardRead(t, self._reading(t, scene), NOTHING))

    def _reading(self, t, scene):
        seen = (self._seen(d) for d in scene.discs if math.hypot(d.x, d.y) < 382.0)
        return BoardReading(tuple(d for d in seen if d is not None), False, 0.0, t)

    def _seen(self, d):
        side = SIDE[d.colour]
        x, y = d.x + self._dice.gauss(0, NOISE), d.y + self._dice.gauss(0, NOISE)
        if math.hypot(d.x, d.y) > 331.0:
            return disc(side, x, y, "ditch")
        if d.tilt > 3.0:
            return disc(side, x, y, "leaning")
        if d.z < -2.0:
            return disc(side, x, y, "in_hole")
        return None if self._dice.random() < self._missed else disc(side, x, y)


class Evening:
    """One match, played and followed."""

    def __init__(self, folder, seed, faults=(), missed=0.0, **start):
        self.followed = ReadTable(folder, **start)
        self.umpire = RulesUmpire(self.followed.state.game)
        self.table = SimulatedTable(self.umpire, seed=seed, faults=frozenset(faults))
        self.table.on_hole(lambda t, level: self.followed.engine.hole_changed(HoleEvent(t, level)))
        self.asked = set()
        self._onlooker = Onlooker(self.followed.engine, seed, missed)

    def play(self):
        """Until the board is swept after the last round."""
        self.followed.engine.on_happened.append(lambda events, state: self._note(events))
        while not self.table.over and self.table.t < FOR_GOOD:
            self.table.advance(self.table.t + STEP)
            self._onlooker.look(self.table.t, self.table.scene())

    def silently_wrong(self):
        """Rounds whose totals are not what happened, and of which nothing was asked: number, truth, told."""
        told = {r.number: r for r in self.followed.state.game.all_rounds}
        found = []
        for true in self.umpire.match.all_rounds:
            seen = told.get(true.number)
            totals = dict(seen.totals) if seen is not None else None
            if true.complete and totals != dict(true.totals) and true.number not in self.asked:
                found.append((true.number, dict(true.totals), totals))
        return found

    def _note(self, events):
        self.asked |= {event.round for event in events if event.kind == "question_asked"}


def shots_of(match):
    """How many shots were played."""
    return sum(len(r.shots) for r in match.all_rounds)
