"""What every `HoleSensor` must do. A driver's test subclasses `HoleSensorContract` and gives a `Bench`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.devices import HoleEvent
from tests.hardware.benched import Benched

LATE = 0.06  # seconds: a driver's clock offset and its own work
REST = 0.5  # seconds after which nothing is on its way any more


class Changes(list[HoleEvent]):
    """A listener that keeps the changes of a hole that was empty at first: a level that was known is none."""

    def __call__(self, event):
        if event.occupied != (self[-1].occupied if self else False):
            self.append(event)


class HoleSensorContract(Benched):
    """`make`, or what the fixture `new_bench` gives, makes benches whose time stands at 0 and whose hole is empty.

    A bench is a `sensor`, the raw level that it senses, and the table's time, which only the bench moves: `listen`
    starts the sensor with a listener, and steps it where it has no thread of its own; `drive(t, occupied)` lets time
    pass until `t`, then the raw level is this; `run_until(t)` lets time pass; `close`.
    """

    def test_a_disc_seated_and_lifted_is_two_events_at_their_times(self, bench):
        events = Changes()
        bench.listen(events)
        bench.drive(1.0, True)
        bench.drive(3.0, False)
        bench.run_until(3.0 + REST)
        assert [event.occupied for event in events] == [True, False]
        assert [event.t for event in events] == pytest.approx([1.0, 3.0], abs=LATE)

    def test_bounce_is_one_event(self, bench):
        events = Changes()
        bench.listen(events)
        for start, level in ((1.0, True), (2.0, False)):
            for k in range(3):
                bench.drive(start + 0.004 * k, level)
                bench.drive(start + 0.004 * k + 0.002, not level)
            bench.drive(start + 0.012, level)
        bench.run_until(2.0 + REST)
        assert [event.occupied for event in events] == [True, False]

    def test_a_pulse_of_10_ms_is_not_lost(self, bench):
        events = Changes()
        bench.listen(events)
        bench.drive(1.0, True)
        bench.drive(1.01, False)
        bench.run_until(1.01 + REST)
        assert [event.occupied for event in events] == [True, False]

    def test_the_level_can_be_read(self, bench):
        bench.listen(lambda event: None)
        bench.run_until(1.0)
        assert bench.sensor.occupied() is False
        bench.drive(2.0, True)
        bench.run_until(2.0 + REST)
        assert bench.sensor.occupied() is True
        assert bench.sensor.trouble() is None

    def test_the_level_shows_a_disc_that_was_there_at_the_start(self, bench):
        bench.drive(0.5, True)
        bench.listen(lambda event: None)
        bench.run_until(0.5 + REST)
        assert bench.sensor.occupied() is True

    def test_closing_twice_is_safe(self, bench):
        bench.listen(lambda event: None)
        bench.sensor.close()
        bench.sensor.close()

    def test_whatever_the_edges_events_alternate_and_end_at_the_last_level(self, new_bench):
        @settings(max_examples=60, database=None)
        @given(st.lists(st.floats(0.0005, 0.2), min_size=1, max_size=30))
        def check(pauses):
            bench = new_bench()
            try:
                events = Changes()
                bench.listen(events)
                bench.run_until(1.0)
                t, level = 1.0, False
                for pause in pauses:
                    t, level = t + pause, not level
                    bench.drive(t, level)
                bench.run_until(t + REST)
                levels = [event.occupied for event in events]
                assert levels == [k % 2 == 0 for k in range(len(levels))]
                assert len(levels) <= len(pauses)
                assert (levels[-1] if levels else False) == level
                assert [event.t for event in events] == sorted(event.t for event in events)
            finally:
                bench.close()

        check()
