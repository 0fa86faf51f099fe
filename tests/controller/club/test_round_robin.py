"""Round robins: the published Berger tables, and fields that change on the way."""

import json
from collections import Counter
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.errors import TournamentError
from controller.club.tournament.events import EntrantAdded, EntrantHere, WalkedOver
from controller.club.tournament.planning import NextRound
from controller.club.tournament.round_robin import RoundRobin, berger_round, berger_rounds
from controller.club.tournament.standings import stage_standings, standings
from tests.checkout import DATA

from .evenings import begun, played, played_out, result_of

BERGER = json.loads((DATA / "berger-tables.json").read_text("utf-8"))
PUBLISHED = {int(size): rounds for size, rounds in BERGER.items()}
"""FIDE Handbook C.05, Annex 1, by the number of players: the first named of each pair has white."""


def pairs_of(text):
    return [tuple(int(n) for n in pair.split("-")) for pair in text.split()]


@pytest.mark.parametrize("size", PUBLISHED)
def test_the_tables_are_those_that_fide_publishes(size):
    rounds = [pairs_of(text) for text in PUBLISHED[size]]
    assert [berger_round(size, r) for r in range(1, size)] == rounds


@pytest.mark.parametrize("size", PUBLISHED)
def test_an_odd_field_has_a_bye_where_the_highest_number_would_play(size):
    rounds = [[pair for pair in pairs_of(text) if size not in pair] for text in PUBLISHED[size]]
    assert berger_rounds(size - 1) == rounds


@pytest.mark.parametrize("size", range(2, 31))
@pytest.mark.parametrize("meetings", [1, 2, 3])
def test_everybody_meets_everybody_and_starts_in_half_of_the_matches(size, meetings):
    rounds = berger_rounds(size, meetings)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == {frozenset(pair): meetings for pair in combinations(range(1, size + 1), 2)}
    starts = Counter(a for pairs in rounds for a, _ in pairs)
    for entrant in range(1, size + 1):
        assert abs(2 * starts[entrant] - meetings * (size - 1)) <= 1
    for pairs in rounds:
        assert len({entrant for pair in pairs for entrant in pair}) == 2 * len(pairs) == size - size % 2


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_nobody_starts_three_times_on_end_around_the_turn_of_a_double_round_robin(size):
    rounds = berger_rounds(size, 2)
    for entrant in range(1, size + 1):
        starts = [any(pair[0] == entrant for pair in pairs) for pairs in rounds[size - 3 : size + 1]]
        assert not any(starts[k] == starts[k + 1] == starts[k + 2] for k in range(2))


def test_pools_are_equally_strong():
    evening = begun(RoundRobin(3), 7).do(NextRound())
    assert evening.state.stages[0].groups == (("1", "6", "7"), ("2", "5"), ("3", "4"))


@settings(max_examples=40)
@given(st.integers(3, 9), st.integers(1, 2), st.randoms(use_true_random=False))
def test_latecomers_who_stay_meet_everybody_who_stays(entrants, meetings, rng):
    evening = begun(RoundRobin(meetings=meetings), entrants, boards=2)
    for _ in range(3):
        try:
            evening = played(evening.do(NextRound()), rng)
        except TournamentError:
            break
        action = rng.choice(["late", "left", "back", "nothing"])
        gone = [each.id for each in evening.state.entrants.values() if not each.here]
        here = [each.id for each in evening.state.entrants.values() if each.here]
        if action == "late":
            evening = evening.do(EntrantAdded(f"L{evening.next_number}", (f"Late {evening.next_number}",)))
        elif action == "left" and len(here) > 3:
            evening = evening.do(EntrantHere(rng.choice(here), here=False))
        elif action == "back" and gone:
            evening = evening.do(EntrantHere(rng.choice(gone), here=True))
    evening = played_out(evening, rng)
    here = [each.id for each in evening.state.entrants.values() if each.here]
    met = evening.state.meetings(0)
    assert [met[frozenset(pair)] for pair in combinations(here, 2)] == [meetings] * (len(here) * (len(here) - 1) // 2)
    # Any greedy schedule ends within twice the matches of the busiest; a regular one within one more than it.
    most = max(sum(pair_met for pair, pair_met in met.items() if each in pair) for each in here)
    assert len(evening.state.rounds) <= most + meetings + 4


def scored(evening, points):
    """With these points for the lower id of each open match."""
    for match in evening.state.open_matches:
        low = min(match.sides)
        figures = (points, 8 - points) if match.sides[0] == low else (8 - points, points)
        evening = evening.do(result_of(match, figures, (0, 0)))
    return evening


def scored_out(evening):
    """Round after round: the lower id wins all."""
    with suppress(TournamentError):
        while True:
            evening = scored(evening.do(NextRound()), 8)
    return evening


def test_who_leaves_before_half_of_the_matches_is_not_counted():
    evening = scored(begun(RoundRobin(), 6).do(NextRound()), 8)
    evening = scored_out(evening.do(EntrantHere("6", here=False)))
    rows = {row.entrant: row for row in stage_standings(evening.state, 0)}
    assert "6" not in rows
    assert [rows[each].points for each in "12345"] == [32, 24, 16, 8, 0]  # nobody has the 8 points against 6


def test_exactly_half_of_the_matches_are_enough_to_be_counted():
    evening = scored(scored(begun(RoundRobin(), 5).do(NextRound()), 8).do(NextRound()), 8)
    twice = next(e for e in "12345" if sum(e in match.sides for match in evening.state.matches_of()) == 2)
    once = next(e for e in "12345" if sum(e in match.sides for match in evening.state.matches_of()) == 1)
    assert twice in {row.entrant for row in stage_standings(evening.do(EntrantHere(twice, here=False)).state, 0)}
    assert once not in {row.entrant for row in stage_standings(evening.do(EntrantHere(once, here=False)).state, 0)}


def test_who_leaves_after_half_of_the_matches_loses_the_rest():
    evening = begun(RoundRobin(), 6)
    for _ in range(3):
        evening = scored(evening.do(NextRound()), 8)
    evening = scored_out(evening.do(EntrantHere("6", here=False)))
    rows = {row.entrant: row for row in standings(evening.state)}
    assert rows["6"].points == 0
    assert [rows[each].points for each in "12345"] == [40, 32, 24, 16, 8]
    assert [rows[each].matches for each in "12345"].count(4) == 2  # two of them win without playing


def test_two_walkovers_of_two_who_meet_twice_are_all_that_a_leaver_loses_to_one():
    evening = begun(RoundRobin(meetings=2), 4)
    for _ in range(6):
        evening = evening.do(NextRound())
        for match in evening.state.open_matches:
            if set(match.sides) == {"1", "4"}:
                evening = evening.do(WalkedOver(match.id, "1"))
        evening = scored(evening, 8)
    rows = standings(evening.do(EntrantHere("4", here=False)).state)
    assert [(row.entrant, row.matches, row.walkovers) for row in rows if row.entrant in "14"] == [
        ("1", 4, 2),
        ("4", 4, 2),
    ]


def test_a_walkover_of_two_who_stay_is_not_played_later():
    evening = begun(RoundRobin(), 4).do(NextRound())
    match = evening.state.open_matches[0]
    evening = played_out(played(evening.do(WalkedOver(match.id, match.sides[0])), Random(1)), Random(2))
    assert len(evening.state.matches) == 6
    assert len(evening.state.rounds) == 3


@pytest.mark.parametrize("rounds", range(1, 6))
def test_a_drop_out_brings_only_matches_that_are_still_due(rounds):
    evening = begun(RoundRobin(), 5)
    for number in range(rounds):
        evening = (played(evening, Random(number)) if number else evening).do(NextRound())
    (bye,) = evening.state.rounds_of(0)[-1].byes
    met = evening.state.meetings(0)
    for match in evening.state.open_matches:
        after = evening.do(EntrantHere(match.sides[0], here=False)).state
        assert after.matches[match.id].walkover == (met[frozenset((match.sides[1], bye))] > 0)
        assert set(after.meetings(0).values()) == {1}


def test_nobody_changes_pools_by_a_drop_out():
    evening = begun(RoundRobin(2), 6).do(NextRound())
    assert len(evening.state.rounds_of(0)[-1].byes) == 2
    pools = [set(group) for group in evening.state.stages[0].groups]
    for match in evening.state.open_matches:
        for leaver in match.sides:
            after = evening.do(EntrantHere(leaver, here=False)).state
            assert all(any(set(each.sides) <= pool for pool in pools) for each in after.matches_of())
            assert after.matches[match.id].cancelled


def test_every_pool_follows_its_own_table():
    evening = begun(RoundRobin(2), 8)
    for number in range(1, 4):
        evening = evening.do(NextRound())
        for group in evening.state.stages[0].groups:
            table = [(group[a - 1], group[b - 1]) for a, b in berger_round(4, number)]
            matches = evening.state.matches_of(round=evening.state.rounds_of(0)[-1].id)
            assert [match.sides for match in matches if match.sides[0] in group] == table
        evening = played(evening, Random(number))
