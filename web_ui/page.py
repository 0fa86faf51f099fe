"""Renders a page from its template, with the newest state, the time and its language; and draws QR codes."""

import segno
from flask import Response, current_app, render_template, request

from web_ui.assets import asset_url, known_assets
from web_ui.events import mark_of
from web_ui.languages import LANGUAGES, chosen_language, document
from web_ui.limits import LONGEST_NAME
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
