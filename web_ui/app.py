"""The Flask application: its parts and settings, its error responses, and the headers of every response."""

import hmac
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, Conflict, HTTPException, ServiceUnavailable

from controller.api import Table
from controller.config import ScreenSection
from controller.errors import BadInput, ControllerError, NotAvailable, Refused
from controller.messages import marked
from web_ui.access import TABLE_PIN, Access, Bucket, EntryCodes, check_host
from web_ui.assets import Assets, assets, pack
from web_ui.errors import Faults
from web_ui.events import HEARTBEAT, EventFeed, Stream
from web_ui.exports import exports
from web_ui.languages import error_text, speak, translated
from web_ui.limits import LARGEST_BODY
from web_ui.pages import pages
from web_ui.parts import Parts, json_response, sessions
from web_ui.programs import programs
from web_ui.reader_pool import ReaderPool
from web_ui.routes import routes

SILENCE = 5.0
"""Seconds without a byte after which a page shows that it is not live: two heartbeats, and a second for slow Wi-Fi."""

AS_THE_BROWSER = ScreenSection()  # a silent screen in the browser's own colours

HEADERS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
DOCUMENT_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""For whatever a browser may show as a document of its own."""
PARTS_OF_PAGES = ("text/javascript", "text/css")
"""Never a document of their own: a page needs twenty of them, each without 340 bytes that would protect nothing."""

COMMON_ERRORS = {
    404: marked("There is nothing at this address."),
    405: marked("That can't be done at this address."),
    413: marked("That is too much for one request."),
}

OTHER_ERROR = marked("That can't be done.")
LATER = 60
"""Seconds after which a program may repeat a request that can't be answered now: the message says "in a minute"."""


def create_app(
    table: Table,
    *,
    heartbeat: float = HEARTBEAT,
    silence: float = SILENCE,
    clock: Callable[[], float] = time.monotonic,
    names: Sequence[str] = (),
    screen: ScreenSection = AS_THE_BROWSER,
    proxy: bool = False,
) -> Flask:
    """The scoreboard of one table.

    `heartbeat` and `silence` are seconds. `clock` times limits and entry codes; it must be monotonic. `names`: of this
    table, besides those of the local network. `screen`: the look and sound of the table's own screen. `proxy`: a proxy
    on this machine serves the pages to others, so nobody counts as the table's own screen."""
    app = bare_app(clock, names, proxy)
    stream = Stream(table, heartbeat, app.extensions["assets"].version)
    app.extensions["stream"] = stream
    access = Access(
        table.tokens,
        lambda given: hmac.compare_digest(given.strip().encode(), table.pin.encode()),
        TABLE_PIN,
        Bucket(clock),
        "crokinole",
    )
    app.extensions["access"] = access
    app.extensions["parts"] = Parts(
        table, stream, access, ReaderPool(), EventFeed(table, stream), screen, silence, EntryCodes(clock)
    )
    for part in (pages, routes, programs, exports):
        app.register_blueprint(part)
    return app


def bare_app(clock: Callable[[], float], names: Sequence[str], proxy: bool = False) -> Flask:
    """An application without pages: its files, languages, limits, errors and headers. The caller adds an `Access` as
    `extensions["access"]`."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.extensions["assets"] = Assets(Path(__file__).parent / "static")
    speak(app)
    app.register_blueprint(assets)
    app.register_blueprint(sessions)
    app.config["PROXY"] = proxy
    app.extensions["faults"] = Faults(clock)
    app.before_request(lambda: check_host(names))
    app.register_error_handler(HTTPException, _in_words)
    app.register_error_handler(NotAvailable, lambda e: _in_words(ServiceUnavailable(error_text(e), retry_after=LATER)))
    app.register_error_handler(BadInput, lambda error: _in_words(BadRequest(error_text(error))))
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(Exception, _fault)
    app.after_request(_with_headers)
    app.after_request(pack)
    return app


def _in_words(error: HTTPException) -> Response:
    """{"error": message} for programs, a page with the message for people."""
    response = Response(headers=error.get_headers(), status=error.code)
    words = error.description or error.name
    if error.description == type(error).description:  # raised by Flask itself
        words = translated(COMMON_ERRORS.get(error.code or 500, OTHER_ERROR))
    if request.path.startswith("/api/") or request.is_json:  # the pages' scripts say so of every request
        answer = jsonify({"error": words, **getattr(error, "helps", {})})
        response.data, response.mimetype = answer.data, "application/json"
    else:
        response.data, response.mimetype = render_template("error.html", words=words).encode(), "text/html"
    return response


def _refused(error: Refused) -> Response:
    """The reason, with the error's attributes, such as what has changed."""
    return json_response({"error": error_text(error), **vars(error)}, Conflict.code)


def _fault(error: Exception) -> tuple[Response, int]:
    current_app.extensions["faults"].report(f"{request.method} {request.path[:100]}", error)
    known = isinstance(error, ControllerError)
    words = error_text(error) if known else translated("Something in the table's program failed; see its log.")
    return jsonify(error=words), 500


def _with_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    if response.mimetype not in PARTS_OF_PAGES:
        response.headers.update(DOCUMENT_HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
