"""The one door for a club's pages: the evening out, the organiser's and the boards' wishes in.

Documents are those of `controller.club.hub.documents`; their texts are messages, said in each reader's language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from controller.club.exports import FILES, Export
from controller.club.hub.differences import differences
from controller.club.hub.documents import (
    EveningDocument,
    EveningInShort,
    EveningReport,
    MatchDocument,
    OrganiserDocument,
    PlanDocument,
)
from controller.errors import BadInput, ControllerError, Refused
from controller.messages import Language, Message, encoded

__all__ = [
    "FILES",
    "BadInput",
    "Club",
    "ClubSnapshot",
    "ControllerError",
    "Export",
    "PlanOutdated",
    "Refused",
]


@dataclass(frozen=True, slots=True)
class ClubSnapshot:
    """The evening after one change."""

    id: int
    document: EveningDocument

    def rendered(self, language: Language) -> str:
        """The evening as JSON, in `language`."""
        return encoded(self.document, language)

    def changes(self, before: "ClubSnapshot", language: Language) -> str:
        """What is new to somebody who has the evening `before`, as JSON, in `language`: `club-changes/2`."""
        return encoded(differences(before.document, self.document), language)


class PlanOutdated(Refused):
    """What was shown is not what would be done any more; `plan` is what would be done now."""

    def __init__(self, words: Message, plan: PlanDocument) -> None:
        super().__init__(words)
        self.plan = plan


class Club(Protocol):
    """What a hub offers to its pages. Every method may be called from any thread. All that change something raise
    `BadInput` for what can't be understood, and `Refused` for what does not fit the evening as it stands."""

    @property
    def name(self) -> str:
        """What people call the club."""
        ...

    def clock(self) -> float:
        """Seconds on a steady clock."""
        ...

    def snapshot(self) -> ClubSnapshot:
        """The evening as it stands."""
        ...

    def follows(self) -> bool:
        """Whether that is how the evening stands now. Not while the database is away."""
        ...

    def subscribe(self, listener: Callable[[ClubSnapshot], None]) -> Callable[[], None]:
        """Call `listener` with each new evening, on a thread of the hub's; gives how to stop that."""
        ...

    def matches_of(self, entrant: str) -> list[MatchDocument]:
        """All matches of an entrant, in their order."""
        ...

    # --- what was played

    def evenings(self) -> list[EveningInShort]:
        """All evenings, the newest first."""
        ...

    def evening(self, id: str) -> EveningReport:
        """A whole evening. Raises `Refused` where there is none."""
        ...

    def export(self, evening: str, kind: str) -> Export:
        """A whole evening as one of `FILES`. Raises `Refused` where there is none, `BadInput` for another file."""
        ...

    # --- the organiser

    def password_mark(self) -> str:
        """A text that changes with the organiser's password; empty while there is none."""
        ...

    def lets_in(self, password: str) -> bool:
        """Whether this is the organiser's password. Takes a tenth of a second on purpose."""
        ...

    def book_guess(self, known: bool, every: float, most: int) -> float:
        """Book a try of the password, for all processes of the hub together, and give 0; else the seconds until one may
        come. One may come in `every` seconds, and after a pause `most` at once. `known`: of a device that was let in
        before."""
        ...

    def unbook_guess(self, known: bool, every: float) -> None:
        """The try that was booked was right: it costs nothing."""
        ...

    def set_password(self, password: str) -> None:
        """Let the organiser in by this password from now on."""
        ...

    def open_session(self, token: str, lasts: float) -> None:
        """Somebody was let in, at every process of the hub, and is for `lasts` seconds from the last use on."""
        ...

    def holds_session(self, token: str, lasts: float) -> bool:
        """Whether the session holds. Asking counts as using it."""
        ...

    def end_session(self, token: str) -> None:
        """The session is left, at every process of the hub."""
        ...

    def begin(
        self, title: str, format: str | Mapping[str, Any], boards: Sequence[str], players: str, doubles: bool, who: str
    ) -> None:
        """Begin an evening: its format by name or as the log has it, the ids of its boards, and its players as a list
        that was pasted."""
        ...

    def open(self, evening: str) -> None:
        """Make a former evening the present one, at every process of the hub."""
        ...

    def entering(self, players: str, doubles: bool) -> list[dict[str, Any]]:
        """The actions that enter those of a pasted list."""
        ...

    def plan(self, actions: Sequence[Mapping[str, Any]]) -> PlanDocument:
        """What these actions would bring about."""
        ...

    def confirm(self, actions: Sequence[Mapping[str, Any]], token: str, who: str) -> None:
        """Carry out what a plan showed. Raises `PlanOutdated` where it would not be the same any more."""
        ...

    def desk(self) -> OrganiserDocument:
        """What the organiser alone sees."""
        ...

    def tables(self) -> list[dict[str, Any]]:
        """The club's tables: `id`, `name`, `by_hand`."""
        ...

    def add_table(self, name: str, by_hand: bool) -> str:
        """Add a table to the club; gives its id."""
        ...

    def join_code(self, table: str) -> str:
        """A code by which a table may join as this one."""
        ...

    def join(self, payload: bytes) -> bytes | None:
        """The answer to a table that wants to join: `club-join/1` to `club-joined/1`. None for a code that is none."""
        ...

    def claim(self, match: str, by: str, points: Sequence[int], twenties: Sequence[int] | None, phone: str) -> None:
        """What the player `by` says of the end of a match, in the order of its sides. It counts when the opponent has
        said the same from another `phone`, which is a text that tells phones apart."""
        ...

    # --- boards without hardware

    def at_board(self, board: str, command: Mapping[str, Any], who: str) -> None:
        """Carry out what a phone at a board asks for."""
        ...
