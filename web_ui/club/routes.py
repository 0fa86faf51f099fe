"""The club's API for its scripts: the evening, the organiser's actions, the boards' commands."""

import hmac
import secrets
from collections.abc import Callable
from typing import TypeVar

from flask import Blueprint, Response, request
from werkzeug.exceptions import (
    Forbidden,
    NotFound,
    RequestEntityTooLarge,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
)

from controller.club.desk import called
from controller.club.hub.evening import MatchesDocument
from controller.club.hub.hub import PlanChanged
from controller.club.hub.message_intake import OutOfStep, TooMuch
from controller.club.hub.organiser import JoinCode, PlanRefused, TableAdded
from controller.club.hub.report import EveningsDocument
from controller.messages import say
from web_ui.access import bearer_token, require_same_origin, set_cookie
from web_ui.club.parts import club_parts, place
from web_ui.languages import chosen_language, error_text, translated
from web_ui.limits import largest_body, read_json
from web_ui.parts import event_stream, json_response, or_not_found, session_state
from web_ui.reader_pool import off_thread

PHONE = "crokinole-phone"  # the cookie by which two phones are known apart
Result = TypeVar("Result")
club_routes = Blueprint("club_routes", __name__)


@club_routes.get("/api/evening")
@club_routes.get("/api/v1/state")
def evening() -> Response:
    """The current evening."""
    return json_response(club_parts().desk.showing.snapshot().document)


def _organiser(action: Callable[..., Result]) -> Result:
    """What `action` returns for this request of the organiser's: see `called`."""
    access = club_parts().access
    access.require()
    members = {**read_json(), "who": access.who() or "organiser"}
    return off_thread(lambda: called(action, members))


def _changed() -> Response:
    """The evening after what was just done."""
    return json_response(off_thread(club_parts().desk.showing.show).document)


@club_routes.get("/events")
def events() -> Response:
    """The evening as server-sent events: first whole (`message`), unless it has the `mark` of the page's own
    (`unchanged`), then the changes (`changes`)."""
    stream, guest = club_parts().stream, place()
    return event_stream(stream.listen(chosen_language(), guest, request.args.get("mark", "")))


@club_routes.get("/api/matches/<entrant>")
def matches(entrant: str) -> Response:
    """All matches of one entrant."""
    return json_response(off_thread(MatchesDocument.of, club_parts().desk.hub, entrant))


@club_routes.get("/api/evenings")
def evenings() -> Response:
    """All evenings of the club, the newest first."""
    return json_response(EveningsDocument(evenings=off_thread(club_parts().desk.evenings)))


@club_routes.get("/api/evenings/<id>")
def whole_evening(id: str) -> Response:
    """A whole evening: its standings, and every match, with its rounds if a table reported them."""
    with or_not_found():
        return json_response(off_thread(club_parts().desk.evening, id))


# --- the organiser


@club_routes.post("/api/password")
def password() -> Response:
    """Set the organiser's password, {"password": ..}. This ends all other sessions."""
    here = club_parts()
    who = here.access.who()
    _organiser(here.desk.set_password)
    here.access.admit(who)
    return session_state()


@club_routes.post("/api/begin")
def begin() -> Response:
    """Begin an evening, with the parameters of `Desk.begin`."""
    _organiser(club_parts().desk.begin)
    return _changed()


@club_routes.post("/api/open")
def activate_evening() -> Response:
    """Make a former `evening` the active one, by its id."""
    _organiser(club_parts().desk.hub.activate_evening)
    return _changed()


@club_routes.post("/api/plan")
def plan() -> Response:
    """The consequences of `actions`, of adding `players` (lines, with `doubles`), or of an order of `seeds` by their
    names. The answer includes the `actions`, for confirming them."""
    desk, asked = club_parts().desk, read_json()
    wanted = desk.plan_to_add if "players" in asked else desk.plan_to_seed if "seeds" in asked else desk.plan
    return json_response(_organiser(wanted))


@club_routes.post("/api/confirm")
def confirm() -> Response:
    """Carry out `actions` as in the plan with this `token`; 409 with the new `plan` if it has changed."""
    desk = club_parts().desk
    try:
        _organiser(desk.confirm)
    except PlanChanged as changed:
        return json_response(PlanRefused(error=error_text(changed), plan=_organiser(desk.plan)), 409)
    return _changed()


@club_routes.get("/api/desk")
def organiser_document() -> Response:
    """The organiser's view: the log, the club's tables with the codes of boards, open decisions."""
    here = club_parts()
    here.access.require_session()
    return json_response(off_thread(here.desk.document))


@club_routes.post("/api/tables")
def add_table() -> Response:
    """Add a table to the club: `name`, and `by_hand` if it has no hardware."""
    return json_response(TableAdded(id=_organiser(club_parts().desk.add_table)))


@club_routes.post("/api/join-code")
def join_code() -> Response:
    """A code that lets one table join as `table`, once and within an hour."""
    return json_response(JoinCode(code=_organiser(club_parts().desk.join_code)))


@club_routes.post("/api/revoke")
def revoke() -> Response:
    """Revoke the token of `table`: it has to join again."""
    _organiser(club_parts().desk.revoke)
    return organiser_document()


# --- tables with hardware: docs/club-protocol.md


@club_routes.post("/api/v1/club/join")
def join() -> Response:
    """A table joins with a code that the organiser showed. Guesses are not limited: a code has 40 bits and is valid for
    an hour."""
    answer = off_thread(club_parts().desk.join, request.get_data())
    if answer is None:
        raise Forbidden(translated("This code is wrong, used, or too old: show a new one at the organiser's desk."))
    return Response(answer, mimetype="application/json")


@club_routes.post("/api/v1/club/events")
def table_events() -> Response:
    """A batch of a table's journal; answers up to where the hub has it, with 409 if the batch does not follow."""
    here, table = club_parts(), _table()
    try:
        payload = request.get_data()
    except RequestEntityTooLarge:
        most = largest_body(request.path)
        off_thread(here.desk.hub.refused, table, say("This table sent more than {n} bytes in one request.", n=most))
        raise
    if table in here.sending:  # one after the other: so no table delays the others
        words = translated("An earlier request of this table is still being stored: send one after the other.")
        raise TooManyRequests(words, retry_after=1)
    here.sending.add(table)
    try:
        return json_response(off_thread(here.desk.hub.receive, table, payload).model_dump())
    except OutOfStep as error:
        return json_response(error.have.model_dump(), 409)
    except TooMuch as error:
        raise TooManyRequests(error_text(error), retry_after=60) from error
    finally:
        here.sending.discard(table)


@club_routes.get("/api/v1/club/assignment")
def table_assignment() -> Response:
    """What a table plays next, as server-sent events."""
    stream, token, address = club_parts().stream, bearer_token(), request.remote_addr or ""
    table = _table()
    if not stream.has_place(address):
        raise ServiceUnavailable(translated("Too many pages are open. Try again in a minute."), retry_after=2)
    return event_stream(stream.assignments(table, token, address))


def _table() -> str:
    """The table that sends this request. Raises `Unauthorized` without a valid token."""
    table = off_thread(club_parts().desk.table_of, bearer_token(), request.remote_addr or "")
    if table is None:
        raise Unauthorized(translated("This token is not valid: join the club again."))
    return table


@club_routes.post("/api/matches/<match>/claim")
def claim(match: str) -> Response:
    """A player at the board enters the result of a match: the board's `code`, `by` (an entrant's id), `points`, and
    `twenties` if they were counted, in the order of its sides. It counts when the opponent sends the same from another
    phone."""
    require_same_origin()
    body = read_json()
    hub, code = club_parts().desk.hub, body.get("code")
    board = hub.tournament.state.match(match).board
    if board is None or not isinstance(code, str) or not _is_code(board, code):
        raise Forbidden(_not_the_code())
    phone = request.cookies.get(PHONE, "") or secrets.token_hex(8)
    set_cookie(PHONE, phone)
    off_thread(called, hub.claim, {**body, "match": match, "phone": phone})
    return _changed()


# --- boards


@club_routes.post("/api/board/<board>/<code>")
def at_board(board: str, code: str) -> Response:
    """A command of a phone at a board without hardware."""
    require_same_origin()
    require_board(board, code)
    off_thread(club_parts().desk.by_hand.command, board, read_json())
    return _changed()


def require_board(board: str, code: str) -> None:
    """Raise `NotFound` unless this is the board's code."""
    if not _is_code(board, code):
        raise NotFound(_not_the_code())


def _is_code(board: str, code: str) -> bool:
    return hmac.compare_digest(code.encode(), off_thread(club_parts().desk.board_code, board).encode())


def _not_the_code() -> str:
    return translated("This is not the board's code. Scan the one at the board again.")
