"""What every address works with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flask import current_app, request

from controller.api import Table
from web_ui.access import Access
from web_ui.brakes import network
from web_ui.events import Stream
from web_ui.happenings import Happenings
from web_ui.readers import Readers

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the routes work with."""

    table: Table
    stream: Stream
    access: Access
    readers: Readers
    happenings: Happenings
    silence: float  # seconds without a byte after which a page says that it is not live


def parts() -> Parts:
    """The parts of the application that answers this request."""
    found = current_app.extensions["parts"]
    assert isinstance(found, Parts)
    return found


def looked_up(call: Callable[[], Result]) -> Result:
    """Look up what may take its time, for whoever asks: on threads that commands do not need, and a few at a time."""
    return parts().readers.look_up(network(request.remote_addr or ""), call)
