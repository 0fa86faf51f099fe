import json

import pytest

from controller.errors import Refused
from controller.messages import encoded
from controller.table.devices import kept_counts
from controller.table.engine import Engine
from controller.table.lamps_and_buttons import signal
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead
from hardware.devices import HoleCounts, HoleEvent
from tests.controller.fed_table import NOTHING, a, b


def test_undo_takes_the_shot_back_and_keeps_its_disc_out_of_the_score(opened):
    opened.see(a(0, 60.9), b(30, 40))
    assert opened.totals == (15, 15)
    opened.do("undo")
    assert opened.totals == (15, 0)
    assert opened.round.to_shoot == "B"
    opened.see(a(0, 60.9), b(30, 40), hand=False)
    assert opened.totals == (15, 0)
    opened.see(a(0, 60.9))
    opened.see(a(0, 62.5), b(-30, 40))
    assert opened.totals == (15, 15)


def test_a_fouls_disc_that_is_gone_is_not_asked_for_after_an_undo(opened):
    opened.see(a(0, 60), b(150, 0))
    assert str(opened.shown.next_step) == "Take off the marked discs."
    opened.see(a(0, 60), a(-240, -240, "ditch"))
    opened.do("undo")
    assert (str(opened.shown.next_step), signal(opened.state, "ready")) == ("Black to shoot.", ("turn", "A"))


def test_discs_left_on_the_board_after_a_confirmed_end_count_for_nothing(opened):
    opened.do("end_round")
    opened.see(a(0, 60), hand=False)
    assert opened.totals == (0, 0)
    opened.see()
    opened.see(b(0, 61))
    assert opened.totals == (0, 15)


def test_a_paused_table_judges_nothing_and_goes_on_from_the_board_as_it_lies(opened):
    opened.do("pause")
    opened.see(a(0, 150), b(10, 50))
    assert len(opened.shots) == 1
    opened.do("resume")
    assert len(opened.shots) == 2


@pytest.mark.parametrize(
    "command",
    [
        {"do": "start", "rules": "chess", "sides": [{"name": "A"}, {"name": "B"}]},
        {"do": "answer", "question": 99, "answer": "15"},
        {"do": "correct_disc", "disc": "b7", "zone": 10},
        {"do": "correct_round", "round": 1, "twenties": {"C": 1}},
        {"do": "correct_round", "round": 1, "totals": {"A": 5, "B": 0}},
    ],
)
def test_a_command_that_does_not_fit_the_match_changes_nothing(table, command):
    before = table.engine.snapshot
    with pytest.raises(Refused):
        table.engine.command(command)
    assert table.engine.snapshot == before


def test_without_a_match_commands_are_refused_and_hole_events_are_kept(journal):
    engine = Engine(journal, wall=lambda: 0.0)
    assert json.loads(encoded(engine.snapshot))["match"] is None
    with pytest.raises(Refused, match="No match"):
        engine.command({"do": "undo"})
    engine.hole_changed(HoleEvent(1.0, True, counts=HoleCounts(5, 1, 0)))
    assert kept_counts(journal) == HoleCounts(5, 1, 0)
    assert [entry.kind for entry in journal.events(0)] == ["hole_changed"]


def test_a_known_level_is_no_event_and_its_counts_are_kept(table):
    assert kept_counts(table.journal) is None
    for boot in (5, 6):
        table.engine.hole_changed(HoleEvent(table.t + 1, True, counts=HoleCounts(boot, 1, 0)))
        assert kept_counts(table.journal) == HoleCounts(boot, 1, 0)
    assert len(table.state.hole) == 1


@pytest.mark.parametrize(
    ("missed", "camera", "asks"), [(2, True, True), (None, True, False), (None, False, True), (0, False, False)]
)
def test_what_the_sensor_missed_is_a_question_if_it_matters_to_the_round_and_is_asked_once(
    opened, missed, camera, asks
):
    opened.engine.camera_changed(lost=not camera)
    for k in (1, 2):
        opened.engine.hole_changed(HoleEvent(opened.t + k, None, counts=HoleCounts(5, k, k), missed=missed))
        assert opened.state.hole_level is None
        opened.engine.hole_changed(HoleEvent(opened.t + k, False, counts=HoleCounts(5, k, k)))
    questions = list(opened.state.questions.values())
    assert [question.asked.what for question in questions] == ["gap"] * asks
    for question in questions:
        opened.do("answer", question=question.id, answer="agree")
    assert not opened.state.questions
    opened.do("pause")
    opened.engine.hole_changed(HoleEvent(opened.t + 3, None, missed=missed))
    assert not opened.state.questions


def test_a_board_during_which_the_sensor_could_not_tell_is_weighed_without_it(table):
    table.see(hand=False)
    table.hole((0.0, True), (0.1, None), (0.1, False))
    assert table.engine.referee._of_sensor(table.state) == ((), None)
    table.see(hand=False)
    assert table.engine.referee._of_sensor(table.state) == ((), False)


def test_while_the_camera_adapts_to_the_light_the_table_is_not_ready(opened):
    assert opened.engine.word == "ready"
    opened.engine.set_notice("light", "It is too dark to see the board: switch the lamps on.")
    assert opened.engine.snapshot.status.word == "light_changed"
    opened.engine.set_notice("light", None)
    assert opened.engine.snapshot.status.word == "ready"


def test_repeated_notices_change_nothing(table, caplog):
    shown = []
    table.engine.on_changed.append(shown.append)
    for _ in range(10):  # each device's health is reported every few seconds
        for kind, text in (("camera", "no camera"), ("lamps", "no pins"), ("buttons", None)):
            table.engine.set_notice(kind, text)
    assert table.notices == ["no camera", "no pins"]
    assert len(shown) == 2
    assert len(caplog.records) == 2
    table.engine.set_notice("camera", "another cable")
    assert table.notices == ["another cable", "no pins"]
    table.engine.set_notice("camera", None)
    assert table.notices == ["no pins"]
    assert len(shown) == 4


def test_a_reversed_sensor_is_reported_before_the_first_match(journal):
    level = True
    engine = Engine(journal, wall=lambda: 0.0, level=lambda: level)

    def notices():
        return {n.kind: str(n.text) for n in engine.snapshot.notices}

    engine.observe(BoardRead(1.0, BoardReading((), False, 0.0, 1.0), NOTHING))
    assert "teach it with a disc" in notices()["hole_level"]
    engine.observe(BoardRead(2.0, BoardReading((a(0, 0, "in_hole"),), False, 0.0, 2.0), NOTHING))
    assert notices() == {}
    level = False
    engine.observe(BoardRead(3.0, BoardReading((), False, 0.0, 3.0), NOTHING))
    assert notices() == {}
