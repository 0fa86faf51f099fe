"""The journal in batches for the club's hub. The journal itself is the queue, so an hour offline takes no memory; the
table keeps no position in it, since the hub says what it has."""

import hashlib
import re
import secrets
from contextlib import suppress

from pydantic_core import from_json

from controller.journal import JOURNAL_ID, SCHEMA_VERSION, Journal, Row
from controller.match import club

MOST_BYTES = club.LARGEST * 3 // 4
"""Bytes of the bodies in one batch, as stored in the journal; the rest is for the message around them."""


RENEWED = "club_journal_renewed"  # the fact: a random text since the last renewal


def _parse_id(text: str) -> str:
    """Check a journal's id. Raises `ValueError`."""
    if not re.fullmatch("[0-9a-f]{32}", text):
        raise ValueError("a journal's id has 32 hexadecimal digits")
    return text


def journal_id(journal: Journal) -> str:
    """The id under which the club knows the journal: the journal's own, until the club asks for another. Mirror and
    backups keep the journal's own, since they are still of the same journal. Raises `JournalError`."""
    own = journal.facts.get_or_create(JOURNAL_ID, _parse_id, lambda: secrets.token_hex(16))
    renewed = journal.facts.get(RENEWED)
    return own if renewed is None else hashlib.sha256(f"{own} {renewed}".encode()).hexdigest()[: len(own)]


def renew_id(journal: Journal) -> None:
    """Give the journal another id for the club: it was set back. Raises `JournalError`."""
    journal.facts.keep(RENEWED, secrets.token_hex(16))


def batch_after(journal: Journal, have: int | None, begins: int, answer: club.AssignmentAnswer | None) -> club.Batch:
    """What follows the number that the hub has, and concerns the club from `begins` on. The last event that it has goes
    again: if the journal was set back, the hub has another one there. `have` None: nobody knows what it has, and the
    batch is empty. Raises `JournalError`."""
    sent = max(journal.last() if have is None else have - 1, begins - 1)
    rows = [] if have is None else journal.stored_after(sent, club.MOST_EVENTS)
    size, count = 0, 0
    for row in rows:
        size += len(row[4])
        if count and size > MOST_BYTES:
            break
        count += 1
    events = tuple(_event(row) for row in rows[:count])
    return club.Batch(
        journal=journal_id(journal),
        journal_schema=SCHEMA_VERSION,
        begins=begins,
        first=sent + 1,
        last=events[-1].id if events else sent,
        events=events,
        answer=answer,
    )


def _event(row: Row) -> club.Event:
    """An event as it is sent, without the damaged parts."""
    number, match, at, kind, body = row
    parsed = None
    if len(body) <= club.LARGEST_EVENT:
        with suppress(ValueError):
            parsed = from_json(body, allow_inf_nan=False)
    whole = parsed if isinstance(parsed, dict) and club.storage_problem(parsed) is None else None
    try:
        return club.Event(id=number, match=match, at=float(at), kind=kind.decode(), body=whole)
    except ValueError:
        return club.Event(id=number, match=max(match, 0), at=0.0, kind="unreadable", body=None)
