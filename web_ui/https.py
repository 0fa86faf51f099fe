"""https, with a certificate and key that the settings name, and the pages' addresses over it. Renewed files need no
restart."""

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gevent.ssl
from flask import Flask, current_app, request
from werkzeug.exceptions import Forbidden

from web_ui.access import is_table
from web_ui.errors import WebError
from web_ui.languages import translated

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tls:
    """`certificate`: a PEM file, followed by its intermediates. `key`: its private key, PEM, without a password.
    `name`: the certificate's name; by default the name or address that a browser used."""

    certificate: Path
    key: Path
    port: int = 8443
    name: str | None = None

    def address(self, here: str, port: int, path: str = "/") -> str:
        """The address of a page over https, for a browser that used `here`; `port`: the one that is listened on."""
        name = self.name or here
        return f"https://{f'[{name}]' if ':' in name else name}:{port}{path}"

    def context(self) -> Any:
        """The TLS context. Raises `WebError` for unusable files."""
        context = gevent.ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # gevent's own: Python's would block all others
        self.load_into(context)
        return context

    def load_into(self, context: Any) -> None:
        """Load these files into a context. Raises as `context` does."""
        for what, path in (("certificate", self.certificate), ("key", self.key)):
            try:
                path.read_bytes()
            except OSError as error:
                raise WebError(f"[web] {what}: {path} can't be read: {error.strerror or error}.") from error
        try:
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except (ssl.SSLError, ValueError) as error:
            raise WebError(
                f"[web] certificate and key: {self.certificate} and {self.key} are no certificate and its key: "
                f"{getattr(error, 'reason', None) or error}. Both must be PEM files, the key without a password."
            ) from error


def _no_password() -> str:
    raise ValueError("the key has a password")


@dataclass
class Renewal:
    """Loads certificates that were renewed while the table runs."""

    tls: Tls
    context: Any

    def __post_init__(self) -> None:
        self._taken = self._stamp()

    def load_if_changed(self) -> None:
        """Before a connection: load the files if they have changed; if they are unusable, keep the old ones."""
        stamp = self._stamp()
        if stamp == self._taken:
            return
        self._taken = stamp
        try:
            self.tls.load_into(self.context)
            _log.info("The certificate was renewed")
        except WebError as error:
            _log.warning("The certificate was changed and is not used: %s", error)

    def _stamp(self) -> tuple[int, ...]:
        try:
            return tuple(path.stat().st_mtime_ns for path in (self.tls.certificate, self.tls.key))
        except OSError:
            return ()


def https_address(app: Flask, here: str, path: str = "/") -> str | None:
    """The address of a page over https for a browser at the address `here`, once it is served; None without https."""
    tls: Tls | None
    tls, port = app.config.get("HTTPS", (None, 0))
    return tls.address(urlsplit(here).hostname or "", port, path) if tls else None


def to_https(path: str = "/") -> str | None:
    """The address of a page over https, if this request came over http although there is https."""
    return None if request.scheme == "https" else https_address(current_app, request.host_url, path)


def safer(path: str = "/") -> str | None:
    """The same, unless the table's own screen asks: its requests do not go over the network."""
    return None if is_table() else to_https(path)


def require_https() -> None:
    """Raise `Forbidden` for a secret that was sent in clear although there is https."""
    if address := safer():
        raise Forbidden(translated("This works only over https: open {address}", address=address))
