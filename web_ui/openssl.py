"""Authorities and certificates, made with the `openssl` command.

It is installed wherever `ca-certificates` is, so on every Raspberry Pi OS, even the smallest; macOS has LibreSSL's,
which is compatible. The makers return PEM text, the private key before the certificate. All raise `WebError`."""

import ipaddress
import secrets
import ssl
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from web_ui.errors import WebError

PATIENCE = 30.0
"""Seconds for one call. On a Pi 4 a key of this kind takes well under one; a worn-out card may delay it."""
_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256", "-keyout", "key")
_REQUEST = "[req]\ndistinguished_name = subject\nprompt = no\n[subject]\nCN = {name:.64}\n"
"""No common name is longer than 64 letters: RFC 5280, ub-common-name."""

_AUTHORITY = """[authority]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
nameConstraints = critical, @permitted
[permitted]
"""

_CERTIFICATE = """[table]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
authorityKeyIdentifier = keyid
subjectAltName = @names
[names]
"""


def make_authority(name: str, domains: Sequence[str], networks: Sequence[str], days: int) -> str:
    """An authority whose certificates are invalid outside these domains and networks (RFC 5280, 4.2.1.10)."""
    permitted = [f"permitted;DNS.{i} = {domain}\n" for i, domain in enumerate(domains)]
    for i, network in enumerate(map(ipaddress.ip_network, networks)):
        permitted.append(f"permitted;IP.{i} = {network.network_address}/{network.netmask}\n")
    settings = _REQUEST.format(name=name) + _AUTHORITY + "".join(permitted)
    return _made(
        {"settings": settings},
        ("req", "-x509", *_KEY, "-config", "settings", "-extensions", "authority", "-out", "crt", *_span(days)),
    )


def make_certificate(names: Sequence[str], authority: Path, days: int) -> str:
    """A server's certificate for these names and addresses, signed by the authority in that file."""
    entries = [f"{'IP' if is_address(name) else 'DNS'}.{i} = {name}\n" for i, name in enumerate(names)]
    signer = str(authority.absolute())
    return _made(
        {"settings": _REQUEST.format(name=names[0]), "extensions": _CERTIFICATE + "".join(entries)},
        ("req", "-new", *_KEY, "-config", "settings", "-out", "csr"),
        ("x509", "-req", "-in", "csr", "-CA", signer, "-CAkey", signer, "-sha256", "-extfile", "extensions",
         "-extensions", "table", "-out", "crt", *_span(days)),
    )  # fmt: skip


def dates(file: Path) -> tuple[float, float]:
    """The start and end of a certificate's validity, in seconds since 1970."""
    lines = _openssl(None, "x509", "-in", str(file.absolute()), "-noout", "-dates").splitlines()
    try:
        start, end = (ssl.cert_time_to_seconds(line.partition("=")[2]) for line in lines)
    except ValueError as error:
        raise WebError(f"openssl shows no dates of {file}: {error}.") from error
    return start, end


def is_address(name: str) -> bool:
    """Whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _span(days: int) -> tuple[str, ...]:
    return "-days", str(days), "-set_serial", f"0x01{secrets.token_hex(15)}"  # up to 20 bytes, positive: RFC 5280


def _made(inputs: dict[str, str], *steps: Sequence[str]) -> str:
    """The key and the certificate that these calls create in a folder with these files."""
    try:
        with tempfile.TemporaryDirectory(prefix="crokinole-table-") as folder:  # mode 700
            for name, text in inputs.items():
                (Path(folder) / name).write_text(text)
            for step in steps:
                _openssl(folder, *step)
            return "".join((Path(folder) / name).read_text() for name in ("key", "crt"))
    except OSError as error:
        raise WebError(f"No certificate can be made: {error}.") from error


def _openssl(folder: str | None, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["openssl", *arguments], cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE
        )
    except FileNotFoundError as error:
        raise WebError("No certificate can be made without the command openssl: sudo apt install openssl.") from error
    except subprocess.TimeoutExpired as error:
        raise WebError(f"openssl {arguments[0]} did not end within {PATIENCE:g} s.") from error
    except subprocess.CalledProcessError as error:
        raise WebError(f"openssl {arguments[0]} failed: {error.stderr.strip()[-300:]}") from error
    return done.stdout
