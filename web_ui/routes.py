"""Every address of the scoreboard."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import gevent
import segno
from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound, ServiceUnavailable

from controller.api import BadInput, Refused, Table
from web_ui.access import Access, demand_same_origin, is_table
from web_ui.events import Stream
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.server import address
from web_ui.texts import TEXTS

routes = Blueprint("routes", __name__)

PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the routes work with."""

    table: Table
    stream: Stream
    access: Access
    silence: float  # seconds without a byte after which a page says that it is not live


def parts() -> Parts:
    """The parts of the application that answers this request."""
    found = current_app.extensions["parts"]
    assert isinstance(found, Parts)
    return found


def aside(call: Callable[..., Result], *arguments: Any) -> Result:
    """Do what may block on gevent's thread pool, so that nobody's stream waits for it."""

    def work() -> tuple[Any, Exception | None]:  # gevent would print an exception that leaves here
        try:
            return call(*arguments), None
        except Exception as error:
            return None, error

    result, error = gevent.get_hub().threadpool.apply(work)
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


@routes.get("/")
def phone() -> str:
    """The scoreboard for phones, and for a TV that is not the table's own."""
    return _page("phone")


@routes.get("/table")
def table_screen() -> str:
    """The same page on the table's own screen: with how to join and, on the table itself alone, the PIN."""
    join = address(*current_app.config["LISTENS_ON"]) if "LISTENS_ON" in current_app.config else request.host_url
    code = segno.make(join, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True, lineclass=None)
    return _page("table", join=join, code=code, pin=parts().table.pin if is_table(request) else None)


def _page(screen: str, **more: Any) -> str:
    here = parts()
    # Inside the page's HTML: no text may end the element that holds the state.
    state = here.table.snapshot().json.replace("<", "\\u003c")
    return render_template(
        "page.html", screen=screen, state=state, texts=TEXTS, silence=here.silence, longest_name=LONGEST_NAME, **more
    )


@routes.get("/api/state")
def state() -> Response:
    """The newest state."""
    return Response(parts().table.snapshot().json, mimetype="application/json")


@routes.get("/events")
def events() -> Response:
    """The state after every change, from the newest on, as server-sent events whose id is the state's."""
    stream = parts().stream
    if not stream.accepts:
        raise ServiceUnavailable("Too many pages are open. Try again in a minute.", retry_after=60)
    response = Response(stream.listen(), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


@routes.get("/picture/<name>")
def picture(name: str) -> Response:
    """A stored picture."""
    jpeg = aside(parts().table.picture, name) if PICTURE_NAME.fullmatch(name) else None
    if jpeg is None:
        raise NotFound("There is no picture of that name.")
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


@routes.get("/health")
def health() -> Response:
    """Figures for the technician."""
    here = parts()
    figures = aside(here.table.health)
    own = {"pages_open": here.stream.listeners, "wrong_pins": here.access.brakes.failures}
    return jsonify({**figures, "web": own})


@routes.get("/api/session")
def session_state() -> Response:
    """Whether this browser may change the match, and with which token."""
    return jsonify({"token": parts().access.token()})


@routes.post("/api/session")
def session_open() -> Response:
    """Open a session with {"pin": ...}."""
    demand_same_origin(request)
    pin = read_json(request).get("pin")
    if not isinstance(pin, str):
        raise BadRequest("Send the PIN as text in the member pin.")
    parts().access.enter(pin.strip(), request.remote_addr or "")
    return session_state()


@routes.delete("/api/session")
def session_close() -> Response:
    """Close the session."""
    parts().access.demand(request)
    parts().access.leave()
    return jsonify({"token": None})


@routes.post("/api/command")
def command() -> Response:
    """Carry out one command of `controller.api.Table.command` and answer with the state that contains its effect."""
    here = parts()
    here.access.demand(request)
    try:
        snapshot = aside(here.table.command, read_json(request))
    except BadInput as error:
        raise BadRequest(str(error)) from error
    except Refused as error:
        raise Conflict(str(error)) from error
    return Response(snapshot.json, mimetype="application/json")
