"""The API for the pages' scripts: state, events, pictures, commands; who else may send commands."""

import re
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, redirect, request
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as BaseResponse

from web_ui.access import is_table
from web_ui.languages import chosen_language, translated
from web_ui.limits import read_json
from web_ui.pages import join_address, qr_code
from web_ui.parts import event_stream, file_response, json_response, look_up, or_not_found, parts, place_to_listen
from web_ui.reader_pool import off_thread

routes = Blueprint("routes", __name__)
SCORER_IS_IN = 600.0  # s without a request after which a scorer counts as gone
KEPT = {"Cache-Control": "private, max-age=3600"}
PICTURE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@routes.get("/api/state")
def state() -> Response:
    """The newest state."""
    return json_response(parts().table.snapshot())


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
    return file_response(data, "application/octet-stream", translated("Its clip is not kept any more."), KEPT)


@routes.get("/health")
def health() -> Response:
    """Figures for the technician."""
    here = parts()
    figures = off_thread(here.table.health)
    malformed = current_app.extensions["faults"].malformed
    own = {"pages_open": here.stream.listeners, "wrong_pins": here.access.wrong_pins, "malformed": malformed}
    return jsonify({**figures, "web": own})


@routes.get("/let-in")
def let_in() -> Response:
    """An entry code, for the table's own screen and for scorers."""
    require_host()
    here = parts()
    match = here.table.snapshot().match
    between = match is None or match.over
    in_use = any(idle < SCORER_IS_IN for _, _, idle in off_thread(here.table.tokens.held, "session"))
    return jsonify({"link": entry_link(), "wanted": between or not in_use or here.access.guesses.wait() > 0})


@routes.get("/let-in.svg")
def let_in_code() -> Response:
    """The same, to scan."""
    require_host()
    return qr_code(entry_link())


@routes.get("/let-in/<code>")
def let_in_by(code: str) -> BaseResponse:
    """Open a session for the phone that scanned this code."""
    if parts().entry_codes.redeem(code):
        parts().access.admit()
    return redirect("/")


def require_host() -> None:
    """Raise `Forbidden` unless this browser may let another in: it is the table's own screen, or a scorer's."""
    if not is_table():
        parts().access.require_session()


def entry_link() -> str:
    """The address that lets one phone in."""
    return f"{join_address()}let-in/{parts().entry_codes.current()}"


@routes.get("/api/programs")
def programs() -> Response:
    """The programs with a token; needs a session."""
    parts().access.require_session()
    return _programs()


@routes.post("/api/programs")
def change_programs() -> Response:
    """Make a token for a program, `{"name": ..}`, or revoke one, `{"revoke": id}`."""
    parts().access.require()
    tokens, made = parts().table.tokens, None
    match read_json():
        case {"name": str(name)} if name.strip():
            made = off_thread(tokens.make, "program", name.strip())
        case {"revoke": str(id)}:
            off_thread(tokens.revoke, id)
        case _:
            raise BadRequest(translated("Name the program, or the one to revoke."))
    return _programs(made)


def _programs(made: str | None = None) -> Response:
    held = off_thread(parts().table.tokens.held, "program")
    return jsonify({"programs": [{"id": id, "name": name} for id, name, _ in held], "token": made})


@routes.post("/api/command")
def command() -> Response:
    """Carry out one command of `controller.api.Table.command`; the answer is the state with its effect.

    409 with `changes` if others changed what it would overwrite since the state in `seen`, with `player` if that player
    has the requested name: the attributes of `Stale` and `NameTaken`.
    """
    here = parts()
    here.access.require()
    by = "screen" if is_table() else "phone"
    wanted = {**read_json(), "by": by, "who": here.access.who()}
    return json_response(off_thread(here.table.command, wanted))


@routes.get("/api/setup")
def setup() -> Response:
    """The set-up, step by step; needs a session. With `?devices` only the part that needs no picture."""
    here = parts()
    here.access.require_session()
    return json_response(off_thread(partial(here.table.setup, devices_only="devices" in request.args)))


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
