"""How to have a device trust the own certificate of a table or a hub, and the pages' addresses over https."""

from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, request, url_for
from werkzeug.exceptions import Forbidden, HTTPException, NotFound

from web_ui.access import is_table
from web_ui.languages import translated
from web_ui.page import page
from web_ui.tls import Tls

trust = Blueprint("trust", __name__)


@trust.get("/trust")
def explained() -> str:
    """How to have a phone trust the own certificate, and what that means."""
    tls, _ = _served()
    encrypted = None if request.scheme == "https" else over_https()
    hub = "club" in current_app.extensions
    own = None if tls is None else tls.own
    return page("trust", None, 0.0, 0.0, own=own, brought=tls is not None, encrypted=encrypted, hub=hub)


@trust.get("/crokinole-table.crt")
def authority() -> Response:
    """The authority's certificate. Its type makes phones offer to install it."""
    tls, _ = _served()
    if tls is None or tls.own is None:
        raise NotFound(translated("This table has no certificate of its own."))
    return Response(tls.own.authority, mimetype="application/x-x509-ca-cert")


def _served() -> tuple[Tls | None, int]:
    found: tuple[Tls | None, int] = current_app.config.get("HTTPS", (None, 0))
    return found


def over_https(path: str = "/") -> str | None:
    """The address of a page over https, if there is one."""
    tls, port = _served()
    if tls is None:
        return None
    name = tls.name_for(urlsplit(f"//{request.host}").hostname or "")
    return f"https://{f'[{name}]' if ':' in name else name}:{port}{path}"


def to_https() -> str | None:
    """The link of a page over http: to https, or first to the explanation of the own certificate."""
    tls, _ = _served()
    if request.scheme == "https":
        return None
    return url_for("trust.explained") if tls and tls.own else over_https()


def safer(path: str = "/") -> str | None:
    """The address of a page over https, if this request came in clear over the network although there is https."""
    return None if request.scheme == "https" or is_table(request) else over_https(path)


def require_https(refusal: type[HTTPException] = Forbidden) -> None:
    """Raise `refusal` for a secret that was sent in clear although there is https."""
    if address := safer():
        raise refusal(translated("This works only over https: open {address}", address=address))
