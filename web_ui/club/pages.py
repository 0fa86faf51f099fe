"""The club's pages: one template and one script each."""

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from web_ui.club.parts import club_parts
from web_ui.club.routes import require_board
from web_ui.https import safer, to_https
from web_ui.pages import join_address, page, qr_code
from web_ui.parts import or_not_found
from web_ui.reader_pool import off_thread

club_pages = Blueprint("club_pages", __name__)


@club_pages.get("/")
def player() -> str:
    """A player's phone: the own next match and board, the own results, the standings."""
    return _page("club_player")


@club_pages.get("/hall")
def hall() -> str:
    """The screen in the hall."""
    return _page("club_hall", join=join_address())


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
    with or_not_found():
        made = off_thread(club_parts().desk.export, evening, file)
    response = Response(made.text, mimetype=made.mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{made.name}"'
    return response


@club_pages.get("/organiser")
def organiser() -> str | BaseResponse:
    """The organiser's desk: over https where there is any, since a password is entered there."""
    if encrypted := safer("/organiser"):
        return redirect(encrypted)
    return _page("club_organiser", join=join_address())


@club_pages.get("/codes")
def codes() -> str:
    """The codes of all boards without hardware, to print; the organiser's session opens them."""
    return _page("club_codes", live=False, join=join_address())


@club_pages.get("/board/<board>/<code>")
def board(board: str, code: str) -> str:
    """A board without hardware: its score is kept here."""
    require_board(board, code)
    return _page("club_board", board=board, code=code)


@club_pages.get("/qr.svg")
def code() -> Response:
    """The address of the players' page, or of a board's with `?board=` and its `code=`, to be scanned."""
    board, code = request.args.get("board"), request.args.get("code")
    if board and code:
        require_board(board, code)
    where = f"{join_address()}board/{board}/{code}" if board and code else join_address()
    return qr_code(where)


def _page(name: str, live: bool = True, **more: object) -> str:
    here = club_parts()
    showing = here.desk.showing
    newest = showing.snapshot().document if live else None
    return page(name, newest, showing.clock(), here.silence, club=here.desk.name, https=to_https(), **more)
