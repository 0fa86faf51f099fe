import pytest

from controller.rules import BadFormat, Format

POINTS, ROUNDS, RACE = Format("points"), Format("rounds"), Format("race")


@pytest.mark.parametrize(
    ("totals", "awarded"),
    [
        ({"A": 35, "B": 60}, {"A": 0, "B": 2}),
        ({"A": 35, "B": 35}, {"A": 1, "B": 1}),
        ({"A": 50, "B": 30, "C": 10}, {"A": 2, "B": 1, "C": 0}),
        ({"A": 50, "B": 10, "C": 50}, {"A": 1, "B": 0, "C": 1}),
        ({"A": 50, "B": 10, "C": 10}, {"A": 2, "B": 0, "C": 0}),
        ({"A": 10, "B": 10, "C": 10}, {"A": 1, "B": 1, "C": 1}),
        ({"A": 10, "B": 40, "C": 20, "D": 30}, {"A": 0, "B": 2, "C": 0, "D": 1}),
    ],
)
def test_what_a_round_gives(totals, awarded):
    assert ROUNDS.award(totals) == RACE.award(totals) == awarded
    lowest = min(totals.values())
    assert POINTS.award(totals) == {side: total - lowest for side, total in totals.items()}


@pytest.mark.parametrize(
    ("format", "score", "finished", "over", "winner"),
    [
        (Format("points", target=100), {"A": 95, "B": 80}, 9, False, None),
        (Format("points", target=100), {"A": 100, "B": 80}, 9, True, "A"),
        (Format("rounds", rounds=4), {"A": 6, "B": 0}, 3, False, None),
        (Format("rounds", rounds=4), {"A": 3, "B": 5}, 4, True, "B"),
        (Format("rounds", rounds=4), {"A": 4, "B": 4}, 4, True, None),
        (Format("rounds", rounds=4, tie="round"), {"A": 4, "B": 4}, 4, False, None),
        (Format("rounds", rounds=4, games=2), {"A": 5, "B": 3}, 4, False, None),
        (Format("rounds", rounds=4, games=2), {"A": 7, "B": 9}, 8, True, "B"),
        (Format("race", target=9), {"A": 9, "B": 9}, 9, False, None),
        (Format("race", target=9), {"A": 11, "B": 9}, 10, True, "A"),
    ],
)
def test_when_a_match_is_over(format, score, finished, over, winner):
    outcome = format.outcome(score, finished, {"A": 0, "B": 0})
    assert (outcome.over, outcome.winner, outcome.shoot_out) == (over, winner, False)


LEVEL, AGAIN = {"A": 4, "B": 4}, {"A": 5, "B": 5}


@pytest.mark.parametrize(
    ("score", "shoot_outs", "winner"),
    [
        (LEVEL, [], None),
        (LEVEL, [AGAIN], None),
        (LEVEL, [AGAIN, {"A": 6, "B": 4}], "A"),
        ({"A": 1, "B": 0, "C": 1}, [{"A": 2, "B": 9, "C": 3}], "C"),  # B was not level
        ({"A": 1, "B": 1, "C": 1}, [{"A": 5, "B": 5, "C": 3}, {"A": 1, "B": 0, "C": 9}], "A"),  # C fell behind
    ],
)
def test_a_shoot_out_of_those_who_are_level_decides_and_is_repeated_while_level(score, shoot_outs, winner):
    outcome = Format("rounds", rounds=1, tie="shoot_out").outcome(score, 1, dict.fromkeys(score, 0), shoot_outs)
    assert (outcome.over, outcome.winner, outcome.shoot_out) == (winner is not None, winner, winner is None)


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"kind": "cricket"}, "kind"),
        ({"kind": "points", "target": 0}, "target"),
        ({"kind": "points", "target": True}, "target"),
        ({"kind": "points", "rounds": 4}, "rounds"),
        ({"kind": "rounds", "target": 4}, "target"),
        ({"kind": "rounds", "games": "2"}, "games"),
        ({"kind": "race", "tie": "coin"}, "tie"),
    ],
)
def test_invalid_formats_are_refused(members, place):
    with pytest.raises(BadFormat) as refused:
        Format(**members)
    assert refused.value.place == place
