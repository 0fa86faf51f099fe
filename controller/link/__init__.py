"""What a club's tables and its hub say to each other over MQTT: topics, and one JSON document for each.

It imports no other room. All is without I/O but `mqtt`, which holds one session with a broker.

| to | there is |
|---|---|
| name a topic, or tell what a topic is | `Topics`, `Place`, `place_of` |
| read what came, from anybody | `read(Model, payload)`, which raises `BadMessage` |
| send | `written(document)` |
| take events out of a journal | `event_of` |

docs/club-protocol.md describes all of it with examples, which the tests read with this module.
"""

from controller.link.assignment import Assigned, AssignedSide, Assignment, Player
from controller.link.events import MOST_EVENTS, Event, Events, Resend, event_of
from controller.link.joining import BROKER, CODE_LETTERS, Join, Joined, plain_code
from controller.link.messages import BadMessage, Document, read, written
from controller.link.table import (
    Answer,
    Command,
    CommandWord,
    Outbox,
    Schemas,
    ScoredMatch,
    ScoredSide,
    SideLetter,
    State,
    Status,
)
from controller.link.text import LARGEST
from controller.link.topics import ID, ROOT, Kind, Place, Topics, discovery_topic, place_of

__all__ = [
    "BROKER",
    "CODE_LETTERS",
    "ID",
    "LARGEST",
    "MOST_EVENTS",
    "ROOT",
    "Answer",
    "Assigned",
    "AssignedSide",
    "Assignment",
    "BadMessage",
    "Command",
    "CommandWord",
    "Document",
    "Event",
    "Events",
    "Join",
    "Joined",
    "Kind",
    "Outbox",
    "Place",
    "Player",
    "Resend",
    "Schemas",
    "ScoredMatch",
    "ScoredSide",
    "SideLetter",
    "State",
    "Status",
    "Topics",
    "discovery_topic",
    "event_of",
    "place_of",
    "plain_code",
    "read",
    "written",
]
