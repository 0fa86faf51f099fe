"""The whole bridge under everything that can go wrong, seeded: the unit's core, the wire, the shipped session.

HOLE_UNIT_RUNS sets how many seeds are run.
"""

import os
import random
from dataclasses import dataclass, field

from firmware_bridge.client import HoleUnit
from firmware_bridge.delivery import Gap, Report
from firmware_bridge.virtual import VirtualUnit
from firmware_bridge.wire import WireFaults
from hardware.devices import HoleEvent, ManualClock, Tint
from tests.slow import slow

RUNS = int(os.environ.get("HOLE_UNIT_RUNS", "100"))
TICK = 0.03
TINT = (402, 180, 131, 96)
BUSY, SETTLED_WITHIN = 42.0, 120.0  # seconds of a run with trouble, and at most until everything is reported afterwards


@dataclass
class Disk:
    """The host's journal: what survives a crash."""

    cursors: dict[int, int] = field(default_factory=dict)
    committed: list[HoleEvent] = field(default_factory=list)
    missing: set[int] = field(default_factory=set)

    def commit(self, report: Report) -> None:
        assert report.stream is not None
        assert report.sequence is not None
        if isinstance(report, Gap):
            self.missing |= set(range(report.first, report.sequence + 1))
        else:
            self.committed.append(report)
        self.cursors[report.stream] = report.sequence


class Storm:
    """One run: a hole that changes twice a second, or in every fourth run fast enough for flicker, and trouble."""

    def __init__(self, seed: int, *, capacity: int = 256, careless: bool = False) -> None:
        self.random = random.Random(seed)
        self.pause = 0.475 if seed % 4 else 0.075  # seconds, the mean
        self.careless = careless  # acknowledges before the commit: the fault that this test must be able to see
        self.clock = ManualClock()
        self.unit = VirtualUnit(seed=seed, faults=WireFaults(rate=0.25), capacity=capacity)
        self.disk = Disk()
        self.unit.tint = TINT
        self.truth: dict[int, tuple[bool, bool]] = {}  # level, and whether a colour was measured
        self.occupied = False
        self.plug_at: float | None = None
        self.start_host()

    def start_host(self) -> None:
        self.waiting: list[Report] = []
        seed = self.random.getrandbits(32)
        self.host = HoleUnit(self.unit.link, self.clock, cursors=self.disk.cursors, on_gap=self.take, seed=seed)
        self.host.attach(self.take)

    def take(self, report: Report) -> None:
        self.waiting.append(report)
        if self.careless:
            self.host.acknowledge(report)

    def run(self) -> None:
        next_edge = 0.0
        while self.clock.t < BUSY:
            if self.clock.t >= next_edge:
                next_edge = self.clock.t + 0.025 + self.random.expovariate(1 / self.pause)
                self.occupied = not self.occupied
                self.unit.sense(self.clock.t, self.occupied)
            self.make_trouble()
            self.step(commit=self.random.random() < 0.3)
        if self.plug_at is not None:
            self.unit.plug(self.clock.t)
        while not self.settled() and self.clock.t < BUSY + SETTLED_WITHIN:
            self.step(commit=True)

    def make_trouble(self) -> None:
        if self.plug_at is not None:
            if self.clock.t >= self.plug_at:
                self.unit.plug(self.clock.t)
                self.plug_at = None
            return
        dice = self.random.random()
        if dice < 0.003:
            self.unit.unplug()
            self.plug_at = self.clock.t + self.random.uniform(0, 2)
        elif dice < 0.006:
            self.unit.reboot(self.clock.t)
        elif dice < 0.009:
            self.start_host()

    def step(self, commit: bool) -> None:
        self.note()
        self.unit.step(self.clock.t)
        self.note()
        self.host.pump(self.clock.t)
        if commit:
            for report in self.waiting:
                self.disk.commit(report)
                self.host.acknowledge(report)
            self.waiting.clear()
        self.clock.t += TICK

    def note(self) -> None:
        journal = self.unit.journal
        if journal is not None:
            for entry in reversed(journal.pending):
                if entry.sequence in self.truth:
                    break
                self.truth[entry.sequence] = bool(entry.occupied), entry.tint == TINT
            self.last = journal.next - 1

    def settled(self) -> bool:
        journal = self.unit.journal
        return journal is not None and not journal.pending and max(self.disk.cursors.values(), default=0) == self.last

    def doubled(self) -> int:
        return len(self.disk.committed) - len({event.sequence for event in self.disk.committed})

    def lost(self) -> set[int]:
        return set(range(1, self.last + 1)) - {event.sequence for event in self.disk.committed if event.sequence}

    def wrong(self) -> int:
        reported = [(event.sequence or 0, event.occupied, event.tint) for event in self.disk.committed]
        return sum(
            self.truth[sequence] != (occupied, tint is not None) or tint not in (None, Tint(*TINT))
            for sequence, occupied, tint in reported
        )


@slow
def test_nothing_is_lost_or_doubled_whatever_happens():
    events = colours = withheld = 0
    for seed in range(RUNS):
        storm = Storm(seed)
        storm.run()
        assert storm.settled(), seed
        assert storm.lost() == set(), seed
        assert storm.doubled() == 0, seed
        assert storm.wrong() == 0, seed
        assert storm.disk.missing == set(), seed
        assert [event.sequence for event in storm.disk.committed] == list(range(1, storm.last + 1)), seed
        events += storm.last
        colours += sum(event.tint is not None for event in storm.disk.committed)
        withheld += (storm.host.statistics().get("unit") or {}).get("withheld", 0)
    print(f"{RUNS} runs, {events} events, {colours} of them colours, {withheld} changes withheld")
    assert colours > RUNS
    assert withheld > 0
    assert events > 100 * RUNS


def test_everything_that_a_full_journal_drops_is_reported():
    runs = max(1, RUNS // 10)
    dropped = 0
    for seed in range(runs):
        storm = Storm(seed, capacity=8)
        storm.run()
        assert storm.settled(), seed
        assert storm.lost() == storm.disk.missing, seed
        assert storm.doubled() == 0, seed
        assert storm.wrong() == 0, seed
        dropped += len(storm.disk.missing)
    print(f"{runs} runs, {dropped} dropped and reported")
    assert dropped > runs


def test_a_host_that_acknowledges_before_its_commit_loses_events():
    def loses(seed: int) -> bool:
        storm = Storm(seed, careless=True)
        storm.run()
        return bool(storm.lost())

    assert any(loses(seed) for seed in range(50))
