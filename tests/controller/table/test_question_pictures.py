"""Every question keeps its picture, and the picture can be read again."""

import json

import pytest

from controller.errors import BadInput
from controller.journal import Journal
from controller.match import events as ev
from controller.match.events import parse
from controller.table.engine import Engine
from controller.table.question_pictures import SHOWN, SMALL, review, reviewed_picture, shown_picture
from controller.vision.reading.annotate import OVERVIEW
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.observations import BoardRead
from hardware.devices import HoleEvent
from hardware.pictures import decode
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.fed_table import START


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A close call on painted pictures: an empty board first, then a disc on the fifteen's line."""
    journal = Journal(tmp_path_factory.mktemp("evidence") / "journal.sqlite")
    model, painter = BackgroundModel(), Painter(seed=4)
    engine = Engine(journal, model, wall=lambda: 0.0)
    engine.command(START)
    for t, discs in enumerate([(), (SceneDisc("a1", "black", 0.0, 85.5),)]):
        picture = painter.full(Scene(float(t), discs))
        engine.observe(BoardRead(t, model.read(picture, t, f"{t}.jpg"), picture))
    disc = engine.state.measured["a1"]
    answers = tuple(ev.Answer(id=zone) for zone in ("15", "10"))
    figures = {"zones": (15, 10), "clearance": disc.clearance, "sigma": disc.sigma}
    about = {"what": "close_call", "case": "line", "round": 1, "disc": "a1", "sides": ("A",)}
    engine._commit([ev.QuestionAsked(**about, **figures, answers=answers)])
    yield journal, engine, model
    journal.close()


def asked(engine):
    first, *_ = engine.state.questions.values()
    return first.asked


def test_a_question_keeps_the_whole_picture_and_its_calibration(evening):
    journal, engine, model = evening
    name = asked(engine).picture
    kept = journal.pictures.evidence(name)
    assert decode(kept.frame, name).shape == Painter(seed=4).full(Scene(0.0)).shape
    assert kept.cut == journal.pictures.cut(name)
    assert kept.calibration == json.loads(json.dumps(model.calibration.to_json()))


def test_a_phone_gets_a_picture_of_the_size_at_which_it_shows_it(evening):
    journal, engine, model = evening
    name = asked(engine).picture
    small = shown_picture(journal, model, SMALL + name)
    assert max(decode(small, name).shape) == SHOWN
    assert len(small) <= 7_000 < len(journal.pictures.cut(name))
    assert shown_picture(journal, model, name) == journal.pictures.cut(name)
    assert shown_picture(journal, model, "small-none.jpg") is None


def test_a_shot_keeps_a_small_picture_of_the_board_after_it(evening):
    journal, *_ = evening
    (shot,) = [parse(e).event for e in journal.events(1) if e.kind == "shot_seen"]
    kept = journal.pictures.cut(shot.picture)
    assert max(decode(kept, shot.picture).shape) <= OVERVIEW
    assert len(kept) < 80_000
    with pytest.raises(BadInput, match="read again"):
        review(journal, BackgroundModel(), shot.picture)


def test_the_picture_is_read_again_and_the_figures_stand_beside_those_of_then(evening):
    journal, engine, model = evening
    question = asked(engine)
    document = review(journal, model, question.picture)
    assert document["schema"] == "review/1"
    assert document["then"]["clearance"] == pytest.approx(question.clearance)
    assert document["now"]["clearance"] == pytest.approx(question.clearance, abs=3 * question.sigma)
    assert document["now"]["call"] == "close"
    assert decode(reviewed_picture(journal, model, question.picture), "again").shape == (480, 480, 3)


def test_a_picture_that_is_not_there_is_named(evening):
    journal, _, model = evening
    with pytest.raises(BadInput, match=r"1-1-a9-5\.jpg"):
        review(journal, model, "1-1-a9-5.jpg")


def test_a_question_of_another_kind_has_a_picture_too_but_none_where_no_picture_could_show_it(evening):
    journal, engine, _ = evening
    told = ev.QuestionAsked(what="unexplained", case="strange", count=1, round=1, answers=(ev.Answer(id="seen"),))
    engine._commit([told])
    (*_, unexplained) = engine.state.questions.values()
    assert journal.pictures.evidence(unexplained.asked.picture)
    engine.hole_changed(HoleEvent(1.0, None, missed=2))
    (*_, gap) = engine.state.questions.values()
    assert gap.asked.picture is None
