"""The session of a browser: its token, and how it is opened and closed."""

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, Forbidden

from web_ui.access import Access, is_table, require_same_origin
from web_ui.https import require_https
from web_ui.languages import translated
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.parts import extension

sessions = Blueprint("sessions", __name__, url_prefix="/api/session")


@sessions.get("")
def state() -> Response:
    """The session's token, None without a session, and whether this browser needs the PIN to open one."""
    return jsonify({"token": _access().token(), "pin": not is_table(request)})


@sessions.post("")
def open_session() -> Response:
    """Open a session with {"pin": ..}; our own screen needs none. {"who": ..}: the scorer's name, optional. The pin of
    a club's hub is the organiser's password."""
    require_same_origin(request)
    access = _access()
    if access.words.only_encrypted:
        require_https()
    body = read_json(request)
    pin, who = body.get("pin"), body.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_NAME:
        raise BadRequest(translated("Send the name as a short text in the member who."))
    if pin is None and is_table(request):
        access.admit(request, who.strip())
    elif isinstance(pin, str) and access.has_pin():
        access.enter(pin, request, who.strip())
    else:
        raise (BadRequest if access.has_pin() else Forbidden)(translated(access.words.missing))
    return state()


@sessions.delete("")
def close() -> Response:
    """Close the session."""
    _access().require(request)
    _access().leave()
    return jsonify({"token": None})


def _access() -> Access:
    return extension("access", Access)
