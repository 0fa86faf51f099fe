"""A board's part of the evening: who plays there, the score, and the pads of a board without hardware."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Self

from controller.club.hub.assignments import assigned_matches, assignment_id
from controller.club.hub.hub import Hub
from controller.club.hub.matches import TableMatch
from controller.club.hub.parts import DocumentPart, EveningView
from controller.club.hub.results import sides_in_order
from controller.club.store import TableOfClub
from controller.club.tournament.errors import Sentence
from controller.club.tournament.standings import match_name
from controller.club.tournament.state import TournamentMatch
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.views.sides import SideNow
from controller.views.timers import ShownTimer


class RoundFigures(DocumentPart):
    """One round of a match, for its sides in their order; `first`: the side that shot first, by its place from 0.
    Totals are None if people entered only who won it, twenties if nobody recorded them."""

    first: int
    totals: list[int | None]
    twenties: list[int | None]
    points: list[int]

    @classmethod
    def of(cls, state: MatchState, sides: Sequence[str]) -> list[Self]:
        """The finished rounds of a match, for its sides in this order."""
        return [
            cls(
                first=sides.index(round.starter),
                totals=[round.known_totals[side] for side in sides],
                twenties=[round.known_twenties[side] for side in sides],
                points=[(round.awarded or {}).get(side, 0) for side in sides],
            )
            for round in state.finished
        ]


class PadFormat(DocumentPart):
    """The format of the match."""

    kind: str


class PadRound(DocumentPart):
    """The running round. `shots`: none, because nothing referees it."""

    number: int
    shots: int = 0


class Pads(DocumentPart):
    """The document for the pads of a board without hardware: the part of a table's state that they need."""

    id: int
    over: bool = False
    manual: bool = True
    format: PadFormat
    round: PadRound
    timers: list[ShownTimer]
    sides: list[SideNow]

    @classmethod
    def of(cls, now: TableMatch) -> Self | None:
        """None if the match is over or can't be followed."""
        state = now.state
        if state is None or state.over:
            return None
        return cls(
            id=now.key.match,
            format=PadFormat(kind=state.game.terms.format.kind),
            round=PadRound(number=state.game.round.number),
            timers=ShownTimer.all_of(state),
            sides=SideNow.all_of(state),
        )


class BoardMatch(DocumentPart):
    """A match at a board: who plays, and its score as far as its table has reported it. `name`: of a play-off match.
    `assignment`: its id at the table. `score` of the match, `twenties` of all rounds (None if nobody recorded those of
    some round), each by side; `round` from 1, of `of` where that is fixed. `event`: the number of the table's last
    event."""

    match: str
    name: Sentence | None
    pads: Pads | None
    assignment: str
    names: list[str]
    entrants: tuple[str, ...]
    started: bool = False
    over: bool = False
    score: Sequence[int] = (0, 0)
    twenties: Sequence[int | None] = (0, 0)
    round: int = 0
    of: int | None = None
    event: int = 0
    rounds: Sequence[RoundFigures] = ()

    @classmethod
    def at(cls, now: EveningView, match: TournamentMatch, latest: TableMatch | None, by_hand: bool) -> Self:
        """`latest`: the same match at its table; None before it starts there."""
        return cls(
            match=match.id,
            name=match_name(now.state, match),
            pads=Pads.of(latest) if by_hand and latest else None,
            assignment=assignment_id(now.id, match),
            names=now.names(match),
            entrants=match.sides,
            **_score(now, match, latest),
        )


def _score(now: EveningView, match: TournamentMatch, latest: TableMatch | None) -> dict[str, Any]:
    if latest is None or latest.state is None:
        return {}
    state, sides = latest.state, sides_in_order(now.state, match, latest.summary)
    return {
        "started": True,
        "over": state.over,
        "score": [state.score[side] for side in sides],
        "twenties": [state.game.match_twenties[side] for side in sides],
        "round": len(state.finished) + (not state.over),
        "of": state.game.terms.format.all_rounds,
        "event": state.last_id,
        "rounds": RoundFigures.of(state, sides),
    }


class BoardDocument(DocumentPart):
    """A board. `online`: whether its table is connected; None without hardware. `now`: the match that is played or
    comes next; `last`: the last finished one of a board without hardware; `waiting`: who plays after."""

    id: str
    name: str
    by_hand: bool
    works: bool
    online: bool | None
    troubles: list[Sentence]
    now: BoardMatch | None
    last: BoardMatch | None
    waiting: list[list[str]]


def boards(hub: Hub) -> list[BoardDocument]:
    """The boards of the evening."""
    now, playing = EveningView.of(hub), hub.playing()
    tables = {table.id: table for table in hub.store.tables()}
    waiting: dict[str | None, list[TournamentMatch]] = defaultdict(list)
    for match in now.state.open_matches:
        waiting[match.board].append(match)
    assigned = assigned_matches(now.id, now.state)
    shown = []
    for id, board in now.state.boards.items():
        latest = playing.get(id)
        played = assigned.get(latest.assignment) if latest else None
        table = tables.get(id, TableOfClub(id, id))
        shown.append(
            BoardDocument(
                id=id,
                name=board.name or table.name,
                by_hand=table.by_hand,
                works=board.works,
                online=None if table.by_hand else id in hub.online,
                troubles=_troubles(hub, id),
                **_matches_at(now, table.by_hand, latest, played, waiting[id]),
            )
        )
    return shown


def _matches_at(
    now: EveningView,
    by_hand: bool,
    latest: TableMatch | None,
    played: TournamentMatch | None,
    waiting: list[TournamentMatch],
) -> dict[str, Any]:
    """`latest`: the newest match at its table; `played`: the same in the tournament; `waiting`: the open matches."""
    match = played if latest and latest.in_progress else next(iter(waiting), None)
    over = played if by_hand and latest and latest.over else None
    return {
        "now": BoardMatch.at(now, match, latest if match == played else None, by_hand) if match else None,
        "last": BoardMatch.at(now, over, latest, by_hand=True) if over else None,
        "waiting": [now.names(each) for each in waiting if each != match],
    }


def _troubles(hub: Hub, table: str) -> list[Message]:
    report = hub.reports[table]
    troubles = [report.trouble] if report.trouble else []
    if report.answer is not None and report.answer.answer == "refused":
        troubles.append(say("The table can't play this match: {why}", why=report.answer.why or report.answer.id))
    return troubles
