"""https: the certificate and the key that a club brings, or the table's own. Renewed ones need no restart."""

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gevent.ssl

from web_ui.errors import WebError
from web_ui.own_certificate import OwnCertificate

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tls:
    """`certificate`: a PEM file, with those that signed it after it. `key`: its private key, PEM, without a password.

    `name`: which name the certificate is for; without one, the name or address by which a browser came.
    `own`: the table's own certificate, where it is that.
    """

    certificate: Path
    key: Path
    port: int = 8443
    name: str | None = None
    own: OwnCertificate | None = None

    @classmethod
    def of_its_own(cls, own: OwnCertificate, port: int) -> "Tls":
        """The table's own certificate, made anew first where that is due. Raises `WebError` where it can't be."""
        own.attend()
        return cls(own.file, own.file, port, own=own)

    def name_for(self, here: str) -> str:
        """By which name to open the pages over https, for a browser that came by `here`."""
        return self.own.name_for(here) if self.own else self.name or here

    def context(self) -> Any:
        """What encrypts the connections. Raises `WebError` where the files are not as they must be."""
        context = gevent.ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # gevent's own: Python's would have all others wait
        self.load_into(context)
        return context

    def load_into(self, context: Any) -> None:
        """Have a context use these files from now on. Raises as `context` does."""
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


class Renewal:
    """Takes over certificates that were renewed while the table runs."""

    def __init__(self, tls: Tls, context: Any) -> None:
        self._tls = tls
        self._context = context
        self._taken = self._stamp()

    def look(self) -> None:
        """Before a connection: where the files have changed, take the new ones; where they can't be, keep the old."""
        stamp = self._stamp()
        if stamp == self._taken:
            return
        self._taken = stamp
        try:
            self._tls.load_into(self._context)
            _log.info("The certificate was renewed")
        except WebError as error:
            _log.warning("The certificate was changed and is not used: %s", error)

    def _stamp(self) -> tuple[int, ...]:
        try:
            return tuple(path.stat().st_mtime_ns for path in (self._tls.certificate, self._tls.key))
        except OSError:
            return ()
