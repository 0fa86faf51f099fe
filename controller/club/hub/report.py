"""A whole evening, active or former: everything that counts, and the rounds as tables reported them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from controller.club.hub.assignments import assigned_matches
from controller.club.hub.evening import RoundFigures
from controller.club.hub.matches import ReportedMatches, TableMatch
from controller.club.hub.parts import DocumentPart, EveningView, MatchDocument, Placings
from controller.club.hub.results import reported_result, sides_in_order
from controller.club.store import ClubStore, StoredEvening
from controller.club.tournament.catalogue import event_to_json
from controller.club.tournament.events import FormatSet
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.standings import overall, round_names
from controller.club.tournament.state import TournamentMatch
from controller.club.tournament.tournament import Tournament
from controller.messages import Sentence


@dataclass(frozen=True, slots=True)
class Report:
    """One evening of `club`. `reported`: by match, the table's own report of it, if that is what counts."""

    club: str
    evening: StoredEvening
    tournament: Tournament
    reported: Mapping[str, TableMatch]


def report(store: ClubStore, id: str, club: str) -> Report:
    """An evening by its id; `club`: the club's name. Raises `Refused` if there is none."""
    evening = store.evening(id)
    tournament = Tournament.of(store.decisions(id))
    matches = ReportedMatches(f"{id}:")
    matches.append(store.events_since(evening.version, store.version()))
    return Report(club, evening, tournament, _counting(tournament, id, matches))


def _counting(tournament: Tournament, evening: str, reports: Iterable[TableMatch]) -> dict[str, TableMatch]:
    """By match, the first report that ends in the result that counts."""
    matches = assigned_matches(evening, tournament.state)
    found: dict[str, TableMatch] = {}
    for each in reports:
        match = matches.get(each.assignment)
        if match is None or match.result is None or each.trouble is not None:
            continue
        result = reported_result(tournament, match, each)
        if result is not None and result.same_result(match.result):
            found.setdefault(match.id, each)
    return found


# --- for people and programs


class EveningInShort(DocumentPart):
    """An evening of the club; `at`: when it began, in s since 1970, UTC. `open`: whether it is the active one."""

    id: str
    title: str
    at: float
    open: bool

    @classmethod
    def of(cls, evening: StoredEvening, active: str = "") -> Self:
        """`active` is the id of the active one."""
        return cls.like(evening, open=evening.id == active)


class EveningsDocument(DocumentPart):
    """All evenings of the club, the newest first."""

    evenings: list[EveningInShort]


def format_document(form: TournamentFormat | None) -> dict[str, Any] | None:
    """A format as in the log of a tournament."""
    document: dict[str, Any] | None = None if form is None else event_to_json(FormatSet(form))["format"]
    return document


class ReportedMatch(MatchDocument):
    """A match of a report. `rounds` as its table reported them; None if only a result was entered."""

    rounds: list[RoundFigures] | None


class ReportedRound(DocumentPart):
    """A round of the evening, with `number` from 1; `stage` from 1; `names` where it is one of play-offs."""

    id: str
    number: int
    names: list[Sentence]
    stage: int
    matches: list[ReportedMatch]
    byes: list[str]


class EveningReport(Placings, EveningInShort):
    """A whole evening: everything that counts. `format` as in the log of a tournament; `stages` as in an evening. A
    line of `standings` counts all stages, one of `podium` the last."""

    schema: str = "club-evening-report/1"
    club: str
    format: dict[str, Any] | None
    rounds: list[ReportedRound]


def evening_report(report: Report, active: str = "") -> EveningReport:
    """The report of an evening; `active`: the id of the active one."""
    state = report.tournament.state
    view = EveningView(report.evening.id, state)
    return EveningReport.filled(
        view,
        overall(state),
        **vars(EveningInShort.of(report.evening, active)),
        club=report.club,
        format=format_document(state.format),
        rounds=[
            ReportedRound(
                id=round.id,
                number=number,
                names=round_names(state, round),
                stage=round.stage + 1,
                matches=[_reported(report, view, match) for match in state.matches_of(round=round.id)],
                byes=[state.labels[entrant] for entrant in round.byes],
            )
            for number, round in enumerate(state.rounds.values(), 1)
        ],
    )


def _reported(report: Report, view: EveningView, match: TournamentMatch) -> ReportedMatch:
    found = report.reported.get(match.id)
    rounds = None
    if found and found.state:
        rounds = RoundFigures.of(found.state, sides_in_order(view.state, match, found.summary))
    return ReportedMatch.like(MatchDocument.of(view, match), rounds=rounds)
