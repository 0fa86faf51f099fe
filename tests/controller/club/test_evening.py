"""A whole evening: 24 players, 6 boards, five rounds of a Swiss, a drop-out, a broken board; and the naive count."""

from collections import Counter
from random import Random

from controller.club.tournament.events import BoardBroken, Corrected, EntrantLeft, Entry, Result, WalkedOver
from controller.club.tournament.formats import Format
from controller.club.tournament.planning import NextRound
from controller.club.tournament.record import entry_from_json, entry_to_json
from controller.club.tournament.standings import standings
from controller.club.tournament.swiss import Swiss
from controller.club.tournament.tie_breaks import WCC_POOLS
from controller.club.tournament.tournament import Tournament

from .evenings import begun


def test_an_evening_ends_with_what_a_naive_count_of_all_results_gives():
    rng = Random(24)
    evening = begun(Format((Swiss(5),), ranking=WCC_POOLS), 24, boards=6, ratings=True)
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
