"""What the organiser alone sees: what can be decided besides what all pages show, and what waits for a decision."""

from controller.club.hub import documents as doc
from controller.club.hub.report import format_told
from controller.club.tournament import (
    FORMATS,
    TIE_BREAKS,
    Result,
    SetAside,
    State,
    tied,
)
from controller.club.tournament.tie_breaks import RANKINGS
from controller.messages import Message


def formats(state: State) -> doc.FormatsDocument:
    """The formats to begin with, and that of the evening."""
    chosen = [TIE_BREAKS[name] for name in dict.fromkeys(name for ranking in RANKINGS for name in ranking)]
    return {
        "known": {name: format_told(form) or {} for name, form in FORMATS.items()},
        "present": format_told(state.format),
        "begun": len(state.stages),
        "rankings": [list(ranking) for ranking in RANKINGS],
        "criteria": [
            {"name": each.name, "title": Message(each.title), "meaning": Message(each.meaning)} for each in chosen
        ],
    }


def waiting(state: State) -> doc.WaitingDocument:
    """What waits for the organiser, as the tournament stands."""
    labels = state.labels

    def player(entrant: str) -> doc.PlayerDocument:
        return {"id": entrant, "name": labels[entrant], "here": state.entrants[entrant].here}

    return {
        "seeding": [player(entrant) for entrant in state.seeding],
        "tied": [{"place": rows[0].place, "entrants": [player(row.entrant) for row in rows]} for rows in tied(state)],
        "set_aside": [_set_aside(state, each) for each in state.set_aside],
        "again": _again(state),
    }


def _set_aside(state: State, aside: SetAside) -> doc.SetAsideDocument:
    result = aside.event if isinstance(aside.event, Result) else None
    known = [side for side in result.sides if side in state.entrants] if result else []
    labels = state.labels
    return {
        "number": aside.number,
        "names": [labels[side] for side in known],
        "figures": list(result.points) if result else [],
        "why": aside.why,
        "instead": state.instead_of(aside) is not None,
    }


def _again(state: State) -> str | None:
    """The round that can be paired again: the latest of its stage, while a match of it has not begun; no play-offs."""
    if not state.stages or state.stage_format.knock_out:
        return None
    latest = state.rounds_of(state.stage.number)[-1:]
    waits = (match.open and not match.started for round in latest for match in state.matches_of(round=round.id))
    return latest[0].id if any(waits) else None
