"""The evening in people's words: what the club's pages show."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from controller.club.hub import documents as doc
from controller.club.hub.assignments import assignment_id
from controller.club.hub.desk import Plan
from controller.club.hub.hub import Hub
from controller.club.hub.matches import Played
from controller.club.hub.pads import pads
from controller.club.hub.results import sides_in_order
from controller.club.store import Decision, TableOfClub
from controller.club.tournament import Match, MatchStarted, State, Tournament, ending, standings, warnings
from controller.club.tournament.changes import changes
from controller.club.tournament.fold import undone
from controller.club.tournament.playoffs import Slot, slot_name
from controller.messages import Message, say

LOGGED = 15  # actions that the organiser's log shows: each costs two tables of standings


@dataclass(frozen=True)
class EveningView:
    """What many documents need of an evening, looked up once for all of them."""

    id: str
    state: State
    labels: Mapping[str, str]
    reopened: frozenset[str]

    @classmethod
    def of(cls, hub: Hub) -> Self:
        """Of the evening that is open."""
        state = hub.tournament.state
        return cls(hub.evening.id if hub.evening else "", state, state.labels, hub.reopened)

    def names(self, match: Match) -> list[str]:
        """What the sides are called."""
        return [self.labels[side] for side in match.sides]

    def match(self, match: Match) -> doc.MatchDocument:
        """A match as it stands."""
        return {
            "id": match.id,
            "names": self.names(match),
            "entrants": list(match.sides),
            "board": match.board,
            "turn": match.turn,
            "word": _word(match, match.id in self.reopened),
            "points": list(match.result.points) if match.result else None,
            "twenties": list(match.result.twenties) if match.result and match.result.twenties else None,
            "name": ending.match_name(self.state, match),
            "won": None if match.winner is None else match.sides.index(match.winner),
            "total": self.state.play_of(match).sum,
            "claim": _claim(match),
        }

    def bracket(self) -> list[list[doc.SlotDocument]]:
        """The rounds of the play-offs; none where there are no play-offs."""
        rounds = ending.last_bracket(self.state)
        return [[self.slot(slot, len(rounds)) for slot in slots] for slots in rounds]

    def slot(self, slot: Slot, rounds: int) -> doc.SlotDocument:
        """A place in a bracket of so many rounds."""
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
        """The first three with all who share their places, once all is played."""
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
            for each in ending.podium(self.state)
        ]

    def standings(self) -> list[doc.RowDocument]:
        """The standings; none before the first round."""
        return [
            {
                "place": row.place,
                "id": row.entrant,
                "name": self.labels[row.entrant],
                "here": self.state.entrants[row.entrant].here,
                "matches": row.matches,
                "points": row.points,
                "twenties": row.twenties,
                "twenties_missing": row.twenties_missing,
            }
            for row in (standings(self.state) if self.state.stages else ())
        ]


def evening(hub: Hub) -> doc.EveningDocument:
    """The evening that is open."""
    now = EveningView.of(hub)
    state = now.state
    rounds = list(state.rounds.values())
    last = rounds[-1] if rounds else None
    matches = state.matches_of(round=last.id) if last else []
    open = state.open_matches
    late = [match for match in open if last is None or match.round != last.id]
    return {
        "schema": "club-evening/1",
        "version": hub.version,
        "title": hub.evening.title if hub.evening else "",
        "round": len(rounds),
        "open": len(open),
        "round_names": ending.round_names(state, last) if last else [],
        "finished": ending.all_played(state),
        "closed": state.closed,
        "podium": now.podium(),
        "bracket": now.bracket(),
        "boards": boards(hub),
        "matches": [now.match(match) for match in (*late, *matches)],
        "byes": [now.labels[entrant] for entrant in last.byes] if last else [],
        "players": [
            {"id": entrant.id, "name": now.labels[entrant.id], "here": entrant.here}
            for entrant in state.entrants.values()
        ],
        "standings": now.standings(),
        "warnings": [change.words for change in warnings(state)],
        "left_out": [
            {
                "source": each.source,
                "table": each.table,
                "names": list(each.names),
                "figures": list(each.figures),
                "why": each.why,
                "instead": each.instead is not None,
            }
            for each in hub.left_out
        ],
    }


def _claim(match: Match) -> doc.ClaimDocument | None:
    if match.claim is None or not match.open:
        return None
    claim = match.claim
    return {
        "by": claim.by,
        "points": list(claim.points),
        "twenties": list(claim.twenties) if claim.twenties else None,
    }


def boards(hub: Hub) -> list[doc.BoardDocument]:
    """The boards of the evening, those of its tournament."""
    now, playing = EveningView.of(hub), hub.playing()
    tables = {table.id: table for table in hub.store.tables()}
    waiting: dict[str | None, list[Match]] = defaultdict(list)
    for match in now.state.open_matches:
        waiting[match.board].append(match)
    assigned = {assignment_id(now.id, match): match for match in now.state.matches.values()}
    shown = []
    for id, board in now.state.boards.items():
        played = playing.get(id)
        begun = assigned.get(played.assignment) if played else None
        table = tables.get(id, TableOfClub(id, id))
        table = table._replace(name=board.name or table.name)
        shown.append(_board(hub, now, table, board.works, (played, begun), waiting[id]))
    return shown


def _board(
    hub: Hub,
    now: EveningView,
    table: TableOfClub,
    works: bool,
    begun: tuple[Played | None, Match | None],
    waiting: list[Match],
) -> doc.BoardDocument:
    """`begun`: what began last there, as its table tells it and as the evening has it. `waiting`: its open matches."""
    played, last = begun
    match = last if played and played.going_on else next(iter(waiting), None)
    status = hub.reception.status.get(table.id)
    over = last if table.by_hand and played and played.over else None
    return {
        "id": table.id,
        "name": table.name,
        "by_hand": table.by_hand,
        "works": works,
        "online": None if table.by_hand else bool(status and status.online),
        "troubles": _troubles(hub, table.id),
        "now": _at_board(now, match, played if match == last else None, table.by_hand) if match else None,
        "last": _at_board(now, over, played, by_hand=True) if over else None,
        "waiting": [now.names(each) for each in waiting if each != match],
    }


def _troubles(hub: Hub, table: str) -> list[Message]:
    troubles = [words for (id, _), words in hub.reception.troubles.items() if id == table]
    status = hub.reception.status.get(table)
    answer = status.assignment if status else None
    if answer is not None and answer.answer == "refused":
        troubles.append(say("The table can't play this match: {why}", why=answer.why or answer.id))
    return troubles


def _at_board(now: EveningView, match: Match, played: Played | None, by_hand: bool) -> doc.BoardMatch:
    score = _score(now, match, played) if played else _not_begun()
    return {
        "match": match.id,
        "name": ending.match_name(now.state, match),
        "pads": pads(played) if by_hand and played else None,
        "assignment": assignment_id(now.id, match),
        "names": now.names(match),
        "entrants": list(match.sides),
        **score,
    }


def _not_begun() -> doc.BoardScore:
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


def _score(now: EveningView, match: Match, played: Played) -> doc.BoardScore:
    told = played.state
    if told is None or played.told is None:
        return _not_begun()
    sides = sides_in_order(now.state, match, played.told)
    return {
        "started": True,
        "over": told.over,
        "score": [told.score[side] for side in sides],
        "twenties": [told.game.match_twenties[side] for side in sides],
        "round": len(told.finished) + (not told.over),
        "of": told.game.terms.format.all_rounds,
        "event": told.last_id,
        "rounds": [[round.totals[side] for side in sides] for round in told.finished],
    }


def matches_of(hub: Hub, entrant: str) -> list[doc.MatchDocument]:
    """All matches of an entrant, the first ones first; none of who is unknown."""
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


def plan(plan: Plan) -> doc.PlanDocument:
    """A plan, for whoever has to confirm it."""
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
    """The last actions, the newest first; what followed from an action is told with it.

    That a match began is no action of the evening: it changes nothing that anybody could take back.
    """
    decisions = hub.log
    gone = undone([each.entry for each in decisions])
    actions = (k for k, each in enumerate(decisions) if each.entry.because is None)
    begun = [k for k in actions if not isinstance(decisions[k].entry.event, MatchStarted)][-LOGGED:]
    shown: list[doc.LogDocument] = []
    now = Tournament.of(each.entry for each in decisions[: begun[0]]) if begun else Tournament()
    for first, last in pairwise([*begun, len(decisions)]):
        after = Tournament.of((*now.entries, *(each.entry for each in decisions[first:last])))
        shown.append(_logged(decisions[first], now, after, gone))
        now = after
    return shown[::-1]


def _logged(decision: Decision, before: Tournament, after: Tournament, gone: set[int]) -> doc.LogDocument:
    told = [change.words for change in changes(before.state, after.state) if change.kind != "place"]
    return {
        "number": decision.entry.number,
        "who": decision.who,
        "at": decision.at,
        "undone": decision.entry.number in gone,
        "changes": told,
    }
