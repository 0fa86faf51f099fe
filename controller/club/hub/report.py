"""A whole evening, the present one or a former one: everything that counts, and the rounds as tables told them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.club.hub import documents as doc
from controller.club.hub.assignments import assignment_id
from controller.club.hub.matches import Matches, Played
from controller.club.hub.results import result_of, sides_in_order
from controller.club.hub.views import EveningView
from controller.club.store import Evening, Journal, Kept, Store
from controller.club.tournament import Entry, Format, FormatSet, Match, Result, Tournament, written
from controller.club.tournament.ending import round_names
from controller.errors import Refused
from controller.match.state import MatchState
from controller.messages import say


@dataclass(frozen=True, slots=True)
class Report:
    """One evening as it was decided. `told`: by match, what its table told, where that is what counts."""

    evening: Evening
    tournament: Tournament
    told: Mapping[str, Played]


def report(store: Store, id: str) -> Report:
    """An evening of this club by its id. Raises `Refused` where there is none."""
    evening = next((each for each in store.evenings() if each.id == id), None)
    if evening is None:
        raise Refused(say("There is no such evening."))
    tournament = Tournament.of(decision.entry for decision in store.decisions(id))
    matches = Matches()
    matches.take(_of(id, store.events_since(evening.version, store.version())))
    return Report(evening, tournament, _counting(tournament, id, matches))


def _of(evening: str, events: Iterable[tuple[Journal, Kept]]) -> Iterator[tuple[Journal, Kept]]:
    """The events of the matches that were assigned on this evening."""
    own = set()
    for journal, kept in events:
        key = (journal, kept.match)
        if kept.kind == "match_started" and str((kept.body or {}).get("assignment")).startswith(f"{evening}:"):
            own.add(key)
        if key in own:
            yield journal, kept


def _counting(tournament: Tournament, evening: str, told: Iterable[Played]) -> dict[str, Played]:
    matches = {assignment_id(evening, match): match for match in tournament.state.matches.values()}
    found: dict[str, Played] = {}
    for played in told:
        match = matches.get(played.assignment)
        if match is not None and match.result is not None and _is(tournament, match, match.result, played):
            found.setdefault(match.id, played)
    return found


def _is(tournament: Tournament, match: Match, counts: Result, played: Played) -> bool:
    """Whether the rounds that a table told end in the result that counts."""
    if played.trouble is not None:
        return False
    told = result_of(tournament, match, played)
    return told is not None and told.says_as(counts)


# --- for people and programs


def in_short(evening: Evening, open: str | None) -> doc.EveningInShort:
    """An evening in a list; `open` is the id of the present one."""
    return {"id": evening.id, "title": evening.title, "at": evening.at, "open": evening.id == open}


def format_told(form: Format | None) -> dict[str, Any] | None:
    """A format as the log of a tournament has it."""
    told: dict[str, Any] | None = None if form is None else written(Entry(1, FormatSet(form)))["format"]
    return told


def whole(report: Report, club: str, open: str | None) -> doc.EveningReport:
    """The report of an evening of a club, which people call `club`."""
    state = report.tournament.state
    view = EveningView(report.evening.id, state, state.labels, frozenset())
    labels = view.labels
    return {
        **in_short(report.evening, open),
        "schema": "club-evening-report/1",
        "club": club,
        "format": format_told(state.format),
        "players": [{"id": each.id, "name": labels[each.id], "here": each.here} for each in state.entrants.values()],
        "standings": view.standings(),
        "podium": view.podium(),
        "bracket": view.bracket(),
        "rounds": [
            {
                "id": round.id,
                "number": number,
                "names": list(round_names(state, round)),
                "stage": round.stage + 1,
                "matches": [_reported(report, view, match) for match in state.matches_of(round=round.id)],
                "byes": [labels[entrant] for entrant in round.byes],
            }
            for number, round in enumerate(state.rounds.values(), 1)
        ],
    }


def _reported(report: Report, view: EveningView, match: Match) -> doc.ReportedMatch:
    played = report.told.get(match.id)
    return {
        **view.match(match),
        "rounds": _rounds(played.state, sides_in_order(view.state, match, played.told))
        if played and played.state and played.told
        else None,
    }


def _rounds(told: MatchState, sides: Sequence[str]) -> list[doc.RoundFigures]:
    return [
        {
            "first": sides.index(round.starter),
            "totals": [round.totals[side] for side in sides],
            "twenties": [round.twenty_counts[side] for side in sides],
            "points": [(round.awarded or {}).get(side, 0) for side in sides],
        }
        for round in told.finished
    ]
