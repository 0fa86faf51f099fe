"""An evening: where a table's assignments come from, and where its reports go. A club's hub and the croki.nl organiser
are its two kinds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controller.match.club import Answer, Assigned
from controller.match.state import MatchState
from controller.messages import Message


@dataclass(frozen=True, slots=True)
class News:
    """What an evening calls, on its own threads: with the assigned match, None when there is none, and with what is
    wrong, None when nothing is."""

    assigned: Callable[[Assigned | None], None]
    trouble: Callable[[Message | None], None]


class Evening(Protocol):
    """`start` and `stop` once each. Reports that are not sent yet survive a restart."""

    @property
    def name(self) -> str:
        """Of the club or the organiser."""

    @property
    def table(self) -> str:
        """This table's id or number there."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def changed(self, state: MatchState | None, answer: Answer | None) -> None:
        """The running or last match has changed, or what the table says to its assignment. On the engine's thread."""
