"""Shared by the routes of both applications, a table's and a club's; and the routes of a browser's session: its token,
and how it is opened and closed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.exceptions import BadRequest, NotFound, ServiceUnavailable

from controller.api import Table
from controller.config import ScreenSection
from controller.errors import BadInput, Refused, Unreadable
from web_ui.access import Access, EntryCodes, require_same_origin
from web_ui.connections import Guest, is_loopback, network
from web_ui.events import TURN, EventFeed, Stream
from web_ui.https import require_https
from web_ui.languages import document, error_text, translated
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.reader_pool import ReaderPool

Result = TypeVar("Result")
Headers = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that the routes use."""

    table: Table
    stream: Stream
    access: Access
    readers: ReaderPool
    event_feed: EventFeed
    screen: ScreenSection
    silence: float  # seconds without a byte after which a page says that it is not live
    entry_codes: EntryCodes


def extension(name: str, kind: type[Result]) -> Result:
    """A part of the application that answers this request."""
    found = current_app.extensions[name]
    assert isinstance(found, kind)
    return found


def parts() -> Parts:
    """The parts of the application that answers this request."""
    return extension("parts", Parts)


def place_to_listen(stream: Stream, access: Access) -> Guest:
    """The client that wants to listen. Raises `ServiceUnavailable` if there is no place for it. This machine's own
    screen and clients with a session have precedence."""
    address = request.remote_addr or ""
    guest = Guest(address, first=is_loopback(address) or access.token() is not None)
    if not stream.accepts(guest):
        raise ServiceUnavailable(translated("Too many pages are open. Try again in a minute."), retry_after=int(TURN))
    return guest


@contextmanager
def or_not_found() -> Iterator[None]:
    """Answer with 404 and the controller's message if what is looked up is not there, or can't be read."""
    try:
        yield
    except (BadInput, Refused, Unreadable) as error:
        raise NotFound(error_text(error)) from error


def json_response(shown: object, status: int = 200) -> Response:
    """A document in the client's language."""
    return Response(document(shown), status, mimetype="application/json")


def event_stream(messages: Iterator[bytes]) -> Response:
    """Server-sent events, which no proxy may buffer."""
    return Response(messages, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def file_response(data: bytes | str | None, mimetype: str, missing: str, headers: Headers = None) -> Response:
    """A file. Raises `NotFound` with the words `missing` if there is none."""
    if data is None:
        raise NotFound(missing)
    return Response(data, mimetype=mimetype, headers=headers)


def look_up(call: Callable[[], Result]) -> Result:
    """The result of a slow call, on threads that commands do not use, a few at a time for each address."""
    return parts().readers.look_up(network(request.remote_addr or ""), call)


sessions = Blueprint("sessions", __name__, url_prefix="/api/session")


@sessions.get("", endpoint="state")
def session_state() -> Response:
    """The session's token, None without a session, and whether this browser needs the PIN to open one."""
    access = extension("access", Access)
    return jsonify({"token": access.token(), "pin": access.needs_pin()})


@sessions.post("")
def open_session() -> Response:
    """Open a session with {"pin": ..}; our own screen and browsers that were let in before need none. {"who": ..}: the
    scorer's name, optional. The pin of a club's hub is the organiser's password."""
    require_same_origin()
    access = extension("access", Access)
    if access.words.only_encrypted:
        require_https()
    body = read_json()
    who = body.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_NAME:
        raise BadRequest(translated("Send the name as a short text in the member who."))
    access.enter(body.get("pin"), who.strip())
    return session_state()


@sessions.delete("", endpoint="close")
def close_session() -> Response:
    """Close the session."""
    access = extension("access", Access)
    access.require()
    access.leave()
    return jsonify({"token": None})
