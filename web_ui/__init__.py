"""The scoreboard: pages, event stream and commands over HTTP. It knows the game by `controller.api` alone."""

from web_ui.app import create_app
from web_ui.errors import AddressUnavailable, WebError
from web_ui.https import Tls
from web_ui.server import Server, address, check_addresses

__all__ = [
    "AddressUnavailable",
    "Server",
    "Tls",
    "WebError",
    "address",
    "check_addresses",
    "create_app",
]
