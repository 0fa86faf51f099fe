"""The organiser's own views: plans, the log, formats, and what waits for a decision."""

from dataclasses import fields
from itertools import pairwise
from typing import Any

from controller.club.hub import schemas as doc
from controller.club.hub.hub import Hub
from controller.club.hub.report import format_document
from controller.club.tournament.catalogue import FORMATS, TITLES
from controller.club.tournament.changes import changes
from controller.club.tournament.events import Event, MatchStarted, Result
from controller.club.tournament.fold import in_match_order, undone_numbers
from controller.club.tournament.record import STAGES
from controller.club.tournament.stages import stage_kind
from controller.club.tournament.standings import standings, tied
from controller.club.tournament.state import SetAside, State
from controller.club.tournament.tie_breaks import RANKINGS, TIE_BREAKS
from controller.club.tournament.tournament import Plan, Tournament
from controller.messages import Message

LOGGED = 15  # actions that the log shows: each costs two tables of standings


def formats(state: State) -> doc.FormatsDocument:
    """The formats to begin with, and the evening's."""
    chosen = [TIE_BREAKS[name] for name in dict.fromkeys(name for ranking in RANKINGS for name in ranking)]
    return {
        "known": {name: format_document(FORMATS[name]) or {} for name in TITLES},
        "titles": {name: Message(title) for name, title in TITLES.items()},
        "stages": [_stage(type, kind) for type, kind in STAGES.items()],
        "present": format_document(state.format),
        "begun": len(state.stages),
        "rankings": [list(ranking) for ranking in RANKINGS],
        "criteria": [
            {"name": each.name, "title": Message(each.title), "meaning": Message(each.meaning)} for each in chosen
        ],
    }


def _stage(type: str, kind: Any) -> dict[str, Any]:
    own = [{"name": each.name, "usual": each.default, **each.metadata} for each in fields(kind) if each.metadata]
    return {"type": type, "title": Message(kind.title), "fields": own}


def waiting(state: State) -> doc.WaitingDocument:
    """Decisions that the tournament waits for."""
    labels = state.labels

    def player(entrant: str) -> doc.PlayerDocument:
        return {"id": entrant, "name": labels[entrant], "here": state.entrants[entrant].here}

    return {
        "seeding": [player(entrant) for entrant in state.seeding],
        "tied": [{"place": rows[0].place, "entrants": [player(row.entrant) for row in rows]} for rows in tied(state)],
        "set_aside": [_set_aside(state, each) for each in state.set_aside if not _is_settled(state, each.event)],
        "again": _again(state),
    }


def _is_settled(state: State, event: Event) -> bool:
    """Whether this is another report of a match whose result is decided."""
    match = state.matches.get(event.match) if isinstance(event, Result) else None
    if match is None or match.cancelled or not match.over or not isinstance(event, Result):
        return False
    same_two = event.sides in (match.sides, match.sides[::-1])
    return same_two and in_match_order(event, match) not in match.contradicted


def _set_aside(state: State, aside: SetAside) -> doc.SetAsideDocument:
    result = aside.event if isinstance(aside.event, Result) else None
    known = [side for side in result.sides if side in state.entrants] if result else []
    labels = state.labels
    return {
        "number": aside.number,
        "names": [labels[side] for side in known],
        "figures": list(result.points) if result else [],
        "why": aside.why,
        "instead": state.replacement_for(aside) is not None,
    }


def _again(state: State) -> str | None:
    """The round that can be paired again: the latest of its stage, while one of its matches has not begun."""
    if not state.stages or stage_kind(state).knock_out:
        return None
    latest = state.rounds_of(state.stage.number)[-1:]
    waits = (match.open and not match.started for round in latest for match in state.matches_of(round=round.id))
    return latest[0].id if any(waits) else None


def plan(plan: Plan) -> doc.PlanDocument:
    """A plan to confirm."""
    return {
        "token": plan.token,
        "places": _places(plan),
        "changes": [{"kind": each.kind, "id": each.id, "words": each.words} for each in plan.changes],
        "notes": list(plan.notes),
    }


def _places(plan: Plan) -> list[doc.NamedPlace]:
    state = plan.after.state
    matches = [state.matches.get(change.id) for change in plan.changes if change.kind == "result"]
    sides = {side for match in matches if match for side in match.sides}
    labels = state.labels if sides else {}
    rows = standings(state) if sides else []
    return [{"name": labels[row.entrant], "place": row.place} for row in rows if row.entrant in sides]


def log(hub: Hub) -> list[doc.LogDocument]:
    """The last actions, the newest first, each with what followed from it. The start of a match is not among them:
    nobody could take it back."""
    decisions = hub.log
    gone = undone_numbers([each.entry for each in decisions])
    actions = (k for k, each in enumerate(decisions) if each.entry.because is None)
    begun = [k for k in actions if not isinstance(decisions[k].entry.event, MatchStarted)][-LOGGED:]
    shown: list[doc.LogDocument] = []
    now = Tournament.of(each.entry for each in decisions[: begun[0]]) if begun else Tournament()
    for first, last in pairwise([*begun, len(decisions)]):
        after = Tournament.of((*now.entries, *(each.entry for each in decisions[first:last])))
        begin = decisions[first]
        words = [change.words for change in changes(now.state, after.state) if change.kind != "place"]
        number = begin.entry.number
        shown.append({"number": number, "who": begin.who, "at": begin.at, "undone": number in gone, "changes": words})
        now = after
    return shown[::-1]
