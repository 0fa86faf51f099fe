"""The set-up page's step for the club: the table's membership, and any trouble with it."""

from typing import Protocol

from controller.messages import Message, say
from controller.table.setup import steps
from controller.views.schema.setup import Step


class Membership(Protocol):
    """The table as a member of a club, see `controller.table.club.membership`."""

    @property
    def club(self) -> tuple[str, str] | None:
        """The club's name, and the table's id in it; None without a club."""

    @property
    def trouble(self) -> Message | None:
        """What is wrong with the connection to the club."""

    @property
    def fixed(self) -> bool:
        """Whether the configuration names the club, so that the page can't change it."""

    def join(self, address: str, code: str) -> None:
        """Join with a code. Raises `Refused` or `JournalError`."""

    def leave(self) -> None:
        """Leave the club. Raises `Refused` or `JournalError`."""


def club_step(member: Membership) -> Step:
    """The table's club, or how to join one."""
    title = say("Club")
    if member.club is None:
        text = member.trouble or say(
            "In none: the table plays alone. To join one, type the address and the code on its organiser's page."
        )
        found = steps.step("club", title, text, [], state="bad" if member.trouble else "optional")
    else:
        name, table = member.club
        text = say("{club}, as its table {table}.", club=name, table=table)
        text = Message("{club} {trouble}", {"club": text, "trouble": member.trouble}) if member.trouble else text
        found = steps.step("club", title, text, [], state="bad" if member.trouble else "good")
    return {**found, "joined": member.club is not None, "fixed": member.fixed}
