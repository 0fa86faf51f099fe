"""The parts of the application that the routes use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flask import current_app, request
from werkzeug.exceptions import ServiceUnavailable

from controller.api import Table
from web_ui.access import Access
from web_ui.connections import Guest, is_loopback
from web_ui.event_feed import EventFeed
from web_ui.events import TURN, Stream
from web_ui.languages import told
from web_ui.let_in import LetIn
from web_ui.pin_limiter import network
from web_ui.reader_pool import ReaderPool
from web_ui.screen import Screen

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the routes work with."""

    table: Table
    stream: Stream
    access: Access
    readers: ReaderPool
    event_feed: EventFeed
    screen: Screen
    silence: float  # seconds without a byte after which a page says that it is not live
    let_in: LetIn


def parts() -> Parts:
    """The parts of the application that answers this request."""
    found = current_app.extensions["parts"]
    assert isinstance(found, Parts)
    return found


def place_to_listen() -> Guest:
    """The client that wants to listen. Raises `ServiceUnavailable` when there is no place for it."""
    guest = listener(parts().access)
    if not parts().stream.accepts(guest):
        raise no_place()
    return guest


def listener(access: Access) -> Guest:
    """The client of this request: this machine's own screen and those who were let in come first."""
    address = request.remote_addr or ""
    return Guest(address, first=is_loopback(address) or access.token() is not None)


def no_place() -> ServiceUnavailable:
    """What is answered to who can't listen now."""
    return ServiceUnavailable(told("Too many pages are open. Try again in a minute."), retry_after=int(TURN))


def looked_up(call: Callable[[], Result]) -> Result:
    """What a slow call returns: made on threads that commands do not use, and few at a time for each address."""
    return parts().readers.look_up(network(request.remote_addr or ""), call)
