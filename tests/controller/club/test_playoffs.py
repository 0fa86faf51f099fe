"""Play-offs: seeds, byes, third place, and what becomes of a bracket when a result before it changes."""

import os
import subprocess
import sys
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.errors import StageOver, TournamentError
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.changes import warnings
from controller.club.tournament.events import Corrected, EntrantHere, Result, ShootOut, WalkedOver
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.playoffs import Playoffs, bracket, places, seeded_apart
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.standings import standings
from tests.checkout import CHECKOUT

from .evenings import begun, played_out, result_of


def favourites(evening):
    """The better seed wins every match, 6 to 2."""
    for match in evening.state.open_matches:
        a, b = match.sides
        points = (6, 2) if int(a) < int(b) else (2, 6)
        evening = evening.do(result_of(match, points))
    return evening


def cup(entrants, **choices):
    return begun(Playoffs(**choices), entrants)


def meeting(evening):
    return {match.slot: set(match.sides) for match in evening.state.open_matches}


def test_the_first_seeds_can_meet_in_the_final_only():
    """The usual draw of 16, as tennis and every sport prints it."""
    assert places(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


def test_a_bracket_of_eight_when_the_favourites_win():
    evening = cup(8).do(NextRound())
    assert meeting(evening) == {"1.1": {"1", "8"}, "1.2": {"4", "5"}, "1.3": {"2", "7"}, "1.4": {"3", "6"}}
    evening = favourites(evening).do(NextRound())
    assert meeting(evening) == {"2.1": {"1", "4"}, "2.2": {"2", "3"}}
    evening = favourites(evening).do(NextRound())
    assert meeting(evening) == {"3.1": {"1", "2"}, "third": {"3", "4"}}
    evening = favourites(evening)
    assert [(row.place, row.entrant) for row in standings(evening.state)][:4] == [
        (1, "1"),
        (2, "2"),
        (3, "3"),
        (4, "4"),
    ]
    assert [row.place for row in standings(evening.state)][4:] == [5, 5, 5, 5]
    with pytest.raises(StageOver, match="The play-offs are over"):
        evening.do(NextRound())


@settings(max_examples=40)
@given(st.integers(2, 21), st.booleans(), st.randoms(use_true_random=False))
def test_every_bracket_has_one_winner_and_no_match_too_many(entrants, third, rng):
    evening = played_out(cup(entrants, third_place=third), rng)
    played_matches = evening.state.matches_of()
    assert len(played_matches) == entrants - 1 + (third and entrants > 3)
    lost = [match.loser for match in played_matches if match.slot != "third"]
    assert len(set(lost)) == len(lost) == entrants - 1
    rows = standings(evening.state)
    assert [rows[0].entrant] == [each for each in evening.state.entrants if each not in lost]
    assert [row.place for row in rows].count(1) == 1


def test_matches_queue_while_no_board_is_free():
    evening = begun(Playoffs(third_place=False), 6, boards=1).do(NextRound())
    assert [(match.slot, match.turn) for match in evening.state.open_matches] == [("1.2", 1), ("1.4", 2)]
    first = evening.state.open_matches[0]
    evening = evening.do(Result(first.id, first.sides, (2, 6))).do(NextRound())
    assert [(match.slot, match.board, match.turn) for match in evening.state.open_matches] == [
        ("1.4", "A1", 2),
        ("2.1", "A1", 3),
    ]


def test_the_lower_seed_starts_so_that_the_higher_has_the_hammer_in_a_fifth_round():
    evening = cup(4).do(NextRound())
    assert [match.sides for match in evening.state.open_matches] == [("4", "1"), ("3", "2")]


def test_a_level_match_needs_a_winner():
    evening = cup(2).do(NextRound())
    (match,) = evening.state.open_matches
    with pytest.raises(TournamentError, match="play one more round, or enter who won the shoot-out"):
        evening.do(result_of(match, (4, 4)))
    assert evening.do(result_of(match, (4, 4), winner=1)).state.matches[match.id].winner == match.sides[1]
    assert evening.do(result_of(match, (6, 4))).state.matches[match.id].winner == match.sides[0]


def test_pools_then_play_offs_keep_the_pools_apart_at_first():
    evening = begun(FORMATS["pools"], 16)
    while len(evening.state.stages) < 2:
        evening = favourites(evening.do(NextRound())) if not evening.state.open_matches else favourites(evening)
    pool = {each: k for k, group in enumerate(evening.state.stages[0].groups) for each in group}
    first = [match for match in evening.state.matches_of(1) if match.slot.startswith("1.")]
    assert len(first) == 4
    assert all(pool[match.sides[0]] != pool[match.sides[1]] for match in first)
    assert set(evening.state.stages[1].groups[0]) == set("12345678")


@settings(max_examples=100)
@given(st.integers(2, 9), st.data())
def test_as_few_of_one_pool_meet_as_possible_and_the_upper_half_keeps_its_seeds(entrants, data):
    order = [f"e{k}" for k in range(entrants)]
    pools = data.draw(st.lists(st.integers(0, 2), min_size=entrants, max_size=entrants))
    pool_of = dict(zip(order, pools, strict=True))
    seeds = seeded_apart(order, pool_of)
    size = len(places(2)) if entrants == 2 else 2 ** (entrants - 1).bit_length()
    assert sorted(seeds) == sorted(order)
    assert list(seeds[: size // 2]) == order[: size // 2]

    def clashes(some):
        return sum(pool_of[some[size - 1 - k]] == pool_of[some[k]] for k in range(size // 2) if size - 1 - k < entrants)

    lower = order[size // 2 :]
    assert clashes(seeds) == min(clashes([*order[: size // 2], *way]) for way in permutations(lower))


def test_a_tie_at_the_border_asks_for_a_shoot_out():
    """Twelve open shots each decide between equals for the last place that qualifies (WCC 2014)."""
    evening = begun(TournamentFormat((RoundRobin(), Playoffs(entrants=2))), 3)
    for _ in range(3):
        evening = evening.do(NextRound())
        (match,) = evening.state.open_matches
        evening = evening.do(result_of(match, (4, 4), (5, 5)))
    with pytest.raises(TournamentError, match="A shoot-out has to decide who goes on: Player 1, Player 2 and Player 3"):
        evening.do(NextRound())
    level = evening.do(ShootOut(("1", "2", "3"), (9, 7, 7)))
    with pytest.raises(TournamentError, match="shoot-out"):
        level.do(NextRound())
    decided = level.do(ShootOut(("2", "3"), (1, 3))).do(NextRound())
    assert decided.state.stages[1].groups == (("1", "3"),)


def test_a_plan_with_a_shoot_out_is_the_same_plan_in_every_process_of_a_hub():
    program = (
        "from tests.controller.club.test_playoffs import *\n"
        "print(begun(Playoffs(), 2).preview(ShootOut(('1', '2'), (9, 7))).token)"
    )
    tokens = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=CHECKOUT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(tokens) == 1, "another process of the hub may confirm it"


def test_a_corrected_semifinal_shows_that_the_final_has_others_now():
    evening = favourites(cup(4).do(NextRound())).do(NextRound())
    semifinal = next(match for match in evening.state.matches_of() if match.slot == "1.1")
    plan = evening.preview(Corrected(Result(semifinal.id, semifinal.sides, (6, 2))))
    warned = [str(change.words) for change in plan.changes if change.kind == "warning"]
    displaced = ("Player 2 – Player 1", "Player 4 – Player 3")
    assert warned == [f"{match}: after a correction, others should play it." for match in displaced]
    after = plan.after.do(NextRound())
    assert meeting(after) == {"2.1": {"4", "2"}, "third": {"1", "3"}}
    assert not list(warnings(after.state))


def test_a_final_that_others_played_stays_in_sight_and_decides_nothing():
    evening = favourites(favourites(cup(4, third_place=False).do(NextRound())).do(NextRound()))
    semifinal = next(match for match in evening.state.matches_of() if match.slot == "1.1")
    evening = evening.do(Corrected(Result(semifinal.id, semifinal.sides, (6, 2))))
    assert [str(each.words) for each in warnings(evening.state)] == [
        "Player 2 – Player 1: after a correction, others should play it."
    ]
    assert bracket(evening.state, 0)[-1][0].winner is None
    assert meeting(evening.do(NextRound())) == {"2.1": {"4", "2"}}


def test_a_player_who_leaves_before_the_next_match_loses_it():
    evening = favourites(cup(4).do(NextRound())).do(EntrantHere("1", here=False)).do(NextRound())
    final = next(match for match in evening.state.matches_of() if match.slot == "2.1")
    assert (final.walkover, final.winner) == (True, "2")


def test_nobody_comes_from_a_match_that_nobody_won():
    evening = cup(4, third_place=False).do(NextRound())
    semifinals = {match.slot: match for match in evening.state.open_matches}
    evening = evening.do(WalkedOver(semifinals["1.1"].id, None))
    evening = favourites(evening)
    assert bracket(evening.state, 0)[-1][0].winner == "2"
