"""Amendments by the table count as if its account had been right from the beginning, until people undo them."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import Stale
from controller.journal.match_log import MatchLog
from controller.match import events as ev
from controller.match.base import At, BootClock, Stamped
from controller.match.fold import fold
from controller.match.parts import ChangedShot
from controller.match.questions import AnswerQuestion
from controller.match.shots import CorrectShot
from controller.match.undo import Redo, Undo
from controller.views.audit import audit, refuse_if_stale
from controller.views.history.review import ReviewedMatch, StoredPictures

START = ev.MatchStarted(rules="nca", sides=(ev.MatchSide(name="Black"), ev.MatchSide(name="Natural")))


def lying(**at):
    """Discs, and where they lie (mm)."""
    names = {name: {"x": x, "y": y, "pose": "flat", "zone": 15, "clearance": 9.0} for name, (x, y) in at.items()}
    return {name: {**one, "sigma": 0.1, "call": "sure"} for name, one in names.items()}


def shot(disc, where="surface", *touched, **at):
    """A shot of this disc; `at`: every disc on the board after it."""
    contacts = tuple((disc, other) for other in touched)
    document = {"side": disc[0].upper(), "disc": disc, "rest": {disc: where}, "contacts": contacts}
    return ev.ShotSeen.model_validate({**document, "measured": lying(**at)})


A1 = shot("a1", a1=(0, 60))
MISSED = shot("b1", a1=(0, 60), b1=(50, 0))  # a foul: it touched nothing
TOUCHED = shot("b1", "surface", "a1", a1=(0, 60), b1=(50, 0))
ASKED = ev.QuestionAsked.model_validate(
    {"what": "contact", "case": "two_shots", "round": 1, "disc": "b1", "discs": ("b1", "a1"), "sides": ("B", "A")}
    | {"answers": [{"id": "touched", "events": []}, {"id": "clear", "events": []}]}
)


def amended(after, *anew, t=8.0, **more):
    revised = tuple(ev.RevisedEvent(after=after, t=t, event=event, number=number) for event, number in anew)
    return ev.Amended(round=1, after=after, t=t, revised=revised, **{"why": "later_board", **more})


@pytest.fixture
def log(journal):
    """A match of two shots: numbers 1 to 3."""
    log = MatchLog.begin(journal, [START, A1], 0.0)
    log.write([MISSED.model_copy(update={"picture": "seen.jpg"})], 1.0)
    return log


def do(log, command):
    log.write(command.carry_out(At(log.history, log.state, BootClock(lambda: 0.0))), 9.0)


def verdicts(log):
    return [played.judgement.valid for played in log.state.game.round.shots]


def seen(state):
    """What people see of a match, and what later events refer to; not which event was the last."""
    return replace(state, last_id=0, amendments=(), last_call=None, undone=None)


def test_an_amendment_is_undone_and_redone_as_a_whole_and_a_restart_reads_the_same(log, journal):
    before = log.state
    assert verdicts(log) == [True, False]
    log.write([amended(2, (TOUCHED, 3)), shot("a2", "surface", "b1", a1=(0, 60), b1=(50, 0), a2=(-50, 0))], 2.0)
    assert verdicts(log) == [True, True, True]
    after = log.state
    do(log, Undo(do="undo"))
    do(log, Undo(do="undo"))
    assert replace(seen(log.state), measured=before.measured, strangers=()) == seen(before)
    assert [line.undone for line in audit(log.history) if line.kind == "amended"] == [True]
    do(log, Redo(do="redo"))
    assert verdicts(log) == [True, True]
    do(log, Redo(do="redo"))
    assert replace(seen(log.state), round_starts={}) == replace(seen(after), round_starts={})
    assert MatchLog.open(journal, 1).state == log.state


def test_a_question_keeps_its_number_and_its_answer_counts_for_the_amended_shot(log):
    touched = ev.ShotCorrected(target=3, contacts=(("b1", "a1"),))
    does = (ev.Answer(id="touched", events=(touched,)), ev.Answer(id="clear"))
    log.write([ASKED.model_copy(update={"shot": 3, "answers": does})], 1.0)
    elsewhere = shot("b1", a1=(0, 60), b1=(90, 0))
    log.write([amended(2, (elsewhere, 3), shots=(ChangedShot(shot=2, change="otherwise"),))], 2.0)
    assert list(log.state.questions) == [4]
    assert verdicts(log) == [True, False]
    do(log, AnswerQuestion(do="answer", question=4, answer="touched"))
    assert verdicts(log) == [True, True]
    assert log.state.measured["b1"].x == 90


def test_an_amendment_that_changes_nothing_that_people_see_is_not_announced(log):
    log.write([amended(2, (shot("b1", a1=(0, 60), b1=(51, 0)), 3), why="nothing")], 2.0)
    assert log.state.measured["b1"].x == 51
    assert log.state.amendments == ()


def test_an_answer_that_was_given_before_still_counts(log):
    log.write([ev.ShotCorrected(by="phone", target=3, contacts=(("b1", "a1"),))], 1.0)
    log.write([amended(2, (shot("b1", a1=(0, 60), b1=(90, 0)), 3))], 2.0)
    assert verdicts(log) == [True, True]
    assert log.state.measured["b1"].x == 90


def test_a_shot_that_people_added_is_never_amended(log):
    people = shot("a2", a1=(0, 60), b1=(50, 0), a2=(-50, 0)).model_copy(update={"by": "phone"})
    log.write([people], 1.0)
    log.write([amended(2, (TOUCHED, 3))], 2.0)
    assert [played.shot.disc for played in log.state.game.round.shots] == ["a1", "b1", "a2"]


def test_shots_that_an_amendment_adds_have_numbers_of_their_own(log, journal):
    """Two of them between the first shot and the second: each can be annulled, and nothing else is."""
    second = shot("a2", "ditch", "b1", a1=(0, 60), b1=(50, 0))
    third = shot("b2", "ditch", "a1", a1=(0, 60), b1=(50, 0))
    log.write([amended(2, (TOUCHED, 3), (second, None), (third, None)), ev.ClockSet(ahead=1.0)], 2.0)
    assert list(log.state.shots.values()) == [2, 3, 4, 5]
    assert [s.id for s in log.history] == [1, 2, 3, 6, 7]
    do(log, CorrectShot(do="correct_shot", round=1, shot=3, annulled=True))
    assert [played.annulled for played in log.state.game.round.shots] == [False, False, True, False]
    assert MatchLog.open(journal, 1).state == log.state
    assert journal.append(1, 0.0, [("clock_set", {"ahead": 1.0})])[0].id == 9


def test_a_scorer_who_corrects_a_shot_learns_that_it_was_amended_before(log):
    command = CorrectShot(do="correct_shot", round=1, shot=2, valid=True, seen=3)
    refuse_if_stale(command, log.history)
    log.write([amended(2, (TOUCHED, 3), shots=(ChangedShot(shot=2, change="valid"),))], 2.0)
    with pytest.raises(Stale) as stale:
        refuse_if_stale(command, log.history)
    assert [str(line.text) for line in stale.value.changes] == [
        "Round 1, shot 2: not a foul after all. What was seen later shows it."
    ]


def test_the_review_shows_the_amendment_at_its_shot_and_the_questions_fate(log, journal):
    log.write([ASKED.model_copy(update={"shot": 3}), ASKED.model_copy(update={"shot": 3})], 1.0)
    amendment = amended(2, (TOUCHED, 3), shots=(ChangedShot(shot=2, change="valid"),), why="seen_again", disc="a1")
    log.write([amendment, ev.QuestionClosed(question=4)], 2.0)
    do(log, AnswerQuestion(do="answer", question=5, answer="unknown"))
    span = journal.span(1)
    first, second = ReviewedMatch.read(1, log.history, span, StoredPictures({"seen.jpg"})).shots
    assert (second.at, second.picture) == ("1970-01-01T00:00:01Z", "seen.jpg")
    assert (first.amended, [str(one) for one in second.amended]) == (
        [],
        ["Round 1, shot 2: not a foul after all. Black's first disc was there all the time."],
    )
    assert [(q.id, str(q.answer), str(q.note)) for q in second.questions] == [
        (4, "None", "What was seen later answered it."),
        (5, "We don't know", "None"),
    ]


DISCS = ("a1", "b1", "a2", "b2", "a3", "b3")
WAYS = st.tuples(st.sampled_from(["surface", "hole", "ditch"]), st.booleans())


def played(ways):
    """The shots of a round that went these ways: where the disc came to rest, and whether it touched an opponent's.
    Under these rules a shot that touches none while there is one is a foul, and its disc is taken off."""
    there = {}
    shots = []
    for k, (where, touches) in enumerate(ways):
        disc = DISCS[k]
        opponents = [name for name in there if name[0] != disc[0]]
        if where == "surface":
            there[disc] = (60.0 * math.cos(math.radians(60 * k)), 60.0 * math.sin(math.radians(60 * k)))
        shots.append(shot(disc, where, *opponents[: touches and 1], **there))
        if opponents and not touches:
            there.pop(disc, None)
    return shots


@given(
    first=st.lists(WAYS, min_size=len(DISCS), max_size=len(DISCS)),
    later=st.lists(st.tuples(st.integers(0, len(DISCS) - 1), st.lists(WAYS, min_size=6, max_size=6)), max_size=3),
    undone=st.integers(0, 3),
)
def test_an_amended_match_equals_one_that_was_right_from_the_beginning(first, later, undone):
    """Each amendment replaces all shots from one of them on; then the newest amendments are undone."""
    history = [Stamped(1, 0.0, START)]
    history += [Stamped(2 + k, 0.0, shot) for k, shot in enumerate(played(first))]
    accounts = [list(first)]
    for since, ways in later:
        accounts.append([*accounts[-1][:since], *ways[since:]])
        anew = tuple(
            ev.RevisedEvent(after=1 + k, t=float(k), event=shot, number=2 + k)
            for k, shot in enumerate(played(accounts[-1]))
            if k >= since
        )
        amendment = ev.Amended(round=1, after=1 + since, t=float(since), revised=anew, why="turn")
        history.append(Stamped(history[-1].id + 1, 0.0, amendment))
    for number in range(min(undone, len(later))):
        last = history[-1].id + 1
        history.append(Stamped(last, 0.0, ev.Undone(by="phone", target=1 + len(DISCS) + len(later) - number)))
    right = accounts[max(len(accounts) - 1 - undone, 0)]
    plain = [history[0], *(Stamped(2 + k, 0.0, shot) for k, shot in enumerate(played(right)))]
    assert seen(fold(1, history)) == seen(fold(1, plain))


@pytest.mark.parametrize(
    "event", [START, ev.PlayerCalled(name="Player 1", to="Player 2")], ids=lambda event: event.kind
)
def test_events_that_cannot_occur_within_a_match_are_refused(event):
    with pytest.raises(ValueError, match="within a match"):
        fold(1, [Stamped(1, 0.0, START), Stamped(2, 0.0, event)])
