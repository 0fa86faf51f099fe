"""How sure the figures of `simulate` are."""

from fractions import Fraction
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from controller.simulation.counts import Counts, share
from controller.simulation.plan import MatchPlan
from controller.simulation.simulate import Sums
from controller.tools.verbs import silence_table

STEP = Fraction(1, 10_000)  # what the bounds are rounded to
TAIL = Fraction(25, 1000)


def at_most(count: int, of: int, p: Fraction) -> Fraction:
    """The probability of this count or fewer, exactly."""
    return sum((comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(count + 1)), Fraction(0))


@given(st.integers(1, 90).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_share_beyond_its_bounds_would_make_the_count_rare_and_one_within_would_not(counted):
    count, of = counted
    low, high = (Fraction(round(bound * 10_000), 10_000) for bound in share(count, of))
    assert low <= Fraction(count, of) <= high
    if count < of:
        assert at_most(count, of, min(high + STEP, Fraction(1))) < TAIL < at_most(count, of, high - STEP)
    if count > 0:
        less = count - 1
        assert 1 - at_most(less, of, max(low - STEP, Fraction(0))) < TAIL < 1 - at_most(less, of, low + STEP)


def test_bounds_are_those_of_published_tables():
    assert share(4, 20) == (0.0573, 0.4366)
    assert share(0, 30) == (0.0, 0.1157)
    assert share(0, 0) == (0.0, 1.0)


def test_what_was_silently_wrong_is_reported_by_players_rules_and_faults():
    sums = Sums()
    plan = MatchPlan(0, 1, "nca", players="doubles", faults=("bounce", "sleeve"))
    sums.add(plan, Counts(rounds=20, shots=300, silent_wrong_rounds=4, silent_wrong_discs=1))
    sums.add(MatchPlan(1, 2, "family", players="four"), Counts(rounds=10, shots=200))
    report = {**sums.total.report(), "bounds": sums.total.bounds(), "by": sums.by()}
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in silence_table(report)]
    cells = {row[0]: row[1:] for row in rows[2:]}
    assert set(cells) == {
        *("all", "players doubles", "players four", "rules nca", "rules family"),
        *("fault bounce", "fault sleeve", "fault none"),
    }
    assert cells["fault sleeve"] == cells["players doubles"]
    assert cells["fault sleeve"] == ["20", "4", "5.73% to 43.66%", "300", "1", "0.01% to 1.84%"]
    assert cells["all"][:2] == ["30", "4"]
    assert cells["rules family"] == ["10", "0", "0.00% to 30.85%", "200", "0", "0.00% to 1.83%"]
