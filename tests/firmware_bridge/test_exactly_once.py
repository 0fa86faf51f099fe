"""Session and unit joined by hand: Hypothesis plays the wire, the crashes and the commits."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.delivery import Delivery, Gap, Report
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import Journal, Store
from firmware_bridge.session import Session
from firmware_bridge.settings import Settings
from hardware.devices import HoleEvent

ACTIONS = [
    *("edge", "edge", "talk", "talk", "talk", "lose to host", "lose to unit", "flip to host", "double to host", "wait"),
    *("commit", "commit", "host dies", "unit reboots", "listener fails"),
]


class Pair:
    def __init__(self, capacity: int) -> None:
        self.now = 0.0
        self.capacity = capacity
        self.store = Store()
        self.level = 1
        self.edges = 0
        self.boots = 0
        self.committed: list[int] = []
        self.gaps: list[int] = []
        self.cursors: dict[int, int] = {}
        self.start_unit()
        self.start_host()

    def start_unit(self) -> None:
        self.boots += 1
        self.unit = Unit(Journal(self.store, 77, self.capacity), b"UNIT0001", self.boots, 0, 0, 0, self.level)
        self.started = self.now

    def start_host(self) -> None:
        self.session = Session(self.cursors, device=None, settings=Settings(), random_source=random.Random(self.boots))
        self.session.connected(self.now)
        self.waiting: list[Report] = []

    def unit_us(self) -> int:
        return round((self.now - self.started) * 1e6)

    def talk(self, spoil: str = "") -> None:
        self.now += 0.03
        out = self.session.send(self.now)
        self.unit.receive(b"" if spoil == "lose to unit" else out, self.unit_us())
        back = self.unit.step(self.unit_us())
        if spoil == "lose to host":
            back = b""
        elif spoil == "flip to host" and back:
            back = back[:3] + bytes([back[3] ^ 16]) + back[4:]
        elif spoil == "double to host":
            back += back
        self.waiting += [item for item in self.session.receive(back, self.now) if isinstance(item, HoleEvent | Gap)]

    def commit(self) -> None:
        for report in self.waiting:
            assert report.stream is not None
            assert report.sequence is not None
            if isinstance(report, Gap):
                self.gaps += range(report.first, report.sequence + 1)
            else:
                self.committed.append(report.sequence)
            self.cursors[report.stream] = report.sequence
            self.session.acknowledge(report)
        self.waiting = []

    def do(self, action: str) -> None:
        match action:
            case "edge":
                self.now += 0.03
                self.level = 1 - self.level
                self.unit.sense(self.unit_us(), self.level)
            case "talk":
                self.talk()
            case "wait":
                self.now += 1.0
                self.talk()
            case "commit":
                self.commit()
            case "host dies":
                self.start_host()
            case "unit reboots":
                self.start_unit()
            case "listener fails":
                if self.waiting:
                    self.session.retract(self.waiting[0])
                    self.waiting = []
            case spoil:
                self.talk(spoil)

    def settle(self) -> None:
        for _ in range(100):
            self.now += 0.3
            self.talk()
            self.commit()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ACTIONS), max_size=60), st.sampled_from([3, 256]))
def test_every_event_has_its_effect_once_or_is_a_reported_gap(actions, capacity):
    pair = Pair(capacity)
    for action in actions:
        pair.do(action)
    pair.settle()
    numbered = pair.unit.journal.next - 1
    assert pair.committed == sorted(set(pair.committed))
    assert sorted(pair.committed + pair.gaps) == list(range(1, numbered + 1))
    assert len(pair.gaps) == pair.unit.journal.dropped
    assert pair.session.occupied() == (pair.level == 0)
    assert pair.session.trouble() is None


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), max_size=60))
def test_delivery_never_repeats_and_never_skips_silently(offers):
    """Offers (oldest, sequence) in any order, as no sound unit would make them."""
    delivery = Delivery(1, 0, 0)
    reported: list[int] = []
    for oldest, sequence in offers:
        for gap in delivery.skip_to(min(oldest, sequence)):
            reported += range(gap.first, gap.sequence + 1)
        if delivery.accept(sequence):
            reported.append(sequence)
    assert reported == list(range(1, len(reported) + 1))
    assert delivery.reported == len(reported)


def test_taking_back_never_goes_behind_what_is_committed():
    delivery = Delivery(1, 9, 6)
    delivery.retract(HoleEvent(0.0, True, 1, 3))
    assert delivery.reported == 6
    delivery.reported = 9
    delivery.retract(Gap(1, 8, 9))
    assert delivery.reported == 7
