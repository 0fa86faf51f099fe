"""What a club's tables and its hub say to each other over MQTT: topics, and one JSON document for each.

It imports no other room. Only `mqtt`, one session with a broker, does I/O.

| to | there is |
|---|---|
| name or parse a topic | `Topics`, `parse_topic` |
| parse an untrusted payload | `parse(Model, payload)`, which raises `BadMessage` |
| send | `serialize(document)` |
| convert a journal's event | `make_event` |
"""

from controller.link.messages import (
    ID,
    LARGEST,
    ROOT,
    BadMessage,
    Document,
    Kind,
    Topics,
    discovery_topic,
    parse,
    parse_topic,
    serialize,
)
from controller.link.schemas import (
    BROKER,
    CODE_LETTERS,
    MOST_EVENTS,
    Answer,
    Assigned,
    AssignedSide,
    Assignment,
    Command,
    CommandWord,
    Event,
    Events,
    Join,
    Joined,
    Outbox,
    Player,
    Resend,
    Schemas,
    ScoredMatch,
    ScoredSide,
    SideLetter,
    State,
    Status,
    make_event,
    normalize_code,
)

__all__ = [
    "BROKER", "CODE_LETTERS", "ID", "LARGEST", "MOST_EVENTS", "ROOT", "Answer", "Assigned", "AssignedSide",
    "Assignment", "BadMessage", "Command", "CommandWord", "Document", "Event", "Events", "Join", "Joined", "Kind",
    "Outbox", "Player", "Resend", "Schemas", "ScoredMatch", "ScoredSide", "SideLetter", "State", "Status", "Topics",
    "discovery_topic", "make_event", "normalize_code", "parse", "parse_topic", "serialize",
]  # fmt: skip
