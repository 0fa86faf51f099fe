"""The board over a restart: where it is, and how it looks when it is empty."""

import pytest

from controller.config import Config
from controller.table.kept_facts import kept_name, restore_empty_board, stored_model
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.slow import slow

IN_THE_HOLE = SceneDisc("a1", "black", 0.0, 0.0, z=-6.0)


def in_a_match(config, journal):
    """The model as the program starts with it while a match goes on."""
    model = stored_model(config, journal)
    restore_empty_board(model, journal)
    return model


@pytest.mark.parametrize("name", ["Tisch 7", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "Table\u00a07", "\u3000"])
def test_a_table_is_called_as_its_page_let_it_be_called(journal, name):
    journal.facts.keep("name", name)
    assert journal.facts.read("name", kept_name) == name


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 41])
def test_what_no_page_takes_for_a_name_is_none(journal, name):
    journal.facts.keep("name", name)
    assert journal.facts.read("name", kept_name) is None


def test_a_disc_that_lies_in_the_hole_while_the_program_starts_is_no_hole(journal):
    config = Config.model_validate({"camera": {"device": "picamera"}})
    painter = Painter(look=Look(surface="oak"), seed=1)
    empty, sunk = painter.full(Scene(0.0)), painter.full(Scene(0.0, (IN_THE_HOLE,)))
    before = in_a_match(config, journal)
    assert before.read(empty).discs == ()
    after = in_a_match(config, journal)
    assert [disc.pose for disc in after.read(sunk).discs] == ["in_hole"]
    assert after.read(empty, 5.0).discs == ()
    anew = stored_model(config, journal)
    assert anew.background is None
    assert anew.calibration is not None


def test_the_empty_board_is_written_down_now_and_then(journal, monkeypatch):
    config = Config.model_validate({"camera": {"device": "picamera"}})
    written = []
    keep = journal.facts.keep

    def count(name, value):
        written.append(name)
        keep(name, value)

    monkeypatch.setattr(journal.facts, "keep", count)
    model = stored_model(config, journal)
    picture = Painter(seed=1).full(Scene(0.0))
    for t in (0.0, 10.0, 599.0, 601.0, 700.0):
        model.read(picture, t)
    assert written.count("empty") == 2


@slow
def test_a_board_at_another_place_is_not_compared_with_the_one_before(journal):
    config = Config.model_validate({"camera": {"device": "picamera"}})
    in_a_match(config, journal).read(Painter(seed=1).full(Scene(0.0)))
    model = in_a_match(config, journal)
    model.read(Painter(seed=1).full(Scene(0.0, board_shift=(25.0, 10.0, 3.0))))
    assert model.background is not None
    assert model.read(Painter(seed=1).full(Scene(0.0, board_shift=(25.0, 10.0, 3.0))), 1.0).discs == ()
