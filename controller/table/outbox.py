"""The outbox: how far the club's broker has acknowledged this table's journal, and what goes next.

The journal itself is the queue, so an hour off the net takes no memory. The position is kept in the journal's database
now and then: what was acknowledged since is sent again after a crash, and the hub knows it already.
"""

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

POSITION = "club_outbox"  # under this name the journal keeps the position

KEPT_EVERY = 5.0  # s between two writings of the position: each is one fsync of a memory card that shots need too

MOST_BYTES = link.LARGEST * 3 // 4
"""Of the bodies in one batch, as the journal stores them; the rest is for what stands around them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is published as one message: the events up to the number `last`."""

    payload: bytes
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Position:
    """As the journal keeps it: `begins` is the first number that the club gets, `sent` the last acknowledged one."""

    club: str
    journal: str
    begins: int
    sent: int

    @classmethod
    def kept(cls, text: str) -> "_Position":
        """Raises `ValueError` or `TypeError` for what was not kept by this program."""
        position = cls(**json.loads(text))
        if not (0 < position.begins <= position.sent + 1):
            raise ValueError("the position lies before its beginning")
        return position


def kept_id(text: str) -> str:
    """A journal's id. Raises `ValueError`."""
    if not re.fullmatch("[0-9a-f]{32}", text):
        raise ValueError("a journal's id has 32 hexadecimal digits")
    return text


def journal_id(journal: Journal) -> str:
    """The journal's id, made at the first use. Raises `JournalError`."""
    return journal.facts.get_or_create(JOURNAL_ID, kept_id, lambda: secrets.token_hex(16))


class Outbox:
    """For one thread at a time."""

    def __init__(self, journal: Journal, club: str, *, begins: Callable[[], int], now: Callable[[], float]) -> None:
        """`begins`: the first number that a club gets which this journal is not sent to yet. `now`: a steady clock, s.

        Raises `JournalError`.
        """
        self._journal = journal
        self._now = now
        self._id = journal_id(journal)
        known = journal.facts.read(POSITION, _Position.kept)
        if known is None or known.club != club:
            first = max(begins(), 1)
            known = _Position(club, self._id, first, first - 1)
            self._write(known)  # at once: found out anew after a crash, the beginning would be a later one
        self._club, self._begins = club, known.begins
        # another id: a backup was put in the journal's place, and the hub has nothing of it under this id
        self._sent = known.sent if known.journal == self._id else self._begins - 1
        self._kept = known
        self._kept_at = now()
        self._offered: Batch | None = None

    @property
    def position(self) -> link.Outbox:
        """What is sent, up to where, and how much there is."""
        return link.Outbox(journal=self._id, begins=self._begins, sent=self._sent, last=self._journal.last())

    def next(self) -> Batch | None:
        """What is sent next; None when all is acknowledged. Raises `JournalError`."""
        rows = self._journal.stored_after(self._sent, link.MOST_EVENTS)
        size, count = 0, 0
        for row in rows:
            size += len(row[4])
            if count and size > MOST_BYTES:
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
        """The broker has this batch. One that was offered before something was asked for again moves nothing."""
        if batch is self._offered:
            self._sent, self._offered = batch.last, None

    def asked(self, resend: link.Resend) -> bool:
        """The hub misses events. Returns whether something is sent again; a request for an older id is left alone.

        Raises `JournalError`.
        """
        if resend.journal != self._id:
            return False
        if resend.renew:
            renewed = secrets.token_hex(16)
            self._journal.facts.keep(JOURNAL_ID, renewed)
            self._id, self._sent = renewed, self._begins - 1
        else:
            self._sent = min(self._sent, max(resend.from_, self._begins) - 1)
        self._offered = None
        return True

    def keep(self, *, now: bool = False) -> None:
        """Write the position, if it moved and was not written for a while; `now`: also if it was.

        Where that can't be done the old one stands, and more is sent again after a restart.
        """
        position = _Position(self._club, self._id, self._begins, self._sent)
        if position == self._kept or not (now or self._now() - self._kept_at >= KEPT_EVERY):
            return
        self._kept_at = self._now()
        with suppress(JournalError):
            self._write(position)
            self._kept = position

    def _write(self, position: _Position) -> None:
        self._journal.facts.keep(POSITION, json.dumps(asdict(position)))


def _event(row: Row) -> link.Event:
    """An event as it is sent; what can't be told of a damaged one is left out."""
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
