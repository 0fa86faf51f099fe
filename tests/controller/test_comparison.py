"""How `simulate` holds what the table said against what really happened."""

from dataclasses import replace

from controller import rules
from controller.simulation.comparison import Comparison
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
