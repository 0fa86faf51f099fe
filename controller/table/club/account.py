"""The table's account in its club, from the configuration or from the hub in exchange for a join code."""

import re
from dataclasses import dataclass
from typing import Self

from controller import link
from controller.config import ClubSection
from controller.errors import BadInput
from controller.link.mqtt import Broker
from hardware.files import read_text

JOINED = "club"  # the fact in which the journal stores the hub's answer to a join code


@dataclass(frozen=True, slots=True)
class Account:
    """A table's place in a club, and its account at the club's broker."""

    club: str
    name: str
    table: str
    broker: Broker

    @classmethod
    def configured(cls, section: ClubSection) -> Self:
        """From the configuration. Raises `BadInput` if a file that it names can't be read or used."""
        password = _text(section.credentials, "[club] credentials").strip()
        if not re.fullmatch("[!-~]{1,200}", password):
            raise BadInput(
                f"[club] credentials: {section.credentials} must hold the table's password at the broker, in one line."
            )
        certificate = _text(section.certificate, "[club] certificate") if section.certificate else None
        broker = Broker.at(section.broker, section.table, password, certificate)
        return cls(section.club, section.club, section.table, broker)

    @classmethod
    def joined(cls, document: link.Joined) -> Self:
        """From the hub's answer. Raises `ValueError` for an invalid address."""
        broker = Broker.at(document.broker, document.table, document.password, document.certificate)
        return cls(document.club, document.club_name, document.table, broker)

    @classmethod
    def stored(cls, text: str) -> Self:
        """From the text in the journal. Raises `ValueError`."""
        return cls.joined(link.parse(link.Joined, text.encode()))


def _text(path: object, what: str) -> str:
    try:
        return read_text(path)  # type: ignore[arg-type]
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(f"{what}: {path} can't be read: {why}.") from error
