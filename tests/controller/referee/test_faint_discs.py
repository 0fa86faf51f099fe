"""Discs like the wood, which are read and filmed less well; and a hand that stays beside the board."""

from dataclasses import replace

import pytest

from controller.vision.film.film import SHOT
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead
from tests.controller.fed_table import NOTHING, a, b, disc
from tests.controller.referee.test_film import START, film, track

FAINT = frozenset({"natural"})


def faint(x, y):
    """A disc like the wood."""
    return disc("B", x, y, sigma=0.6)


def read(table, *discs):
    """The board is read beside whatever hand is there."""
    table.engine.observe(BoardRead(table.t, BoardReading(discs, False, 0.0, table.t), NOTHING))


def test_a_shot_that_rests_on_the_line_was_shot_although_the_film_cannot_see_the_opponents_discs(opened):
    opened.see(a(0, 66), faint(150, 60))
    settled = (a(0, 66), faint(150, 60))
    shot = track(SHOT, START, (60.0, 60.0), (-243.0, -210.0))
    opened.see(*settled, a(-243, -210), film=film(settled, shot, unseen=FAINT))
    assert opened.shots[-1] == ("A", False, ("a2",), ())


def test_a_faint_disc_that_seems_to_have_moved_by_its_error_lies_still(opened):
    opened.see(a(0, 66), faint(150, 60))
    assert opened.see(a(0, 66), faint(150.5, 60.6)) == []


def test_a_plain_disc_that_moved_as_far_was_struck(opened):
    opened.see(a(0, 66), b(150, 60))
    opened.see(a(0, 66), b(150.5, 60.6), a(120, 80))
    assert opened.shots[-1][:2] == ("A", True)


@pytest.mark.parametrize(("visible", "struck"), [(0.95, True), (0.61, False)])
def test_a_disc_of_which_other_parts_are_hidden_now_seems_to_have_moved(opened, visible, struck):
    """As the filmed round's disc beside the rail: 0.95 mm between two pictures, of standard errors of 0.4 mm."""
    opened.see(a(0, 66), replace(disc("B", 150, 60, sigma=0.4), visible=visible))
    opened.see(a(0, 66), replace(disc("B", 150.9, 60.3, sigma=0.42), visible=visible), a(-160, -150))
    assert opened.shots[-1][:2] == ("A", struck)


def test_a_faint_disc_that_went_off_is_recorded_although_the_film_shows_nothing(table):
    settled = (a(0, 66), faint(150, 60))
    table.see(a(0, 60))
    table.see(*settled)
    table.see(*settled, a(170, 90))
    ditched = b(-340, 30, "ditch")
    table.see(*settled, a(170, 90), ditched, film=film((*settled, a(170, 90)), unseen=FAINT))
    assert table.shots[-1] == ("B", False, ("b2",), ())


def test_a_plain_disc_in_the_ditch_that_was_not_filmed_on_its_way_is_no_shot(table):
    settled = (a(0, 66), b(150, 60))
    table.see(a(0, 60))
    table.see(*settled)
    table.see(*settled, a(170, 90), film=film(settled, track(SHOT, START, (170.0, 90.0))))
    table.see(*settled, a(170, 90), b(-340, 30, "ditch"), film=film((*settled, a(170, 90))))
    assert len(table.shots) == 3


def test_a_hand_that_stays_beside_the_board_during_a_shot_may_take_a_disc_off_next(opened):
    opened.t += 8.0
    opened.gate("hand")
    read(opened, a(0, 200), b(10, 50))
    opened.t += 3.0
    read(opened, b(10, 50), a(340, 30, "ditch"))
    assert opened.shooters == ["A", "B"]
    assert "a1" not in opened.state.on_board
