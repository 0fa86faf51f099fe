"""The pages: one template and one script each. They show the state, and data that their scripts ask for."""

from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from web_ui.access import is_table
from web_ui.assets import asset_url
from web_ui.languages import chosen_language, told
from web_ui.own_certificate import OwnCertificate
from web_ui.page import page
from web_ui.parts import parts
from web_ui.server import address
from web_ui.tls import Tls

pages = Blueprint("pages", __name__)

ICONS = ("icon-192.png", "icon-512.png", "icon-maskable.png")


@pages.get("/")
def phone() -> str:
    """The scoreboard for phones."""
    return _page("phone", join=_join())


@pages.get("/tv")
def tv() -> str:
    """The table's screen, with the address to join. The PIN is on it only when the table itself asks."""
    return _page("tv", join=_join(), pin=parts().table.pin if is_table(request) else None, screen=parts().screen)


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


@pages.get("/setup")
def setup() -> str:
    """Setting the table up, step by step."""
    return _page("setup")


@pages.get("/trust")
def trust() -> str:
    """How a phone's owner has the phone trust the table's own certificate, and what that means."""
    own = _own_certificate()
    encrypted = None if request.scheme == "https" else _encrypted()
    return _page("trust", names=own.names, fingerprint=own.fingerprint, encrypted=encrypted)


@pages.get("/crokinole-table.crt")
def authority() -> Response:
    """What a phone is told to trust. Its type has phones offer to install it."""
    return Response(_own_certificate().authority, mimetype="application/x-x509-ca-cert")


@pages.get("/qr.svg")
def code() -> Response:
    """The address for the phones in the room, to be scanned."""
    picture = segno.make(_join(), error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
    picture = picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(picture, mimetype="image/svg+xml")


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a phone needs to know to keep the page as an app."""
    icons = [
        {"src": asset_url(name), "type": "image/png", "sizes": "192x192" if "192" in name else "512x512",
         "purpose": "maskable" if "maskable" in name else "any"} for name in ICONS
    ]  # fmt: skip
    response = jsonify(
        name=told("Crokinole table"), short_name="Crokinole", lang=chosen_language(), id="/", start_url="/", scope="/",
        display="standalone", background_color="#f2eadd", theme_color="#f2eadd", icons=icons,
    )  # fmt: skip
    response.mimetype = "application/manifest+json"
    return response


def _join() -> str:
    if "LISTENS_ON" in current_app.config:
        return address(*current_app.config["LISTENS_ON"])
    return request.host_url


def _own_certificate() -> OwnCertificate:
    """The table's own certificate. Raises `NotFound` where the table has none."""
    tls: Tls | None
    tls, _ = current_app.config.get("HTTPS", (None, None))
    if tls is None or tls.own is None:
        raise NotFound(told("This table has no certificate of its own."))
    return tls.own


def _encrypted() -> str | None:
    """The address of these pages over https, where they are served so."""
    tls: Tls | None
    tls, port = current_app.config.get("HTTPS", (None, None))
    if tls is None:
        return None
    name = tls.name_for(urlsplit(f"//{request.host}").hostname or "")
    return f"https://{f'[{name}]' if ':' in name else name}:{port}/"


def _to_https() -> str | None:
    """Where a page leads that came without https: there, or first to what explains the table's own certificate."""
    tls: Tls | None
    tls, _ = current_app.config.get("HTTPS", (None, None))
    if request.scheme == "https":
        return None
    return url_for("pages.trust") if tls and tls.own else _encrypted()


def _page(name: str, **more: object) -> str:
    here = parts()
    newest = here.table.snapshot()
    match = newest.document["match"]
    return page(name, newest, here.table.clock(), here.silence, match=match, https=_to_https(), **more)
