"""A table's journal on its way to the hub, and the hub's word that some of it is missing."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from controller.link.messages import Document, Part
from controller.link.text import LARGEST, LARGEST_NUMBER, JournalId, Number, Time, Word, unfit

MOST_EVENTS = 100  # in one batch

LARGEST_EVENT = LARGEST // 2
"""Bytes of one event's body as JSON; a shot with its film has some 10,000."""


class Event(Part):
    """An event in its stored form. `match` 0: it belongs to none.

    `body` is None where the table can't send what its journal holds: damaged, or nothing that `unfit` lets pass.
    """

    id: Number
    match: int = Field(ge=0, le=LARGEST_NUMBER)
    at: Time
    kind: Word
    body: dict[str, Any] | None


class Events(Document):
    """A batch: every event of the journal from number `first` to that of the last one here, in order.

    Numbers between that no event has exist nowhere. `journal_schema`: the version of the journal's stored form.
    """

    schema_: Literal["club-events/1"] = Field(default="club-events/1", alias="schema")
    journal: JournalId
    journal_schema: int = Field(ge=1, le=10_000)
    first: Number
    events: tuple[Event, ...] = Field(min_length=1, max_length=MOST_EVENTS)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        numbers = [self.first - 1, *(event.id for event in self.events)]
        if any(later <= earlier for earlier, later in pairwise(numbers)):
            raise ValueError("the numbers do not rise from first")
        return self


class Resend(Document):
    """The hub has this journal before the number `from`, and asks for all from there.

    `renew`: the hub has other events under numbers that the table used again, so the journal was set back to an older
    copy of itself. The table gives the journal a new id and sends all of it.
    """

    schema_: Literal["club-resend/1"] = Field(default="club-resend/1", alias="schema")
    journal: JournalId
    from_: Number = Field(alias="from")
    renew: bool = False


def event_of(id: int, match: int, at: float, kind: str, body: Mapping[str, Any] | None, size: int) -> Event:
    """An event of a journal for its batch; `size`: the bytes of its body as JSON.

    Raises `ValueError` where not even its kind or its time can be sent.
    """
    fits = body is not None and size <= LARGEST_EVENT and unfit(body) is None
    return Event(id=id, match=match, at=float(at), kind=kind, body=dict(body) if fits and body is not None else None)
