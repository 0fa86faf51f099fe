from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.firmware.debounce import Debouncer

LOCKOUT = 20


def changes(edges, until=10_000_000):
    debouncer = Debouncer(0, LOCKOUT)
    out = []
    for t, level in edges:
        out += debouncer.sense(t, level)
    return out + debouncer.sense(until, edges[-1][1] if edges else 0)


def test_the_first_edge_is_reported_at_once():
    assert Debouncer(0, LOCKOUT).sense(1234, 1) == [(1234, 1)]


def test_chatter_is_one_change():
    chatter = [(1000 + k, (k + 1) % 2) for k in range(17)]
    assert changes(chatter) == [(1000, 1)]


def test_the_shortest_pulse_is_noticed_with_both_its_times():
    assert changes([(1000, 1), (1002, 0)]) == [(1000, 1), (1002, 0)]


def test_a_change_after_the_lock_out_is_immediate_again():
    debouncer = Debouncer(0, LOCKOUT)
    debouncer.sense(0, 1)
    assert debouncer.sense(LOCKOUT, 0) == [(LOCKOUT, 0)]


@given(st.lists(st.integers(1, 50), max_size=60))
def test_reports_alternate_keep_their_distance_and_end_at_the_true_level(pauses):
    t, edges = 0, []
    for k, pause in enumerate(pauses):
        t += pause
        edges.append((t, (k + 1) % 2))
    reported = changes(edges)
    assert [level for _, level in reported] == [(k + 1) % 2 for k in range(len(reported))]
    assert {t for t, _ in reported} <= {t for t, _ in edges}
    assert [t for t, _ in reported] == sorted(t for t, _ in reported)
    assert len(reported) % 2 == len(pauses) % 2
    assert len(reported) <= 2 + t // LOCKOUT * 2
