"""Takes what tables send into the database, and asks for what is missing, as docs/club-protocol.md says."""

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from controller.club.errors import Overtaken
from controller.club.hub.intake import ASK_AGAIN, Allowance, Ask, judged
from controller.club.store import Journal, Kept, Store
from controller.link import BadMessage, Event, Events, Kind, Resend, Status, Topics, parse, serialize
from controller.messages import Message, say

SILENT = 150.0
"""Seconds without a status after which a table counts as not connected. It sends one each minute, so two are missing.
The broker tells of a table that it loses; but after its own end it brings back what it retained, even of last week."""


class Outgoing(NamedTuple):
    """A message to publish."""

    topic: str
    payload: bytes
    retained: bool = False


class Reception:
    """One club's tables, as they are heard. For one thread at a time."""

    def __init__(self, store: Store, steady: Callable[[], float]) -> None:
        self._store = store
        self._steady = steady
        self._topics = Topics(store.club)
        self._known: set[str] = set()
        self._begins: dict[Journal, int] = {}
        self._asked: dict[str, tuple[Resend, float]] = {}
        self.allowances: dict[str, Allowance] = defaultdict(lambda: Allowance(at=steady()))
        """By table, how much it may still send."""
        self.status: dict[str, Status] = {}
        """By table, what it said of itself last, for as long as it can be heard."""
        self._heard: dict[str, float] = {}  # when it said that
        self._greeting = False  # the last status was the first one, and nothing is missing by it: it may be of before
        self.troubles: dict[tuple[str, Kind], Message] = {}
        """What was wrong with the last message of a table, by its kind."""

    def receive(self, table: str, kind: Kind, payload: bytes) -> list[Outgoing]:
        """Take one message; gives what is to be asked because of it."""
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
            return [Outgoing(self._topics.resend(table), serialize(ask))]
        return self._asking(table, ask)

    def shown(self, table: str) -> tuple[object, ...]:
        """What people are shown of it, which is in no database: it is another one whenever that changes."""
        status = self.status.get(table)
        troubles = [words for (id, _), words in self.troubles.items() if id == table]
        return (status and status.online, status and status.assignment, troubles)

    def lose(self, silent: float) -> bool:
        """Forget what tables said of themselves that did not say it again within `silent` seconds; gives whether any
        did not."""
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
            here = self._store.last_of(table, batch.journal)
            known = self._store.events_between(table, batch.journal, batch.first, batch.events[-1].id)
            verdict = judged(batch, self._reached(table, batch.journal, here), known)
            if isinstance(verdict, Ask):
                return _resend(batch.journal, verdict.number, verdict.renew)
            if verdict.events and not self._allows(table, len(payload), len(verdict.events)):
                return None
            try:
                if verdict.events:
                    self._store.take(table, batch.journal, here, [_kept(batch, event) for event in verdict.events])
            except Overtaken:
                continue
            self.troubles.pop((table, "events"), None)
            return None

    def _allows(self, table: str, size: int, events: int) -> bool:
        allowed = self.allowances[table].takes(size, events, self._steady())
        if not allowed:
            self.troubles[table, "events"] = say("This table sends far more than any match has: look after it.")
        return allowed

    def _status(self, table: str, payload: bytes) -> Resend | None:
        status, heard = parse(Status, payload), table in self._heard
        self.status[table], self._heard[table] = status, self._steady()
        self.troubles.pop((table, "status"), None)
        if not status.online:
            self._asked.pop(table, None)  # it does not have what it was asked for while it was away
        if status.outbox is None:
            return None
        journal = status.outbox.journal
        self._begins = {key: begins for key, begins in self._begins.items() if key[0] != table}
        self._begins[table, journal] = status.outbox.begins
        next = self._reached(table, journal, self._store.last_of(table, journal)) + 1
        self._greeting = not heard and status.outbox.sent < next
        return _resend(journal, next) if status.outbox.sent >= next or self._greeting else None

    def _reached(self, table: str, journal: str, here: int) -> int:
        """Up to which number nothing is missing, where `here` is the last one that is kept: what lies before the
        journal's `begins` does not come."""
        return max(here, self._begins.get((table, journal), 1) - 1)

    def _asking(self, table: str, ask: Resend) -> list[Outgoing]:
        now = self._steady()
        before, at = self._asked.get(table, (None, 0.0))
        if before == ask and now - at < ASK_AGAIN:
            return []
        self._asked[table] = (ask, now)
        return [Outgoing(self._topics.resend(table), serialize(ask))]


def _kept(batch: Events, event: Event) -> Kept:
    return Kept(event.id, event.match, event.at, event.kind, event.body, batch.journal_schema)


def _resend(journal: str, number: int, renew: bool = False) -> Resend:
    return Resend.model_validate({"journal": journal, "from": number, "renew": renew})
