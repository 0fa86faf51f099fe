"""The names of the topics. The protocol's version is in each: `crokinole/1/<club>/table/<id>/<kind>`."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

ROOT = "crokinole/1"

ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")  # of a club or a table: safe in a topic, a list of users and an address

Kind = Literal["state", "events", "status", "assignment", "resend", "command"]
"""A table publishes the first three: its score, retained; its journal, QoS 1; whether it is connected, retained and its
last will. The hub publishes what to play next, retained, and which events are missing; home automation commands."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one club."""

    club: str

    def __post_init__(self) -> None:
        """Raises `ValueError` for an id that can't stand in a topic."""
        if not ID.fullmatch(self.club):
            raise ValueError(f"{self.club!r} is no id of a club: 1 to 32 small letters, digits and hyphens")

    def of(self, table: str, kind: Kind) -> str:
        """The topic of a table, or "+" for all. Raises `ValueError` for an id that can't stand in a topic."""
        if table != "+" and not ID.fullmatch(table):
            raise ValueError(f"{table!r} is no id of a table: 1 to 32 small letters, digits and hyphens")
        return f"{ROOT}/{self.club}/table/{table}/{kind}"


def discovery_topic(club: str, table: str) -> str:
    """Where a table announces itself to Home Assistant, whose node is the club: a level of its own for each."""
    return f"homeassistant/device/crokinole-{club}/{table}/config"


class TopicParts(NamedTuple):
    """The club, the table and the kind that a topic names."""

    club: str
    table: str
    kind: Kind


_TOPIC = re.compile(rf"{ROOT}/({ID.pattern})/table/({ID.pattern})/({'|'.join(get_args(Kind))})")


def parse_topic(topic: str) -> TopicParts | None:
    """The parts of a topic; None if it does not belong to this protocol."""
    found = _TOPIC.fullmatch(topic)
    return TopicParts(found[1], found[2], found[3]) if found else None  # type: ignore[arg-type]
