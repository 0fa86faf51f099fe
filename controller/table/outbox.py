"""The outbox: the part of the journal that the club's broker has acknowledged, and the next batch to send. The journal
itself is the queue, so an hour offline takes no memory. The position is stored in the journal's database from time to
time; after a crash, some events are sent again, and the hub ignores those that it knows."""

import json
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass

from pydantic_core import from_json

from controller import link
from controller.errors import JournalError
from controller.journal import JOURNAL_ID, SCHEMA_VERSION, Journal, Row

POSITION = "club_outbox"  # the fact in which the journal stores the position
SAVE_EVERY = 5.0  # s between writes of the position: each is an fsync of a memory card that shots need too
MAX_BYTES = link.LARGEST * 3 // 4
"""Bytes of the bodies in one batch, as stored in the journal; the rest is for the message around them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A message with the events from `first` to `last`."""

    payload: bytes
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Position:
    """The stored position. `begins`: the first event for the club; `sent`: the last acknowledged one."""

    club: str
    journal: str
    begins: int
    sent: int

    @classmethod
    def parse(cls, text: str) -> "_Position":
        """Parse the stored text. Raises `ValueError` or `TypeError` if this program did not write it."""
        position = cls(**json.loads(text))
        if not (0 < position.begins <= position.sent + 1):
            raise ValueError("the position is before its beginning")
        return position


def parse_id(text: str) -> str:
    """Check a journal's id. Raises `ValueError`."""
    if not re.fullmatch("[0-9a-f]{32}", text):
        raise ValueError("a journal's id has 32 hexadecimal digits")
    return text


def journal_id(journal: Journal) -> str:
    """The journal's id, created at the first use. Raises `JournalError`."""
    return journal.facts.get_or_create(JOURNAL_ID, parse_id, lambda: secrets.token_hex(16))


class Outbox:
    """Sends the journal in batches. Not thread-safe."""

    def __init__(self, journal: Journal, club: str, *, begins: Callable[[], int], now: Callable[[], float]) -> None:
        """`begins`: the first event for a club that has nothing of this journal yet. `now`: a steady clock, in s.
        Raises `JournalError`."""
        self._journal = journal
        self._now = now
        self._id = journal_id(journal)
        known = journal.facts.read(POSITION, _Position.parse)
        if known is None or known.club != club:
            first = max(begins(), 1)
            known = _Position(club, self._id, first, first - 1)
            self._write(known)  # at once: if determined again after a crash, the beginning would be later
        self._club, self._begins = club, known.begins
        # another id: a backup was restored, and the hub has none of its events under this id
        self._sent = known.sent if known.journal == self._id else self._begins - 1
        self._saved = known
        self._saved_at = now()
        self._offered: Batch | None = None

    @property
    def position(self) -> link.Outbox:
        return link.Outbox(journal=self._id, begins=self._begins, sent=self._sent, last=self._journal.last())

    def next(self) -> Batch | None:
        """The next batch; None if everything is acknowledged. Raises `JournalError`."""
        rows = self._journal.stored_after(self._sent, link.MOST_EVENTS)
        size, count = 0, 0
        for row in rows:
            size += len(row[4])
            if count and size > MAX_BYTES:
                break
            count += 1
        self._offered = self._batch([_event(row) for row in rows[:count]]) if rows else None
        return self._offered

    def _batch(self, events: list[link.Event]) -> Batch:
        first = self._sent + 1
        document = link.Events(
            journal=self._id, journal_schema=SCHEMA_VERSION, first=first, events=tuple(events)
        )  # fmt: skip
        return Batch(link.serialize(document), first, events[-1].id)

    def acknowledged(self, batch: Batch) -> None:
        """The broker has this batch. Ignored if the hub has requested events again since it was offered."""
        if batch is self._offered:
            self._sent, self._offered = batch.last, None

    def resend(self, request: link.Resend) -> bool:
        """Send events again that the hub misses. Returns False for a request for another journal. Raises
        `JournalError`."""
        if request.journal != self._id:
            return False
        if request.renew:
            renewed = secrets.token_hex(16)
            self._journal.facts.keep(JOURNAL_ID, renewed)
            self._id, self._sent = renewed, self._begins - 1
        else:
            self._sent = min(self._sent, max(request.from_, self._begins) - 1)
        self._offered = None
        return True

    def save(self, *, now: bool = False) -> None:
        """Store the position if it has changed, at most every `SAVE_EVERY` seconds unless `now`. If that fails, the old
        one stands, and more is sent again after a restart."""
        position = _Position(self._club, self._id, self._begins, self._sent)
        if position == self._saved or not (now or self._now() - self._saved_at >= SAVE_EVERY):
            return
        self._saved_at = self._now()
        with suppress(JournalError):
            self._write(position)
            self._saved = position

    def _write(self, position: _Position) -> None:
        self._journal.facts.keep(POSITION, json.dumps(asdict(position)))


def _event(row: Row) -> link.Event:
    """An event as it is sent, without the damaged parts."""
    number, match, at, kind, body = row
    try:
        parsed = from_json(body, allow_inf_nan=False)
        return link.make_event(
            number, match, at, kind.decode(), parsed if isinstance(parsed, dict) else None, len(body)
        )
    except ValueError:
        pass
    try:
        return link.make_event(number, match, at, kind.decode(), None, 0)
    except ValueError:
        return link.Event(id=number, match=max(match, 0), at=0.0, kind="unreadable", body=None)
