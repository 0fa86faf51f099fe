import math
import random

from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.clocks import DRIFT, ClockOffset


@given(st.integers(0, 2**32), st.floats(-1, 1), st.floats(-1e6, 1e6))
@example(533585, -1.0, 0.0)
def test_the_true_time_is_within_the_error_for_any_delays_and_drift(seed, rate, start):
    source = random.Random(seed)
    drift = rate * DRIFT * 0.99
    clock = ClockOffset()
    t = 0.0
    for _ in range(50):
        t += source.uniform(0.1, 3)
        out, back = source.expovariate(1 / 0.01), source.expovariate(1 / 0.01)
        clock.sample(t, start + (t + out) * (1 - drift), t + out + back)
        t += out + back
        later = t + source.uniform(0, 2)
        assert abs(clock.to_host(start + later * (1 - drift)) - later) <= clock.error(later) + 1e-6


def test_one_quick_answer_outweighs_slow_ones():
    clock = ClockOffset()
    clock.sample(10.0, 5.0002, 10.0004)
    clock.sample(11.0, 6.09, 11.1)
    assert abs(clock.to_host(6.09) - 11.09) < 0.001
    assert clock.error(11.1) < 0.0015


def test_after_a_clock_jump_only_new_bounds_count():
    clock = ClockOffset()
    clock.sample(10.0, 5.0, 10.001)
    clock.sample(11.0, 2.0, 11.001)
    assert abs(clock.to_host(2.0) - 11.0) < 0.001


def test_the_error_grows_while_nobody_answers():
    clock = ClockOffset()
    assert math.isinf(clock.error(0.0))
    clock.sample(0.0, 0.0, 0.002)
    assert clock.error(100.0) > clock.error(1.0) > 0.001
