"""The API for the pages' scripts: state, events, pictures, commands, and *Keep this round*."""

import re
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, redirect, request
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as BaseResponse

from web_ui.access import is_table
from web_ui.languages import chosen_language, document, state_in, translated
from web_ui.limits import read_json
from web_ui.parts import event_stream, file_response, json_response, look_up, or_not_found, parts, place_to_listen
from web_ui.reader_pool import off_thread

routes = Blueprint("routes", __name__)
KEPT = {"Cache-Control": "private, max-age=3600"}
PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@routes.get("/api/state")
def state() -> Response:
    """The newest state."""
    return json_response(state_in(parts().table.snapshot(), chosen_language()))


@routes.get("/events")
def events() -> Response:
    """The state after every change, from the newest on, as server-sent events whose id is the state's; first
    `unchanged` if the newest one has the `mark` of the page's."""
    here = parts()
    guest, mark = place_to_listen(here.stream, here.access), request.args.get("mark", "")
    return event_stream(here.stream.listen(chosen_language(), guest, mark))


@routes.get("/picture/<name>")
def picture(name: str) -> Response:
    """A stored picture."""
    table = parts().table
    with or_not_found():
        jpeg = look_up(lambda: table.picture(name)) if PICTURE_NAME.fullmatch(name) else None
    return file_response(jpeg, "image/jpeg", translated("There is no picture of that name."), KEPT)


@routes.get("/clip/<name>")
def clip(name: str) -> Response:
    """A stored clip: `controller.api.Table.clip` says what is in it."""
    table = parts().table
    data = look_up(lambda: table.clip(name))
    return file_response(data, "application/octet-stream", translated("There is no clip of that name."), KEPT)


@routes.get("/health")
def health() -> Response:
    """Figures for the technician."""
    here = parts()
    figures = off_thread(here.table.health)
    malformed = current_app.extensions["faults"].malformed
    own = {"pages_open": here.stream.listeners, "wrong_pins": here.access.pin_limiter.failures, "malformed": malformed}
    return jsonify({**figures, "web": own})


@routes.get("/let-in")
def let_in() -> Response:
    """The path that lets one phone in, for the table's own screen only. It works once."""
    if not is_table(request):
        raise Forbidden(translated("Only the table's own screen shows this code."))
    return jsonify({"path": f"/let-in/{parts().entry_codes.current()}"})


@routes.get("/let-in/<code>")
def let_in_by(code: str) -> BaseResponse:
    """Open a session for the phone that scanned this code at the table's screen."""
    if parts().entry_codes.redeem(code):
        parts().access.admit(request)
    return redirect("/")


@routes.post("/api/command")
def command() -> Response:
    """Carry out one command of `controller.api.Table.command`; the answer is the state with its effect.

    409 with `changes` if others changed what it would overwrite since the state in `seen`, with `player` if that player
    has the requested name: the attributes of `Stale` and `NameTaken`.
    """
    here = parts()
    here.access.require(request)
    by = "screen" if is_table(request) else "phone"
    wanted = {**read_json(request), "by": by, "who": here.access.who()}
    return json_response(state_in(off_thread(here.table.command, wanted), chosen_language()))


@routes.get("/api/setup")
def setup() -> Response:
    """The set-up, step by step; needs a session. With `?devices` only the part that needs no picture."""
    here = parts()
    here.access.require_session()
    found = off_thread(partial(here.table.setup, devices_only="devices" in request.args))
    return json_response(document(found))


@routes.get("/api/setup/picture")
def setup_picture() -> Response:
    """The camera's newest picture with the found board drawn on it; needs a session. With `?of=disc` instead the
    picture of a disc that is being learnt."""
    here = parts()
    here.access.require_session()
    jpeg = off_thread(partial(here.table.setup_picture, of_disc=request.args.get("of") == "disc"))
    return file_response(jpeg, "image/jpeg", translated("There is no camera, or it gives no picture."))


@routes.get("/api/round-<int:number>.zip")
def kept_round(number: int) -> Response:
    """A round of the running match as one file; needs a session."""
    here = parts()
    here.access.require_session()
    return Response(off_thread(here.table.kept_round, number), mimetype="application/zip")
