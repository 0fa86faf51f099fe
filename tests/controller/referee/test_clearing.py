"""A match that is started over another: the old discs are no shots, whatever the table saw when it began."""

import itertools

import pytest

from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead
from tests.controller.fed_table import NOTHING, START, ReadTable, a, b

OLD = (a(0, 60), b(100, 120), a(-150, 88))


@pytest.fixture
def table(tmp_path):
    table = ReadTable(tmp_path)
    table.see(OLD[0])
    table.see(*OLD[:2])
    yield table
    table.journal.close()


def restarted(table):
    table.do(**START)
    assert table.state.number == 2


def step(table):
    return str(table.shown.next_step)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3)))[:4])
@pytest.mark.parametrize("hand", [True, False])
def test_discs_of_the_match_before_are_no_shots(table, order, hand):
    """A third disc came after the last reading; then they are taken off one by one, or pushed about, in any order."""
    restarted(table)
    lying = list(OLD)
    table.see(*lying, hand=hand)
    for gone in order:
        lying[gone] = None
        rest = [d for d in lying if d is not None]
        table.see(
            *[type(d)(d.x + 30, d.y, *[getattr(d, n) for n in list(d.__dataclass_fields__)[2:]]) for d in rest],
            hand=hand,
        )
        assert table.shots == []
        assert step(table) == ("Clear the board." if rest else "Black to shoot.")
    table.see(a(0, 61))
    assert table.shooters == ["A"]
    assert table.totals == (15, 0)


def test_a_match_that_begins_while_a_hand_hides_the_board_waits_for_an_empty_one(table):
    table.see()
    table.gate("hand")
    restarted(table)
    table.see(*OLD)
    assert table.shots == []
    table.see()
    table.see(a(0, 60))
    assert len(table.shots) == 1


def test_an_obstructed_or_half_hidden_board_is_not_seen_empty(table):
    restarted(table)
    table.see(obstructed=True)
    assert table.state.uncleared
    table.gate("hand")
    table.engine.observe(BoardRead(table.t, BoardReading((), False, 0.0, table.t), NOTHING))
    assert table.state.uncleared
    table.see()
    assert not table.state.uncleared


def test_people_say_that_the_board_is_clear(table):
    restarted(table)
    table.see(a(0, 60))
    assert table.shots == []
    table.do("confirm")
    assert len(table.shots) == 1, "what lies there is the first shot"
    table.restart()
    assert not table.state.uncleared
    assert len(table.shots) == 1


def test_it_is_known_after_a_power_cut_that_the_board_was_not_cleared(table):
    restarted(table)
    table.restart()
    table.see(*OLD)
    assert table.shots == []


def test_after_a_swept_board_nobody_waits(table):
    table.see()
    restarted(table)
    table.see(a(0, 60))
    assert len(table.shots) == 1


def test_without_a_camera_nobody_is_asked_to_clear_the_board(table):
    table.restart()
    table.engine.camera_changed(lost=True)
    restarted(table)
    assert step(table) == "The scorer keeps the score."
