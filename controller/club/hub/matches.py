"""The matches that tables play for the club: their events folded by the same engine as at the table."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from controller.club.store import Journal, Kept
from controller.match import events as ev
from controller.match.base import SCHEMA_VERSION
from controller.match.fold import apply, fold
from controller.match.state import MatchState, Stamped, parse
from controller.match.timeline import standing
from controller.messages import Message, say

OLDEST_SCHEMA = 6  # of a journal that needs no rewriting: until then events held sentences

MOST_FOLDED = 1_000_000
"""Events of one table that the hub folds, those folded anew after a correction counted again: some 100 s of one core.
Ten matches of 300 events with 30 corrections each are 100,000."""

LONGEST_WHY = 200  # characters of an error that people are shown


class Key(NamedTuple):
    """A match at a table: the table, the id of its journal, and the number of the match there."""

    table: str
    journal: str
    match: int


@dataclass(frozen=True, slots=True)
class Told:
    """What a match says of its result; figures are in the order of its sides, since a tuple takes a quarter of what a
    mapping does, and a hub keeps these of each match. `twenties`: None where a round was entered and nobody counted
    them, and before a game is over."""

    last_id: int
    sides: tuple[str, ...]
    names: tuple[str, ...]
    score: tuple[int, ...]
    games: tuple[int, ...]
    twenties: tuple[int, ...] | None
    winner: str | None
    over: bool
    void: bool
    """Deleted, or with a round that waits for people to agree."""

    @classmethod
    def of(cls, state: MatchState, history: Sequence[Stamped]) -> Self:
        """As its state, after these events, has it."""
        games = tuple(state.game.games[side] for side in state.sides)
        decided = state.over or any(games)
        return cls(
            last_id=state.last_id,
            sides=state.sides,
            names=tuple(side.name for side in state.started.sides),
            score=tuple(state.score[side] for side in state.sides),
            games=games,
            twenties=_twenties(state, history) if decided else None,
            winner=state.game.winner,
            over=state.over,
            void=state.deleted or state.round_proposed,
        )


def _twenties(state: MatchState, history: Sequence[Stamped]) -> tuple[int, ...] | None:
    entered = (stamped.event for stamped in standing(history))
    if any(isinstance(event, ev.RoundEntered) and not event.twenties for event in entered):
        return None
    return tuple(sum(round.twenty_counts[side] for round in state.finished) for side in state.sides)


@dataclass(slots=True)
class Played:
    """A match as a table has told it so far. `trouble` says why it can't be followed; then nothing of it counts.

    One that was packed has what it told, and neither its events nor its state.
    """

    key: Key
    assignment: str
    history: list[Stamped] = field(default_factory=list)
    state: MatchState | None = None
    told: Told | None = None
    trouble: Message | None = None
    packed: bool = False

    @property
    def going_on(self) -> bool:
        """Whether it is not over yet, as far as it can be followed."""
        return self.told is not None and not self.told.over

    @property
    def over(self) -> bool:
        """Whether it is over, as far as it can be followed."""
        return self.told is not None and self.told.over

    def pack(self) -> None:
        """Let go of all but what it told."""
        self.history, self.state, self.packed = [], None, True

    def take(self, events: Sequence[Kept]) -> int:
        """Fold in more events; gives how many had to be folded. Raises nothing: what can't be read is `trouble`."""
        new = []
        try:
            for kept in events:
                if (trouble := _untakable(kept)) is not None:
                    self.trouble = trouble
                    return 0
                new.append(_stamped(self.key, kept))
            return self._fold(new)
        except Exception as error:  # a stranger's data: whatever goes wrong with it is the trouble of this match alone
            why = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_WHY]
            self.trouble = say("What the table sent can't be read: {why}", why=why)
            return len(self.history) + len(new)

    def _fold(self, new: list[Stamped]) -> int:
        self.history += new
        anew = self.state is None or any(stamped.event.reorders for stamped in new)
        state = self.state
        if state is None or anew:
            state = fold(self.key.match, self.history)
        else:
            for stamped in new:
                state = apply(state, stamped)
        self.state, self.told = state, Told.of(state, self.history)
        return len(self.history) if anew else len(new)


def _untakable(kept: Kept) -> Message | None:
    if kept.body is None:
        return say("The table could not send event {n}.", n=kept.number)
    if not OLDEST_SCHEMA <= kept.journal_schema <= SCHEMA_VERSION:
        return say("The table's program is of another version than the hub's: update the older of the two.")
    return None


def _stamped(key: Key, kept: Kept) -> Stamped:
    # without its film, which no score depends on and which is as large as a hundred other events
    body = {name: value for name, value in (kept.body or {}).items() if name != "film"}
    return parse(ev.Entry(kept.number, key.match, kept.at, kept.kind, body))


class Matches:
    """All matches that name an assignment, each as far as it was told, in the order in which they began here."""

    def __init__(self, again: Callable[[Key, int], list[Kept]] | None = None) -> None:
        """`again` reads all events of a match up to a version. Where it is given, matches that are over are packed, but
        for the last one of each table: so that memory does not grow with what was played."""
        self._again = again
        self._played: dict[Key, Played] = {}
        self._last: dict[str, Key] = {}  # by table
        self._folded: Counter[str] = Counter()  # by table

    def take(self, events: Iterable[tuple[Journal, Kept]], to: int = 0) -> list[Played]:
        """Follow these events, which are those up to the version `to`; gives the matches that they belong to. Those
        without an assignment are left alone."""
        by_match: dict[Key, list[Kept]] = defaultdict(list)
        for (table, journal), kept in events:
            key = Key(table, journal, kept.match)
            if kept.kind == "match_started" and key not in self._played and kept.match:
                assignment = (kept.body or {}).get("assignment")
                if isinstance(assignment, str):
                    self._played[key] = Played(key, assignment)
                    by_match.setdefault(self._last.get(table, key), [])  # the one before may be packed now
                    self._last[table] = key
            if key in self._played:
                by_match[key].append(kept)
        for key, new in by_match.items():
            self._follow(key, new, to)
        return [self._played[key] for key in by_match]

    def _follow(self, key: Key, new: list[Kept], to: int) -> None:
        played = self._played[key]
        if played.trouble is not None:
            return
        if self._folded[key.table] > MOST_FOLDED:
            played.trouble = say("This table sent more than any match has; enter its results by hand.")
            return
        if played.packed and new and self._again:
            played = self._played[key] = Played(key, played.assignment, told=played.told)
            new = self._again(key, to)
        if new:
            self._folded[key.table] += played.take(new)
        if self._again and played.over and self._last[key.table] != key:
            played.pack()

    def __iter__(self) -> Iterator[Played]:
        return iter(self._played.values())
