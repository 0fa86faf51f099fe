"""The pages: one template and one script each. They show the state, and data that their scripts ask for."""

from flask import Blueprint, Response, jsonify, redirect, request, url_for
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as BaseResponse

from web_ui.access import is_table
from web_ui.assets import asset_url
from web_ui.languages import chosen_language, translated
from web_ui.page import join_address, page, qr_code
from web_ui.parts import parts
from web_ui.trust import to_https

pages = Blueprint("pages", __name__)

ICONS = ("icon-192.png", "icon-512.png", "icon-maskable.png")


@pages.get("/")
def phone() -> str:
    """The scoreboard for phones."""
    return _page("phone", join=join_address())


@pages.get("/tv")
def tv() -> str:
    """The table's screen, with the address to join. The PIN is on it only when the table itself asks."""
    return _page("tv", join=join_address(), pin=parts().table.pin if is_table(request) else None, screen=parts().screen)


@pages.get("/table")
def table() -> BaseResponse:
    """The earlier address of the table's screen."""
    asked = request.query_string.decode("ascii", "replace")
    return redirect(url_for("pages.tv") + (f"?{asked}" if asked else ""), 301)


@pages.get("/overlay")
def overlay() -> str:
    """The score on a transparent ground, to be laid over a video stream."""
    return _page("overlay")


@pages.get("/review/<int:match>")
@pages.get("/review/<int:match>/<int:shot>")
def review(match: int, shot: int | None = None) -> str:
    """A match to step through, from one of its shots on."""
    return _page("review")


@pages.get("/sheet")
@pages.get("/sheet/<int:match>")
def sheet(match: int | None = None) -> str:
    """The score sheet of a match, or those of a player and a span of days, to be printed."""
    return _page("sheet")


@pages.get("/history")
def history() -> str:
    """The matches that were played, and players' figures."""
    return _page("history")


@pages.get("/accuracy")
def accuracy() -> str:
    """How often the table was wrong, as far as people's corrections and spot checks show."""
    return _page("accuracy")


@pages.get("/rounds")
def rounds() -> str:
    """The rounds that are kept as tests of the table, and what is in each."""
    return _page("rounds")


@pages.get("/setup")
def setup() -> str:
    """Setting the table up, step by step."""
    return _page("setup")


@pages.get("/qr.svg")
def code() -> Response:
    """The address for the phones in the room, to be scanned."""
    return qr_code(join_address())


@pages.get("/let-in.svg")
def let_in_code() -> Response:
    """An entry code to scan, for the table's own screen only."""
    if not is_table(request):
        raise Forbidden(translated("Only the table's own screen shows this code."))
    return qr_code(f"{join_address().rstrip('/')}/let-in/{parts().entry_codes.current()}")


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """The manifest for installing the page as an app on a phone."""
    icons = [
        {"src": asset_url(name), "type": "image/png", "sizes": "192x192" if "192" in name else "512x512",
         "purpose": "maskable" if "maskable" in name else "any"} for name in ICONS
    ]  # fmt: skip
    response = jsonify(
        name=translated("Crokinole table"), short_name="Crokinole", lang=chosen_language(), id="/", start_url="/",
        scope="/", display="standalone", background_color="#f2eadd", theme_color="#f2eadd", icons=icons,
    )  # fmt: skip
    response.mimetype = "application/manifest+json"
    return response


def _page(name: str, **more: object) -> str:
    here = parts()
    newest = here.table.snapshot()
    match = newest.document["match"]
    return page(name, newest, here.table.clock(), here.silence, match=match, https=to_https(), **more)
