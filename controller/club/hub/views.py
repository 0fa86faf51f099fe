"""The evening as the club's pages show it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from controller.club.hub import board_schemas
from controller.club.hub import schemas as doc
from controller.club.hub.assignments import assignment_id
from controller.club.hub.by_hand import pads
from controller.club.hub.hub import Hub
from controller.club.hub.matches import TableMatch
from controller.club.hub.results import RejectedReport, sides_in_order
from controller.club.hub.schemas import EveningChanges
from controller.club.store import Report, TableOfClub
from controller.club.tournament.changes import warnings
from controller.club.tournament.playoffs import Slot, slot_name
from controller.club.tournament.ranking import at_least
from controller.club.tournament.standings import (
    all_played,
    last_bracket,
    match_name,
    overall,
    podium,
    round_names,
    standings,
)
from controller.club.tournament.state import Match, Round, State
from controller.match.state import MatchState
from controller.messages import Message, say


@dataclass(frozen=True)
class EveningView:
    """An evening's state, with the lookups that many documents share."""

    id: str
    state: State
    labels: Mapping[str, str]
    reopened: frozenset[str]

    @classmethod
    def of(cls, hub: Hub) -> Self:
        state = hub.tournament.state
        return cls(hub.evening.id if hub.evening else "", state, state.labels, hub.reopened)

    def names(self, match: Match) -> list[str]:
        return [self.labels[side] for side in match.sides]

    def match(self, match: Match) -> doc.MatchDocument:
        return {
            "id": match.id,
            "names": self.names(match),
            "entrants": list(match.sides),
            "board": match.board,
            "turn": match.turn,
            "word": _word(match, match.id in self.reopened),
            "points": list(match.result.points) if match.result else None,
            "twenties": list(match.result.twenties) if match.result and match.result.twenties else None,
            "name": match_name(self.state, match),
            "won": None if match.winner is None else match.sides.index(match.winner),
            "total": self.state.play_of(match).sum,
            "claim": _claim(match),
        }

    def current_matches(self, last: Round | None) -> list[doc.MatchDocument]:
        """The matches of the last round, after the open ones of earlier rounds."""
        late = [match for match in self.state.open_matches if last is None or match.round != last.id]
        current = self.state.matches_of(round=last.id) if last else []
        return [self.match(match) for match in (*late, *current)]

    def players(self) -> list[doc.PlayerDocument]:
        """All entrants, in the order in which they were added."""
        return [
            {"id": each.id, "name": self.labels[each.id], "here": each.here} for each in self.state.entrants.values()
        ]

    def stages(self) -> list[Message]:
        """The names of the stages that have begun."""
        return [Message(self.state.known_format.stages[stage.number].title) for stage in self.state.stages]

    def bracket(self) -> list[list[doc.SlotDocument]]:
        rounds = last_bracket(self.state)
        return [[self.slot(slot, len(rounds)) for slot in slots] for slots in rounds]

    def slot(self, slot: Slot, rounds: int) -> doc.SlotDocument:
        """A place in a bracket of this many rounds."""
        sides = slot.match.sides if slot.match else slot.sides
        match = self.match(slot.match) if slot.match else None
        return {
            "name": slot_name(slot.name, rounds),
            "names": [None if side is None else self.labels[side] for side in sides],
            "points": match["points"] if match else None,
            "won": match["won"] if match else (sides.index(slot.winner) if slot.winner else None),
            "board": match["board"] if match else None,
        }

    def podium(self) -> list[doc.PlacedDocument]:
        """The first three places, shared ones included, once all is played."""
        return [
            {
                "place": each.place,
                "entrant": each.entrant,
                "name": self.labels[each.entrant],
                "won": each.won,
                "matches": each.matches,
                "twenties": each.twenties,
                "twenties_missing": each.twenties_missing,
            }
            for each in podium(self.state)
        ]

    def twenties_made(self) -> defaultdict[str, list[int | None]]:
        """By entrant, the twenties made in each match; None where nobody counted them."""
        made: defaultdict[str, list[int | None]] = defaultdict(list)
        for result in (match.result for match in self.state.matches_of() if match.result):
            for entrant, twenties in zip(result.sides, result.twenties or (None, None), strict=True):
                made[entrant].append(twenties)
        return made

    def standings(self, *, of_evening: bool = False) -> list[doc.RowDocument]:
        """The standings, with the figures of everybody's last stage or of the whole evening."""
        whole = {row.entrant: row for row in overall(self.state)}
        made = self.twenties_made()
        return [
            {
                "place": row.place,
                "id": row.entrant,
                "name": self.labels[row.entrant],
                "here": self.state.entrants[row.entrant].here,
                "stage": row.stage + 1,
                "matches": row.matches,
                "byes": row.byes,
                "points": row.points,
                "twenties": row.twenties,
                "twenties_missing": row.twenties_missing,
                "all_twenties": at_least(made[row.entrant]),
                "all_twenties_missing": made[row.entrant].count(None),
            }
            for row in (whole.values() if of_evening else standings(self.state))
        ]


def evening(hub: Hub) -> doc.EveningDocument:
    """The active evening."""
    now = EveningView.of(hub)
    state = now.state
    last = next(reversed(tuple(state.rounds.values())), None)
    return {
        "schema": "club-evening/1",
        "version": hub.version,
        "title": hub.evening.title if hub.evening else "",
        "round": len(state.rounds),
        "open": len(state.open_matches),
        "stages": now.stages(),
        "round_names": round_names(state, last) if last else [],
        "finished": all_played(state),
        "closed": state.closed,
        "podium": now.podium(),
        "bracket": now.bracket(),
        "boards": boards(hub),
        "matches": now.current_matches(last),
        "byes": [now.labels[entrant] for entrant in last.byes] if last else [],
        "players": now.players(),
        "standings": now.standings(),
        "warnings": [change.words for change in warnings(state)],
        "left_out": [_rejected(each) for each in hub.rejected],
    }


def _rejected(report: RejectedReport) -> doc.LeftOutDocument:
    return {
        "source": report.source,
        "table": report.table,
        "names": list(report.names),
        "figures": list(report.figures),
        "why": report.why,
        "instead": report.alternative is not None,
    }


def _claim(match: Match) -> doc.ClaimDocument | None:
    if match.claim is None or not match.open:
        return None
    claim = match.claim
    return {"by": claim.by, "points": list(claim.points), "twenties": list(claim.twenties) if claim.twenties else None}


def boards(hub: Hub) -> list[board_schemas.BoardDocument]:
    """The boards of the evening."""
    now, playing = EveningView.of(hub), hub.playing()
    tables = {table.id: table for table in hub.store.tables()}
    waiting: dict[str | None, list[Match]] = defaultdict(list)
    for match in now.state.open_matches:
        waiting[match.board].append(match)
    assigned = {assignment_id(now.id, match): match for match in now.state.matches.values()}
    shown = []
    for id, board in now.state.boards.items():
        latest = playing.get(id)
        begun = assigned.get(latest.assignment) if latest else None
        table = tables.get(id, TableOfClub(id, id))
        shown.append(
            board_schemas.BoardDocument(
                id=id,
                name=board.name or table.name,
                by_hand=table.by_hand,
                works=board.works,
                online=None if table.by_hand else id in hub.online,
                troubles=_troubles(hub, id),
                **_matches_at(now, table.by_hand, latest, begun, waiting[id]),
            )
        )
    return shown


def _matches_at(
    now: EveningView, by_hand: bool, latest: TableMatch | None, begun: Match | None, waiting: list[Match]
) -> board_schemas.MatchesAtBoard:
    """`latest`: the match that began last there; `begun`: the same in the tournament; `waiting`: the open matches."""
    match = begun if latest and latest.in_progress else next(iter(waiting), None)
    over = begun if by_hand and latest and latest.over else None
    return {
        "now": _at_board(now, match, latest if match == begun else None, by_hand) if match else None,
        "last": _at_board(now, over, latest, by_hand=True) if over else None,
        "waiting": [now.names(each) for each in waiting if each != match],
    }


def _troubles(hub: Hub, table: str) -> list[Message]:
    report = hub.reports.get(table, Report())
    troubles = [report.trouble] if report.trouble else []
    if report.answer is not None and report.answer.answer == "refused":
        troubles.append(say("The table can't play this match: {why}", why=report.answer.why or report.answer.id))
    return troubles


def _at_board(now: EveningView, match: Match, latest: TableMatch | None, by_hand: bool) -> board_schemas.BoardMatch:
    score = _score(now, match, latest) if latest else _not_begun()
    return {
        "match": match.id,
        "name": match_name(now.state, match),
        "pads": pads(latest) if by_hand and latest else None,
        "assignment": assignment_id(now.id, match),
        "names": now.names(match),
        "entrants": list(match.sides),
        **score,
    }


def _not_begun() -> board_schemas.BoardScore:
    return {
        "started": False,
        "over": False,
        "score": [0, 0],
        "twenties": [0, 0],
        "round": 0,
        "of": None,
        "event": 0,
        "rounds": [],
    }


def _score(now: EveningView, match: Match, latest: TableMatch) -> board_schemas.BoardScore:
    state = latest.state
    if state is None or latest.summary is None:
        return _not_begun()
    sides = sides_in_order(now.state, match, latest.summary)
    return {
        "started": True,
        "over": state.over,
        "score": [state.score[side] for side in sides],
        "twenties": [state.game.match_twenties[side] for side in sides],
        "round": len(state.finished) + (not state.over),
        "of": state.game.terms.format.all_rounds,
        "event": state.last_id,
        "rounds": rounds_played(state, sides),
    }


def rounds_played(state: MatchState, sides: Sequence[str]) -> list[board_schemas.RoundFigures]:
    """The finished rounds of a match, for its sides in this order."""
    return [
        {
            "first": sides.index(round.starter),
            "totals": [round.known_totals[side] for side in sides],
            "twenties": [round.known_twenties[side] for side in sides],
            "points": [(round.awarded or {}).get(side, 0) for side in sides],
        }
        for round in state.finished
    ]


def matches_of(hub: Hub, entrant: str) -> list[doc.MatchDocument]:
    """All matches of an entrant, in order of play; none for an unknown one."""
    now = EveningView.of(hub)
    return [now.match(match) for match in now.state.matches_of() if entrant in match.sides]


def _word(match: Match, reopened: bool) -> doc.Word:
    if match.contradicted:
        return "contradicted"
    if reopened:
        return "reopened"
    if match.walkover:
        return "walkover"
    return "over" if match.over else "going_on" if match.started else "waiting"


Document = Mapping[str, Any]


def differences(before: Document, now: Document) -> EveningChanges:
    """`club-changes/2` for a page that has the document `before`, which has the same members.

    An evening of sixty boards has some 50 kB, a change some 500 bytes.

    >>> before = {"round": 1, "open": 2, "boards": [{"id": "1", "now": None}, {"id": "2", "now": None}]}
    >>> now = {**before, "open": 1, "boards": [{"id": "2", "now": "m"}, {"id": "1", "now": None}]}
    >>> differences(before, now)["rows"], differences(before, now)["order"]
    ({'boards': [{'id': '2', 'now': 'm'}]}, {'boards': ['2', '1']})
    """
    members: dict[str, Any] = {}
    rows: dict[str, list[dict[str, Any]]] = {}
    order: dict[str, list[str]] = {}
    for name, value in now.items():
        old = before[name]
        if value == old:
            continue
        ids, known = _ids(value), _ids(old)
        if set(ids).isdisjoint(known):
            members[name] = value
            continue
        rows[name] = _changed(old, value)
        if ids != known:
            order[name] = ids
    return {"schema": "club-changes/2", "members": members, "rows": rows, "order": order}


def _changed(before: Sequence[Document], now: Sequence[Document]) -> list[dict[str, Any]]:
    """The id and the changed members of each new or changed row."""
    known = {row["id"]: row for row in before}
    changed = []
    for row in now:
        former = known.get(row["id"], {})
        if row != former:
            news = {member: value for member, value in row.items() if member not in former or value != former[member]}
            changed.append({"id": row["id"], **news})
    return changed


def _ids(value: Any) -> list[str]:
    """The ids of a list of rows; none for anything else."""
    if not isinstance(value, list) or not all(isinstance(row, Mapping) and "id" in row for row in value):
        return []
    return [row["id"] for row in value]
