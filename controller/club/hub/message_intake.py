"""Stores what tables send, and answers what the hub has, as docs/club-protocol.md says. It holds no state of a table:
that is in the database, for every process of the hub.

>>> def batch(first, *numbers):
...     events = tuple(Event(id=n, match=1, at=0.0, kind="shot_seen", body={}) for n in numbers)
...     last = numbers[-1] if numbers else first - 1
...     return Batch(journal="0" * 32, journal_schema=8, begins=1, first=first, last=last, events=events)
>>> check_batch(batch(3, 4), have=2, known=[])
(Event(id=4, match=1, at=0.0, kind='shot_seen', body={}),)
>>> check_batch(batch(4, 4), have=2, known=[])
Have(have=2, renew=False)
>>> check_batch(batch(2), have=2, known=[])
Have(have=2, renew=True)
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.club.errors import Overtaken
from controller.club.store import ClubStore, StoredEvent, TableStatus
from controller.errors import BadInput, ControllerError
from controller.match.club import Batch, Event, Have, parse
from controller.messages import say

OVERHEAD = 200  # bytes that an event takes in the database besides its body
BURST = 64 * 2**20  # bytes of events that a table may send at once: some ten evenings without network, films included
RATE = 5_000.0  # bytes a second after that: ten times a table that films every shot, one in 20 s
SET_BACK = say("This table's journal was set back. It is sent again, and each match counts once.")


class OutOfStep(ControllerError):
    """The batch does not follow what the hub has; nothing of it was stored."""

    def __init__(self, have: Have) -> None:
        super().__init__("the batch does not follow what the hub has")
        self.have = have


class TooMuch(ControllerError):
    """The table has used up its allowance; nothing was stored."""


def check_batch(batch: Batch, have: int, known: Sequence[StoredEvent]) -> tuple[Event, ...] | Have:
    """The new events of a batch, or what the hub has, if it does not follow. `have`: the newest number before which
    this journal has no gap. `known`: the stored events in the batch's range."""
    if batch.first > have + 1:
        return Have(have=have)
    if not batch.events and batch.last < have:  # the table has no more events, and had more
        return Have(have=have, renew=True)
    again = [event for event in batch.events if event.id <= have]
    if [(*dict(event).values(),) for event in again] != [stored[:-1] for stored in known]:  # by any program
        return Have(have=have, renew=True)
    return tuple(event for event in batch.events if event.id > have)


@dataclass
class Allowance:
    """A table's allowance of bytes and events, so that a faulty one can't fill the hub's disk."""

    left: float = BURST
    at: float = 0.0

    def spend(self, size: int, events: int, now: float) -> bool:
        """Whether a batch of `size` bytes with this many new events may be stored at `now`, in s; if so, book it."""
        self.left = min(BURST, self.left + max(0.0, now - self.at) * RATE)
        self.at = now
        cost = size + OVERHEAD * events
        if cost > self.left:
            return False
        self.left -= cost
        return True


@dataclass
class MessageIntake:
    """What the tables of one club post. Not thread-safe."""

    store: ClubStore
    clock: Callable[[], float]
    steady: Callable[[], float]

    def __post_init__(self) -> None:
        self.allowances: dict[str, Allowance] = defaultdict(lambda: Allowance(at=self.steady()))  # by table

    def receive(self, table: str, payload: bytes) -> Have:
        """Store one batch. Raises `OutOfStep`, `TooMuch`, and `BadInput` for what can't be read."""
        before = self.store.reports()[table]
        try:
            batch = parse(Batch, payload)
        except BadInput as error:
            why = error.args[0]
            self.note(table, before._replace(trouble=say("What this table sent can't be read: {why}", why=why)))
            raise
        news = before._replace(answer=batch.answer)
        try:
            have = self._store_batch(table, batch, len(payload))
        except OutOfStep as error:
            self.note(table, news._replace(trouble=SET_BACK) if error.have.renew else news)
            raise
        except TooMuch as error:
            self.note(table, news._replace(trouble=error.args[0]))
            raise
        self.note(table, news if batch.events and news.trouble == SET_BACK else news._replace(trouble=None))
        return have

    def _store_batch(self, table: str, batch: Batch, size: int) -> Have:
        while True:
            last = self.store.last_of(table, batch.journal)
            known = self.store.events_between(table, batch.journal, batch.first, batch.last) if batch.events else []
            found = check_batch(batch, max(last, batch.begins - 1), known)
            if isinstance(found, Have):
                raise OutOfStep(found)
            if not found:
                return Have(have=max(last, batch.begins - 1))
            if not self.allowances[table].spend(size, len(found), self.steady()):
                raise TooMuch(say("This table sends far more than a match needs: check it."))
            new = [StoredEvent._make((*dict(event).values(), batch.journal_schema)) for event in found]
            try:
                self.store.append_events(table, batch.journal, last, new)
            except Overtaken:
                continue
            return Have(have=found[-1].id)

    def note(self, table: str, report: TableStatus) -> None:
        """Store what is known of a table, which has just been heard."""
        self.store.put_report(table, report._replace(seen=self.clock()))
