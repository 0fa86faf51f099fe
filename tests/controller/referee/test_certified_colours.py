"""A set of discs whose colours set-up certified: what the referee makes of them."""

from dataclasses import replace

import pytest

from controller.match import events as ev
from controller.vision.readings import SeenDisc
from tests.controller.fed_table import ReadTable, disc

TAN, BROWN = (66.0, 16.0, 38.0), (52.0, 15.0, 32.0)
"""Nearer to each other than the first discs of a match may be."""
NAMELESS = [{"name": "Player 1"}, {"name": "Player 2"}]


def tan(x: float, y: float) -> SeenDisc:
    return replace(disc("A", x, y), lab=(64.5, 15.2, 37.1), colour="tan")


def brown(x: float, y: float) -> SeenDisc:
    return replace(disc("A", x, y), lab=(53.0, 15.5, 33.0), colour="brown")


@pytest.fixture
def table(new_table):
    return new_table(sides=NAMELESS)


def owners(table: ReadTable) -> list[str]:
    return [played.shot.side for played in table.state.game.round.shots]


def test_without_set_up_discs_of_two_near_colours_are_taken_for_one_sides(table):
    table.see(tan(0, -150))
    table.see(tan(0, -150), brown(150, 0))
    assert set(table.state.colours) == {"A"}


def test_a_side_whose_colour_was_certified_is_known_by_it_although_the_others_is_near(table):
    table.engine.certify({"A": TAN, "B": BROWN})
    table.see(tan(0, -150))
    table.see(tan(0, -150), brown(150, 0))
    assert dict(table.state.colours) == {"A": TAN, "B": BROWN}, "what set-up learnt, not the first disc's own"
    assert owners(table) == ["A", "B"]


def test_sides_that_play_each_others_certified_colours_are_known_by_the_order_of_play(table):
    table.engine.certify({"A": BROWN, "B": TAN})
    table.see(tan(0, -150))
    table.see(tan(0, -150), brown(150, 0))
    assert dict(table.state.colours) == {"A": TAN, "B": BROWN}
    assert owners(table) == ["A", "B"]


def test_of_several_new_colours_at_once_set_up_says_whose_each_is(table):
    table.engine.certify({"A": BROWN, "B": TAN})
    table.engine.command({"do": "manual"})
    table.see(replace(tan(0, -150), visible=1.0), replace(brown(150, 0), visible=0.9))
    table.engine.command({"do": "automatic", "left": {"A": 7, "B": 7}})
    assert dict(table.state.colours) == {"A": BROWN, "B": TAN}


def test_discs_that_set_up_never_saw_are_learnt_as_they_look(table):
    table.engine.certify({"A": BROWN, "B": TAN})
    table.see(disc("C", 0, -150))
    table.see(disc("C", 0, -150), disc("D", 150, 0))
    assert dict(table.state.colours) == {"A": disc("C", 0, 0).lab, "B": disc("D", 0, 0).lab}


def test_certified_colours_hold_for_the_match_that_goes_on_for_the_next_and_after_a_restart(table):
    table.engine.certify({"A": TAN, "B": BROWN})
    assert dict(table.state.certified) == {"A": TAN, "B": BROWN}
    table.engine.certify({"A": TAN, "B": BROWN})
    assert len([s for s in table.engine.history if isinstance(s.event, ev.ColoursLearnt)]) == 1
    table.engine.command({"do": "start", "rules": "nca", "sides": NAMELESS})
    assert dict(table.state.certified) == {"A": TAN, "B": BROWN}
    table.restart()
    assert dict(table.state.certified) == {"A": TAN, "B": BROWN}
    table.engine.certify({"A": TAN})
    assert dict(table.state.certified) == {"A": TAN}
