"""Ladder nights and open nights."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.errors import NotNow
from controller.club.tournament.events import (
    BoardBroken,
    Corrected,
    EntrantAdded,
    EntrantLeft,
    Entry,
    Result,
    WalkedOver,
)
from controller.club.tournament.formats import Format, Play
from controller.club.tournament.ladder import Ladder
from controller.club.tournament.open_night import ratings, waiting_order
from controller.club.tournament.planning import NextRound
from controller.club.tournament.record import entry_from_json, entry_to_json
from controller.club.tournament.standings import standings
from controller.club.tournament.swiss import Swiss
from controller.club.tournament.tie_breaks import WCC_POOLS
from controller.club.tournament.tournament import Tournament

from .evenings import a_result, begun, played


def tables(evening):
    """Who sits at each table of the round that is on."""
    matches = evening.state.open_matches
    return [set(match.sides) for match in sorted(matches, key=lambda match: (match.turn, match.board or ""))]


def with_winners(evening, winners):
    for match in evening.state.open_matches:
        won = [side in winners for side in match.sides]
        points = (4, 4) if won[0] == won[1] else ((6, 2) if won[0] else (2, 6))
        evening = evening.do(Result(match.id, match.sides, points))
    return evening


def test_winners_move_up_a_table_and_losers_down():
    evening = begun(FORMATS["ladder"], 8, boards=4, ratings=True).do(NextRound())
    assert tables(evening) == [{"1", "2"}, {"3", "4"}, {"5", "6"}, {"7", "8"}]
    evening = with_winners(evening, {"2", "3", "6", "7"}).do(NextRound())
    assert tables(evening) == [{"2", "3"}, {"1", "6"}, {"4", "7"}, {"5", "8"}]
    evening = with_winners(evening, {"2", "6", "4", "8"})
    assert [row.entrant for row in standings(evening.state)] == ["2", "6", "3", "4", "1", "8", "7", "5"]


def test_a_level_match_leaves_both_in_their_order():
    evening = with_winners(begun(FORMATS["ladder"], 4, boards=2, ratings=True).do(NextRound()), set())
    assert tables(evening.do(NextRound())) == [{"1", "3"}, {"2", "4"}]


def test_with_one_too_many_the_lowest_who_was_free_least_is_free():
    evening = begun(FORMATS["ladder"], 5, ratings=True)
    free = []
    for seed in range(10):
        evening = evening.do(NextRound())
        free += evening.state.rounds_of(0)[-1].byes
        evening = played(evening, Random(seed))
    assert set(Counter(free).values()) == {2}


def test_a_late_arrival_begins_at_the_bottom_and_a_gap_closes():
    evening = begun(FORMATS["ladder"], 6, ratings=True).do(NextRound())
    evening = with_winners(evening, {"1", "3", "5"}).do(EntrantAdded("late", ("Late",))).do(EntrantLeft("3"))
    assert tables(evening.do(NextRound())) == [{"1", "2"}, {"5", "4"}, {"6", "late"}]


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 13), st.randoms(use_true_random=False))
def test_nobody_moves_more_than_a_table(entrants, rng):
    entrants -= entrants % 2
    evening = begun(Format((Ladder(rounds=6),)), entrants, boards=entrants // 2, ratings=True)
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
    with pytest.raises(NotNow, match="All 6 rounds"):
        evening.do(NextRound())


# --- open night


def test_free_players_meet_opponents_of_similar_strength():
    evening = begun(FORMATS["open-night"], 4)
    for id, rating in [("a", 1500), ("b", 1900), ("c", 1510), ("d", 1880)]:
        evening = evening.do(EntrantAdded(id, (f"Rated {id}",), rating=rating))
    for id in "1234":
        evening = evening.do(EntrantLeft(id))
    evening = evening.do(NextRound())
    assert {frozenset(match.sides) for match in evening.state.open_matches} == {frozenset("ac"), frozenset("bd")}


def test_nobody_has_the_same_opponent_twice_in_a_row_however_equal_they_are():
    evening = begun(FORMATS["open-night"], 0)
    for id, rating in [("a", 1500), ("b", 1900), ("c", 1500), ("d", 1900)]:
        evening = evening.do(EntrantAdded(id, (f"Rated {id}",), rating=rating))
    before = None
    for seed in range(4):
        evening = evening.do(NextRound())
        pairs = {frozenset(match.sides) for match in evening.state.open_matches}
        assert before is None or not pairs & before
        before = pairs
        evening = played(evening, Random(seed))


def test_only_free_boards_are_played_on_and_who_waits_goes_next():
    evening = begun(FORMATS["open-night"], 7, boards=2).do(NextRound())
    assert sorted(match.board for match in evening.state.open_matches) == ["A1", "A2"]
    with pytest.raises(NotNow, match="No board is free"):
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
    with pytest.raises(NotNow, match="have just played each other"):
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


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 12), st.integers(1, 5), st.randoms(use_true_random=False))
def test_nobody_is_overtaken_but_by_who_has_not_just_played_the_same(entrants, boards, rng):
    evening = begun(FORMATS["open-night"], entrants, boards=boards)
    for _ in range(60):
        try:
            after = evening.do(NextRound())
        except NotNow:
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
    evening = begun(FORMATS["open-night"], 0)
    for id, rating in [("a", 1700), ("b", 1500)]:
        evening = evening.do(EntrantAdded(id, (id,), rating=rating))
    evening = evening.do(NextRound())
    (match,) = evening.state.open_matches
    points = (6, 2) if match.sides[0] == "a" else (2, 6)
    rated = ratings(evening.do(Result(match.id, match.sides, points)).state)
    assert rated["a"] == pytest.approx(1700 + 40 * (0.75 - 0.76), abs=0.05)
    assert sum(rated.values()) == pytest.approx(3200)
    wrong = evening.do(Result(match.id, match.sides, points[::-1]))
    right = wrong.do(Corrected(Result(match.id, match.sides, points)))
    assert ratings(right.state) == rated


def test_an_evening_ends_with_what_a_naive_count_of_all_results_gives():
    rng = Random(24)
    evening = begun(Format((Swiss(5),), play=Play(bye=8), ranking=WCC_POOLS), 24, boards=6, ratings=True)
    for number in range(1, 6):
        evening = evening.do(NextRound())
        assert {match.board for match in evening.state.open_matches} <= {f"A{k}" for k in range(1, 7)}
        if number == 2:
            evening = evening.do(BoardBroken("A4"))
            assert {match.board for match in evening.state.open_matches} == {"A1", "A2", "A3", "A5", "A6"}
        if number == 3:
            evening = evening.do(EntrantLeft("7"))
        for match in evening.state.open_matches:
            points = rng.randint(0, 8)
            result = Result(match.id, match.sides, (points, 8 - points), (rng.randint(0, 12), rng.randint(0, 12)))
            evening = evening.receive(result).receive(result)
        if number == 4:
            match = rng.choice([match for match in evening.state.matches_of() if match.result])
            evening = evening.do(Corrected(Result(match.id, match.sides, (8, 0), (1, 2))))
    naive = Counter(), Counter()
    results = {}
    for entry in evening.entries:
        event = entry.event
        if isinstance(event, WalkedOver):
            naive[0][event.winner] += 8
        elif type(event).__name__ == "RoundPaired":
            naive[0].update(dict.fromkeys(event.byes, 8))
        elif isinstance(event, Result | Corrected):
            result = event if isinstance(event, Result) else event.result
            results[result.match] = result
    for result in results.values():
        for side, points, twenties in zip(result.sides, result.points, result.twenties, strict=True):
            naive[0][side] += points
            naive[1][side] += twenties
    rows = standings(evening.state)
    assert [(row.points, row.twenties) for row in rows] == sorted(
        ((naive[0][entrant], naive[1][entrant]) for entrant in evening.state.entrants), reverse=True
    )
    assert sum(row.matches for row in rows) == 2 * len(results)
    assert set(evening.state.meetings(0).values()) == {1}
    kept: list[Entry] = [entry_from_json(entry_to_json(entry)) for entry in evening.entries]
    assert Tournament.of(kept) == evening
