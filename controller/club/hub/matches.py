"""The matches that tables play for the club: their events folded by the same engine as at the table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from controller.club.store import Journal, Kept
from controller.journal import SCHEMA_VERSION
from controller.match import events as ev
from controller.match.fold import apply, fold
from controller.match.state import MatchState, Stamped, parse
from controller.match.timeline import reorders
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


@dataclass
class Played:
    """A match as a table has told it so far. `trouble` says why it can't be followed; then nothing of it counts."""

    key: Key
    assignment: str
    history: list[Stamped] = field(default_factory=list)
    state: MatchState | None = None
    trouble: Message | None = None

    @property
    def going_on(self) -> bool:
        """Whether it is not over yet, as far as it can be followed."""
        return self.state is not None and not self.state.over

    @property
    def over(self) -> bool:
        """Whether it is over, as far as it can be followed."""
        return self.state is not None and self.state.over

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
        if self.state is None or any(reorders(stamped.event) for stamped in new):
            self.state = fold(self.key.match, self.history)
            return len(self.history)
        for stamped in new:
            self.state = apply(self.state, stamped)
        return len(new)


def _untakable(kept: Kept) -> Message | None:
    if kept.body is None:
        return say("The table could not send event {n}.", n=kept.number)
    if not OLDEST_SCHEMA <= kept.journal_schema <= SCHEMA_VERSION:
        return say("The table's program is of another version than the hub's: update the older of the two.")
    return None


def _stamped(key: Key, kept: Kept) -> Stamped:
    return parse(ev.Entry(kept.number, key.match, kept.at, kept.kind, kept.body or {}))


class Matches:
    """All matches that name an assignment, each as far as it was told, in the order in which they began here."""

    def __init__(self) -> None:
        self._played: dict[Key, Played] = {}
        self._folded: Counter[str] = Counter()  # by table

    def take(self, events: Iterable[tuple[Journal, Kept]]) -> list[Played]:
        """Follow these events; gives the matches that they belong to. Those without an assignment are left alone."""
        by_match: dict[Key, list[Kept]] = defaultdict(list)
        for (table, journal), kept in events:
            key = Key(table, journal, kept.match)
            if kept.kind == "match_started" and key not in self._played and kept.match:
                assignment = (kept.body or {}).get("assignment")
                if isinstance(assignment, str):
                    self._played[key] = Played(key, assignment)
            if key in self._played:
                by_match[key].append(kept)
        for key, new in by_match.items():
            self._follow(self._played[key], new)
        return [self._played[key] for key in by_match]

    def _follow(self, played: Played, new: list[Kept]) -> None:
        if played.trouble is not None:
            return
        if self._folded[played.key.table] > MOST_FOLDED:
            played.trouble = say("This table sent more than any match has; enter its results by hand.")
            return
        self._folded[played.key.table] += played.take(new)

    def __iter__(self) -> Iterator[Played]:
        return iter(self._played.values())
