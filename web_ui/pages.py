"""The pages: one template and one script each, named like the address. They show the state, and data that their scripts
request."""

from functools import partial

from flask import Blueprint, Response, jsonify

from web_ui.access import is_table
from web_ui.assets import asset_url
from web_ui.https import to_https
from web_ui.languages import chosen_language, translated
from web_ui.page import join_address, page, qr_code
from web_ui.parts import parts

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
    newest = here.table.snapshot().document
    return page(name, newest, here.table.clock(), here.silence, match=newest.match, https=to_https(), **more)


def _plain_page(name: str, **_in_address: int) -> str:
    return _page(name)


for address in PLAIN:
    pages.add_url_rule(f"/{address}", address, partial(_plain_page, address.partition("/")[0]))
