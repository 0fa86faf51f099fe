"""The API for the pages' scripts: state, events, pictures, session, commands."""

import re
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, redirect, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden, NotFound
from werkzeug.wrappers import Response as BaseResponse

from controller.errors import BadInput, NameTaken, Refused, Stale
from web_ui.access import is_table, require_same_origin
from web_ui.languages import chosen_language, document, error_text, state_in, translated
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.off_thread import off_thread
from web_ui.parts import event_stream, json_response, look_up, parts, place_to_listen

routes = Blueprint("routes", __name__)

PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@routes.get("/api/state")
def state() -> Response:
    """The newest state."""
    return json_response(state_in(parts().table.snapshot(), chosen_language()))


@routes.get("/events")
def events() -> Response:
    """The state after every change, from the newest on, as server-sent events whose id is the state's."""
    stream, guest = parts().stream, place_to_listen()
    return event_stream(stream.listen(chosen_language(), guest))


@routes.get("/picture/<name>")
def picture(name: str) -> Response:
    """A stored picture."""
    table = parts().table
    try:
        jpeg = look_up(lambda: table.picture(name)) if PICTURE_NAME.fullmatch(name) else None
    except BadInput as error:
        raise NotFound(error_text(error)) from error
    if jpeg is None:
        raise NotFound(translated("There is no picture of that name."))
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


@routes.get("/clip/<name>")
def clip(name: str) -> Response:
    """A stored clip: `controller.api.Table.clip` says what is in it."""
    table = parts().table
    data = look_up(lambda: table.clip(name))
    if data is None:
        raise NotFound(translated("There is no clip of that name."))
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
    """The session's token, None without a session, and whether this browser needs the PIN to open one."""
    return jsonify({"token": parts().access.token(), "pin": not is_table(request)})


@routes.post("/api/session")
def session_open() -> Response:
    """Open a session with {"pin": ..}; the table itself needs none. {"who": ..}: the scorer's name, optional."""
    require_same_origin(request)
    body = read_json(request)
    pin, who = body.get("pin"), body.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_NAME:
        raise BadRequest(translated("Send the name as a short text in the member who."))
    if pin is None and is_table(request):
        parts().access.admit(request, who.strip())
    elif isinstance(pin, str):
        parts().access.enter(pin.strip(), request, who.strip())
    else:
        raise BadRequest(translated("Send the PIN as text in the member pin."))
    return session_state()


@routes.get("/let-in")
def let_in() -> Response:
    """The path that lets one phone in, for the table's own screen only; it changes once it was used."""
    if not is_table(request):
        raise Forbidden(translated("Only the table's own screen shows this code."))
    return jsonify({"path": f"/let-in/{parts().entry_codes.current()}"})


@routes.get("/let-in/<code>")
def let_in_by(code: str) -> BaseResponse:
    """Open a session for the phone that scanned this code at the table's screen."""
    if parts().entry_codes.redeem(code):
        parts().access.admit(request)
    return redirect("/")


@routes.delete("/api/session")
def session_close() -> Response:
    """Close the session."""
    parts().access.require(request)
    parts().access.leave()
    return jsonify({"token": None})


@routes.post("/api/command")
def command() -> Response:
    """Carry out one command of `controller.api.Table.command`; the answer is the state with its effect.

    409 with `changes` if others changed what it would overwrite since the state in `seen`, with `player` if that player
    has the requested name.
    """
    here = parts()
    here.access.require(request)
    by = "screen" if is_table(request) else "phone"
    wanted = {**read_json(request), "by": by, "who": here.access.who()}
    try:
        snapshot = off_thread(here.table.command, wanted)
    except BadInput as error:
        raise BadRequest(error_text(error)) from error
    except Stale as error:
        return json_response(document({"error": error_text(error), "changes": error.changes}), 409)
    except NameTaken as error:
        return json_response(document({"error": error_text(error), "player": error.player}), 409)
    except Refused as error:
        raise Conflict(error_text(error)) from error
    return json_response(state_in(snapshot, chosen_language()))


@routes.get("/api/setup")
def setup() -> Response:
    """The set-up, step by step; needs a session. With `?devices` only the part that needs no picture."""
    here = parts()
    here.access.require_session()
    found = off_thread(partial(here.table.setup, devices_only="devices" in request.args))
    return json_response(document(found))


@routes.get("/api/setup/<name>")
def setup_sheet(name: str) -> Response:
    """The sheet for placing discs to measure the table's accuracy: `sheet.pdf`, `sheet-1.svg`, `sheet-2.svg`."""
    sheet = parts().table.setup_sheet(name)
    if sheet is None:
        raise NotFound(translated("There is no such sheet."))
    return Response(sheet, mimetype="application/pdf" if name.endswith("pdf") else "image/svg+xml")


@routes.get("/api/setup/picture")
def setup_picture() -> Response:
    """The camera's newest picture with the found board drawn on it; needs a session.

    With `?of=disc` instead the picture of a disc that is being learnt.
    """
    here = parts()
    here.access.require_session()
    jpeg = off_thread(partial(here.table.setup_picture, of_disc=request.args.get("of") == "disc"))
    if jpeg is None:
        raise NotFound(translated("There is no camera, or it gives no picture."))
    return Response(jpeg, mimetype="image/jpeg")
