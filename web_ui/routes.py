"""The addresses for the pages' scripts: state, events, pictures, session, commands."""

import re
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, redirect, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden, NotFound
from werkzeug.wrappers import Response as BaseResponse

from controller.api import BadInput, NameTaken, Refused, Stale
from web_ui.access import demand_same_origin, is_table
from web_ui.languages import chosen_language, document, in_words, state_in, told
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.off_thread import off_thread
from web_ui.parts import looked_up, parts, place_to_listen

routes = Blueprint("routes", __name__)

PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@routes.get("/api/state")
def state() -> Response:
    """The newest state."""
    return Response(state_in(parts().table.snapshot(), chosen_language()), mimetype="application/json")


@routes.get("/events")
def events() -> Response:
    """The state after every change, from the newest on, as server-sent events whose id is the state's."""
    stream, guest = parts().stream, place_to_listen()
    response = Response(stream.listen(chosen_language(), guest), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


@routes.get("/picture/<name>")
def picture(name: str) -> Response:
    """A stored picture."""
    table = parts().table
    try:
        jpeg = looked_up(lambda: table.picture(name)) if PICTURE_NAME.fullmatch(name) else None
    except BadInput as error:
        raise NotFound(in_words(error)) from error
    if jpeg is None:
        raise NotFound(told("There is no picture of that name."))
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


@routes.get("/clip/<name>")
def clip(name: str) -> Response:
    """A stored clip: `controller.api.Table.clip` says what is in it."""
    table = parts().table
    data = looked_up(lambda: table.clip(name))
    if data is None:
        raise NotFound(told("There is no clip of that name."))
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(data, mimetype="application/octet-stream", headers=headers)


@routes.get("/health")
def health() -> Response:
    """Figures for the technician."""
    here = parts()
    figures = off_thread(here.table.health)
    malformed = current_app.extensions["faults"].malformed
    own = {"pages_open": here.stream.listeners, "wrong_pins": here.access.pin_limiter.failures, "malformed": malformed}
    return jsonify({**figures, "web": own})


@routes.get("/api/session")
def session_state() -> Response:
    """Whether this browser may change the match, with which token, and whether it needs the PIN to be let in."""
    return jsonify({"token": parts().access.token(), "pin": not is_table(request)})


@routes.post("/api/session")
def session_open() -> Response:
    """Open a session with {"pin": ..}; the table itself needs none. {"who": ..} is the scorer's name, where given."""
    demand_same_origin(request)
    body = read_json(request)
    pin, who = body.get("pin"), body.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_NAME:
        raise BadRequest(told("Send the name as a short text in the member who."))
    if pin is None and is_table(request):
        parts().access.admit(request, who.strip())
    elif isinstance(pin, str):
        parts().access.enter(pin.strip(), request, who.strip())
    else:
        raise BadRequest(told("Send the PIN as text in the member pin."))
    return session_state()


@routes.get("/let-in")
def let_in() -> Response:
    """The path by which one phone is let in, for the table's own screen alone; it changes when it was used."""
    if not is_table(request):
        raise Forbidden(told("Only the table's own screen shows this code."))
    return jsonify({"path": f"/let-in/{parts().let_in.code()}"})


@routes.get("/let-in/<code>")
def let_in_by(code: str) -> BaseResponse:
    """Open a session for the phone that scanned this code at the table's screen."""
    if parts().let_in.take(code):
        parts().access.admit(request)
    return redirect("/")


@routes.delete("/api/session")
def session_close() -> Response:
    """Close the session."""
    parts().access.demand(request)
    parts().access.leave()
    return jsonify({"token": None})


@routes.post("/api/command")
def command() -> Response:
    """Carry out one command of `controller.api.Table.command` and answer with the state that contains its effect.

    409 with `changes` when others changed what it would overwrite since the state that it names by `seen`, with
    `player` when that player has the name that another should get.
    """
    here = parts()
    here.access.demand(request)
    by = "screen" if is_table(request) else "phone"
    wanted = {**read_json(request), "by": by, "who": here.access.who()}
    try:
        snapshot = off_thread(here.table.command, wanted)
    except BadInput as error:
        raise BadRequest(in_words(error)) from error
    except Stale as error:
        return Response(
            document({"error": in_words(error), "changes": error.changes}), 409, mimetype="application/json"
        )
    except NameTaken as error:
        return Response(document({"error": in_words(error), "player": error.player}), 409, mimetype="application/json")
    except Refused as error:
        raise Conflict(in_words(error)) from error
    return Response(state_in(snapshot, chosen_language()), mimetype="application/json")


@routes.get("/api/setup")
def setup() -> Response:
    """How the table is set up, step by step; for those with a session. With `?devices` only what needs no picture."""
    here = parts()
    here.access.demand_session()
    found = off_thread(partial(here.table.setup, devices_only="devices" in request.args))
    return Response(document(found), mimetype="application/json")


@routes.get("/api/setup/<name>")
def setup_sheet(name: str) -> Response:
    """The sheet by which discs are laid to measure the table's accuracy: `sheet.pdf`, `sheet-1.svg`, `sheet-2.svg`."""
    sheet = parts().table.setup_sheet(name)
    if sheet is None:
        raise NotFound(told("There is no such sheet."))
    return Response(sheet, mimetype="application/pdf" if name.endswith("pdf") else "image/svg+xml")


@routes.get("/api/setup/picture")
def setup_picture() -> Response:
    """The camera's newest picture with the found board drawn on it; for those with a session.

    With `?of=disc` instead a disc that was laid to be learnt, as it was seen.
    """
    here = parts()
    here.access.demand_session()
    jpeg = off_thread(partial(here.table.setup_picture, of_disc=request.args.get("of") == "disc"))
    if jpeg is None:
        raise NotFound(told("There is no camera, or it gives no picture."))
    return Response(jpeg, mimetype="image/jpeg")
