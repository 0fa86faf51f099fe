"""The names of the topics. The protocol's version is in each: `crokinole/1/<club>/table/<id>/<kind>`."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

ROOT = "crokinole/1"

ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""A club's or a table's id: safe in a topic, a broker's list of users and an address, without quoting."""

Kind = Literal["state", "events", "status", "assignment", "resend", "command"]


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one club; each method takes a table's id, or "+" for all tables."""

    club: str

    def __post_init__(self) -> None:
        """Raises `ValueError` for an id that can't stand in a topic."""
        if not ID.fullmatch(self.club):
            raise ValueError(f"{self.club!r} is no id of a club: 1 to 32 small letters, digits and hyphens")

    def of(self, table: str, kind: Kind) -> str:
        """The topic of this kind. Raises `ValueError` for an id that can't stand in a topic."""
        if table != "+" and not ID.fullmatch(table):
            raise ValueError(f"{table!r} is no id of a table: 1 to 32 small letters, digits and hyphens")
        return f"{ROOT}/{self.club}/table/{table}/{kind}"

    def state(self, table: str) -> str:
        """The score in short, retained, by the table."""
        return self.of(table, "state")

    def events(self, table: str) -> str:
        """The table's journal, QoS 1, by the table."""
        return self.of(table, "events")

    def status(self, table: str) -> str:
        """Whether the table is connected, retained and its last will, by the table."""
        return self.of(table, "status")

    def assignment(self, table: str) -> str:
        """What to play next, retained, by the hub."""
        return self.of(table, "assignment")

    def resend(self, table: str) -> str:
        """Which events are missing, by the hub."""
        return self.of(table, "resend")

    def command(self, table: str) -> str:
        """A scorer's button, by home automation with a scorer's account."""
        return self.of(table, "command")


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
