"""https without a domain: the table's own certificate, signed by an authority that phones are set once to trust.

The authority is valid for ten years. The certificate is renewed while the table runs, when the table's name or address
has changed or half of its validity is over; phones that trust the authority do not notice."""

import hashlib
import ipaddress
import os
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

from web_ui import openssl
from web_ui.access import LOCAL
from web_ui.errors import WebError

AUTHORITY_DAYS = 3650  # the authority's validity: nobody likes to set up every phone twice
DAYS = 820
"""A certificate's validity. Apple's systems accept at most 825 days, whoever signed it (support.apple.com/103769)."""
NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "fc00::/7", "fe80::/10")
"""Addresses that are not on the internet: RFC 1918, RFC 3927, RFC 4193, RFC 4291, and this computer itself."""
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
_HEAD = re.compile(r"# (.*)\n")  # the first line of our files: a name, or names


class OwnCertificate:
    """The authority and the certificate in a folder that only the table's user can read. `addresses` gives this
    machine's addresses, `host` its name, `clock` the seconds since 1970."""

    def __init__(
        self,
        folder: Path,
        addresses: Callable[[], Iterable[str]],
        host: Callable[[], str] = socket.gethostname,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.file = folder / "table.pem"
        """The certificate and its key in one file, so that a power cut can't separate them."""
        self.authority_file = folder / "authority.pem"
        self._addresses = addresses
        self._host = host
        self._clock = clock
        self._good: tuple[float, float] | None = None  # start and end of the certificate's use, once it was read

    @property
    def wanted(self) -> bool:
        return self.authority_file.exists()

    def make(self) -> bool:
        """Create the authority, unless there is one, and a valid certificate. False if nothing had to be done. Raises
        `WebError` if `openssl` fails or the folder can't be written."""
        if self.wanted:
            return self.renew_if_due()
        name = self._short_name()
        domains = [*(one.lstrip(".") for one in LOCAL), name]
        text = openssl.make_authority(f"Crokinole table {name}", domains, NETWORKS, AUTHORITY_DAYS)
        self._keep(self.authority_file, f"# {name}\n{text}")
        self.renew_if_due()
        return True

    def renew_if_due(self) -> bool:
        """Renew the certificate if it is missing, no longer this machine's, or past half of its validity. True if it
        was renewed. Raises as `make` does; the old one then stays."""
        wanted = self._wanted_names()
        if self.names == wanted and self._in_its_time():
            return False
        text = openssl.make_certificate(wanted, self.authority_file, DAYS)
        self._keep(self.file, f"# {' '.join(wanted)}\n{text}")
        self._good = None
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """The certificate's names and addresses, the table's own name first."""
        return tuple(_head(self.file).split())

    @cached_property
    def authority(self) -> bytes:
        """The authority's certificate, DER. Raises `WebError` if it can't be read."""
        try:
            found = _CERTIFICATE.search(self.authority_file.read_text())
            return ssl.PEM_cert_to_DER_cert(found[0] if found else "")
        except (OSError, ValueError) as error:
            raise WebError(f"{self.authority_file} can't be read ({error}): delete its folder.") from error

    @property
    def fingerprint(self) -> str:
        """The authority's SHA-256 fingerprint, in pairs as phones show it."""
        return hashlib.sha256(self.authority).digest().hex(" ").upper()

    def name_for(self, here: str) -> str:
        """The name for https, for a browser that used `here`: the same one, if the certificate includes it."""
        return here if here in self.names else next(iter(self._addresses()), self.names[0])

    def _short_name(self) -> str:
        return self._host().lower().partition(".")[0]

    def _wanted_names(self) -> tuple[str, ...]:
        """All names and addresses of this machine that the authority may certify."""
        short = self._short_name()
        names = (f"{short}.local", short, self._host().lower(), "localhost", *sorted(self._addresses()), "127.0.0.1")
        return tuple(name for name in dict.fromkeys(names) if self._may_vouch(name))

    def _may_vouch(self, name: str) -> bool:
        if openssl.is_address(name):
            return any(ipaddress.ip_address(name) in ipaddress.ip_network(network) for network in NETWORKS)
        return f".{name}".endswith(LOCAL) or name == _head(self.authority_file)

    def _in_its_time(self) -> bool:
        if self._good is None:
            try:
                start, end = openssl.dates(self.file)
            except WebError:  # an unreadable one is replaced
                return False
            self._good = start, (start + end) / 2
        return self._good[0] <= self._clock() < self._good[1]

    def _keep(self, file: Path, text: str) -> None:
        """Write a file atomically, also if the power is cut."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = file.with_suffix(".new")
            new.unlink(missing_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(file)
        except OSError as error:
            raise WebError(f"{file} can't be written: {error.strerror or error}.") from error


def _head(file: Path) -> str:
    try:
        found = _HEAD.match(file.read_text())
    except (OSError, UnicodeDecodeError):
        return ""
    return found[1] if found else ""
