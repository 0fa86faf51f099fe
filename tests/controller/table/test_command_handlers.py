"""The scorer's commands, as a person gives them: to this match or an earlier one, in time or too late."""

import json

import pytest

from controller.errors import BadInput, Refused, Stale
from controller.journal.match_log import MatchLog
from controller.match import events as ev
from controller.views.audit import audit
from tests.controller.fed_table import a, b

SIDES = [{"name": "Ann", "colour": "black"}, {"name": "Bo", "colour": "natural"}]


def two_shots(table):
    table.see(a(0, 60))
    table.see(a(0, 60.9), b(30, 40))


def test_on_an_open_board_the_resting_place_decides_not_the_scorer(opened):
    before = opened.engine.snapshot
    with pytest.raises(Refused, match="correct the disc instead"):
        opened.do("correct_shot", round=1, shot=1, valid=False)
    assert opened.engine.snapshot == before


def drawn(table):
    discs = table.shown.discs
    return {d.id: (d.x, d.y, d.zone) for d in discs}


def test_a_disc_is_drawn_where_people_say_that_it_lies(table):
    two_shots(table)
    table.do("correct_disc", disc="b1", zone="remove")
    table.see(a(0, 60.9))
    assert set(drawn(table)) == {"a1"}
    table.do("correct_disc", disc="b1", at=[-60, 0])
    assert table.totals == (15, 15)
    assert drawn(table)["b1"] == (-60, 0, 15), "also one that the camera does not see there"
    table.do("undo")
    assert set(drawn(table)) == {"a1"}
    table.do("correct_disc", disc="a1", at=[150, 40])
    assert table.totals == (10, 0)
    assert drawn(table)["a1"] == (150, 40, 10)


def test_a_correction_of_what_a_shot_has_changed_since_is_refused(opened):
    looked = opened.engine.snapshot.id
    opened.see(a(0, 90), b(20, 60))
    with pytest.raises(Stale):
        opened.do("correct_disc", disc="a1", zone=10, seen=looked)
    with pytest.raises(Stale):
        opened.do("end_round", seen=looked)
    opened.do("correct_round", round=1, twenties={"A": 1}, seen=looked)


def test_the_disc_of_an_annulled_shot_stays_out_of_the_score_however_often_the_board_was_read_since(table):
    two_shots(table)
    table.see(a(0, 62.5), b(30, 38.5))  # somebody's sleeve
    table.see(a(0, 62.5), b(30, 38.5), a(-30, 40))
    table.do("correct_shot", round=1, shot=2, annulled=True)
    assert [(s.side, round(s.x)) for s in table.state.strangers] == [("B", 30)]
    table.see(a(0, 62.5), b(30, 38.5), a(-30, 40), hand=False)
    assert len(table.shots) == 3
    assert table.totals[1] == 0
    assert table.journalled == table.state


def test_a_disc_of_an_earlier_shot_is_corrected_and_stays_so(table):
    two_shots(table)
    table.see(a(0, 60.9), b(30, 40.8), a(-30, 40))
    table.do("correct_disc", disc="a1", zone=10, round=1, shot=1)
    assert table.totals[0] == 30, "it was moved since, and lies in the 15 now"
    table.do("correct_disc", disc="b1", zone=10, round=1, shot=2)
    assert table.totals == (30, 15), "likewise: the last shot moved it"
    table.do("correct_disc", disc="b1", zone=10, round=1, shot=3)
    assert table.totals == (30, 10)
    assert table.journalled == table.state


def test_a_disc_that_the_table_has_in_the_ditch_is_put_where_it_lies(opened):
    opened.see(a(0, 60), b(340, 30, "ditch"))
    with pytest.raises(Refused, match="say where it lies"):
        opened.do("correct_disc", disc="b1", zone=10)
    opened.do("correct_shot", round=1, shot=2, valid=True)
    opened.do("correct_disc", disc="b1", at=[0, -150])
    assert opened.totals == (15, 10)


def test_where_people_say_that_a_shot_on_an_open_board_left_its_disc_decides_its_verdict(table):
    table.see(a(0, -150))
    assert table.shots[0][:2] == ("A", False)
    table.do("correct_disc", disc="a1", at=[0, -80], round=1, shot=1)
    assert table.shots[0][:2] == ("A", True)
    table.do("correct_disc", disc="a1", at=[0, -150], round=1, shot=1)
    assert table.shots[0][:2] == ("A", False)
    assert table.state.to_remove == {"a1": "foul"}
    assert table.totals == (0, 0)
    table.do("correct_disc", disc="a1", zone="remove", round=1, shot=1)
    assert table.shots[0][:2] == ("A", False)
    assert table.totals == (0, 0)
    table.do("correct_disc", disc="a1", zone=20, round=1, shot=1)
    assert table.shots[0][:2] == ("A", True)
    assert table.totals == (20, 0)
    assert table.journalled == table.state


def test_an_earlier_match_is_corrected_and_the_present_one_is_not_touched(table):
    two_shots(table)
    table.do("end_round")
    table.do("start", rules="nca", sides=SIDES)
    before = table.engine.state
    table.do("correct_disc", match=1, disc="b1", zone=10, round=1, by="phone", who="one")
    assert table.engine.state == before
    book = MatchLog.open(table.journal, 1)
    assert book.state.finished[0].totals == {"A": 15, "B": 10}
    (*_, last) = audit(book.history)
    assert (last.by, last.who, str(last.text)) == ("phone", "one", "Natural's first disc counts 10")
    table.do("undo", match=1)
    assert MatchLog.open(table.journal, 1).state.finished[0].totals == {"A": 15, "B": 15}
    with pytest.raises(Refused, match="no longer being played"):
        table.do("automatic", match=1, left={"A": 1, "B": 1})
    with pytest.raises(Refused, match="no match 9"):
        table.do("undo", match=9)


def test_rounds_are_entered_by_hand_and_the_table_goes_on_from_the_board_as_it_lies(table):
    table.do("manual")
    assert table.engine.word == "manual"
    table.see(a(0, 60))
    assert table.shots == []
    table.do("end_round", totals={"A": 65, "B": 40}, twenties={"A": 2, "B": 1})
    assert table.state.score == {"A": 2, "B": 0}
    assert table.state.finished[0].twenty_counts == {"A": 2, "B": 1}
    table.do("undo")
    assert table.state.score == {"A": 0, "B": 0}
    table.see(a(0, 60), b(30, 40), a(100, 100), b(-30, 40))
    with pytest.raises(Refused, match="left"):
        table.do("automatic", left={"A": 2, "B": 8})
    with pytest.raises(Refused, match="lie on the board"):
        table.do("automatic", left={"A": 7, "B": 7})
    table.do("automatic", left={"A": 5, "B": 5})
    assert table.totals == (25, 30)
    assert table.round.shots_left == {"A": 5, "B": 5}
    table.see(a(0, 60), b(30, 42), a(100, 100), b(-30, 40), a(70, 20))
    assert table.totals == (40, 30)
    assert table.journalled == table.state


def test_doubles_know_their_seats_and_three_players_have_three_sides(new_table):
    table = new_table(sides=SIDES, doubles=True, seats={"1": "Ann", "3": "Al"}, seat=3, discs=12)
    assert table.state.started.seats == {1: "Ann", 3: "Al"}
    assert table.round.seat_to_shoot == 3
    with pytest.raises(Refused, match="seat"):
        table.do("start", rules="nca", sides=SIDES, seats={"2": "Nobody"})
    three = [*SIDES, {"name": "Cy", "colour": "red"}]
    table.do("start", rules="nca", sides=three)
    assert table.state.sides == ("A", "B", "C")
    assert table.engine.word == "ready"
    table.do("manual")
    table.do("automatic")
    table.see(a(0, 60), b(30, 42))
    assert table.round.to_shoot == "C"


def test_a_match_that_starts_by_hand_stays_by_hand(new_table):
    table = new_table(manual=True)
    with pytest.raises(Refused, match="nothing to undo"):
        table.do("undo")
    assert table.state.manual


def test_concurrent_changes_are_shown_before_they_are_overwritten(table):
    two_shots(table)
    seen = table.engine.snapshot.id
    table.do("correct_round", round=1, twenties={"A": 2}, by="phone", who="one")
    with pytest.raises(Stale, match="a scorer's phone: Twenties of Black in round 1: 2") as refusal:
        table.do("correct_round", round=1, twenties={"A": 1}, seen=seen)
    assert [line.who for line in refusal.value.changes] == ["one"]
    table.do("correct_round", round=1, twenties={"B": 1}, seen=seen)
    with pytest.raises(Stale):
        table.do("undo", seen=seen)
    table.do("undo", seen=table.engine.snapshot.id)
    seen = table.engine.snapshot.id
    table.do("correct_shot", round=1, shot=2, annulled=True)
    with pytest.raises(Stale):
        table.do("correct_shot", round=1, shot=2, valid=False, seen=seen)
    with pytest.raises(Stale, match="A shot annulled"):
        table.do("end_round", seen=seen)  # it would count something else than its sender saw
    seen = table.engine.snapshot.id
    table.do("end_round", seen=seen)
    with pytest.raises(Stale):
        table.do("end_round", seen=seen)
    table.do("start", rules="nca", sides=SIDES)
    with pytest.raises(Stale):
        table.do("pause", seen=seen)


def test_totals_that_another_scorer_just_entered_are_not_overwritten_unseen(table):
    two_shots(table)
    seen = table.engine.snapshot.id
    table.do("end_round", totals={"A": 65, "B": 40})
    with pytest.raises(Stale, match="Round entered by hand"):
        table.do("correct_round", round=1, totals={"A": 10, "B": 40}, seen=seen)
    table.do("correct_round", round=1, points={"A": 0, "B": 2})
    assert str(table.shown.can_undo) == "the points of round 1"


def test_who_did_what_and_when_is_kept(table):
    two_shots(table)
    table.do("undo", by="button")
    table.do("redo", by="screen")
    table.do("end_round", by="phone", who="Bo's phone")
    lines = [
        (line.by, line.who, line.kind, line.at, line.undone)
        for line in audit(table.engine.history)
        if line.kind != "seats_learnt"  # what the test's table begins with
    ]
    at = table.t
    assert lines == [
        ("program", "", "match_started", 0.0, False),
        ("button", "", "undone", at, True),
        ("screen", "", "redone", at, False),
        ("phone", "Bo's phone", "round_ended", at, False),
    ]
    json.dumps([str(line.text) for line in audit(table.engine.history)])


def test_nobody_is_asked_where_no_answer_changes_anything(table):
    two_shots(table)
    questions = []
    for zone in (15, 10):
        does = (ev.DiscCorrected(disc="b1", zone=zone),)
        answers = (ev.Answer(id="15"), ev.Answer(id=str(zone), events=does) if zone == 10 else ev.Answer(id="10"))
        asked = ev.QuestionAsked(what="order", case="mixed", round=1, answers=answers, discs=("b1",), sides=("B",))
        table.engine._commit([asked])
        table.engine.publish()
        questions.append(len(table.shown.questions))
    assert questions == [0, 1], "only the second changes a total"
    assert len(table.state.pressing) == 1


def test_totals_and_twenties_of_a_round_are_corrected_in_one_step(table):
    table.do("end_round", totals={"A": 65, "B": 40})
    figures = {"totals": {"A": 60, "B": 40}, "twenties": {"A": 3, "B": 0}}
    with pytest.raises(Refused, match="Black: with 4 twenties the total is from 80 to"):
        table.do("correct_round", round=1, **{**figures, "twenties": {"A": 4, "B": 0}})
    table.do("correct_round", round=1, **figures)
    (played,) = table.state.finished
    assert (played.known_totals, played.known_twenties) == (figures["totals"], figures["twenties"])
    said = "Totals of round 1: Black 60 and Natural 40; twenties: Black 3 and Natural 0"
    assert str(audit(table.engine.history)[-1].text) == said
    table.do("undo")
    assert table.state.finished[0].known_totals == {"A": 65, "B": 40}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("start", "do must be a command"),
        ({"do": "dance"}, "do must be one of 'add_shot', 'agree'"),
        ({"rules": "nca"}, "do is missing: say which command this is."),
        ({"do": "correct_round", "round": 1, "totals": {"A": 7, "B": 0}}, "totals.A must be a multiple of 5, not 7."),
        ({"do": "correct_round", "round": 1, "totals": {}}, "give totals, twenties or points"),
        ({"do": "correct_disc", "disc": "a1"}, "what the disc counts"),
        ({"do": "correct_shot", "round": 1, "shot": 1}, "one thing about the shot"),
        ({"do": "correct_shot", "round": 1, "shot": 1, "valid": True, "annulled": True}, "one thing about the shot"),
        ({"do": "correct_disc", "disc": "a1", "zone": 7}, "zone must be one of 20, 15, 10, 5, 0 or 'remove', not 7."),
        ({"do": "undo", "twice": True}, "twice is unknown: leave it out, or correct its name."),
        (
            {"do": "start", "rules": "nca", "sides": [SIDES[0], SIDES[0]]},
            "Two sides can't both play black: the table could not tell their discs apart",
        ),
        ({"do": "start", "rules": "nca", "sides": [SIDES[0], {"name": " \u200c "}]}, "a name that can be read"),
        (
            {"do": "start", "rules": "nca", "sides": [SIDES[0], {**SIDES[1], "name": SIDES[0]["name"] + " "}]},
            "nobody could tell them apart",
        ),
        ({"do": "start", "rules": "nca", "sides": SIDES, "seats": {"5": "Ed"}}, "seats.5 must be one of '1', '2', '3'"),
    ],
)
def test_bad_input_is_named_in_a_plain_sentence_and_changes_nothing(table, command, sentence):
    before = table.engine.snapshot
    with pytest.raises(BadInput) as error:
        table.engine.command(command)
    assert sentence in str(error.value)
    assert "pydantic" not in str(error.value)
    assert table.engine.snapshot == before


def test_a_shot_that_the_table_missed_is_added_where_somebody_taps(opened):
    opened.do("add_shot", side="B", at=[30, 42], by="phone", who="Max")
    assert opened.totals == (15, 15)
    assert opened.round.to_shoot == "A"
    assert drawn(opened)["b1"] == (30, 42, 15)
    opened.see(a(0, 60))
    assert opened.totals == (15, 15), "people know better than a camera that does not see it"
    assert [str(line.text) for line in audit(opened.engine.history)][-1] == "A shot of Natural added"
    opened.do("undo")
    assert opened.totals == (15, 0)
    assert opened.journalled == opened.state


def test_an_added_disc_lies_where_the_camera_sees_it(opened):
    opened.see(a(0, 60), b(30, 42))
    opened.do("undo")
    assert len(opened.state.strangers) == 1
    opened.do("add_shot", side="B", at=[36, 35])
    assert drawn(opened)["b1"][:2] == (30, 42)
    assert opened.state.strangers == ()
    opened.see(a(0, 60), b(30, 42))
    assert len(opened.shots) == 2


def test_a_missed_twenty_and_a_missed_ditch_are_added(table):
    table.do("add_shot", side="A", at="hole")
    assert table.totals == (20, 0)
    table.do("add_shot", side="B", at="ditch")
    assert len(table.shots) == 2
    with pytest.raises(Refused):
        table.do("add_shot", side="B", at="ditch")
    table.see(a(0, 60))
    assert table.totals == (35, 0)


def test_a_disc_that_lies_ready_when_the_table_goes_on_is_none_of_those_already_shot(table):
    table.do("manual")
    table.see(a(0, 60), b(30, 40), a(300, 0))
    table.do("automatic", left={"A": 7, "B": 7})
    assert sorted(table.state.on_board) == ["a1", "b1"]


def test_a_twenty_that_lies_in_the_hole_when_the_table_goes_on_is_to_be_lifted_out(table):
    table.see(a(0, 0, "in_hole"))
    table.do("manual")
    table.do("automatic", left={"A": 7, "B": 8})
    assert [str(one.removal) for one in table.shown.discs] == ["lift it out (twenty)"]
    assert (str(table.shown.next_step), table.totals) == ("Lift the twenty out of the hole.", (20, 0))


COUNT = {"do": "count", "side": "A", "points": 20}
CORRECT = {"do": "correct_round", "totals": {"A": 20, "B": 0}}


@pytest.mark.parametrize(
    ("rounds", "command", "offer"),
    [
        (1, {"do": "end_round"}, "next"),
        (1, {"do": "add_shot", "side": "A", "at": "hole"}, "undo"),
        (1, {"do": "redo"}, "undo"),
        (1, {"do": "correct_shot", "round": 1, "shot": 30, "agreed": "valid"}, "shot"),
        (1, {"do": "answer", "question": 10_000, "answer": "a"}, "shot"),
        (1, CORRECT | {"round": 9}, None),
        (4, COUNT | {"round": 1}, "round"),
        (4, CORRECT | {"round": 2}, "round"),
        (4, COUNT | {"round": 3}, "undo"),
        (4, {"do": "set_timer", "timer": "round", "running": True}, "clock"),
        (4, COUNT | {"match": 1, "round": 1}, "next"),
    ],
)
def test_a_refusal_offers_the_tool_that_leads_on(table, rounds, command, offer):
    table.do("start", rules="nca", sides=SIDES, format={"kind": "rounds", "rounds": rounds}, manual=True)
    table.do("end_round", totals={"A": 20, "B": 0})
    with pytest.raises(Refused) as refusal:
        table.do(**command)
    assert getattr(refusal.value, "offer", None) == offer
