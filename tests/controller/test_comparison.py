"""How `simulate` holds what the table said against what really happened."""

from dataclasses import replace

import numpy as np
import pytest

from controller import rules
from controller.simulation.comparison import Comparison, quarters_off
from controller.vision.lens import Camera, rotation_vector
from hardware.simulated.arrangement import Arrangement
from tests.controller.table import ReadTable, a, b


def compared(table: ReadTable, *shots: rules.Shot) -> tuple[int, int]:
    """How many verdicts are right and how many wrong, if this is what happened."""
    truth = rules.Match.start("nca")
    for shot in shots:
        truth = truth.play(shot)
    counts, _ = Comparison().counts(table.state, truth)
    return counts.verdicts_right, counts.verdicts_wrong


def test_what_the_table_put_right_by_itself_is_right(tmp_path):
    table = ReadTable(tmp_path)
    table.hole((1.0, False))
    table.see(replace(a(1.0, 0.5, "in_hole"), call="close"))
    twenty = rules.Shot("A", "a1", (), {"a1": rules.HOLE})
    assert compared(table, twenty) == (0, 1)
    table.see()
    table.see(hand=False)
    assert table.totals == (20, 0)
    assert compared(table, twenty) == (1, 0)


def test_a_twenty_that_is_told_as_a_fifteen_is_wrong(tmp_path):
    table = ReadTable(tmp_path)
    table.see(a(0, 60))
    table.see(a(0, 60), b(10, 120))
    foul = rules.Shot("B", "b1", (), {"b1": rules.Placed(10, 120)})
    assert compared(table, rules.Shot("A", "a1", (), {"a1": rules.HOLE})) == (0, 1)
    assert compared(table, rules.Shot("A", "a1", (), {"a1": rules.Placed(0, 60)}), foul) == (2, 0)


@pytest.mark.parametrize("quarter", range(4))
def test_a_frame_is_off_by_the_quarters_by_which_it_is_turned(quarter: int) -> None:
    pose = Arrangement(camera=quarter, askew=5.0).pose()
    x, y, z = pose.rotation @ (0.0, 0.0, 0.0) + pose.t
    told = Camera(pose.width, pose.height, pose.focal, *pose.axis, pose.k1, rotation_vector(pose.rotation), (x, y, z))
    assert quarters_off(told, pose) == 0
    assert [quarters_off(told.turned(-90.0 * k), pose) for k in range(4)] == [0, 1, 2, 3]
    assert quarters_off(told.turned(14.0), pose.nudged(0.5, -0.5, 1.0)) == 0
    # The seat opposite in the picture is two quarters off, whatever the camera's own conventions.
    opposite = Arrangement(camera=quarter + 2, askew=5.0).pose()
    assert np.allclose(opposite.project((0.0, -300.0, 0.0)), pose.project((0.0, 300.0, 0.0)))
    assert quarters_off(told, opposite) == 2


@pytest.mark.parametrize(("off", "seats_wrong", "wrong_discs"), [(0, 0, 0), (2, 1, 1)])
def test_what_looks_right_in_a_turned_frame_is_luck(tmp_path, off, seats_wrong, wrong_discs):
    table = ReadTable(tmp_path)
    comparison = Comparison(off=off)
    truth = rules.Match.start("nca").play(rules.Shot("A", "a1", (), {"a1": rules.Placed(0, 60)}))
    told = table.see(a(0, 60))
    comparison.events(told, table.state, truth, table.t)
    comparison.settled(table.state, truth)
    comparison.shot()
    counts, (verdict,) = comparison.counts(table.state, truth)
    assert (counts.shots, counts.verdicts_right) == (1, 1)
    assert (counts.seats_wrong, counts.silent_wrong_discs) == (seats_wrong, wrong_discs)
    assert bool(verdict.wrong) == bool(off)
