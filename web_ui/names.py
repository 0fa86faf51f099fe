"""By which names a browser may reach the table.

A hostile site can point its own name at the table's address. A browser would then take that site's pages for the
table's own (DNS rebinding). So names that somebody on the internet can have are refused.
"""

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from flask import Request
from werkzeug.exceptions import HTTPException

from web_ui.languages import told

LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Ends of names that nobody can have on the internet: RFC 6761, RFC 6762, RFC 8375, and what routers use."""


class ForeignName(HTTPException):
    """The table was called by a name that is not its own."""

    code = 421


def refuse_foreign_names(request: Request, names: Sequence[str] = ()) -> None:
    """Raise `ForeignName` where the request's `Host` is neither an address, nor of a local network, nor of `names`."""
    name = (host_of(request) or "").rstrip(".")
    if _is_own(name, names):
        return
    raise ForeignName(
        told("This table is not called {name}. Use its address, or add the name to [web] names.", name=name[:100])
    )


def host_of(request: Request) -> str | None:
    """The name or address by which this request called the table; None where its `Host` is none."""
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
