"""A table that runs wild: `python -m tests.controller.club.flood BROKER PASSWORD CLUB TABLE OTHER`, until it is killed.

It sends a match's events without end, nonsense between them, and to the topics of another table; what is too large for
the broker ends its session, and it comes back.
"""

import queue
import sys
from contextlib import closing
from itertools import count

from controller.link import LARGEST, MOST_EVENTS, Event, Events, Topics, serialize
from controller.link.mqtt import Acknowledged, Broker, BrokerUnavailable, Session, SessionEnded, SessionEvent

NONSENSE = (b"", b"\xff" * 100_000, b"[" * 100_000, b'{"schema": "club-events/1"}', b"9" * LARGEST)
IN_FLIGHT = 200  # messages that it does not wait for


def batch(first: int) -> bytes:
    """The next events: a match that never ends, with numbers as large as they may be."""
    round_ = {"totals": {"A": 2**40, "B": 0}, "twenties": {"A": 0, "B": 0}}
    start = {"rules": "nca", "sides": [{"name": "A"}, {"name": "B"}], "assignment": "wild"}
    events = tuple(
        Event(
            id=n, match=1, at=0.0, kind="round_entered" if n > 1 else "match_started", body=round_ if n > 1 else start
        )
        for n in range(first, first + MOST_EVENTS)
    )
    return serialize(Events(journal="f" * 32, journal_schema=9, first=first, events=events))


def main() -> None:
    url, password, club, table, other = sys.argv[1:]
    numbers = count(1, MOST_EVENTS)
    while True:
        happened: queue.Queue[SessionEvent] = queue.Queue()
        try:
            session = Session(Broker.at(url, table, password), "wild", happened.put)
        except BrokerUnavailable:
            continue
        with closing(session):
            flood(session, happened, Topics(club), (table, other), numbers)


def flood(
    session: Session,
    happened: "queue.Queue[SessionEvent]",
    topics: Topics,
    tables: tuple[str, str],
    numbers: "count[int]",
) -> None:
    """One session, until the broker ends it."""
    (table, other), under_way = tables, 0
    for k in count(1):
        session.publish(topics.of(table, "events"), batch(next(numbers)), qos=1)
        under_way += 1
        if k % 10 == 0:
            for topic in (
                topics.of(table, "events"),
                topics.of(table, "status"),
                topics.of(other, "events"),
                topics.of(other, "assignment"),
            ):
                session.publish(topic, NONSENSE[k // 10 % len(NONSENSE)], qos=1, retain=True)
                under_way += 1
        if k % 2_000 == 0:
            session.publish(topics.of(table, "events"), b"9" * (2 * LARGEST), qos=1)
        while under_way > IN_FLIGHT:
            one = happened.get()
            if isinstance(one, SessionEnded):
                return
            under_way -= isinstance(one, Acknowledged)


if __name__ == "__main__":
    main()
