"""The interface between the table and its pages: state out, commands in.

`controller.views` has the documents, `controller.views.schema` names all; `web_ui` shows them and computes no score.
Millimetres are in the board frame (`hardware.board`), times in seconds, scores in points."""

from collections.abc import Callable
from typing import Any, Protocol

from controller.exchange import NotExpressible, cmn, spreadsheet
from controller.match.commands import command_schema
from controller.views import schema
from controller.views.history import Archive, Selection
from controller.views.history.one_match import MatchInShort
from controller.views.schema import Reading, Review, Rules, Setup, State, TableHealth

__all__ = [
    "Archive",
    "MatchInShort",
    "NotExpressible",
    "NumberedState",
    "Selection",
    "StateSource",
    "Table",
    "Tokens",
    "cmn",
    "command_schema",
    "schema",
    "spreadsheet",
]


class Tokens(Protocol):
    """Random texts of 128 bits that let their holders in; only their hashes are kept. Kinds are "session" (of a
    browser), "device" (a browser that was let in before), and "program". Thread-safe; every call may block."""

    def make(self, kind: str, holder: str = "") -> str:
        """A new token. Raises `ControllerError` for a program's that can't be stored; others then last until a
        restart."""

    def holder(self, kind: str, token: str) -> str | None:
        """Who holds a valid token, None for any other text. This counts as using it."""

    def held(self, kind: str) -> list[tuple[str, str, float]]:
        """Each valid token's id, its holder, and for how many seconds it was not used."""

    def end(self, token: str) -> None:
        """End a token, if it is valid."""

    def revoke(self, id: str) -> None:
        """End the token of this id, if it is valid. This and the next raise `ControllerError` if that can't be
        stored."""

    def end_all(self, *kinds: str) -> None:
        """End all tokens of these kinds."""


class NumberedState(Protocol):
    """A state with its number."""

    @property
    def id(self) -> int: ...


class StateSource(Protocol):
    """The source of states: a table, or a club's hub. Thread-safe."""

    def snapshot(self) -> NumberedState:
        """The newest state. Its sentences are messages, translated for each reader."""

    def clock(self) -> float:
        """Seconds on the steady clock, which can't be set: a match's clocks run by it."""

    def subscribe(self, listener: Callable[[Any], None]) -> Callable[[], None]:
        """Call `listener` with each new state once it is on disk. Returns a function that ends the subscription. The
        listener is called on the thread that makes the states; it must return at once and not raise."""


class Table(StateSource, Protocol):
    """The running service's interface for its pages. Thread-safe."""

    @property
    def pin(self) -> str:
        """The table's PIN, which lets a new phone keep score."""

    @property
    def tokens(self) -> Tokens:
        """The tokens of those who were let in."""

    def snapshot(self) -> State:
        """The newest state."""

    def command(self, command: dict[str, Any]) -> State:
        """Carry out a command and return the state with its effect. Blocks until it is on disk.

        Raises `BadInput` for an invalid command, with the member and what would be right; `Refused` for one that the
        match's state does not allow; and `Stale`, with the changes, for one based on an outdated state.
        `command_schema` describes every command."""

    @property
    def archive(self) -> Archive:
        """All matches, including the present one."""

    def rules(self) -> Rules:
        """The table's rule sets with their choices and sources."""

    def reading(self) -> Reading | None:
        """The newest board reading; None if there is none yet."""

    def setup(self, *, devices_only: bool = False) -> Setup:
        """The state of set-up. Watches the camera's pictures for a second, unless `devices_only`. Its commands are in
        `controller.table.setup.setup_service`."""

    def setup_picture(self, *, of_disc: bool = False) -> bytes | None:
        """The camera's newest picture as JPEG, with the found board drawn in; None without a camera. `of_disc`: instead
        the picture of the disc that was shown for learning; None if there was none."""

    def kept_round(self, number: int) -> bytes:
        """A round of the running match as a ZIP: `controller.table.kept_rounds`. Raises `Refused` if it was not
        recorded."""

    def picture(self, name: str) -> bytes | None:
        """A stored picture as JPEG; None if there is none of that name. With the prefix `small-`, the picture is at
        most 240 pixels large, for phones. With the prefix `again-`, a question's picture is read again by today's
        program. Raises `BadInput` if that fails."""

    def clip(self, name: str) -> bytes | None:
        """A stored clip; None if there is none of that name. One line of JSON with `width` and `height` (pixels), `t`
        (each picture's seconds from the first) and `bytes` (each picture's length), followed by the JPEG pictures."""

    def review(self, name: str) -> Review:
        """A question's stored picture, read again. Raises `BadInput` if there is no such picture."""

    def health(self) -> TableHealth:
        """Diagnostic figures."""
