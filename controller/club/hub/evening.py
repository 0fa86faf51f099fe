"""The evening as all of the club's pages show it, with each board's part: who plays there, the score, and the pads of a
board without hardware; and the difference of two evenings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Self

from controller.club.hub.assignments import assigned_matches, assignment_id
from controller.club.hub.hub import Hub
from controller.club.hub.matches import TableMatch
from controller.club.hub.parts import DocumentPart, EveningView, MatchDocument, Placings
from controller.club.hub.results import sides_in_order
from controller.club.store import TableOfClub
from controller.club.tournament.changes import warnings
from controller.club.tournament.standings import all_played, match_name, round_names, standings
from controller.club.tournament.state import TournamentMatch
from controller.match.state import MatchState
from controller.messages import Message, Sentence, say
from controller.views.scoreboard import ShownTimer, SideNow


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
            names=now.state.names_of(match),
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
    match = played if _goes_on(now, by_hand, latest, played, waiting) else next(iter(waiting), None)
    over = played if by_hand and latest and latest.over else None
    return {
        "now": BoardMatch.at(now, match, latest if match == played else None, by_hand) if match else None,
        "last": BoardMatch.at(now, over, latest, by_hand=True) if over else None,
        "waiting": [now.state.names_of(each) for each in waiting if each != match],
    }


def _goes_on(
    now: EveningView,
    by_hand: bool,
    latest: TableMatch | None,
    played: TournamentMatch | None,
    waiting: list[TournamentMatch],
) -> bool:
    """Whether a board is still busy with its newest match. What is decided, moved or no longer paired is in no other
    match's way where phones keep the score: they do not finish it, as a table does."""
    if latest is None or not latest.in_progress:
        return False
    if not by_hand:
        return True
    return played is not None and (played.id in now.reopened or played in waiting or (played.open and not waiting))


def _troubles(hub: Hub, table: str) -> list[Message]:
    report = hub.reports[table]
    troubles = [report.trouble] if report.trouble else []
    if report.answer is not None and report.answer.answer == "refused":
        troubles.append(say("The table can't play this match: {why}", why=report.answer.why or report.answer.id))
    return troubles


class EveningDocument(Placings):
    """The evening for all pages. `round`: how many were paired; `open`: matches without a result. `round_names`: of the
    latest round of play-offs. `matches`: those of the last round, after the open ones of earlier rounds. `finished`:
    all is played; `closed`: the organiser closed the evening."""

    schema: str = "club-evening/1"
    version: int
    title: str
    round: int
    open: int
    round_names: list[Sentence]
    finished: bool
    closed: bool
    boards: list[BoardDocument]
    matches: list[MatchDocument]
    byes: list[str]
    warnings: list[Sentence]

    @classmethod
    def of(cls, hub: Hub) -> Self:
        """The active evening."""
        now = EveningView.of(hub)
        state = now.state
        last = next(reversed(tuple(state.rounds.values())), None)
        late = [match for match in state.open_matches if last is None or match.round != last.id]
        current = state.matches_of(round=last.id) if last else []
        return cls.filled(
            now,
            standings(state),
            version=hub.version,
            title=hub.evening.title,
            round=len(state.rounds),
            open=len(state.open_matches),
            round_names=round_names(state, last) if last else [],
            finished=all_played(state),
            closed=state.closed,
            boards=boards(hub),
            matches=[MatchDocument.of(now, match) for match in (*late, *current)],
            byes=[state.labels[entrant] for entrant in last.byes] if last else [],
            warnings=[change.words for change in warnings(state)],
        )


class MatchesDocument(DocumentPart):
    """The matches of one entrant, in order of play; none for an unknown one."""

    matches: list[MatchDocument]

    @classmethod
    def of(cls, hub: Hub, entrant: str) -> Self:
        now = EveningView.of(hub)
        found = (match for match in now.state.matches_of() if entrant in match.sides)
        return cls(matches=[MatchDocument.of(now, match) for match in found])


class EveningChanges(DocumentPart):
    """The difference between two evening documents. `members`: replaced whole. `rows`: by member, the new and changed
    rows, each with its `id` and its changed members. `order`: by member, the ids of all its rows, if their order
    changed."""

    schema: str = "club-changes/2"
    members: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]
    order: dict[str, list[str]]

    @classmethod
    def between(cls, before: Mapping[str, Any], now: Mapping[str, Any]) -> Self:
        """For a page that has the members `before`. An evening of sixty boards has some 50 kB, a change some 500 bytes.

        >>> one, two = ({"id": id, "name": f"Board {id}", "now": None} for id in "12")
        >>> before = {"round": 1, "open": 2, "boards": [one, two]}
        >>> now = {**before, "open": 1, "boards": [{**two, "now": "m"}, one]}
        >>> changes = EveningChanges.between(before, now)
        >>> changes.members, changes.rows, changes.order
        ({'open': 1}, {'boards': [{'id': '2', 'now': 'm'}]}, {'boards': ['2', '1']})
        """
        members, changed, order = {}, {}, {}
        for name, value in now.items():
            if value == before[name]:
                continue
            rows, known = _rows(value), _rows(before[name])
            if rows.keys().isdisjoint(known):
                members[name] = value
                continue
            changed[name] = [_changed(known.get(id, {}), row) for id, row in rows.items() if row != known.get(id)]
            if [*rows] != [*known]:
                order[name] = [*rows]
        return cls(members=members, rows=changed, order=order)


def _changed(before: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The id of a row, and its changed members."""
    news = {name: value for name, value in row.items() if name not in before or value != before[name]}
    return {"id": row["id"], **news}


def _rows(value: Any) -> dict[str, Mapping[str, Any]]:
    """The members of a list of rows by their ids; nothing for anything else."""
    parts: Sequence[Any] = value if isinstance(value, list) else ()
    rows = [part if isinstance(part, Mapping) else getattr(part, "__dict__", {}) for part in parts]
    return {row["id"]: row for row in rows} if all("id" in row for row in rows) else {}
