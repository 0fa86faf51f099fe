"""How `simulate` holds what the table said against what really happened."""

import pytest

from controller import rules
from controller.simulation.comparison import Comparison, true_directions
from hardware.simulated.arrangement import Arrangement
from tests.bench.painted import camera_of
from tests.controller.fed_table import a, b, unsure


def compared(table, *shots):
    """How many verdicts are right and how many wrong, if this is what happened."""
    truth = rules.Match.start("nca")
    for shot in shots:
        truth = truth.play(shot)
    counts, _ = Comparison().counts(table.state, truth)
    return counts.verdicts_right, counts.verdicts_wrong


def test_what_the_table_put_right_by_itself_is_right(new_table):
    table = new_table()
    table.see(unsure(a(1.0, 0.5, "in_hole")), felt=False)
    twenty = rules.Shot("A", "a1", (), {"a1": rules.HOLE})
    assert compared(table, twenty) == (0, 1)
    table.see()
    table.see(hand=False)
    assert table.totals == (20, 0)
    assert compared(table, twenty) == (1, 0)


def test_a_twenty_reported_as_a_fifteen_is_wrong(new_table):
    table = new_table()
    table.see(a(0, 60))
    table.see(a(0, 60), b(10, 120))
    foul = rules.Shot("B", "b1", (), {"b1": rules.Placed(10, 120)})
    assert compared(table, rules.Shot("A", "a1", (), {"a1": rules.HOLE})) == (0, 1)
    assert compared(table, rules.Shot("A", "a1", (), {"a1": rules.Placed(0, 60)}), foul) == (2, 0)


def test_a_wrong_verdict_is_silent_although_the_totals_are_right(new_table):
    table = new_table()
    table.see(a(0, 60))
    table.see(a(0, 60), b(10, 120))
    truth = rules.Match.start("nca").play(rules.Shot("A", "a1", (), {"a1": rules.Placed(0, 60)}))
    truth = truth.play(rules.Shot("B", "b1", (("b1", "a1"),), {"b1": rules.DITCH}))
    assert dict(truth.round.totals) == dict(table.round.totals)
    counts, _ = Comparison().counts(table.state, truth)
    assert (counts.verdicts_wrong, counts.silent_wrong_verdicts) == (1, 1)


@pytest.mark.parametrize("quarter", range(4))
def test_seats_are_looked_for_in_the_calibrations_own_frame(quarter):
    pose = Arrangement(camera=quarter, askew=5.0).pose()
    told = camera_of(pose)
    two, three = {1: 1, 3: 3}, {1: 1, 2: 3, 3: 4}
    assert true_directions(told, pose, two) == {1: 270, 3: 90}
    assert true_directions(told, pose, three) == {1: 270, 2: 90, 3: 0}
    # The frame whose +x is where +y was has seat 1, which was at -y, at -x.
    assert true_directions(told.turned(90.0), pose, two) == {1: 180, 3: 0}
    assert true_directions(told.turned(-90.0), pose, three) == {1: 0, 2: 180, 3: 90}
    assert true_directions(told.turned(14.0), pose.nudged(0.5, -0.5, 1.0), two) == {1: 270, 3: 90}
    supposed = camera_of(Arrangement(askew=5.0).pose())  # seat 1 at the bottom
    assert true_directions(supposed, pose, two)[1] == [270, 180, 90, 0][quarter]


RIGHT, TURNED = {1: 270, 3: 90}, {1: 90, 3: 270}


@pytest.mark.parametrize(
    ("learnt", "true", "counted"),
    [
        (RIGHT, RIGHT, (0, 0, 0)),
        (TURNED, RIGHT, (1, 0, 1)),  # however right a place looks in a turned frame, it is luck
        (RIGHT, TURNED, (1, 0, 1)),
        (None, RIGHT, (0, 1, 0)),
        (None, TURNED, (0, 1, 2)),  # nothing was said of the seats, but no disc is at the one and one at another
    ],
)
def test_what_looks_right_in_a_turned_frame_is_luck(new_table, learnt, true, counted):
    table = new_table(seats_known=learnt is not None)
    if learnt == TURNED:
        table.do("turn_seats", quarters=2)
    assert table.state.seating.directions == learnt or not table.state.seating.sure
    comparison = Comparison(seats=true)
    truth = rules.Match.start("nca").play(rules.Shot("A", "a1", (), {"a1": rules.Placed(0, 60)}))
    told = table.see(a(0, 60))
    comparison.events(told, table.state, truth, table.t)
    comparison.settled(table.state, truth)
    comparison.shot()
    counts, (verdict,) = comparison.counts(table.state, truth)
    assert (counts.shots, counts.verdicts_right) == (1, 1)
    assert (counts.seats_wrong, counts.seats_unknown, counts.silent_wrong_discs) == counted
    assert bool(verdict.wrong) == bool(counted[2])
