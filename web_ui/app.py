"""The Flask application: its parts, its settings, its answer to errors, and what every response carries."""

import logging
import secrets
import time
from collections.abc import Callable

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from controller.api import Table
from controller.errors import ControllerError
from web_ui.access import SESSION_LASTS, Access
from web_ui.events import HEARTBEAT, Stream
from web_ui.limits import LARGEST_BODY
from web_ui.routes import Parts, routes

SILENCE = 35.0
"""Seconds without a byte after which a page says that it is not live: two heartbeats and some Wi-Fi."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_log = logging.getLogger(__name__)


def create_app(
    table: Table,
    *,
    secret: bytes | None = None,
    heartbeat: float = HEARTBEAT,
    silence: float = SILENCE,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The scoreboard of one table.

    `secret` signs the sessions: keep it, and scorers stay logged in over a restart; without one it is made anew.
    `heartbeat` and `silence` are seconds; `clock` times the brakes on wrong PINs.
    """
    app = Flask(__name__)
    secret = secret or secrets.token_bytes(32)
    app.config.update(
        SECRET_KEY=secret,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PERMANENT_SESSION_LIFETIME=SESSION_LASTS,
        SESSION_COOKIE_NAME="crokinole",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
    )
    stream = Stream(table, heartbeat)
    app.extensions["stream"] = stream
    app.extensions["parts"] = Parts(table, stream, Access(lambda: table.pin, secret, clock), silence)
    app.register_blueprint(routes)
    app.register_error_handler(HTTPException, _in_words)
    app.register_error_handler(Exception, _fault)
    app.after_request(_with_headers)
    return app


def _in_words(error: HTTPException) -> Response:
    """Programs get {"error": words}, people the words."""
    response = Response(headers=error.get_headers(), status=error.code)
    words = "That is too much for one request." if error.code == 413 else error.description or error.name
    if request.path.startswith("/api/"):
        response.data, response.mimetype = jsonify(error=words).data, "application/json"
    else:
        response.data, response.mimetype = words.encode(), "text/plain"
    return response


def _fault(error: Exception) -> tuple[Response, int]:
    _log.error("%s %s failed", request.method, request.path, exc_info=error)
    words = (
        str(error) if isinstance(error, ControllerError) else "Something in the table's program failed; see its log."
    )
    return jsonify(error=words), 500


def _with_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    if not request.path.startswith(("/static/", "/picture/")):
        response.headers["Cache-Control"] = "no-store"
    return response
