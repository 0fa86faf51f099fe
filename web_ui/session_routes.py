"""The session of a browser: its token, and how it is opened and closed."""

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import BadRequest

from web_ui.access import Access, require_same_origin
from web_ui.https import require_https
from web_ui.languages import translated
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.parts import extension

sessions = Blueprint("sessions", __name__, url_prefix="/api/session")


@sessions.get("")
def state() -> Response:
    """The session's token, None without a session, and whether this browser needs the PIN to open one."""
    return jsonify({"token": _access().token(), "pin": _access().needs_pin()})


@sessions.post("")
def open_session() -> Response:
    """Open a session with {"pin": ..}; our own screen and browsers that were let in before need none. {"who": ..}: the
    scorer's name, optional. The pin of a club's hub is the organiser's password."""
    require_same_origin()
    access = _access()
    if access.words.only_encrypted:
        require_https()
    body = read_json()
    who = body.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_NAME:
        raise BadRequest(translated("Send the name as a short text in the member who."))
    access.enter(body.get("pin"), who.strip())
    return state()


@sessions.delete("")
def close() -> Response:
    """Close the session."""
    _access().require()
    _access().leave()
    return jsonify({"token": None})


def _access() -> Access:
    return extension("access", Access)
