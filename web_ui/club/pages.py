"""The club's pages: one template and one script each."""

import segno
from flask import Blueprint, Response, current_app, render_template, request

from web_ui.assets import asset_url, known_assets, words_of
from web_ui.club.parts import club_parts
from web_ui.club.routes import demand_board
from web_ui.languages import chosen_language, state_in
from web_ui.limits import LONGEST_NAME
from web_ui.server import address

club_pages = Blueprint("club_pages", __name__)


@club_pages.get("/")
def player() -> str:
    """A player's phone: the own next match and board, the own results, the standings."""
    return _page("club_player")


@club_pages.get("/hall")
def hall() -> str:
    """The screen in the hall."""
    return _page("club_hall", join=_join())


@club_pages.get("/organiser")
def organiser() -> str:
    """The organiser's desk."""
    return _page("club_organiser", join=_join())


@club_pages.get("/board/<board>/<code>")
def board(board: str, code: str) -> str:
    """A board without hardware: its score is kept here."""
    demand_board(board, code)
    return _page("club_board", board=board, code=code)


@club_pages.get("/qr.svg")
def code() -> Response:
    """The address of the players' page, or of a board's with `?board=` and its `code=`, to be scanned."""
    board, code = request.args.get("board"), request.args.get("code")
    where = f"{_join()}board/{board}/{code}" if board and code else _join()
    picture = segno.make(where, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
    return Response(picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), mimetype="image/svg+xml")


def _join() -> str:
    if "LISTENS_ON" in current_app.config:
        return address(*current_app.config["LISTENS_ON"])
    return request.host_url


def _page(name: str, **more: object) -> str:
    here, language = club_parts(), chosen_language()
    # Inside the page's HTML: no text may end the element that holds the evening.
    state = state_in(here.club.snapshot(), language).replace("<", "\\u003c")
    return render_template(
        f"{name}.html",
        page=name,
        club=here.club.name,
        state=state,
        silence=here.silence,
        clock=f"{here.club.clock():.3f}",
        longest_name=LONGEST_NAME,
        language=language,
        asset=asset_url,
        version=known_assets().version,
        words=asset_url(words_of(name, language)),
        **more,
    )
