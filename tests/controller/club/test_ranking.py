"""Rankings: worked examples that others published, and a naive count from all results."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.errors import TournamentError
from controller.club.tournament.events import Corrected
from controller.club.tournament.formats import CROKI_NL, SWISS, WCC_FINAL_POOL, WCC_POOLS, Play, TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.standings import Ranking, Score, standings
from controller.club.tournament.swiss import Swiss

from .evenings import begun, played, result_of


def scores(*results):
    """Scores of matches: (a, b, points of a, points of b, twenties of a, twenties of b)."""
    found = []
    for a, b, pa, pb, ta, tb in results:
        shares = (1, 1) if pa == pb else ((2, 0) if pa > pb else (0, 2))
        found += [Score(a, b, pa, shares[0], ta), Score(b, a, pb, shares[1], tb)]
    return found


def ranked(table, criteria, entrants):
    return [(row.place, row.entrant) for row in table.ranked(entrants, criteria)]


def test_the_published_triple_tie_of_a_round_robin():
    """scorekinole, TIEBREAKER.md, "Round Robin Triple Tie": 2 points each in their matches; 9, 7 and 6 twenties."""
    table = Ranking(scores(("A", "B", 6, 2, 5, 3), ("B", "C", 6, 2, 4, 2), ("C", "A", 6, 2, 4, 4)))
    criteria = ("wins", "head_to_head_twenties")
    assert ranked(table, criteria, "CBA") == [(1, "A"), (2, "B"), (3, "C")]
    assert ranked(table, ("wins",), "CBA") == [(1, "C"), (1, "B"), (1, "A")]


def test_the_published_triple_tie_of_a_swiss():
    """The same, "Swiss 3-Player Tie": A and C have not met; A has most twenties, then Buchholz puts B before C."""
    table = Ranking(
        scores(
            ("A", "B", 6, 2, 5, 6),
            ("B", "C", 6, 2, 3, 6),
            ("A", "x", 6, 2, 5, 0),
            ("A", "y", 6, 2, 5, 0),
            ("B", "strong", 8, 0, 3, 0),
            ("C", "weak", 8, 0, 3, 0),
            ("C", "x", 6, 2, 3, 0),
            ("strong", "y", 8, 0, 0, 0),
        )
    )
    criteria = ("head_to_head", "twenties", "points", "buchholz")
    tied = ["C", "B", "A"]
    rows = table.ranked(tied, criteria)
    assert [row.entrant for row in rows] == ["A", "B", "C"]
    assert [(row.twenties, row.points) for row in rows] == [(15, 18), (12, 16), (12, 16)]


def test_the_wcc_final_pool_of_2014_ranks_head_to_head_before_twenties():
    table = Ranking(
        scores(("A", "B", 5, 3, 0, 9), ("A", "C", 3, 5, 0, 0), ("B", "C", 5, 3, 9, 0), ("C", "D", 0, 8, 0, 0))
    )
    assert ranked(table, WCC_FINAL_POOL, "AB") == [(1, "A"), (2, "B")]
    assert ranked(table, WCC_POOLS, "AB") == [(1, "B"), (2, "A")]


def test_head_to_head_for_first_place_alone():
    table = Ranking(
        scores(("A", "B", 5, 3, 1, 1), ("B", "A", 5, 3, 1, 1), ("C", "D", 3, 1, 1, 1), ("C", "D", 1, 3, 1, 1))
    )
    assert ranked(table, CROKI_NL, "ABCD") == [(1, "A"), (1, "B"), (3, "C"), (3, "D")]
    table = Ranking(scores(("A", "B", 5, 3, 1, 1), ("A", "x", 3, 5, 1, 1), ("B", "x", 5, 3, 1, 1)))
    assert ranked(table, CROKI_NL, "BA") == [(1, "A"), (2, "B")]
    table = Ranking(
        scores(("A", "B", 5, 3, 1, 1), ("A", "x", 3, 5, 1, 1), ("B", "x", 5, 3, 1, 1), ("top", "x", 8, 0, 0, 0))
    )
    top = Ranking([*table.scores, *scores(("top", "x", 8, 0, 0, 0))])
    assert ranked(top, CROKI_NL, ["top", "B", "A"]) == [(1, "top"), (2, "B"), (2, "A")]


def test_twenties_that_are_not_on_record_decide_nothing():
    table = Ranking(scores(("A", "B", 4, 4, 9, None), ("C", "A", 4, 4, 3, 1), ("C", "B", 4, 4, 2, 1)))
    rows = table.ranked("BCA", ("points", "twenties", "shoot_out"))
    assert [row.place for row in rows] == [1, 1, 1]
    assert {row.entrant: row.twenties_missing for row in rows} == {"A": 0, "B": 1, "C": 0}


@settings(max_examples=100)
@given(st.sampled_from(["round robin", "swiss"]), st.integers(4, 13), st.randoms(use_true_random=False))
def test_standings_are_what_a_naive_count_gives(kind, entrants, rng):
    """Everything counted from the log alone: the last result of each match, by its id, and a bye's 8 points. Who shares
    both is placed by the points of all opponents, then by what the tied took from each other, where all have met."""
    stage = RoundRobin() if kind == "round robin" else Swiss(3)
    evening = begun(TournamentFormat((stage,), play=Play(bye=8), ranking=SWISS), entrants)
    for _ in range(3):
        evening = played(evening.do(NextRound()), rng)
        match = rng.choice(evening.state.matches_of())
        evening = evening.do(Corrected(_other_result(match, rng)))
    points, twenties, taken = _naive(evening, kind)
    rows = standings(evening.state)
    assert all((row.points, row.twenties) == (points[row.entrant], twenties[row.entrant]) for row in rows)

    def figures(one):
        return points[one], twenties[one], sum(points[b] for a, b in taken if a == one)

    def against(one):
        tied = [other for other in evening.state.entrants if figures(other) == figures(one)]
        met = all((a, b) in taken for a in tied for b in tied if a != b)
        return sum(taken[one, other] for other in tied) if met else 0

    placed = {row.entrant: (*figures(row.entrant), against(row.entrant)) for row in rows}
    assert [row.place for row in rows] == [1 + sum(b > placed[row.entrant] for b in placed.values()) for row in rows]
    assert [row.place for row in rows] == sorted(row.place for row in rows)


def _other_result(match, rng):
    a = rng.choice([4, 4, rng.randint(0, 8)])
    return result_of(match, (a, 8 - a), (rng.randint(0, 2), rng.randint(0, 2)))


def _naive(evening, kind):
    last = {}
    points, twenties, taken = Counter(), Counter(), Counter()
    for entry in evening.entries:
        event = entry.event
        if type(event).__name__ in ("Result", "Corrected"):
            result = getattr(event, "result", event)
            last[result.match] = result
        if type(event).__name__ == "RoundPaired" and kind == "swiss":
            points.update(dict.fromkeys(event.byes, 8))
    for result in last.values():
        for side, other, own, twenty in zip(
            result.sides, result.sides[::-1], result.points, result.twenties, strict=True
        ):
            points[side] += own
            twenties[side] += twenty
            taken[side, other] += own
    return points, twenties, taken


def test_the_larger_pool_has_no_advantage_in_points_nor_in_twenties():
    """Two pools, of four and of three: the first of the larger one has more of both, and less for a match."""
    evening = begun(RoundRobin(2), 7)
    for _ in range(3):
        evening = evening.do(NextRound())
        for match in evening.state.open_matches:
            a = min(match.sides)
            points = (7, 1) if a == "2" else (8, 0)
            figures = points if match.sides[0] == a else points[::-1]
            evening = evening.do(result_of(match, figures, (4, 4)))
    rows = standings(evening.state)
    assert [len(group) for group in evening.state.stages[0].groups] == [3, 4]
    first, second = rows[:2]
    assert (first.entrant, first.points, first.twenties, first.matches) == ("1", 16, 8, 2)
    assert (second.entrant, second.points, second.twenties, second.matches) == ("2", 21, 12, 3)


@pytest.mark.parametrize(
    ("play", "points", "good"),
    [
        (Play(), (5, 3), True),
        (Play(), (8, 0), True),
        (Play(), (6, 4), True),  # decided by a fifth round
        (Play(), (5, 5), False),
        (Play(), (9, 1), False),  # no fifth round at 8 to 0
        (Play(), (5, 4), False),
        (Play(), (4, 2), False),
        (Play(rounds=4, games=2), (9, 7), True),
        (Play("race", target=9, counts="wins"), (9, 5), True),
        (Play("race", target=9, counts="wins"), (8, 5), False),
        (Play("points", target=100, counts="wins"), (105, 80), True),
        (Play("best_of", games=3), (2, 1), True),
        (Play("best_of", games=3), (2, 2), False),
        (Play("best_of", games=3), (1, 1), False),
    ],
)
def test_which_figures_a_match_can_end_with(play, points, good):
    assert (play.trouble(points) is None) == good
    assert (play.trouble(points[::-1]) is None) == good


def test_a_match_ended_early_says_so():
    evening = begun(Swiss(2), 2).do(NextRound())
    (match,) = evening.state.open_matches
    with pytest.raises(TournamentError, match="5 – 1 can't be a result of this match: the points must add up to 8"):
        evening.do(result_of(match, (5, 1)))
    assert evening.do(result_of(match, (5, 1), short=True)).state.matches[match.id].over
