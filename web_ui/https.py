"""The pages' addresses over https, where the settings name a certificate."""

from urllib.parse import urlsplit

from flask import Flask, current_app, request
from werkzeug.exceptions import Forbidden

from web_ui.access import is_table
from web_ui.languages import translated
from web_ui.tls import Tls


def https_address(app: Flask, here: str, path: str = "/") -> str | None:
    """The address of a page over https for a browser at the address `here`, once it is served; None without https."""
    tls: Tls | None
    tls, port = app.config.get("HTTPS", (None, 0))
    return tls.address(urlsplit(here).hostname or "", port, path) if tls else None


def over_https(path: str = "/") -> str | None:
    """The address of a page over https, if there is one."""
    return https_address(current_app, request.host_url, path)


def to_https() -> str | None:
    """The address over https for a page over http, if there is one."""
    return None if request.scheme == "https" else over_https()


def safer(path: str = "/") -> str | None:
    """The address of a page over https, if this request came in clear over the network although there is https."""
    return None if request.scheme == "https" or is_table() else over_https(path)


def require_https() -> None:
    """Raise `Forbidden` for a secret that was sent in clear although there is https."""
    if address := safer():
        raise Forbidden(translated("This works only over https: open {address}", address=address))
