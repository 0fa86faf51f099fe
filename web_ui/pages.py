"""The pages: one template and one script each, named like the address. They show the state, and data that their scripts
request. A page is rendered with the newest state, the time and the client's language."""

from functools import partial

import segno
from flask import Blueprint, Response, current_app, jsonify, render_template, request

from web_ui.access import is_table
from web_ui.assets import asset_url, known_assets
from web_ui.events import mark_of
from web_ui.https import to_https
from web_ui.languages import LANGUAGES, chosen_language, document, translated
from web_ui.limits import LONGEST_NAME
from web_ui.parts import parts
from web_ui.server import address


def page(name: str, newest: object, clock: float, silence: float, **more: object) -> str:
    """The page of this name in the client's language, with the `newest` state; None for a page without one. `clock`:
    seconds on the monotonic clock; `silence`: seconds without a byte after which the page is not live; `more`: for its
    template."""
    language = chosen_language()
    state = "" if newest is None else document(newest, language)
    return render_template(
        f"{name}.html",
        page=name,
        state=state.replace("<", "\\u003c"),  # inside the page's HTML no text may end the element that holds the state
        mark=mark_of(state.encode()),
        silence=silence,
        clock=f"{clock:.3f}",
        longest_name=LONGEST_NAME,
        language=language,
        asset=asset_url,
        version=known_assets().version,
        languages=LANGUAGES,
        **more,
    )


def join_address() -> str:
    """The address of the pages for the phones in the room."""
    if "LISTENS_ON" in current_app.config:
        return address(*current_app.config["LISTENS_ON"])
    return request.host_url


def qr_code(text: str) -> Response:
    """A QR code as SVG."""
    picture = segno.make(text, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
    return Response(picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), mimetype="image/svg+xml")


pages = Blueprint("pages", __name__)
PLAIN = (
    "accuracy",
    "history",
    "overlay",
    "setup",
    "sheet",
    "sheet/<int:match>",
    "review/<int:match>",
    "review/<int:match>/<int:shot>",
)
"""The addresses of pages that need nothing but the state; each begins with the page's name."""
ICONS = ("icon-192.png", "icon-512.png", "icon-maskable.png")


@pages.get("/")
def phone() -> str:
    """The scoreboard for phones."""
    return _page("phone", join=join_address())


@pages.get("/tv")
def tv() -> str:
    """The table's screen, with the address to join. The PIN is on it only when the table itself asks."""
    return _page("tv", join=join_address(), pin=parts().table.pin if is_table() else None, screen=parts().screen)


@pages.get("/qr.svg")
def code() -> Response:
    """The address for the phones in the room, to be scanned."""
    return qr_code(join_address())


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """The manifest for installing the page as an app on a phone."""
    icons = [
        {
            "src": asset_url(name),
            "type": "image/png",
            "sizes": "192x192" if "192" in name else "512x512",
            "purpose": "maskable" if "maskable" in name else "any",
        }
        for name in ICONS
    ]
    response = jsonify(
        name=translated("Crokinole table"),
        short_name="Crokinole",
        lang=chosen_language(),
        id="/",
        start_url="/",
        scope="/",
        display="standalone",
        background_color="#f2ede3",
        theme_color="#f2ede3",
        icons=icons,
    )
    response.mimetype = "application/manifest+json"
    return response


def _page(name: str, **more: object) -> str:
    here = parts()
    newest = here.table.snapshot()
    return page(name, newest, here.table.clock(), here.silence, match=newest.match, https=to_https(), **more)


def _plain_page(name: str, **_in_address: int) -> str:
    return _page(name)


for path in PLAIN:
    pages.add_url_rule(f"/{path}", path, partial(_plain_page, path.partition("/")[0]))
