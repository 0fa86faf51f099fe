"""Stores what tables send, and asks for what is missing, as docs/club-protocol.md says.

>>> def batch(first, *numbers):
...     events = tuple(Event(id=n, match=1, at=0.0, kind="shot_seen", body={}) for n in numbers)
...     return Events(journal="0" * 32, journal_schema=8, first=first, events=events)
>>> check_batch(batch(3, 4), last=2, known=[])
Append(events=(Event(id=4, match=1, at=0.0, kind='shot_seen', body={}),))
>>> check_batch(batch(4, 4), last=2, known=[])
RequestResend(number=3, renew=False)
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from controller.club.errors import Overtaken
from controller.club.store import Journal, Store, StoredEvent
from controller.link import BadMessage, Event, Events, Kind, Resend, Status, Topics, parse, serialize
from controller.messages import Message, say

SILENT = 150.0
"""Seconds without a status after which a table counts as disconnected: two of its statuses, one a minute, are missing.
The broker reports a table that it loses, but after a restart of its own it delivers retained statuses of any age."""
ASK_AGAIN = 10.0  # s before a repeated request: a table needs as long to find, send and get the answer acknowledged
OVERHEAD = 200  # bytes that an event takes in the database besides its body
BURST = 64 * 2**20  # bytes of events that a table may send at once: some ten evenings without network, films included
RATE = 5_000.0  # bytes a second after that: ten times a table that films every shot, one in 20 s


@dataclass(frozen=True, slots=True)
class Append:
    """These events follow the stored ones; empty if all were known."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class RequestResend:
    """Nothing is stored; everything from this number on is to be sent again, under a new journal id if `renew`."""

    number: int
    renew: bool = False


def check_batch(batch: Events, last: int, known: Sequence[StoredEvent]) -> Append | RequestResend:
    """What to do with a batch. `last`: the newest number before which this journal has no gap, at least
    `begins` - 1. `known`: the stored events in the batch's range."""
    if batch.first > last + 1:
        return RequestResend(last + 1)
    again = [event for event in batch.events if event.id <= last]
    if [_content(event.id, event) for event in again] != [_content(stored.number, stored) for stored in known]:
        return RequestResend(last + 1, renew=True)
    return Append(tuple(event for event in batch.events if event.id > last))


def _content(number: int, event: Event | StoredEvent) -> tuple[object, ...]:
    return number, event.match, event.at, event.kind, event.body


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


class Outgoing(NamedTuple):
    """A message to publish."""

    topic: str
    payload: bytes
    retained: bool = False


class MessageIntake:
    """The messages of one club's tables. Not thread-safe."""

    def __init__(self, store: Store, steady: Callable[[], float]) -> None:
        self._store = store
        self._steady = steady
        self._topics = Topics(store.club)
        self._known: set[str] = set()
        self._begins: dict[Journal, int] = {}
        self._asked: dict[str, tuple[Resend, float]] = {}
        self.allowances: dict[str, Allowance] = defaultdict(lambda: Allowance(at=steady()))  # by table
        self.status: dict[str, Status] = {}  # by connected table, its last status
        self._heard: dict[str, float] = {}  # by table, when that status came
        self._greeting = False  # the last status was a table's first, with nothing missing: it may be an old one
        self.troubles: dict[tuple[str, Kind], Message] = {}  # by table and kind, what was wrong with the last message

    def receive(self, table: str, kind: Kind, payload: bytes) -> list[Outgoing]:
        """Process one message, and return the requests to send."""
        if kind not in ("events", "status") or not self._knows(table):
            return []
        try:
            ask = self._events(table, payload) if kind == "events" else self._status(table, payload)
        except BadMessage as error:
            self.troubles[table, kind] = say("What this table sent can't be read: {why}", why=str(error))
            return []
        if ask is None:
            return []
        if kind == "status" and self._greeting:
            return [Outgoing(self._topics.of(table, "resend"), serialize(ask))]
        return self._request(table, ask)

    def display_key(self, table: str) -> tuple[object, ...]:
        """A value that changes with everything about the table that pages show but the database does not hold."""
        status = self.status.get(table)
        troubles = [words for (id, _), words in self.troubles.items() if id == table]
        return (status and status.online, status and status.assignment, troubles)

    def drop_silent(self, silent: float) -> bool:
        """Forget the tables that have been silent for this many seconds. Returns whether there were any."""
        last = self._steady() - silent
        lost = [table for table, at in self._heard.items() if at <= last]
        for table in lost:
            del self._heard[table], self.status[table]
        return bool(lost)

    def _knows(self, table: str) -> bool:
        if table not in self._known:
            self._known = {each.id for each in self._store.tables() if not each.by_hand}
        return table in self._known

    def _events(self, table: str, payload: bytes) -> Resend | None:
        batch = parse(Events, payload)
        while True:
            last = self._store.last_of(table, batch.journal)
            known = self._store.events_between(table, batch.journal, batch.first, batch.events[-1].id)
            verdict = check_batch(batch, self._complete_to(table, batch.journal, last), known)
            if isinstance(verdict, RequestResend):
                return _resend(batch.journal, verdict.number, verdict.renew)
            if verdict.events and not self._allows(table, len(payload), len(verdict.events)):
                return None
            try:
                if verdict.events:
                    schema = batch.journal_schema
                    new = [StoredEvent(e.id, e.match, e.at, e.kind, e.body, schema) for e in verdict.events]
                    self._store.append_events(table, batch.journal, last, new)
            except Overtaken:
                continue
            self.troubles.pop((table, "events"), None)
            return None

    def _allows(self, table: str, size: int, events: int) -> bool:
        allowed = self.allowances[table].spend(size, events, self._steady())
        if not allowed:
            self.troubles[table, "events"] = say("This table sends far more than a match needs: check it.")
        return allowed

    def _status(self, table: str, payload: bytes) -> Resend | None:
        status, heard = parse(Status, payload), table in self._heard
        self.status[table], self._heard[table] = status, self._steady()
        self.troubles.pop((table, "status"), None)
        if not status.online:
            self._asked.pop(table, None)  # requests that it missed while it was away
        if status.outbox is None:
            return None
        journal = status.outbox.journal
        self._begins = {key: begins for key, begins in self._begins.items() if key[0] != table}
        self._begins[table, journal] = status.outbox.begins
        next = self._complete_to(table, journal, self._store.last_of(table, journal)) + 1
        self._greeting = not heard and status.outbox.sent < next
        return _resend(journal, next) if status.outbox.sent >= next or self._greeting else None

    def _complete_to(self, table: str, journal: str, last: int) -> int:
        """The last number before the first gap. `last` is stored; events before the journal's `begins` never come."""
        return max(last, self._begins.get((table, journal), 1) - 1)

    def _request(self, table: str, ask: Resend) -> list[Outgoing]:
        now = self._steady()
        before, at = self._asked.get(table, (None, 0.0))
        if before == ask and now - at < ASK_AGAIN:
            return []
        self._asked[table] = (ask, now)
        return [Outgoing(self._topics.of(table, "resend"), serialize(ask))]


def _resend(journal: str, number: int, renew: bool = False) -> Resend:
    return Resend.model_validate({"journal": journal, "from": number, "renew": renew})
