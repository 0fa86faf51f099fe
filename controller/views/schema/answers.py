"""What else the table answers and sends: errors, sessions, the technician's figures, webhooks."""

from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from controller.views.schema.common import shown_as
from controller.views.schema.history import Change
from controller.views.schema.table_state import State

Happening = Literal["match_started", "shot", "round_ended", "question", "correction", "time_up", "match_over"]


class Error(TypedDict):
    """Why something was refused."""

    error: str
    """What is wrong and what to do, in the reader's language."""


class Changed(Error):
    """A command was refused because others changed what it would overwrite."""

    changes: list[Change]
    """What they changed since the state that it was given on."""


class Taken(Error):
    """A player can't be given a name because another has it."""

    player: str
    """The other: the two may be merged instead."""


class Session(TypedDict):
    """What this browser may do."""

    token: str | None
    """To be sent with every command; null without a session."""
    pin: bool
    """Whether it needs the table's PIN to open one."""


class SessionClosed(TypedDict):
    """The session that was closed."""

    token: None
    """There is none any more."""


class Watching(TypedDict):
    """How the camera's pictures are looked at."""

    frames: int
    """Pictures since the start."""
    dropped: int
    """Pictures that never arrived, by the gaps in their numbers."""
    readings: int
    """Boards read."""
    gate_seconds: float
    """s spent on looking whether the board is still."""
    film_seconds: float
    """s spent on filming what moved."""
    read_seconds: float
    """s spent on reading boards."""
    frozen_seconds: float
    """s since any pixel changed."""


class Web(TypedDict):
    """How the pages are used."""

    pages_open: int
    """Pages and programs that listen."""
    wrong_pins: int
    """Wrong PINs since the start."""


class TableHealth(TypedDict):
    """Figures of the table for the technician."""

    watcher: Annotated[dict[str, Any], shown_as(Watching)]
    """The camera's pictures."""
    hole: bool | None
    """What the hole's sensor says: whether a disc lies there; null where it says nothing."""
    unit: dict[str, Any] | None
    """The hole unit's own counts, where there is one."""
    waiting: int
    """Inputs that the engine has not taken yet."""
    journal_bytes: int
    """Size of the journal's file."""


class Health(TableHealth):
    """Figures for the technician."""

    web: Web
    """The pages."""


class Beat(TypedDict):
    """A sign of life of a stream, as the data of its event `beat`."""

    clock: float
    """s that the table's steady clock shows: nobody sets it, and the clocks of a match run down on it."""


class Webhook(TypedDict):
    """What is posted to each address that is set in the configuration."""

    schema: Literal["webhook/1"]
    """Which document this is."""
    sequence: int
    """Counts up by one for each address, so that a gap is seen."""
    happened: list[Happening]
    """What happened."""
    state: State
    """The state that contains it."""
