"""The addresses for the pages' scripts: state, events, pictures, session, commands."""

import re

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound, ServiceUnavailable

from controller.api import BadInput, Refused
from web_ui.access import demand_same_origin
from web_ui.languages import chosen_language, in_words, state_in, told
from web_ui.limits import read_json
from web_ui.parts import aside, parts

routes = Blueprint("routes", __name__)

PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@routes.get("/api/state")
def state() -> Response:
    """The newest state."""
    return Response(state_in(parts().table.snapshot(), chosen_language()), mimetype="application/json")


@routes.get("/events")
def events() -> Response:
    """The state after every change, from the newest on, as server-sent events whose id is the state's."""
    stream = parts().stream
    if not stream.accepts:
        raise ServiceUnavailable(told("Too many pages are open. Try again in a minute."), retry_after=60)
    response = Response(stream.listen(chosen_language()), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


@routes.get("/picture/<name>")
def picture(name: str) -> Response:
    """A stored picture."""
    jpeg = aside(parts().table.picture, name) if PICTURE_NAME.fullmatch(name) else None
    if jpeg is None:
        raise NotFound(told("There is no picture of that name."))
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
        raise BadRequest(told("Send the PIN as text in the member pin."))
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
        raise BadRequest(in_words(error)) from error
    except Refused as error:
        raise Conflict(in_words(error)) from error
    return Response(state_in(snapshot, chosen_language()), mimetype="application/json")
