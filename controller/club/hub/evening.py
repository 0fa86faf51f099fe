"""The evening as all of the club's pages show it, and the difference of two evenings."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from controller.club.hub.boards import BoardDocument, boards
from controller.club.hub.hub import Hub
from controller.club.hub.parts import DocumentPart, EveningView, MatchDocument, Placings
from controller.club.tournament.changes import warnings
from controller.club.tournament.errors import Sentence
from controller.club.tournament.standings import all_played, round_names, standings


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
            byes=[now.labels[entrant] for entrant in last.byes] if last else [],
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
