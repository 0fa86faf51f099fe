"""The one door for the scoreboard: state out, commands in.

The state and every other document are described in `controller.views.schema`; `web_ui` shows them and never computes a
score. Millimetres are in the board frame (`hardware.board`), times in seconds, scores in points.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.errors import BadInput, NameTaken, Refused, Stale, Unreadable
from controller.exchange import NotExpressible, PlayedMatch, cmn, spreadsheet
from controller.match.commands import command_schema
from controller.messages import Language, Message, encoded
from controller.views import schema
from controller.views.schema import (
    Figures,
    Match,
    Matches,
    Players,
    Reading,
    Review,
    Rules,
    Setup,
    Shots,
    State,
    TableHealth,
)

__all__ = [
    "Archive",
    "BadInput",
    "Language",
    "Message",
    "NameTaken",
    "NotExpressible",
    "Refused",
    "Snapshot",
    "Stale",
    "Table",
    "Unreadable",
    "cmn",
    "command_schema",
    "encoded",
    "schema",
    "spreadsheet",
]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after one change. Its sentences are messages, to be said in each reader's language."""

    id: int
    document: State

    @property
    def json(self) -> str:
        """The state as JSON, in English."""
        return encoded(self.document)

    def rendered(self, language: Language) -> str:
        """The state as JSON, in `language`."""
        return encoded(self.document, language)


class Archive(Protocol):
    """What was played. Documents are JSON but for their sentences, which are messages. Reads the disk: it may block."""

    def stamp(self, match: int | None = None) -> str:
        """A text that changes whenever the answers of this archive do: those about all matches, or that about one."""
        ...

    def matches(
        self,
        *,
        before: int | None = None,
        player: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Matches:
        """Matches in short, the newest first, some fifty at a time: those before the match `before`, of one player, of
        a span of days.
        """
        ...

    def players(self) -> Players:
        """Everybody who has played, who was renamed, and who was merged into whom."""
        ...

    def match(self, number: int, after: int = 0) -> Match:
        """One match to step through, some seventy shots at a time: those after the first `after` of them.

        Raises `BadInput` when there is no such match, `Unreadable` when it is set aside.
        """
        ...

    def record(self, number: int) -> Mapping[str, Any]:
        """One match as it counts, as the document `match-record/1`. Raises as `match` does."""
        ...

    def played(self, number: int) -> PlayedMatch:
        """One match for other programs' formats. Raises as `match` does, and `BadInput` where not two sides played."""
        ...

    def events(self, after: int) -> list[dict[str, Any]]:
        """What happened after the event of this number, oldest first, some hundred at a time: the journal's events.

        Each has `id`, `match`, `at` (seconds since 1970, UTC), `kind` and what belongs to its kind.
        """
        ...

    def figures(
        self, *, player: str | None = None, since: str | None = None, until: str | None = None, page: int = 1
    ) -> Figures:
        """Players' figures over a span of days, both included, fifty at a time: of one `player`, or of all."""
        ...

    def shots(
        self, *, player: str | None = None, since: str | None = None, until: str | None = None, page: int = 1
    ) -> Shots:
        """Kinds of shots, of one `player` or of all, and the flicks of every player, fifty at a time."""
        ...


class Table(Protocol):
    """What the running service offers to its pages. Every method may be called from any thread."""

    @property
    def pin(self) -> str:
        """The table's PIN: whoever sends a command must know it."""
        ...

    def snapshot(self) -> Snapshot:
        """The newest state."""
        ...

    def clock(self) -> float:
        """Seconds on the steady clock that says when the clocks of a match run down: nobody sets it."""
        ...

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` with each new state, after it is on disk; returns how to stop.

        The listener is called on the engine's thread: it must return at once and not raise.
        """
        ...

    def command(self, command: dict[str, Any]) -> Snapshot:
        """Carry out one command and return the state that contains its effect. Blocks until it is on disk.

        Raises `BadInput` for a command that can't be understood, naming the member and what would be right, and
        `Refused` for one that does not fit the match as it stands; a `Stale` one names what others changed since the
        state that the command was given on. `command_schema` describes every command.
        """
        ...

    @property
    def archive(self) -> Archive:
        """What was played, this match included."""
        ...

    def rules(self) -> Rules:
        """Every rule set of the table with its choices and sources."""
        ...

    def reading(self) -> Reading | None:
        """The newest board reading, or None when no board has been read."""
        ...

    def setup(self, *, devices_only: bool = False) -> Setup:
        """How the table is set up. Looks at the camera's pictures for a second, unless `devices_only`.

        The commands that set it up are those of `controller.table.setup.setup_commands`.
        """
        ...

    def setup_picture(self, *, of_disc: bool = False) -> bytes | None:
        """The camera's newest picture as JPEG with the board as found drawn on it, or None without a camera.

        `of_disc`: instead a disc that was laid to be learnt, as it was seen, or None where none was.
        """
        ...

    def picture(self, name: str) -> bytes | None:
        """A stored picture as JPEG, or None when there is none of that name.

        A name after `small-` is that picture as a phone shows it, 240 pixels at most. The
        name of a question's picture after `again-` is that picture read again by today's program. Raises `BadInput`
        when it can't be.
        """
        ...

    def clip(self, name: str) -> bytes | None:
        """A stored clip, or None when there is none of that name: one line of JSON with the members `width` and
        `height` (pixels), `t` (seconds from the first picture, for each) and `bytes` (the length of each), then the
        pictures themselves, JPEG, one after the other.
        """
        ...

    def review(self, name: str) -> Review:
        """A question's stored picture read again. Raises `BadInput` when there is no such picture."""
        ...

    def health(self) -> TableHealth:
        """Figures for the technician."""
        ...
