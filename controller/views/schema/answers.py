"""Other documents: errors, sessions, diagnostic figures, webhooks."""

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict

from controller.errors import Offer
from controller.match.base import Happening
from controller.views.audit import Change
from controller.views.common import shown_as
from controller.views.state import State


class Error(TypedDict):
    """An error."""

    error: str  #: What is wrong and what to do, in the reader's language.
    offer: NotRequired[Offer]  #: A tool of the scorer's pages that leads on; missing if there is none.


class Changed(Error):
    """A command was refused because it would overwrite changes by others."""

    changes: list[Change]  #: The changes since the state on which it was based.


class Taken(Error):
    """A player can't have a name because another player has it."""

    player: str  #: The other player: the two may be merged instead.


class Session(TypedDict):
    """The rights of this browser."""

    token: str | None  #: A token to send with every command; null without a session.
    pin: bool  #: Whether it needs the table's PIN to open a session.


class LetIn(TypedDict):
    """An entry code, which lets one phone in without the PIN."""

    link: str  #: The address to open on that phone, valid once and for a minute.
    wanted: bool  #: Whether the table's screen shows it now.


class Program(TypedDict):
    """A program with a token."""

    id: str  #: By which it is revoked.
    name: str  #: Its name.


class Programs(TypedDict):
    """The programs that may send commands."""

    programs: list[Program]  #: Those with a token.
    token: str | None  #: The token that was made by this request, shown this once.


class SessionClosed(TypedDict):
    """A closed session."""

    token: None  #: No token.


class Watching(TypedDict):
    """Figures of watching the camera's pictures."""

    frames: int  #: Pictures since the start.
    dropped: int  #: Lost pictures, by the gaps in their numbers.
    readings: int  #: Boards read.
    gate_seconds: float  #: s spent on checking whether the board is still.
    film_seconds: float  #: s spent on filming.
    read_seconds: float  #: s spent on reading boards.
    frozen_seconds: float  #: s since any pixel changed.


class Web(TypedDict):
    """Figures of the pages."""

    pages_open: int  #: Pages and programs that follow a stream.
    wrong_pins: int  #: Wrong PINs since the start.
    malformed: int  #: Invalid requests since the start.


class TableHealth(TypedDict):
    """Diagnostic figures of the table."""

    watcher: Annotated[dict[str, Any], shown_as(Watching)]  #: The camera's pictures.
    hole: bool | None  #: The hole's sensor: whether there is a disc in the hole; null if it does not report.
    unit: dict[str, Any] | None  #: The hole unit's counts, if there is one.
    waiting: int  #: Inputs that wait for the engine.
    journal_bytes: int  #: Size of the journal's file.


class Health(TableHealth):
    """Diagnostic figures."""

    web: Web  #: The pages.


class Beat(TypedDict):
    """A stream's sign of life: the data of its event `beat`."""

    clock: float  #: The table's steady clock in s, by which the clocks of a match run; it can't be set.


class Webhook(TypedDict):
    """The body of a webhook."""

    schema: Literal["webhook/1"]  #: The document's type.
    sequence: int  #: A counter per address, so that gaps are noticed.
    happened: list[Happening]  #: The event.
    state: State  #: The state with its effect.
