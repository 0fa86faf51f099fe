"""The host names that requests may use.

A hostile site can point its own name at the table's address, and a browser would then treat that site's scripts as the
table's own (DNS rebinding). So names that somebody on the internet could own are refused.
"""

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from flask import Request
from werkzeug.exceptions import HTTPException

from web_ui.languages import translated

LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Suffixes of names that nobody can own on the internet: RFC 6761, RFC 6762, RFC 8375, and what routers use."""


class UnknownHost(HTTPException):
    """The request's host name is not one of the table's."""

    code = 421


def check_host(request: Request, names: Sequence[str] = ()) -> None:
    """Raise `UnknownHost` unless the request's `Host` is an address, a local name or one of `names`."""
    name = (host_of(request) or "").rstrip(".")
    if _is_own(name, names):
        return
    raise UnknownHost(
        translated("This table is not called {name}. Use its address, or add the name to [web] names.", name=name[:100])
    )


def host_of(request: Request) -> str | None:
    """The name or address in the request's `Host`; None for an invalid one."""
    try:
        return urlsplit(f"//{request.host}").hostname
    except ValueError:
        return None


def _is_own(name: str, names: Sequence[str]) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
        return True
    except ValueError:
        own = {socket.gethostname().lower(), *(one.lower() for one in names)}
        return bool(name) and ("." not in name or name.endswith(LOCAL) or name in own)
