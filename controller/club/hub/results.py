"""From what tables told to the tournament: which results count, and what becomes of all others.

| a table tells | answer |
|---|---|
| that an assigned match began | it has begun: it is not paired again |
| its end | its result counts |
| the same end again, also from a copy of its journal | nothing changes |
| another end of the same match, corrected there | the new result replaces the one from this table |
| that, after the organiser corrected it | the organiser's counts; the match is marked as contradicted |
| another end, from another table or another journal | the first counts; the match is marked as contradicted |
| the end of a match that was paired again | set aside by the tournament, with the match it could count for |
| that the end was taken back | the result counts until there is another; no further round is paired before |
| a match that was never given to this table, or is unknown | left out, and told to the organiser |
| a match that is unknown, since the database was set back | as well, with the match of the two that it can count for |
| figures that no such match ends with | set aside by the tournament, with the reason |

An entry that the organiser undid is not made again: whatever a table told stands in the log once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from controller.club.hub.assignments import assignment_id, boards_ever, short_names, short_side
from controller.club.hub.matches import Key, Played, Told
from controller.club.tournament import (
    Corrected,
    EntrantAdded,
    EntrantRenamed,
    Match,
    MatchStarted,
    Play,
    Result,
    State,
    Tournament,
    TournamentError,
)
from controller.club.tournament.fold import undone
from controller.club.tournament.state import plain_name
from controller.messages import Message, say


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a table told and what counts nowhere, with the reason. `source`: its name, which no other match has;
    `instead`: what the organiser can have counted, for a match that the two have now."""

    source: str
    table: str
    assignment: str
    names: tuple[str, ...]
    figures: tuple[int, ...]
    why: Message
    instead: Result | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one match that a table told of; `reopened`: the match whose end, which counts, was taken back."""

    left_out: LeftOut | None = None
    reopened: str | None = None


def told(tournament: Tournament, evening: str, played: Iterable[Played]) -> tuple[Tournament, dict[Key, Answer]]:
    """Take what tables told of these matches into the tournament of an evening. Doing so twice changes nothing more."""
    answers: dict[Key, Answer] = {}
    matches = {assignment_id(evening, match): id for id, match in tournament.state.matches.items()}
    given = boards_ever(tournament.entries)
    reported = {(each.match, each.report.partition("@")[0]): each for each in _reported(tournament)}
    adopted = _adopted(tournament)
    for one in played:
        known = matches.get(one.assignment)
        match = known or adopted.get(_source(one))
        why = _no_place(one, known, given, evening)
        instead = None
        if match is None and why is None:
            instead = _instead(tournament, one)
        elif match is not None and why is None and _source(one) not in adopted and _are_others(tournament, match, one):
            why, instead = _OTHERS, result_of(tournament, tournament.state.match(match), one)
        if match is None or why is not None:
            answers[one.key] = Answer(left_out=_left_out(one, why or _UNKNOWN, instead))
            continue
        before = reported.get((match, _source(one)))
        tournament, reopened = _followed(tournament, match, one, before)
        answers[one.key] = Answer(reopened=match if reopened else None)
    return tournament, answers


def _source(one: Played) -> str:
    """Who reports: no two matches of any tables have the same."""
    return "/".join(map(str, one.key))


_UNKNOWN = say("Its round was undone, or is not known here. Enter the result in the match that it belongs to.")


_OTHERS = say("Others are named at the table than those who were to play. Count it if they did play this match.")


def _are_others(tournament: Tournament, id: str, one: Played) -> bool:
    """Whether a table names neither of the two who were to play. One alone may have been renamed there; who was renamed
    here keeps the former names, by which the match may have begun."""
    if one.told is None:
        return False
    match = tournament.state.match(id)
    known = set(short_names(tournament.state, match))
    for entry in tournament.entries:
        if isinstance(entry.event, EntrantAdded | EntrantRenamed) and entry.event.entrant in match.sides:
            players = entry.event.players
            known |= {short_side(entry.event.name or " & ".join(players), len(players))}
    return not {plain_name(name) for name in known} & {plain_name(name) for name in one.told.names}


def _no_place(one: Played, match: str | None, given: Mapping[str, set[str]], evening: str) -> Message | None:
    """Why nothing of a match counts; None where it does, and where nothing is known of it."""
    if one.trouble is not None:
        return one.trouble
    if not one.assignment.startswith(f"{evening}:"):
        return say("It belongs to another evening: open that one to have it counted there.")
    if match is not None and one.key.table not in given.get(match, set()):
        return say("This match was never given to that table.")
    return None


def _adopted(tournament: Tournament) -> dict[str, str]:
    """By who reports, the match that is there and for which such a report was taken, by the organiser too."""
    gone = undone(tournament.entries)
    results = (entry.event for entry in tournament.entries if entry.number not in gone)
    return {
        result.report.partition("@")[0]: result.match
        for result in results
        if isinstance(result, Result) and result.report and result.match in tournament.state.matches
    }


def _instead(tournament: Tournament, one: Played) -> Result | None:
    """What counts where an unknown match is taken for the one that the same two have to play; None for no such one."""
    if one.told is None:
        return None
    told = sorted(map(plain_name, one.told.names))
    found = [
        match
        for match in tournament.state.open_matches
        if sorted(map(plain_name, short_names(tournament.state, match))) == told
    ]
    return result_of(tournament, found[0], one) if len(found) == 1 else None


def _left_out(one: Played, why: Message, instead: Result | None) -> LeftOut:
    names, score = (one.told.names, one.told.score) if one.told else ((), ())
    return LeftOut(_source(one), one.key.table, one.assignment, names, score, why, instead)


def _followed(tournament: Tournament, id: str, one: Played, before: Result | None) -> tuple[Tournament, bool]:
    """The tournament after what a table told of a match, and whether its end, which counts, was taken back.

    `before`: the last report of the match from there.
    """
    match = tournament.state.match(id)
    if not match.started and match.open:
        tournament = tournament.receive(MatchStarted(id))
    result = result_of(tournament, match, one)
    counts = match.result is not None and match.result.report.startswith(f"{_source(one)}@")
    if result is None:
        return tournament, before is not None and counts
    if before is not None and before.says_as(result):
        return tournament, False
    if counts:
        try:
            return tournament.do(Corrected(result)), False
        except TournamentError:
            pass  # figures that no such match ends with: set aside, as any report
    return tournament.receive(result), False


def _reported(tournament: Tournament) -> Iterator[Result]:
    """Every result in the log, whether it counts or not."""
    for entry in tournament.entries:
        if isinstance(entry.event, Result):
            yield entry.event
        elif isinstance(entry.event, Corrected):
            yield entry.event.result


def result_of(tournament: Tournament, match: Match, one: Played) -> Result | None:
    """How a match ended at its table; None while it has not."""
    told = one.told
    points = _points(tournament.state.play_of(match), told) if told else None
    if told is None or points is None:
        return None
    twenties = (told.twenties[0], told.twenties[1]) if told.twenties else None
    level = points[0] == points[1]
    won = told.sides.index(told.winner) if told.winner and level and told.over else None
    result = Result(match.id, match.sides, points, twenties, won, report=f"{_source(one)}@{told.last_id}")
    return _straight(result, tournament, match, told)


def _points(play: Play, told: Told) -> tuple[int, int] | None:
    if told.void or len(told.sides) != 2:
        return None
    if play.kind == "best_of":
        a, b = told.games
        return (a, b) if told.over or max(a, b) > play.games // 2 else None
    return (told.score[0], told.score[1]) if told.over else None


def _straight(result: Result, tournament: Tournament, match: Match, told: Told) -> Result:
    """The result for the match's sides."""
    straight = sides_in_order(tournament.state, match, told) == told.sides
    return result if straight else replace(result.turned, sides=match.sides)


def sides_in_order(evening: State, match: Match, told: Told) -> tuple[str, ...]:
    """The sides of a match at its table in the order of the match.

    Where the table names them the other way round, they sat so. One of them may have been renamed meanwhile.
    """
    names = [plain_name(name) for name in told.names]
    assigned = [plain_name(name) for name in short_names(evening, match)]
    straight, turned = (any(map(str.__eq__, names, order)) for order in (assigned, assigned[::-1]))
    return told.sides[::-1] if turned and not straight else told.sides
