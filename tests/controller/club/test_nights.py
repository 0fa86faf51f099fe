"""Ladder nights and open nights."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.errors import TournamentError
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import (
    Corrected,
    EntrantAdded,
    EntrantHere,
)
from controller.club.tournament.ladder import Ladder
from controller.club.tournament.open_night import expected, ratings, waiting_order
from controller.club.tournament.planning import NextRound
from controller.club.tournament.standings import standings

from .evenings import a_result, begun, played, result_of


def tables(evening):
    """Who sits at each table of the round that is on."""
    matches = evening.state.open_matches
    return [set(match.sides) for match in sorted(matches, key=lambda match: (match.turn, match.board or ""))]


def with_winners(evening, winners):
    for match in evening.state.open_matches:
        won = [side in winners for side in match.sides]
        points = (4, 4) if won[0] == won[1] else ((6, 2) if won[0] else (2, 6))
        evening = evening.do(result_of(match, points))
    return evening


def test_winners_move_up_a_table_and_losers_down():
    evening = begun(FORMATS["ladder"], 8, boards=4).do(NextRound())
    assert tables(evening) == [{"1", "2"}, {"3", "4"}, {"5", "6"}, {"7", "8"}]
    evening = with_winners(evening, {"2", "3", "6", "7"}).do(NextRound())
    assert tables(evening) == [{"2", "3"}, {"1", "6"}, {"4", "7"}, {"5", "8"}]
    evening = with_winners(evening, {"2", "6", "4", "8"})
    assert [row.entrant for row in standings(evening.state)] == ["2", "6", "3", "4", "1", "8", "7", "5"]


def test_a_level_match_leaves_both_in_their_order():
    evening = with_winners(begun(FORMATS["ladder"], 4, boards=2).do(NextRound()), set())
    assert tables(evening.do(NextRound())) == [{"1", "3"}, {"2", "4"}]


def test_with_one_too_many_the_lowest_who_was_free_least_is_free():
    evening = begun(FORMATS["ladder"], 5)
    free = []
    for seed in range(10):
        evening = evening.do(NextRound())
        free += evening.state.rounds_of(0)[-1].byes
        evening = played(evening, Random(seed))
    assert set(Counter(free).values()) == {2}


def test_a_late_arrival_begins_at_the_bottom_and_a_gap_closes():
    evening = begun(FORMATS["ladder"], 6).do(NextRound())
    evening = (
        with_winners(evening, {"1", "3", "5"}).do(EntrantAdded("late", ("Late",))).do(EntrantHere("3", here=False))
    )
    assert tables(evening.do(NextRound())) == [{"1", "2"}, {"5", "4"}, {"6", "late"}]


@settings(max_examples=30)
@given(st.integers(2, 13), st.randoms(use_true_random=False))
def test_nobody_moves_more_than_a_table(entrants, rng):
    entrants -= entrants % 2
    evening = begun(Ladder(rounds=6), entrants, boards=entrants // 2)
    before = None
    for _ in range(6):
        evening = evening.do(NextRound())
        at = {side: k for k, sides in enumerate(tables(evening)) for side in sides}
        assert len(at) == entrants
        if before is not None:
            for match in evening.state.matches_of(round=evening.state.rounds_of(0)[-2].id):
                if match.winner is not None:
                    assert at[match.winner] == max(0, before[match.winner] - 1)
                    assert at[match.loser] == min(entrants // 2 - 1, before[match.loser] + 1)
        before = at
        evening = played(evening, rng)
    with pytest.raises(TournamentError, match="All 6 rounds"):
        evening.do(NextRound())


# --- open night


def test_free_players_meet_opponents_of_similar_strength():
    evening = begun(FORMATS["open-night"], 8).do(NextRound())
    for match in evening.state.open_matches:
        evening = evening.do(result_of(match, (8, 0)))
    won = {match.winner for match in evening.state.matches.values()}
    evening = evening.do(NextRound())
    assert [len(won & set(match.sides)) % 2 for match in evening.state.open_matches] == [0, 0, 0, 0]


def test_only_free_boards_are_played_on_and_who_waits_goes_next():
    evening = begun(FORMATS["open-night"], 7, boards=2).do(NextRound())
    assert sorted(match.board for match in evening.state.open_matches) == ["A1", "A2"]
    with pytest.raises(TournamentError, match="No board is free"):
        evening.do(NextRound())
    first = evening.state.open_matches[0]
    evening = evening.do(a_result(evening, first, Random(1))).do(NextRound())
    (new,) = [match for match in evening.state.open_matches if match.round != first.round]
    assert new.board == first.board
    assert not set(new.sides) & {side for match in evening.state.matches_of(round=first.round) for side in match.sides}


def test_two_who_have_just_played_wait_for_others_while_matches_go_on():
    evening = begun(FORMATS["open-night"], 4, boards=4).do(NextRound())
    first, second = evening.state.open_matches
    evening = evening.do(a_result(evening, first, Random(1)))
    with pytest.raises(TournamentError, match="have just played each other"):
        evening.do(NextRound())
    evening = evening.do(a_result(evening, second, Random(2))).do(NextRound())
    assert {frozenset(m.sides) for m in evening.state.open_matches} & {
        frozenset(first.sides),
        frozenset(second.sides),
    } == set()


def test_a_free_board_does_not_wait_for_two_who_have_just_played_while_a_third_is_there():
    evening = begun(FORMATS["open-night"], 5, boards=2).do(NextRound())
    first = evening.state.open_matches[0]
    (third,) = set(evening.state.entrants) - {side for match in evening.state.open_matches for side in match.sides}
    evening = evening.do(a_result(evening, first, Random(1))).do(NextRound())
    (new,) = [match for match in evening.state.open_matches if match.round != first.round]
    assert third in new.sides


@settings(max_examples=15)
@given(st.integers(2, 12), st.integers(1, 5), st.randoms(use_true_random=False))
def test_nobody_is_overtaken_but_by_who_has_not_just_played_the_same(entrants, boards, rng):
    evening = begun(FORMATS["open-night"], entrants, boards=boards)
    for _ in range(60):
        try:
            after = evening.do(NextRound())
        except TournamentError:
            match = rng.choice(evening.state.open_matches)
            evening = evening.do(a_result(evening, match, rng))
            continue
        if evening.state.stages:
            busy = {side for match in evening.state.open_matches for side in match.sides}
            queue = [each for each in waiting_order(evening.state) if each not in busy]
            partner = {}
            for match in after.state.matches_of(round=after.state.rounds_of(0)[-1].id):
                partner |= {match.sides[0]: match.sides[1], match.sides[1]: match.sides[0]}
            last = {side: match.other(side) for match in evening.state.matches_of() for side in match.sides}
            for k, left in enumerate(queue):
                for later in queue[k + 1 :]:
                    if left not in partner and later in partner:
                        assert last[left] == partner[later]
        evening = after
    assert set(evening.state.entrants) == {side for match in evening.state.matches_of() for side in match.sides}
    busy = Counter(match.board for match in evening.state.open_matches)
    assert max(busy.values(), default=0) <= 1


def test_a_rating_follows_elo():
    """FIDE Handbook B.02: 200 points up, 76 % are expected; 6 to 2 of a match is 75 %."""
    evening = begun(FORMATS["open-night"], 2).do(NextRound())
    (match,) = evening.state.open_matches
    points = (6, 2) if match.sides[0] == "1" else (2, 6)
    rated = ratings(evening.do(result_of(match, points)).state)
    assert rated == {"1": 1500 + 40 * (0.75 - 0.5), "2": 1500 - 40 * (0.75 - 0.5)}
    assert expected(1700, 1500) == pytest.approx(0.76, abs=0.005)
    wrong = evening.do(result_of(match, points[::-1]))
    right = wrong.do(Corrected(result_of(match, points)))
    assert ratings(right.state) == rated
