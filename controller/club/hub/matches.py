"""The matches that tables play for the club: their events folded by the table's own engine."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from controller.club.store import Journal, StoredEvent
from controller.match import events as ev
from controller.match.base import SCHEMA_VERSION, Stamped
from controller.match.events import parse
from controller.match.fold import fold, following
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules import known_sum

MOST_FOLDED = 1_000_000
"""Events of one table that the hub folds, repeated folds after corrections included: some 100 s of one core. Ten
matches of 300 events with 30 corrections each are 100,000."""
LONGEST_WHY = 200  # characters of an error that people are shown


class MatchKey(NamedTuple):
    """A match at a table: the table, the id of its journal, and the number of the match there."""

    table: str
    journal: str
    match: int


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """The result of a match so far; figures are in the order of its sides. Tuples take a quarter of a mapping's memory,
    and a hub keeps a summary of every match. `twenties`: None before a game is over, and if nobody recorded some."""

    last_id: int
    sides: tuple[str, ...]
    names: tuple[str, ...]
    score: tuple[int, ...]
    games: tuple[int, ...]
    twenties: tuple[int, ...] | None
    winner: str | None
    over: bool
    void: bool  # deleted, or with a round that people still have to agree on

    @classmethod
    def of(cls, state: MatchState) -> Self:
        games = tuple(state.game.games[side] for side in state.sides)
        return cls(
            last_id=state.last_id,
            sides=state.sides,
            names=tuple(side.name for side in state.started.sides),
            score=tuple(state.score[side] for side in state.sides),
            games=games,
            twenties=_twenties(state) if state.over or any(games) else None,
            winner=state.game.winner,
            over=state.over,
            void=state.deleted or state.round_proposed,
        )


NOTHING = MatchSummary(0, (), (), (), (), None, None, over=False, void=True)
"""The summary of a match whose events can't be read."""


def _twenties(state: MatchState) -> tuple[int, ...] | None:
    sums = [known_sum(round.known_twenties[side] for round in state.finished) for side in state.sides]
    known = tuple(figure for figure in sums if figure is not None)
    return known if len(known) == len(sums) else None


@dataclass(slots=True)
class TableMatch:
    """A match as far as its table has reported it. `trouble`: why it can't be followed; then nothing of it counts. A
    compacted one has its summary, but neither events nor state."""

    key: MatchKey
    assignment: str
    history: list[Stamped] = field(default_factory=list)
    state: MatchState | None = None
    summary: MatchSummary = NOTHING
    trouble: Message | None = None

    @property
    def source(self) -> str:
        """The name of its report: no two matches of any tables share one."""
        return "/".join(map(str, self.key))

    @property
    def at(self) -> tuple[str, str]:
        """Its table, and the evening of its assignment."""
        return self.key.table, self.assignment.partition(":")[0]

    @property
    def in_progress(self) -> bool:
        """Whether it is still being played, as far as the table has reported."""
        return self.state is not None and not self.state.over

    @property
    def over(self) -> bool:
        """Whether it is over, as far as it can be followed."""
        return self.summary.over

    def append(self, events: Sequence[StoredEvent]) -> int:
        """Fold in more events, and return how many were folded. Never raises: what can't be read is `trouble`."""
        new = []
        try:
            for stored in events:
                if (trouble := _schema_trouble(stored)) is not None:
                    self.trouble = trouble
                    return 0
                # without the film, which affects no score and is as large as a hundred other events
                body = {name: value for name, value in (stored.body or {}).items() if name != "film"}
                new.append(parse(ev.Entry(stored.number, self.key.match, stored.at, stored.kind, body)))
            return self._fold(new)
        except Exception as error:  # foreign data: whatever fails on it concerns this match alone
            why = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_WHY]
            self.trouble = say("What the table sent can't be read: {why}", why=why)
            return len(self.history) + len(new)

    def _fold(self, new: list[Stamped]) -> int:
        refolded = self.state is None or any(stamped.event.reorders for stamped in new)
        folded = len(new) + (len(self.history) if refolded else 0)
        try:
            state = following(self.state, self.history, new) if self.state else fold(self.key.match, self.history + new)
        finally:
            self.history += new
        self.state, self.summary = state, MatchSummary.of(state)
        return folded


def _schema_trouble(stored: StoredEvent) -> Message | None:
    if stored.body is None:
        return say("The table could not send event {n}.", n=stored.number)
    if stored.journal_schema != SCHEMA_VERSION:
        return say("The table's program is of another version than the hub's: update the older of the two.")
    return None


@dataclass
class ReportedMatches:
    """All matches with an assignment, as far as they were reported, in the order in which they began here. `own`: how
    the assignments begin that are followed. `reload` reads all events of a match up to a version. With it, all finished
    matches are compacted but the last one of each table on each evening, so that memory does not grow with every
    match."""

    own: str = ""
    reload: Callable[[MatchKey, int], list[StoredEvent]] | None = None
    _matches: dict[MatchKey, TableMatch] = field(default_factory=dict)
    _last: dict[tuple[str, str], MatchKey] = field(default_factory=dict)  # by table and evening
    _folded: Counter[str] = field(default_factory=Counter)  # by table

    def append(self, events: Iterable[tuple[Journal, StoredEvent]], to: int = 0) -> list[TableMatch]:
        """Fold in the events up to the version `to`, and return their matches. Events without an assignment are
        ignored."""
        by_match: dict[MatchKey, list[StoredEvent]] = defaultdict(list)
        for (table, journal), stored in events:
            key = MatchKey(table, journal, stored.match)
            if stored.kind == "match_started" and key not in self._matches and stored.match:
                assignment = (stored.body or {}).get("assignment")
                if isinstance(assignment, str) and assignment.startswith(self.own):
                    match = self._matches[key] = TableMatch(key, assignment)
                    by_match.setdefault(self._last.get(match.at, key), [])  # the previous one may be compacted now
                    self._last[match.at] = key
            if key in self._matches:
                by_match[key].append(stored)
        for key, new in by_match.items():
            self._append_to(key, new, to)
        return [self._matches[key] for key in by_match]

    def _append_to(self, key: MatchKey, new: list[StoredEvent], to: int) -> None:
        match = self._matches[key]
        if match.trouble is not None:
            return
        if self._folded[key.table] > MOST_FOLDED:
            match.trouble = say("This table sent more than a match needs; enter its results by hand.")
            return
        if new and self.reload and match.over and match.state is None:
            match = self._matches[key] = TableMatch(key, match.assignment, summary=match.summary)
            new = self.reload(key, to)
        if new:
            self._folded[key.table] += match.append(new)
        if self.reload and match.over and self._last[match.at] != key:
            match.history, match.state = [], None

    def __iter__(self) -> Iterator[TableMatch]:
        return iter(self._matches.values())
