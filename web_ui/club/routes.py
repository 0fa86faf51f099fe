"""The club's API for its scripts: the evening, the organiser's actions, the boards' commands."""

import hmac
import secrets
from typing import Any

from flask import Blueprint, Response, jsonify, request, session
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, NotFound

from controller.club.admin_service import PlanOutdated
from web_ui.access import demand_same_origin, is_table
from web_ui.club.parts import club_parts, done, found, place
from web_ui.languages import chosen_language, document, in_words, state_in, told
from web_ui.limits import LONGEST_NAME, read_json
from web_ui.trust import demand_https, over_https

MOST_FIGURE = 1_000  # points or twenties of one side

club_routes = Blueprint("club_routes", __name__)


class UpgradeRequired(HTTPException):
    """The request must be sent over https."""

    code = 426


@club_routes.get("/api/evening")
@club_routes.get("/api/v1/state")
def evening() -> Response:
    """The current evening."""
    return _json(state_in(club_parts().club.snapshot(), chosen_language()))


@club_routes.get("/events")
def events() -> Response:
    """The evening as server-sent events: first whole (`message`), then the changes (`changes`)."""
    stream, guest = club_parts().stream, place()
    response = Response(stream.listen(chosen_language(), guest), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


@club_routes.get("/api/matches/<entrant>")
def matches(entrant: str) -> Response:
    """All matches of one entrant."""
    return _json(document({"matches": done(club_parts().club.matches_of, entrant)}))


@club_routes.get("/api/evenings")
def evenings() -> Response:
    """All evenings of the club, the newest first."""
    return _json(document({"evenings": done(club_parts().club.evenings)}))


@club_routes.get("/api/evenings/<id>")
def whole_evening(id: str) -> Response:
    """A whole evening: its standings, and every match, with its rounds if a table reported them."""
    return _json(document({**found(club_parts().club.evening, id)}))


# --- the organiser


@club_routes.get("/api/session")
def session_state() -> Response:
    """The session's token, None without a session, and whether this browser needs the password to open one."""
    return jsonify({"token": club_parts().access.token(), "pin": not is_table(request)})


@club_routes.post("/api/session")
def session_open() -> Response:
    """Open a session with {"pin": password}; the hub's own screen needs none. {"who": ..}: an optional name."""
    demand_same_origin(request)
    demand_https()
    here, body = club_parts(), read_json(request)
    pin, who = body.get("pin"), body.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_NAME:
        raise BadRequest(told("Send the name as a short text in the member who."))
    if pin is None and is_table(request):
        here.access.admit(request, who.strip())
    elif isinstance(pin, str) and here.password_fingerprint():
        try:
            here.access.enter(pin, request, who.strip())
        except Forbidden as error:
            raise Forbidden(told("That is not the organiser's password.")) from error
    else:
        raise Forbidden(told("Set a password at the hub's own screen first; then send it as text in the member pin."))
    return session_state()


@club_routes.delete("/api/session")
def session_close() -> Response:
    """Close the session."""
    club_parts().access.demand(request)
    club_parts().access.leave()
    return jsonify({"token": None})


@club_routes.post("/api/password")
def password() -> Response:
    """Set the organiser's password, {"password": ..}. This ends all other sessions."""
    here = club_parts()
    body, who = _organiser_request(), here.access.who()
    done(here.club.set_password, _text(body, "password"))
    here.access.admit(request, who)
    return session_state()


@club_routes.post("/api/begin")
def begin() -> Response:
    """Begin an evening: `title`, `format` (a name, or an object as in the log), `boards` (ids), `players` (lines),
    `doubles`."""
    body = _organiser_request()
    form = body.get("format")
    if not isinstance(form, dict):
        form = _text(body, "format")
    players = "\n".join(_texts(body, "players"))
    doubles = body.get("doubles") is True
    club = club_parts().club
    done(club.begin, _text(body, "title"), form, _texts(body, "boards"), players, doubles, _who())
    return evening()


@club_routes.post("/api/open")
def activate_evening() -> Response:
    """Make a former `evening` the active one, by its id."""
    done(club_parts().club.activate_evening, _text(_organiser_request(), "evening"))
    return evening()


@club_routes.post("/api/plan")
def plan() -> Response:
    """The consequences of `actions`, or of adding `players` (lines, with `doubles`).

    The answer includes the `actions`, for confirming them.
    """
    body, club = _organiser_request(), club_parts().club
    if "players" in body:
        actions = done(club.actions_to_add, "\n".join(_texts(body, "players")), body.get("doubles") is True)
    else:
        actions = _actions(body)
    return _json(document({**done(club.plan, actions), "actions": actions}))


@club_routes.post("/api/confirm")
def confirm() -> Response:
    """Carry out `actions` as in the plan with this `token`; 409 with the new `plan` if it has changed."""
    body = _organiser_request()
    actions = _actions(body)
    try:
        done(club_parts().club.confirm, actions, _text(body, "token"), _who())
    except PlanOutdated as outdated:
        answer = {"error": in_words(outdated), "plan": {**outdated.plan, "actions": actions}}
        return Response(document(answer), 409, mimetype="application/json")
    return evening()


@club_routes.get("/api/desk")
def organiser_document() -> Response:
    """The organiser's view: the log, the club's tables with the codes of boards, open decisions."""
    here = club_parts()
    if here.access.token() is None:
        raise Forbidden(told("Log in as the organiser first."))
    tables = [
        {**table, "code": here.board_code(table["id"]) if table["by_hand"] else None}
        for table in done(here.club.tables)
    ]
    found = done(here.club.organiser_document)
    return _json(document({**found, "tables": tables, "password": bool(here.password_fingerprint())}))


@club_routes.post("/api/tables")
def add_table() -> Response:
    """Add a table to the club: `name`, and `by_hand` if it has no hardware."""
    body = _organiser_request()
    return jsonify({"id": done(club_parts().club.add_table, _text(body, "name"), body.get("by_hand") is True)})


@club_routes.post("/api/join-code")
def join_code() -> Response:
    """A code that lets one table join as `table`, once and within an hour."""
    return jsonify({"code": done(club_parts().club.join_code, _text(_organiser_request(), "table"))})


@club_routes.get("/api/v1/club/join")
def where_to_join() -> Response:
    """The https address for joining, {"https": address}; 404 if the hub has no https."""
    if (address := over_https()) is None:
        raise NotFound(told("There is nothing under this address."))
    return jsonify({"https": address})


@club_routes.post("/api/v1/club/join")
def join() -> Response:
    """A table joins with a code that the organiser showed: `club-join/1`, see docs/club-protocol.md.

    Guesses are not limited: a code has 40 bits and is valid for an hour.
    """
    if request.scheme != "https" and over_https() and not is_table(request):
        raise UpgradeRequired(told("This goes over https alone: open {address}", address=over_https() or ""))
    answer = done(club_parts().club.join, request.get_data())
    if answer is None:
        raise Forbidden(told("This code is wrong, used, or too old: show a new one at the organiser's desk."))
    return _json(answer.decode())


@club_routes.post("/api/matches/<match>/claim")
def claim(match: str) -> Response:
    """A player enters the result of a match: `by` (an entrant's id), `points`, and `twenties` if they were counted, in
    the order of its sides. It counts when the opponent sends the same from another phone."""
    demand_same_origin(request)
    body = read_json(request)
    by, points = _text(body, "by"), _figures(body, "points")
    twenties = _figures(body, "twenties") if body.get("twenties") is not None else None
    phone = session.setdefault("phone", secrets.token_hex(8))
    done(club_parts().club.claim, match, by, points, twenties, phone)
    return evening()


# --- boards


@club_routes.post("/api/board/<board>/<code>")
def at_board(board: str, code: str) -> Response:
    """A command of a phone at a board without hardware."""
    demand_same_origin(request)
    demand_board(board, code)
    done(club_parts().club.at_board, board, read_json(request), "")
    return evening()


def demand_board(board: str, code: str) -> None:
    """Raise `NotFound` unless this is the board's code."""
    if not hmac.compare_digest(code.encode(), club_parts().board_code(board).encode()):
        raise NotFound(told("This is not the board's code. Scan the one at the board again."))


# --- parsing requests


def _organiser_request() -> dict[str, Any]:
    """The body of a request of the organiser's page."""
    if club_parts().access.token() is None:
        raise Forbidden(told("Log in as the organiser first."))
    club_parts().access.demand(request)
    return read_json(request)


def _who() -> str:
    return club_parts().access.who() or "organiser"


def _json(text: str) -> Response:
    return Response(text, mimetype="application/json")


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise BadRequest(told("Send text in the member {name}.", name=name))
    return value


def _texts(body: dict[str, Any], name: str) -> list[str]:
    value = body.get(name)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadRequest(told("Send a list of texts in the member {name}.", name=name))
    return value


def _figures(body: dict[str, Any], name: str) -> list[int]:
    value = body.get(name)
    if not isinstance(value, list) or not all(type(each) is int and 0 <= each <= MOST_FIGURE for each in value):
        raise BadRequest(told("Send a list of whole numbers in the member {name}.", name=name))
    return value


def _actions(body: dict[str, Any]) -> list[dict[str, Any]]:
    value = body.get("actions")
    if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
        raise BadRequest(told("Send a list of actions in the member {name}.", name="actions"))
    return value
