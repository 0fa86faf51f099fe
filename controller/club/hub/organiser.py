"""The organiser's own documents: plans, the log, formats, and what waits for a decision."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any, Self

from controller.club.hub.hub import BY_TABLE, Hub
from controller.club.hub.parts import DocumentPart, EveningView, PlayerDocument
from controller.club.hub.report import EveningInShort, format_document
from controller.club.tournament.catalogue import FORMATS, STAGES, TITLES
from controller.club.tournament.changes import PlanDifference, changes
from controller.club.tournament.events import MatchStarted
from controller.club.tournament.fold import fold, undone_numbers
from controller.club.tournament.formats import PLAYS, RANKINGS, TIE_BREAKS
from controller.club.tournament.stages import stage_kind
from controller.club.tournament.standings import standings, tied
from controller.club.tournament.state import TournamentState
from controller.club.tournament.tournament import Plan
from controller.messages import Message, Sentence

LOGGED = 15  # actions that the log shows, whoever took them
LOGGED_OF_PEOPLE = 60  # actions of people that it shows, however many results tables have reported since


class FormatsDocument(DocumentPart):
    """Formats to begin with, by name. `stages`: every kind with the fields of its own, each a number, a checkbox or a
    choice with the `words` of its values. `plays`: every kind of match, likewise. `present`: the evening's, None while
    none is chosen. `begun`: the number of stages already played or being played, which are fixed. `rankings`: lists of
    criteria in use somewhere. `criteria`: their titles."""

    known: dict[str, dict[str, Any]]
    titles: dict[str, Sentence]
    stages: list[dict[str, Any]]
    plays: Sequence[dict[str, Any]]
    present: dict[str, Any] | None
    begun: int
    rankings: Sequence[tuple[str, ...]]
    criteria: dict[str, Sentence]

    @classmethod
    def of(cls, state: TournamentState) -> Self:
        return cls(
            known={name: format_document(FORMATS[name]) or {} for name in TITLES},
            titles={name: Message(title) for name, title in TITLES.items()},
            stages=[_stage(kind()) for kind in STAGES],
            plays=PLAYS,
            present=format_document(state.format),
            begun=len(state.stages),
            rankings=RANKINGS,
            criteria={name: Message(title) for name, title in TIE_BREAKS.items()},
        )


def _stage(stage: Any) -> dict[str, Any]:
    own = [{"name": each.name, "usual": each.default, **each.metadata} for each in fields(stage) if each.metadata]
    return {"type": stage.type, "title": Message(stage.title), "fields": own}


class LeftOutDocument(DocumentPart):
    """What was reported and does not count. `source`: its unique name; `entry`: its number in the log, None for a
    report of the `table`; `instead`: whether it can be counted for a match that the two have to play now."""

    source: str
    table: str
    entry: int | None
    names: tuple[str, ...]
    figures: tuple[int, ...]
    why: Sentence
    instead: bool


class TiedDocument(DocumentPart):
    """Entrants who share a place that a shoot-out can decide."""

    place: int
    entrants: list[PlayerDocument]


def _again(state: TournamentState) -> str | None:
    """The round that can be paired again: the latest of its stage, while one of its matches has not begun."""
    if not state.stages or stage_kind(state).knock_out:
        return None
    latest = state.rounds_of(state.stage.number)[-1:]
    waits = (match.open and not match.started for round in latest for match in state.matches_of(round=round.id))
    return latest[0].id if any(waits) else None


class NamedPlace(DocumentPart):
    """An entrant's name and place."""

    name: str
    place: int


class PlanDocument(DocumentPart):
    """The consequences of `actions`. Confirming them takes the `token`. `places`: the future ones of entrants whose
    results change."""

    token: str
    places: list[NamedPlace]
    changes: tuple[PlanDifference, ...]
    notes: tuple[Sentence, ...]
    actions: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, plan: Plan, actions: Sequence[Mapping[str, Any]]) -> Self:
        return cls.like(plan, places=_places(plan), actions=actions)


def _places(plan: Plan) -> list[NamedPlace]:
    state = plan.after.state
    matches = [state.matches.get(change.id) for change in plan.changes if change.kind == "result"]
    sides = {side for match in matches if match for side in match.sides}
    rows = standings(state) if sides else []
    return [NamedPlace(name=state.labels[row.entrant], place=row.place) for row in rows if row.entrant in sides]


class PlanRefused(DocumentPart):
    """Why nothing was done, and the plan as it would be now."""

    error: str
    plan: PlanDocument


class LogDocument(DocumentPart):
    """One action of the evening: who took it, when (s since 1970, UTC), what it changed, and whether it was undone."""

    number: int
    who: str
    at: float
    undone: bool
    changes: list[Sentence]


def log(hub: Hub) -> list[LogDocument]:
    """The last actions, the newest first, each with what followed from it. The start of a match is not among them:
    nobody could take it back."""
    entries, words = hub.logged
    gone = undone_numbers(entries)
    actions = [k for k, each in enumerate(entries) if each.because is None and not isinstance(each.event, MatchStarted)]
    of_people = [k for k in actions if entries[k].who != BY_TABLE]
    ends = dict(pairwise([*actions, len(entries)]))
    shown: list[LogDocument] = []
    at, now = 0, TournamentState()
    for k in sorted({*actions[-LOGGED:], *of_people[-LOGGED_OF_PEOPLE:]}):
        number = entries[k].number
        if number not in words:  # it costs two tables of standings
            before = now if at == k else fold(entries[:k])
            at, now = ends[k], fold(entries[: ends[k]])
            words[number] = [change.words for change in changes(before, now) if change.kind != "place"]
        shown.append(LogDocument.like(entries[k], undone=number in gone, changes=words[number]))
    return shown[::-1]


class ClubTable(DocumentPart):
    """A table of the club. `joined`: whether it has a token; `code`: of the page where phones keep its score, if it has
    no hardware."""

    id: str
    name: str
    by_hand: bool
    joined: bool
    code: str | None


class DeskDocument(DocumentPart):
    """The organiser's desk. `seeding`: all entrants, the first seed first; `again`: the id of the round that can be
    paired again, if any. `people`: names from earlier evenings; `evening`: the id of the active one; `stranger`: who
    sends results without a valid token, if somebody did. `password`: whether one is set."""

    seeding: list[PlayerDocument]
    tied: list[TiedDocument]
    left_out: list[LeftOutDocument]
    again: str | None
    log: list[LogDocument]
    people: list[str]
    evening: str | None
    stranger: Sentence | None
    evenings: list[EveningInShort]
    formats: FormatsDocument
    tables: list[ClubTable]
    password: bool

    @classmethod
    def filled(cls, hub: Hub, **more: Any) -> Self:
        """With the members that the club's door fills."""
        now = EveningView.of(hub)
        state = now.state

        def players(entrants: Iterable[str]) -> list[PlayerDocument]:
            return [PlayerDocument.of(now, entrant) for entrant in entrants]

        return cls(
            seeding=players(state.seeding),
            tied=[
                TiedDocument(place=rows[0].place, entrants=players(row.entrant for row in rows)) for rows in tied(state)
            ],
            left_out=[LeftOutDocument.like(each, instead=each.instead is not None) for each in hub.left_out],
            again=_again(state),
            log=log(hub),
            people=hub.store.people(),
            formats=FormatsDocument.of(state),
            **more,
        )


class TableAdded(DocumentPart):
    """The id of a new table."""

    id: str


class JoinCode(DocumentPart):
    """A code that lets a table join."""

    code: str
