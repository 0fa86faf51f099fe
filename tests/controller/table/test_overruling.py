"""People agree to play a shot as something else than the rules' verdict: it counts so, and both are told."""

import json
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller import rules
from controller.errors import Refused
from controller.journal.match_log import read_match
from controller.journal.match_log import record as match_record
from controller.match import events as ev
from controller.messages import encoded
from controller.views.audit import audit
from controller.views.history import Archive
from tests.controller.fed_table import a, b


def contact(table):
    """Two valid shots: the second hit the first one's disc."""
    table.see(a(0, 60))
    table.see(a(0, 60.9), b(30, 40))


def test_a_valid_shot_is_played_as_a_foul_and_undone(table):
    contact(table)
    table.do("correct_shot", round=1, shot=2, agreed="foul")
    assert table.totals == (15, 0)
    assert table.state.to_remove == {"b1": "foul"}
    call = table.shown.last_call
    assert (call.valid, call.by_rules, call.played_as) == (False, True, "agreed_foul")
    assert "Foul by agreement; by the rules valid." in str(call.text)
    assert [str(s) for s in call.why] == [
        "Valid: it hit Black's first disc.",
        "Played as a foul by agreement.",
        "Off, for the foul: Natural's first disc.",
    ]
    table.do("undo")
    assert table.totals == (15, 15)
    assert table.shown.last_call.played_as is None
    table.do("redo")
    assert table.totals == (15, 0)
    assert table.journalled == table.state


def test_a_foul_is_played_as_valid_and_what_came_after_follows(opened):
    opened.see(a(0, 60), b(100, 120))  # no contact: a foul, whose disc is left on the board
    opened.see(a(0, 60), b(100, 120), a(-40, 40))  # on an open board, since that disc is not in play
    assert [shot[1] for shot in opened.shots] == [True, False, True]
    opened.do("correct_shot", round=1, shot=2, agreed="valid")
    assert opened.totals == (15, 10), "the next shot is judged with that disc in play, which it did not hit"
    assert [shot[1] for shot in opened.shots] == [True, False, False]
    assert opened.journalled == opened.state


@pytest.mark.parametrize(
    ("before", "agreed", "why"),
    [
        ((), "valid", "counts as valid already"),
        ((), "by_rules", "That shot follows the rules already"),
        (({"do": "correct_shot", "agreed": "foul"},), "foul", "It is a foul already"),
        (({"do": "correct_shot", "annulled": True},), "foul", "annulled"),
    ],
)
def test_what_changes_nothing_is_refused(table, before, agreed, why):
    contact(table)
    for command in before:
        table.do(**command, round=1, shot=2)
    number = table.engine.snapshot.id
    with pytest.raises(Refused, match=why):
        table.do("correct_shot", round=1, shot=2, agreed=agreed)
    assert table.engine.snapshot.id == number


def test_review_record_score_sheet_audit_and_figures_tell_it(table):
    contact(table)
    table.do("correct_shot", round=1, shot=2, agreed="foul", by="phone", who="one")
    table.do("end_round")
    with closing(Archive(table.journal)) as archive:
        match = json.loads(encoded(archive.match(1)))
        archive.upkeep.catch_up()
        fouls = {player.player: player.fouls for player in archive.figures().players}
    shot = match["shots"][1]
    assert (shot["valid"], shot["by_rules"], shot["played_as"]) == (False, True, "agreed_foul")
    assert [(n["round"], n["shot"]) for n in match["notes"]] == [(1, 2)]
    assert match["notes"][0]["text"].startswith("Natural: Foul by agreement; by the rules valid.")
    assert match["rounds"][0]["corrected"] is True
    assert "played as a foul by agreement" in str(audit(table.engine.history)[-2].text)
    record = match_record(table.journal, 1)
    assert record["rounds"][0]["shots"][1]["played_as"] == "agreed_foul"
    judged = rules.judge_document(record)["rounds"][0]
    assert judged["shots"][1].items() >= {"valid": True, "reason": None, "played_as": "agreed_foul"}.items()
    assert judged["totals"] == {"A": 15, "B": 0}
    history, _ = read_match(table.journal, 1)
    assert fouls == {"Black": 0, "Natural": 1}
    assert any(isinstance(s.event, ev.ShotCorrected) and s.event.agreed and s.event.who == "one" for s in history)


PLACES = st.one_of(
    st.tuples(st.floats(-200, 200), st.floats(-200, 200)).map(lambda at: rules.Placed(*at)), st.just(rules.DITCH)
)


@given(rule_set=st.sampled_from(rules.rule_sets()), rest=PLACES, hits=st.booleans(), opponent=st.booleans())
def test_the_verdict_stays_whatever_is_agreed(rule_set, rest, hits, opponent):
    """A foul takes off the shooter's discs alone; to agree with the rules changes nothing."""
    discs = {"a1": rules.Disc("A", 250.0, 0.0)} | ({"b1": rules.Disc("B", -250.0, 0.0)} if opponent else {})
    board = rules.Position(discs)
    shot = rules.Shot("A", "a2", (("a2", "b1"),) if hits and opponent else (("a2", "a1"),), {"a2": rest})
    plain = rules.judge(board, shot, rule_set)
    foul = rules.judge(board, shot, rule_set, played_as="agreed_foul")
    valid = rules.judge(board, shot, rule_set, played_as="agreed_valid")
    verdicts = {(one.valid, one.reason, one.rule, one.deciding) for one in (plain, foul, valid)}
    assert len(verdicts) == 1
    assert (valid if plain.valid else foul).board == plain.board
    assert "a2" not in foul.board
    assert ("b1" in foul.board) == opponent
    assert set(plain.board.discs) <= set(valid.board.discs)


def test_a_record_that_names_no_known_agreement_is_refused_with_its_place(table):
    contact(table)
    record = match_record(table.journal, 1)
    record["rounds"][0]["shots"][1]["played_as"] = "agreed"
    with pytest.raises(rules.RecordError, match=r"rounds\[0\].shots\[1\].played_as.*agreed_foul"):
        rules.judge_document(record)
