"""Which of the results that tables report and players enter count, and what happens to the rest.

| a table reports | answer |
|---|---|
| that an assigned match began | it has begun: it is not paired again |
| its end | its result counts |
| the same end again, also from a copy of its journal | nothing changes |
| another end of the same match, corrected there | the new result replaces the one from this table |
| that, after the organiser corrected it | the organiser's counts; the match is marked as contradicted |
| another end, from another table or another journal | the first counts; the match is marked as contradicted |
| the end of a match that was paired again | set aside by the tournament, with the match it could count for |
| that the end was taken back | the result counts until there is another; no further round is paired before |
| a match that was never given to this table, or is unknown | left out, and shown to the organiser |
| a match that is unknown because the database was restored | left out, with the match of the two it can count for |
| figures that no such match ends with | set aside by the tournament, with the reason |

An entry that the organiser undid is not repeated: each report is in the log once. A result that players enter on their
own phones counts when both sides have entered the same from two phones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from controller.club.errors import TournamentError
from controller.club.hub.assignments import assigned_matches, boards_ever, short_names
from controller.club.hub.matches import MatchKey, MatchSummary, TableMatch
from controller.club.tournament.events import (
    Corrected,
    EntrantAdded,
    EntrantRenamed,
    MatchStarted,
    Result,
    ResultClaimed,
)
from controller.club.tournament.fold import undone_numbers
from controller.club.tournament.formats import Play
from controller.club.tournament.state import TournamentMatch, TournamentState, normalized_name
from controller.club.tournament.tournament import Tournament
from controller.match.club import table_name
from controller.match.model import AND
from controller.messages import Message, say

MOST_CLAIMS = 20  # of one match. Two who disagree that often need the organiser, and the log stays short whoever taps.
_UNKNOWN = say("Its round was undone, or is not known here. Enter the result in the match that it belongs to.")
_OTHERS = say("The table names other players than those who were due to play. Count it if they did play this match.")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was reported and does not count, and why. `source`: its unique name; `table`: the one that reports it, or ""
    for an entry of the log, of this number; `instead`: the result that the organiser can count in its place, in a match
    that the two have now."""

    source: str
    names: tuple[str, ...]
    figures: tuple[int, ...]
    why: Message
    instead: Result | None = None
    table: str = ""
    entry: int | None = None


Outcome = LeftOut | str | None
"""What became of one table's report: left out; or the id of the match whose end was taken back and still counts."""


class _Evening:
    """The evening's data to compare a report with."""

    def __init__(self, id: str, tournament: Tournament) -> None:
        self.id = id
        self.matches = assigned_matches(id, tournament.state)
        self.boards = boards_ever(tournament.entries)
        self.reported = {(each.match, each.report.partition("@")[0]): each for each in _results(tournament)}
        """By match and source, the last report."""
        self.adopted = _adopted(tournament)


def apply_reports(
    tournament: Tournament, evening: str, reports: Iterable[TableMatch]
) -> tuple[Tournament, dict[MatchKey, Outcome]]:
    """Enter what tables report of these matches into an evening's tournament. Repeating it changes nothing."""
    outcomes: dict[MatchKey, Outcome] = {}
    known = _Evening(evening, tournament)
    for report in reports:
        given = known.matches.get(report.assignment)
        match = given.id if given else known.adopted.get(report.source)
        outcome: Outcome = _left_out(tournament, known, report, match)
        if outcome is None and match is not None:
            tournament, outcome = _apply(tournament, match, report, known.reported.get((match, report.source)))
        outcomes[report.key] = outcome
    return tournament, outcomes


def _left_out(tournament: Tournament, known: _Evening, report: TableMatch, match: str | None) -> LeftOut | None:
    """Why a report does not count; None if it does."""
    given = known.matches.get(report.assignment)
    if report.trouble is not None:
        return _report(report, report.trouble)
    if not report.assignment.startswith(f"{known.id}:"):
        return _report(report, say("It belongs to another evening. Open that evening to count it there."))
    if given is not None and report.key.table not in known.boards.get(given.id, set()):
        return _report(report, say("This match was never given to that table."))
    if match is None:
        return _report(report, _UNKNOWN, _same_players_result(tournament, report))
    if report.source not in known.adopted and _other_players(tournament, match, report):
        return _report(report, _OTHERS, reported_result(tournament, tournament.state.match(match), report))
    return None


def _report(report: TableMatch, why: Message, instead: Result | None = None) -> LeftOut:
    return LeftOut(report.source, report.summary.names, report.summary.score, why, instead, report.key.table)


def set_aside(state: TournamentState) -> Iterator[LeftOut]:
    """The entries of the log that do not count, without further reports of a match whose result is decided."""
    for aside in state.set_aside:
        event = aside.event
        if not isinstance(event, Result):
            yield LeftOut(aside.source, (), (), aside.why, entry=aside.number)
        elif (match := state.decided(event)) is None or match.in_order(event) in match.contradicted:
            names = tuple(state.labels[side] for side in event.sides if side in state.entrants)
            now = (match for match in state.open_matches if set(match.sides) == set(event.sides))
            instead = next((match.id for match in now if match.id != event.match), None)
            result = replace(event, match=instead, report=aside.source) if instead else None
            yield LeftOut(aside.source, names, event.points, aside.why, result, entry=aside.number)


def _other_players(tournament: Tournament, id: str, report: TableMatch) -> bool:
    """Whether a table names neither of the two who were to play. One alone may have been renamed there. Former names of
    those renamed here are accepted: the match may have begun under them."""
    match = tournament.state.match(id)
    known = set(short_names(tournament.state, match))
    for entry in tournament.entries:
        if isinstance(entry.event, EntrantAdded | EntrantRenamed) and entry.event.entrant in match.sides:
            players = entry.event.players
            known.add(table_name(AND.join(players), len(players)))
    return set(map(normalized_name, known)).isdisjoint(map(normalized_name, report.summary.names))


def _same_players_result(tournament: Tournament, report: TableMatch) -> Result | None:
    """The result of an unknown match, for the one open match of the same two; None if there is no such match."""
    names = sorted(map(normalized_name, report.summary.names))
    found = [
        match
        for match in tournament.state.open_matches
        if sorted(map(normalized_name, short_names(tournament.state, match))) == names
    ]
    return reported_result(tournament, found[0], report) if len(found) == 1 else None


def _adopted(tournament: Tournament) -> dict[str, str]:
    """By source, the existing match that a report was counted for, also by the organiser."""
    gone = undone_numbers(tournament.entries)
    results = (entry.event for entry in tournament.entries if entry.number not in gone)
    return {
        result.report.partition("@")[0]: result.match
        for result in results
        if isinstance(result, Result) and result.report and result.match in tournament.state.matches
    }


def _results(tournament: Tournament) -> Iterator[Result]:
    """Every result in the log, whether it counts or not."""
    for entry in tournament.entries:
        if isinstance(entry.event, Result):
            yield entry.event
        elif isinstance(entry.event, Corrected):
            yield entry.event.result


def _apply(tournament: Tournament, id: str, report: TableMatch, before: Result | None) -> tuple[Tournament, Outcome]:
    """The tournament with a report of a match, and its outcome. `before`: the last report of the match from there."""
    match = tournament.state.match(id)
    if not match.started and match.open:
        tournament = tournament.plus(MatchStarted(id))
    result = reported_result(tournament, match, report)
    counts = match.result is not None and match.result.report.startswith(f"{report.source}@")
    if result is None:
        return tournament, id if before is not None and counts else None
    if before is not None and before.same_result(result):
        return tournament, None
    if counts:
        try:
            return tournament.do(Corrected(result)), None
        except TournamentError:
            pass  # figures that no such match ends with: set aside like any report
    return tournament.receive(result), None


def reported_result(tournament: Tournament, match: TournamentMatch, report: TableMatch) -> Result | None:
    """The result of a match at its table; None until it has ended."""
    summary = report.summary
    points = _points(tournament.state.play_of(match), summary)
    if points is None:
        return None
    twenties = (summary.twenties[0], summary.twenties[1]) if summary.twenties else None
    level = points[0] == points[1]
    won = summary.sides.index(summary.winner) if summary.winner and level and summary.over else None
    result = Result(match.id, match.sides, points, twenties, won, report=f"{report.source}@{summary.last_id}")
    if sides_in_order(tournament.state, match, summary) == summary.sides:
        return result
    return replace(result.swapped, sides=match.sides)


def _points(play: Play, summary: MatchSummary) -> tuple[int, int] | None:
    if summary.void or len(summary.sides) != 2:
        return None
    if play.kind == "best_of":
        a, b = summary.games
        return (a, b) if summary.over or max(a, b) > play.games // 2 else None
    return (summary.score[0], summary.score[1]) if summary.over else None


def sides_in_order(evening: TournamentState, match: TournamentMatch, summary: MatchSummary) -> tuple[str, ...]:
    """The sides of a match at its table in the order of the match. They are swapped if the table names them so; one of
    them may have been renamed."""
    names = [normalized_name(name) for name in summary.names]
    assigned = [normalized_name(name) for name in short_names(evening, match)]
    straight, swapped = (any(map(str.__eq__, names, order)) for order in (assigned, assigned[::-1]))
    return summary.sides[::-1] if swapped and not straight else summary.sides


# --- results that players enter


def claimed(
    tournament: Tournament, id: str, by: str, points: Sequence[int], twenties: Sequence[int] | None, phone: str
) -> Result | ResultClaimed | None:
    """The event that follows from what the player `by` claims of a match: the result if the opponent claims the same,
    else the claim itself; None if it is known already. Raises `TournamentError`."""
    match = tournament.state.match(id)
    if by not in match.sides:
        raise TournamentError(say("Only the two who play a match can enter its result."))
    result, before = Result(id, match.sides, _pair(points), None if twenties is None else _pair(twenties)), match.claim
    if before is not None and before.result == result:
        if before.by == by:
            return None
        if before.phone == phone:
            raise TournamentError(say("The opponent confirms it on a phone of their own, or the organiser enters it."))
        return result
    events = (entry.event for entry in tournament.entries)
    if sum(isinstance(event, ResultClaimed) and event.result.match == id for event in events) >= MOST_CLAIMS:
        raise TournamentError(say("Too many different results were entered for this match. Ask the organiser."))
    return ResultClaimed(result, by, phone)


def _pair(figures: Sequence[int]) -> tuple[int, int]:
    if len(figures) != 2:
        raise TournamentError(say("A result needs one number for each side."))
    return figures[0], figures[1]
