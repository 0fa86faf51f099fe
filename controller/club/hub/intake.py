"""Whether the hub takes a batch of a table's events: the table of docs/club-protocol.md, as a pure function.

>>> from controller.link import Event, Events
>>> def batch(first, *numbers):
...     events = tuple(Event(id=n, match=1, at=0.0, kind="shot_seen", body={}) for n in numbers)
...     return Events(journal="0" * 32, journal_schema=8, first=first, events=events)
>>> judged(batch(3, 4), last=2, known=[])
Keep(events=(Event(id=4, match=1, at=0.0, kind='shot_seen', body={}),))
>>> judged(batch(4, 4), last=2, known=[])
Ask(number=3, renew=False)
"""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.club.store import Kept
from controller.link import Event, Events

ASK_AGAIN = (
    10.0  # s, at the earliest: a table that has the message needs as long to find, send and have it acknowledged
)
OVERHEAD = 200  # bytes that an event takes in the database beside its body
BURST = 64 * 2**20
"""Bytes of events that a table may send at once: some ten evenings without network, their films included."""
RATE = 5_000.0  # bytes a second from then on: ten times what a table sends whose every shot, one in 20 s, is filmed


@dataclass(frozen=True, slots=True)
class Keep:
    """These events are new and follow what is there; none of them is left where all were known."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Nothing is kept; all from this number on is to be sent again, under a new id of the journal where `renew`."""

    number: int
    renew: bool = False


def judged(batch: Events, last: int, known: Sequence[Kept]) -> Keep | Ask:
    """What to do with a batch.

    `last`: the number up to which nothing of this journal is missing, at least one less than `begins`. `known`: what is
    here of the numbers that the batch covers.
    """
    if batch.first > last + 1:
        return Ask(last + 1)
    again = [event for event in batch.events if event.id <= last]
    if [_content(event.id, event) for event in again] != [_content(kept.number, kept) for kept in known]:
        return Ask(last + 1, renew=True)
    return Keep(tuple(event for event in batch.events if event.id > last))


def _content(number: int, event: Event | Kept) -> tuple[object, ...]:
    return number, event.match, event.at, event.kind, event.body


@dataclass
class Allowance:
    """How much a table may still send: so that one that runs wild does not fill the disk of all."""

    left: float = BURST
    at: float = 0.0

    def takes(self, size: int, events: int, now: float) -> bool:
        """Whether a batch of `size` bytes with so many new events may be kept at `now`, in s; then it is booked."""
        self.left = min(BURST, self.left + max(0.0, now - self.at) * RATE)
        self.at = now
        cost = size + OVERHEAD * events
        if cost > self.left:
            return False
        self.left -= cost
        return True
