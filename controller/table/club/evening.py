"""An evening: where a table's assignments come from, and where its reports go. A club's hub and the croki.nl organiser
are its two kinds."""

from typing import Protocol

from controller.match.club import AssignmentAnswer
from controller.match.state import MatchState


class Evening(Protocol):
    """`start` and `stop` once each. On its own threads it calls `assigned` with the assigned match, None when there is
    none, and `trouble` with what is wrong, None when nothing is. Reports that are not sent yet survive a restart."""

    @property
    def name(self) -> str:
        """Of the club or the organiser."""

    @property
    def table(self) -> str:
        """This table's id or number there."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def changed(self, state: MatchState | None, answer: AssignmentAnswer | None) -> None:
        """The running or last match has changed, or what the table says to its assignment. On the engine's thread."""
