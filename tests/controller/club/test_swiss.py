"""Swiss draws: of least cost among all there are, fair over an evening, refused where they would break a promise."""

from collections import Counter
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.errors import StageOver, TournamentError
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import EntrantAdded, EntrantHere, FormatSet
from controller.club.tournament.formats import Play, TournamentFormat
from controller.club.tournament.planning import NextRound, NextStage
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.stages import min_cost_pairs
from controller.club.tournament.standings import standings
from controller.club.tournament.swiss import Field, Swiss
from tests.slow import slow

from .evenings import begun, played, played_out, result_of
from .test_matching import all_ways


@pytest.mark.parametrize(
    ("within", "first", "second"),
    [("halves", "15 26 37 48", "13 24 57 68"), ("neighbours", "12 34 56 78", "13 24 57 68")],
)
def test_equals_meet_as_in_the_dutch_system_or_in_a_monrad(within, first, second):
    """FIDE Handbook C.04.3, Dutch system: the upper half meets the lower half in its order. The better seeds win."""
    evening = begun(Swiss(5, within), 8)
    for pairs in (first, second):
        evening = evening.do(NextRound())
        drawn = evening.state.open_matches
        assert sorted("".join(sorted(match.sides)) for match in drawn) == pairs.split()
        for match in drawn:
            evening = evening.do(result_of(match, (8, 0) if match.sides[0] < match.sides[1] else (0, 8)))


@st.composite
def fields(draw):
    size = draw(st.integers(2, 8))
    points = sorted(draw(st.lists(st.integers(0, 12), min_size=size, max_size=size)), reverse=True)
    met = [set() for _ in range(size)]
    for v in range(size):
        for u in range(v):
            if draw(st.booleans()):
                met[u].add(v)
                met[v].add(u)
    byes = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    starts = draw(st.lists(st.integers(-2, 2), min_size=size, max_size=size))
    return Field(
        points, [frozenset(each) for each in met], byes, starts, draw(st.sampled_from(["halves", "neighbours"]))
    )


def faults(field, way):
    """The faults of a draw as the documentation orders them, counted one kind at a time, without any weights."""
    bye = [u for u, v in way if v == len(field.points)]
    pairs = [(u, v) for u, v in way if v < len(field.points)]
    sizes = Counter(field.points)
    return (
        sum(v in field.met[u] for u, v in pairs),
        sum(field.byes[u] - min(field.byes) for u in bye),
        sum(field.points[u] - min(field.points) for u in bye),
        sum(field.starts[u] == field.starts[v] and abs(field.starts[u]) == 2 for u, v in pairs),
        sum((field.points[u] - field.points[v]) ** 2 for u, v in pairs),
        sum(
            (v - u - (sizes[field.points[u]] // 2 if level and field.within == "halves" else 1)) ** 2
            for u, v in pairs
            for level in [field.points[u] == field.points[v]]
        )
        + sum((len(field.points) - 1 - u) ** 2 for u in bye),
    )


@settings(max_examples=300)
@given(fields())
def test_no_draw_has_fewer_faults(field):
    found = min_cost_pairs(field.size, field.cost)
    assert faults(field, found) == min(faults(field, way) for way in all_ways(list(range(field.size))))


@settings(max_examples=40)
@given(st.integers(6, 25), st.sampled_from(["halves", "neighbours"]), st.randoms(use_true_random=False))
def test_an_evening_is_fair(entrants, within, rng):
    rounds = 5 if entrants > 10 else 3
    evening = played_out(begun(Swiss(rounds, within), entrants, boards=4), rng)
    state = evening.state
    assert len(state.rounds) == rounds
    assert set(state.meetings(0).values()) == {1}
    assert max(state.byes_of(0).values(), default=0) <= 1
    assert all(abs(sum(starts)) <= 2 for starts in state.starts_of().values())
    for round in state.rounds_of(0):
        playing = [side for match in state.matches_of(round=round.id) for side in match.sides]
        assert sorted([*playing, *round.byes]) == sorted(state.entrants)
        assert len(round.byes) == entrants % 2


def test_the_bye_goes_to_the_last_who_has_had_none():
    evening = begun(Swiss(3), 5)
    had = []
    for _ in range(3):
        evening = evening.do(NextRound())
        (bye,) = evening.state.rounds_of(0)[-1].byes
        without = [row.entrant for row in standings(evening.state) if row.entrant not in had]
        points = {row.entrant: row.points for row in standings(evening.state)}
        assert points[bye] == min(points[each] for each in without)
        had.append(bye)
        evening = played(evening, Random(5))
    assert len(set(had)) == 3


@pytest.mark.parametrize(
    ("play", "results", "points", "twenties"),
    [
        (Play(), [((8, 0), (5, 2)), ((4, 4), (1, 0))], 4, 2),  # the mean of the round
        (Play("points", target=50), [((50, 15), None), ((55, 45), (3, 4))], 41, 4),
        (Play("best_of", games=3, counts="wins"), [((2, 0), None), ((2, 1), None)], 1, None),
        (Play(bye=8), [((8, 0), (5, 2)), ((4, 4), (1, 0))], 8, 0),  # as the format says
    ],
)
def test_a_bye_gives_what_the_format_says_or_else_the_mean_of_the_round(play, results, points, twenties):
    evening = begun(Swiss(3, play=play), 5).do(NextRound())
    (bye,) = evening.state.rounds_of(0)[0].byes
    for match, (figures, counted) in zip(evening.state.open_matches, results, strict=True):
        evening = evening.do(result_of(match, figures, counted))
    (row,) = [row for row in standings(evening.state) if row.entrant == bye]
    assert (row.points, row.twenties, row.matches, row.byes) == (points, twenties, 0, 1)


def test_formats_with_a_source_give_a_bye_what_that_says():
    assert {name: form.play.bye for name, form in FORMATS.items() if form.play.bye} == {"swiss": 8, "croki-nl": 8}


def test_a_second_meeting_is_refused_with_the_alternative():
    evening = begun(TournamentFormat((Swiss(5), Playoffs(entrants=2))), 4)
    for _ in range(3):
        evening = played(evening.do(NextRound()), Random(2))
    with pytest.raises(TournamentError, match=r"second meeting.*End this stage here, or allow"):
        evening.do(NextRound())
    allowed = evening.do(FormatSet(TournamentFormat((Swiss(5, rematches="last_resort"), Playoffs(entrants=2)))))
    plan = allowed.preview(NextRound())
    assert [str(note)[-11:] for note in plan.notes] == ["meet again."] * 2
    ended = evening.do(NextStage())
    assert len(ended.state.stages) == 2


def test_late_arrivals_and_drop_outs_leave_nobody_without_a_match():
    evening = begun(Swiss(5), 9, boards=3).do(NextRound())
    (bye,) = evening.state.rounds_of(0)[0].byes
    plan = evening.preview(EntrantAdded("late", ("Late",)))
    assert any(set(match.sides) == {"late", bye} for match in plan.after.state.open_matches)
    assert plan.after.state.rounds_of(0)[0].byes == ()
    left = evening.state.open_matches[0].sides
    after = evening.do(EntrantHere(left[0], here=False))
    assert any(set(match.sides) == {left[1], bye} for match in after.state.open_matches)
    assert after.state.rounds_of(0)[0].byes == ()


def test_a_player_with_no_opponent_left_wins_without_playing():
    evening = begun(Swiss(5), 8).do(NextRound())
    match = evening.state.open_matches[0]
    evening = evening.do(EntrantHere(match.sides[0], here=False))
    assert evening.state.matches[match.id].winner == match.sides[1]
    (row,) = [row for row in standings(evening.state) if row.entrant == match.sides[1]]
    assert (row.points, row.twenties, row.twenties_missing) == (8, 0, 0)


def test_a_drop_out_pairs_nobody_again_with_the_player_who_had_the_bye():
    evening = begun(Swiss(4), 5)
    for seed in range(3):
        evening = played(evening.do(NextRound()), Random(seed)) if seed < 2 else evening.do(NextRound())
    (bye,) = evening.state.rounds_of(0)[-1].byes
    met = evening.state.meetings(0)
    for match in evening.state.open_matches:
        for leaver in match.sides:
            opponent = match.other(leaver)
            after = evening.do(EntrantHere(leaver, here=False)).state
            again = met[frozenset((opponent, bye))] > 0
            assert after.matches[match.id].walkover == again
            assert set(after.meetings(0).values()) == {1}
    assert any(met[frozenset((side, bye))] for match in evening.state.open_matches for side in match.sides)


def test_the_stage_is_over_after_its_rounds():
    evening = played_out(begun(Swiss(2), 8), Random(3))
    with pytest.raises(StageOver, match="All 2 rounds are paired"):
        evening.do(NextRound())


@slow
def test_400_are_paired_within_two_seconds():
    """Eight rounds with results as they come; two seconds of processor time for the worst of them."""
    rng = Random(7)
    evening = begun(Swiss(8, "neighbours"), 399, boards=60)
    worst = 0.0
    for _ in range(8):
        began = process_time()
        evening = evening.do(NextRound())
        worst = max(worst, process_time() - began)
        for match in evening.state.open_matches:
            points = rng.choice([2, 3, 4, 5, 6, 6, 8])
            better = match.sides.index(min(match.sides, key=int))
            figures = (points, 8 - points) if better == 0 else (8 - points, points)
            evening = evening.receive(result_of(match, figures))
    assert worst < 2.0
    assert set(evening.state.meetings(0).values()) == {1}


def test_a_round_waits_for_its_results():
    evening = begun(Swiss(2), 4).do(NextRound())
    with pytest.raises(TournamentError, match="Without a result: Player 1 – Player 3 and Player 4 – Player 2"):
        evening.do(NextRound())
