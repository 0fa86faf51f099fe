"""What an organiser may set: every correction is a new match, and everything after it follows."""

from itertools import product

import pytest

from controller.rules import (
    DITCH,
    HOLE,
    BadCorrection,
    Format,
    ImpossibleShot,
    Match,
    NotAllowedNow,
    OutOfTurn,
    Placed,
)

from .test_match import BEGUN, BLACK_BEGINS, annulled, off, order, round_won_by, shot, sunk, won


def opening():
    """A's disc in the 15, B's hits it off and lies in the 10."""
    match = shot(BLACK_BEGINS, "a1", Placed(0.0, 84.0))
    return shot(match, "b1", Placed(30.0, 150.0), hits="a1", a1=DITCH)


def test_an_annulled_shots_disc_is_shot_again():
    match = annulled(opening())
    assert match.round.totals == {"A": 15, "B": 0}
    assert (match.round.to_shoot, match.round.shots_left) == ("B", {"A": 7, "B": 8})
    again = shot(match, "b1", HOLE)
    assert again.round.shots[-1].judgement.reason == "no_opponent_contact"
    assert again.round.corrected


def test_shots_after_an_annulled_one_are_judged_again():
    match = shot(BLACK_BEGINS, "a1", Placed(0.0, 84.0))
    match = shot(match, "b1", HOLE)
    assert match.round.totals == {"A": 15, "B": 0}
    match = annulled(match, 1)
    assert match.round.totals == {"A": 0, "B": 20}  # the board was open, so B's twenty counts
    assert match.round.to_shoot == "A"
    assert match.round.shots_left == {"A": 8, "B": 7}


def test_a_disc_whose_shot_was_annulled_earlier_is_shot_at_the_end():
    match = BLACK_BEGINS
    while not match.round.complete:
        match = off(match)
    match = annulled(match, 4)
    assert not match.round.complete
    assert order(match) == [3]


def test_an_annulment_that_later_shots_contradict_is_refused():
    match = opening()
    with pytest.raises(ImpossibleShot, match="no disc 'a1' was shot"):
        annulled(match, 1)
    assert annulled(annulled(match, 2), 1).round.board.discs == {}


def test_after_an_annulled_shot_the_next_side_may_shoot_too():
    match = annulled(opening())
    assert off(match, "b2").round.to_shoot == "A"
    late = shot(match, "a2", HOLE)
    assert late.round.to_shoot == "B"
    with pytest.raises(OutOfTurn):
        shot(late, "a3", HOLE)


def test_a_disc_is_put_where_it_really_lies():
    match = opening().place("b1", Placed(0.0, 60.0))
    assert match.round.totals == {"A": 0, "B": 15}
    match = match.place("b1", HOLE)
    assert match.round.twenties == {"A": (), "B": ("b1",)}
    assert match.round.totals == {"A": 0, "B": 20}
    assert match.place("b1", Placed(0.0, 60.0)).round.totals == {"A": 0, "B": 15}
    match = match.place("b1", DITCH).place("a1", Placed(0.0, 250.0))
    assert match.round.totals == {"A": 5, "B": 0}
    assert match.round.shots[1].judgement == opening().round.shots[1].judgement
    following = shot(match, "a2", HOLE)
    assert following.round.shots[-1].judgement.valid  # no opponent's disc is on the board any more


def test_two_discs_change_places():
    match = opening().place("a1", Placed(0.0, -60.0))
    swapped = match.place_all({"a1": Placed(30.0, 150.0), "b1": Placed(0.0, -60.0)})
    assert swapped.round.totals == {"A": 10, "B": 15}


def test_a_disc_put_on_the_outer_line_is_off():
    assert "b1" not in opening().place("b1", Placed(0.0, 290.0)).round.board


def test_a_correction_survives_the_annulment_of_an_earlier_shot():
    match = sunk(BLACK_BEGINS, "a1")
    match = shot(match, "b1", Placed(0.0, 60.0)).place("b1", Placed(0.0, 150.0))
    match = annulled(match, 1)
    assert match.round.totals == {"A": 0, "B": 10}
    assert match.round.shots[1].corrected == {"b1": Placed(0.0, 150.0, zone=10)}


def test_a_round_is_awarded():
    match = off(BLACK_BEGINS).award(1, {"A": 0, "B": 2})
    assert match.round.complete
    assert match.score == {"A": 0, "B": 2}
    assert match.next_starter == "B"
    match = won(match.next_round(), "A")
    assert match.award(2, {"A": 0, "B": 2}).score == {"A": 0, "B": 4}


def test_an_award_cannot_exceed_the_formats_maximum():
    match = Match.start("club-100", discs=10)
    assert match.award(1, {"A": 0, "B": 200}).score == {"A": 0, "B": 200}
    with pytest.raises(BadCorrection, match="from 0 to 200"):
        match.award(1, {"A": 0, "B": 201})


def test_twenties_are_corrected_in_a_running_and_in_a_finished_round():
    match = opening().correct_twenties(1, {"A": 2})
    assert match.round.totals == {"A": 40, "B": 10}
    assert match.match_twenties == {"A": 2, "B": 0}
    open_board = off(off(BLACK_BEGINS).correct_twenties(1, {"A": 1}))
    assert sunk(open_board).round.twenty_counts == {"A": 2, "B": 0}  # a further twenty adds to the person's count
    assert annulled(sunk(open_board)).round.twenty_counts == {"A": 1, "B": 0}
    finished = round_won_by(BEGUN, "A").correct_twenties(1, {"B": 3})
    assert finished.score == {"A": 0, "B": 2}
    assert finished.rounds[0].corrected


def test_the_totals_of_a_finished_round_are_corrected():
    match = won(BEGUN, "A", "B")
    match = match.correct_totals(1, {"A": 35, "B": 60})
    assert match.score == {"A": 0, "B": 4}
    assert [round.corrected for round in match.rounds] == [True, False]
    with pytest.raises(NotAllowedNow):
        match.next_round().correct_totals(3, {"A": 5, "B": 0})


NOWHERE, EDGE = Placed(float("nan"), 0.0), Placed(0.0, 200.0, "edge")
NO_AWARDS = ({"A": 2}, {"A": -1, "B": 0}, {"A": 1.5, "B": 0}, {"A": 2, "B": 0, "C": 0}, {"A": 3, "B": 0})
NO_TWENTIES = ({"A": 9}, {"A": -1}, {"A": True}, {"C": 1})
NO_TOTALS = ({"A": 7, "B": 0}, {"A": 165, "B": 0}, {"A": -5, "B": 0}, {"A": 5})


@pytest.mark.parametrize(
    ("match", "correct", "of", "figures"),
    [
        (BEGUN, "place", ("a1",), (HOLE,)),
        (opening(), "place", ("b2",), (HOLE,)),
        (opening(), "place", ("a1",), (Placed(30.0, 155.0), NOWHERE, Placed(0.0, 400.0), EDGE)),
        (BEGUN, "award", (1,), NO_AWARDS),
        (BEGUN, "correct_twenties", (1,), NO_TWENTIES),
        (BEGUN, "correct_twenties", (0, 2, -1), ({"A": 1},)),
        (won(BEGUN, "A"), "correct_totals", (1,), NO_TOTALS),
    ],
)
def test_impossible_corrections_are_refused(match, correct, of, figures):
    for one, figure in product(of, figures):
        with pytest.raises(BadCorrection):
            getattr(match, correct)(one, figure)


def test_rounds_played_after_the_match_was_over_do_not_count():
    match = won(Match.start("nca", Format("race", target=4)), "A", "B", "A")
    assert match.winner == "A"
    match = match.correct_totals(1, {"A": 0, "B": 20})
    assert (match.over, match.score) == (True, {"A": 0, "B": 4})  # over after round 2
    assert match.winner == "B"
    assert len(match.rounds) == 3


def test_what_nobody_recorded_is_not_known_until_somebody_enters_it():
    match = BEGUN.award(1, {"A": 2, "B": 0})
    assert match.round.known_totals == match.round.known_twenties == match.match_twenties == {"A": None, "B": None}
    match = match.correct_twenties(1, {"A": 0})
    assert match.round.known_twenties == {"A": 0, "B": None}
    match = match.correct_totals(1, {"A": 40, "B": 30})
    assert match.round.known_totals == {"A": 40, "B": 30}
    assert match.match_twenties == {"A": 0, "B": None}
    assert match.next_round().enter_totals(2, {"A": 5, "B": 0}, {"A": 0, "B": 0}).match_twenties == {"A": 0, "B": None}


def test_what_was_played_or_counted_is_known_also_where_it_is_nothing():
    closed, played = BEGUN.close_round(), off(BEGUN).close_round()
    counted = BEGUN.count_by_hand(1, "A", 15).close_round()
    for match, total in ((closed, 0), (played, 0), (counted, 15), (played.award(1, {"A": 0, "B": 2}), 0)):
        assert match.round.known_totals == {"A": total, "B": 0}
        assert match.match_twenties == {"A": 0, "B": 0}


def test_twenties_that_are_not_known_decide_no_tie():
    match = Match.start("nca", Format("rounds", rounds=1, tie="twenties"))
    match = match.enter_totals(1, {"A": 40, "B": 40}, {"A": 2})
    assert (match.over, match.winner) == (True, None)
    assert match.correct_twenties(1, {"B": 1}).winner == "A"
