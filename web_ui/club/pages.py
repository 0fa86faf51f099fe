"""The club's pages: one template and one script each."""

import segno
from flask import Blueprint, Response, current_app, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from web_ui.access import is_table
from web_ui.club.parts import club_parts, found
from web_ui.club.routes import demand_board
from web_ui.page import page
from web_ui.server import address
from web_ui.trust import over_https, to_https

club_pages = Blueprint("club_pages", __name__)


@club_pages.get("/")
def player() -> str:
    """A player's phone: the own next match and board, the own results, the standings."""
    return _page("club_player")


@club_pages.get("/hall")
def hall() -> str:
    """The screen in the hall."""
    return _page("club_hall", join=_join())


@club_pages.get("/spectators")
def spectators() -> str:
    """A visitor's phone: what is played, what comes next, the standings."""
    return _page("club_spectators")


@club_pages.get("/evenings")
@club_pages.get("/evenings/<evening>")
def evenings(evening: str | None = None) -> str:
    """The club's evenings, or one of them: its standings, its rounds, and its files."""
    return _page("club_evenings", live=False, evening=evening or "")


@club_pages.get("/evenings/<evening>/<file>")
def file(evening: str, file: str) -> Response:
    """An evening as a file."""
    made = found(club_parts().club.export, evening, file)
    response = Response(made.text, mimetype=made.mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{made.name}"'
    return response


@club_pages.get("/organiser")
def organiser() -> str | BaseResponse:
    """The organiser's desk: over https where there is any, since a password is entered there."""
    encrypted = over_https("/organiser")
    if encrypted and request.scheme != "https" and not is_table(request):
        return redirect(encrypted)
    return _page("club_organiser", join=_join())


@club_pages.get("/codes")
def codes() -> str:
    """The codes of all boards without hardware, to print; the organiser's session opens them."""
    return _page("club_codes", live=False, join=_join())


@club_pages.get("/board/<board>/<code>")
def board(board: str, code: str) -> str:
    """A board without hardware: its score is kept here."""
    demand_board(board, code)
    return _page("club_board", board=board, code=code)


@club_pages.get("/qr.svg")
def code() -> Response:
    """The address of the players' page, or of a board's with `?board=` and its `code=`, to be scanned."""
    board, code = request.args.get("board"), request.args.get("code")
    if board and code:
        demand_board(board, code)
    where = f"{_join()}board/{board}/{code}" if board and code else _join()
    picture = segno.make(where, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
    return Response(picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), mimetype="image/svg+xml")


def _join() -> str:
    if "LISTENS_ON" in current_app.config:
        return address(*current_app.config["LISTENS_ON"])
    return request.host_url


def _page(name: str, live: bool = True, **more: object) -> str:
    here = club_parts()
    newest = here.club.snapshot() if live else None
    return page(name, newest, here.club.clock(), here.silence, club=here.club.name, https=to_https(), **more)
