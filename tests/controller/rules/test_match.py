from dataclasses import replace

import pytest

from controller.rules import (
    DITCH,
    HOLE,
    BadMatch,
    Format,
    ImpossibleShot,
    Match,
    NotAllowedNow,
    OutOfTurn,
    Placed,
    Shot,
    Side,
    UnknownRuleSet,
)

BEGUN, BLACK_BEGINS = Match.start("nca"), Match.start("nca", starter="A")


def shot(match, disc, rest, hits=None, side=None, **moved):
    """The match after a shot of this disc; `moved`: where others came to rest."""
    contacts = ((disc, hits),) if hits else ()
    return match.play(Shot(side or disc[0].upper(), disc, contacts, {disc: rest, **moved}))


def sunk(match, disc=None, rest=HOLE):
    """The match after the side whose turn it is has shot a twenty."""
    side = match.round.to_shoot
    return shot(match, disc or f"{side.lower()}{len(match.round.shots)}", rest, side=side)


def off(match, disc=None):
    return sunk(match, disc, DITCH)


def annulled(match, number=None):
    """The running round played again with this shot annulled, by default the last that counts."""
    shots = match.round.shots
    number = number or max(k for k, played in enumerate(shots, start=1) if not played.annulled)
    match = replace(match, all_rounds=(*match.all_rounds[:-1], replace(match.round, shots=())))
    for k, played in enumerate(shots, start=1):
        out = played.annulled or k == number
        match = match.play(played.shot, annul=True) if out else match.play(played.shot, played.judgement.played_as)
        match = match.place_all(played.corrected) if played.corrected and not out else match
    return match


def round_won_by(match, winner):
    """The running round played out: the winner shoots one twenty, all else misses; None is a tie."""
    while not match.round.complete:
        first = match.round.shots_left[match.round.to_shoot] == match.terms.discs
        match = sunk(match) if first and match.round.to_shoot == winner else off(match)
    return match


def won(match, *winners):
    for k, winner in enumerate(winners):
        match = round_won_by(match.next_round() if k else match, winner)
    return match


def order(match, shots=None):
    """The seats of a round in the order in which they shoot."""
    seats = []
    for _ in range(shots or 99):
        if match.round.complete:
            break
        seats.append(match.round.seat_to_shoot)
        match = off(match)
    return seats


# --- turns, seats, hammer


def test_singles_take_turns_and_the_other_side_has_the_hammer():
    match = Match.start("nca", starter="B")
    assert order(match) == [3, 1] * 8
    assert match.round.hammer == "A"
    assert match.round.shots_left == {"A": 8, "B": 8}


def test_doubles_go_clockwise_by_seats_with_six_discs_each():
    match = Match.start("nca", starter="B", doubles=True)
    assert order(match) == [2, 3, 4, 1] * 6
    assert match.round.hammer == "A"
    partner = Match.start("nca", starter="B", doubles=True, seat=4)
    assert order(partner, 4) == [4, 1, 2, 3]


@pytest.mark.parametrize(("sides", "discs"), [("ABC", 8), ("ABCD", 6)])
def test_each_for_themselves_share_24_discs(sides, discs):
    match = Match.start("family", sides=tuple(sides), starter="B")
    assert match.terms.discs == discs
    seats = order(match)
    assert len(seats) == 24
    assert seats[: len(sides)] == [2, 3, 4, 1][: len(sides)] if len(sides) == 4 else [2, 3, 1]
    assert match.round.hammer == "A"


@pytest.mark.parametrize(("rules", "discs"), [("nca", 8), ("wcc", 8), ("club-100", 12), ("polish-tournament", 12)])
def test_the_rule_sets_discs_unless_others_are_agreed(rules, discs):
    assert Match.start(rules).terms.discs == discs
    assert Match.start(rules, doubles=True).terms.discs == 12
    assert Match.start(rules, discs=7).terms.discs == 7


@pytest.mark.parametrize(
    ("rules", "format", "doubles", "seats"),
    [
        ("club-100", None, True, [1, 2, 3, 4, 1, 2]),
        ("nca", Format("rounds", rounds=4, games=3), False, [1, 3, 1, 3, 3, 1, 3, 1, 1, 3, 1, 3]),
        ("nca", Format("rounds", rounds=4, games=2), True, [1, 2, 3, 4, 2, 3, 4, 1]),
    ],
)
def test_the_seat_to_the_left_starts_the_next_round_and_by_the_nca_the_start_alternates_across_games(
    rules, format, doubles, seats
):
    match = Match.start(rules, format, starter="A", doubles=doubles)
    starters = [match.round.starter_seat]
    for _ in seats[1:]:
        match = match.close_round().next_round()
        starters.append(match.round.starter_seat)
    assert starters == seats


def test_a_starter_other_than_the_rules_is_accepted():
    match = BLACK_BEGINS.close_round()
    assert match.next_starter == "B"
    assert match.with_next_round("A").round.starter == "A"


def test_there_is_no_next_starter_while_a_round_runs_or_when_the_match_is_over():
    match = Match.start("nca", Format("rounds", rounds=1))
    assert match.next_starter is None
    assert match.close_round().over
    assert match.close_round().next_starter is None


def test_a_shot_out_of_turn_is_refused():
    match = BLACK_BEGINS
    with pytest.raises(OutOfTurn, match="turn of A"):
        shot(match, "b1", HOLE)
    with pytest.raises(OutOfTurn, match="no side 'C'"):
        shot(match, "c1", HOLE)
    with pytest.raises(OutOfTurn):
        shot(sunk(match), "a9", HOLE)


@pytest.mark.parametrize(
    ("place", "impossible"),
    [
        ("disc", Shot("B", "a0", (), {"a0": HOLE})),
        ("disc", Shot("B", "b1", (), {"b1": HOLE})),
        ("contacts[0]", Shot("B", "b9", (("b9", "a9"),), {"b9": HOLE})),
        ("rest.b1", Shot("B", "b9", (("b9", "b1"),), {"b9": HOLE, "b1": Placed(0.0, 50.0)})),
    ],
)
def test_shots_that_a_round_cannot_have_are_refused(place, impossible):
    match = Match.start("family", starter="A")
    match = shot(match, "a0", Placed(0.0, 60.0))
    match = shot(match, "b1", DITCH, hits="a0")
    match = shot(match, "a2", HOLE)
    before = match
    with pytest.raises(ImpossibleShot) as refused:
        match.play(impossible)
    assert refused.value.place == place
    assert match == before


def test_a_disc_in_the_ditch_may_be_listed_again():
    match = off(BLACK_BEGINS, "a1")
    match = shot(match, "b1", HOLE, hits="a1", a1=DITCH)
    assert match.round.totals == {"A": 0, "B": 20}


# --- rounds


def test_a_round_is_complete_when_every_disc_was_shot():
    match = Match.start("club-100", discs=6)
    for _ in range(12):
        assert match.round.awarded is None
        match = sunk(match)
    assert match.round.complete
    assert match.round.to_shoot is None
    assert match.round.awarded == {"A": 0, "B": 0}
    with pytest.raises(NotAllowedNow, match="Round 1 is over"):
        shot(match, "a99", HOLE)


def test_totals_are_as_if_the_round_ended_now():
    match = BLACK_BEGINS
    match = shot(match, "a1", Placed(0.0, 110.0))
    assert match.round.totals == {"A": 10, "B": 0}  # a valid open shot at the 15 line scores 10
    match = shot(match, "b1", HOLE, hits="a1", a1=Placed(0.0, 250.0))
    assert match.round.totals == {"A": 5, "B": 20}
    assert match.round.twenties == {"A": (), "B": ("b1",)}
    match = shot(match, "a2", Placed(10.0, 10.0, "leaning"))
    assert match.round.totals == {"A": 20, "B": 20}  # a leaning disc is a 15


@pytest.mark.parametrize(("played", "owed"), [(0, None), (3, "B"), (4, None), (7, "B")])
def test_when_time_ran_out_the_side_with_fewer_shots_gets_one_more(played, owed):
    match = BLACK_BEGINS
    for _ in range(played):
        match = off(match)
    match = match.time_out()
    assert match.round.to_shoot == owed
    assert match.round.complete == (owed is None)
    if owed:
        assert match.round.shots_left == {"A": 0, "B": 1}
        match = sunk(match)
        assert match.round.complete
        assert match.round.awarded == {"A": 0, "B": 2}


def test_when_time_ran_out_in_doubles_it_is_the_sides_next_seat():
    match = Match.start("nca", starter="A", doubles=True)
    for _ in range(5):
        match = off(match)
    match = match.time_out()
    assert (match.round.to_shoot, match.round.seat_to_shoot) == ("B", 2)
    assert off(match).round.complete
    with pytest.raises(NotAllowedNow):
        match.time_out()


def test_each_for_themselves_all_who_have_fewer_get_one_more():
    match = Match.start("nca", sides="ABC", starter="A")
    for _ in range(4):
        match = off(match)
    match = match.time_out()
    assert order(match) == [2, 3]


def test_a_round_can_be_closed_early():
    match = sunk(BLACK_BEGINS).close_round()
    assert match.round.awarded == {"A": 2, "B": 0}
    with pytest.raises(NotAllowedNow):
        match.close_round()


def test_the_next_round_waits_for_the_last():
    match = BEGUN
    with pytest.raises(NotAllowedNow, match="Round 1 is still being played"):
        match.next_round()


# --- matches


def test_first_to_a_hundred():
    match = Match.start("club-100", Format("points", target=60), discs=6)
    match = won(match, "A", "B", "A")
    assert match.score == {"A": 40, "B": 20}
    assert not match.over
    match = won(match.next_round(), "A")
    assert match.score == {"A": 60, "B": 20}
    assert (match.over, match.winner) == (True, "A")
    with pytest.raises(NotAllowedNow, match="over"):
        match.next_round()


def test_games_won_are_listed_beside_the_score():
    match = won(Match.start("nca", Format("rounds", rounds=2, games=3)), "A", "A", "B", None, None, None)
    assert match.games == {"A": 1, "B": 1}
    assert match.score == {"A": 7, "B": 5}
    assert match.winner == "A"


def test_rounds_that_break_a_tie_are_no_further_game():
    match = won(Match.start("nca", Format("rounds", rounds=2, tie="round")), "A", "B", None, "A")
    assert match.winner == "A"
    assert match.games == {"A": 0, "B": 0}


def test_at_ten_all_the_polish_rules_count_the_twenties():
    match = Match.start("polish-tournament", discs=6)
    match = won(match, *"ABABABABA")
    assert match.score == {"A": 10, "B": 8}
    assert match.winner == "A"
    level = won(Match.start("polish-tournament", discs=6), *"ABABABAB", None, None)
    assert level.score == {"A": 10, "B": 10}
    assert (level.over, level.winner) == (True, None)  # as many twenties each
    assert level.correct_twenties(9, {"B": 1, "A": 1}).winner is None
    assert level.correct_twenties(1, {"A": 2}).winner == "A"


def test_a_shoot_out_is_entered_by_hand():
    match = won(Match.start("nca", Format("rounds", rounds=2, tie="shoot_out")), "A", "B")
    assert match.awaits_shoot_out
    assert not match.over
    assert match.next_starter is None
    with pytest.raises(NotAllowedNow, match="shoot-out"):
        match.next_round()
    match = match.enter_shoot_out({"A": 7, "B": 7})
    assert match.awaits_shoot_out
    match = match.enter_shoot_out({"A": 7, "B": 8})
    assert (match.over, match.winner) == (True, "B")
    for none_is_due in (match, BEGUN):
        with pytest.raises(NotAllowedNow):
            none_is_due.enter_shoot_out({"A": 1, "B": 0})


@pytest.mark.parametrize(
    ("place", "members"),
    [
        ("sides", {"sides": ["A"]}),
        ("sides", {"sides": list("ABCDE")}),
        ("sides", {"sides": ["A", "A"]}),
        ("sides", {"sides": [Side("X", "Player 1"), Side("Y", "Player 2")]}),
        ("sides", {"sides": list("ABC"), "doubles": True}),
        ("starter", {"starter": "C"}),
        ("seat", {"starter": "A", "seat": 3}),
        ("seat", {"starter": "A", "seat": 2, "doubles": True}),
        ("discs", {"discs": 5}),
        ("discs", {"discs": 13}),
        ("discs", {"discs": 8.0}),
        ("discs", {"discs": 7, "doubles": True}),
    ],
)
def test_invalid_matches_are_refused(place, members):
    with pytest.raises(BadMatch) as refused:
        Match.start("nca", **members)
    assert refused.value.place == place


def test_an_unknown_rule_set_is_refused_with_a_hint():
    with pytest.raises(UnknownRuleSet, match="did you mean 'nca'"):
        Match.start("nca2")
    with pytest.raises(UnknownRuleSet, match="club-100, polish-tournament"):
        Match.start("snooker")
