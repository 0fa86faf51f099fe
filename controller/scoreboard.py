"""Creates the scoreboard from a table's configuration."""

from controller.api import Table
from controller.config import Config
from controller.journal import Journal
from web_ui import Screen, Server, SessionMemory, Tls, create_app, must_be_free


def check_addresses(config: Config) -> None:
    """Raises `AddressUnavailable` if an address is in use, `WebError` if the certificate can't be used."""
    must_be_free(config.web.host, config.web.port)
    if tls := _tls(config):
        must_be_free(config.web.host, tls.port)
        tls.context()


def scoreboard(table: Table, config: Config, journal: Journal, secret: bytes) -> Server:
    """The scoreboard of this table; `secret` signs its sessions, which the journal stores."""
    facts, web = journal.facts, config.web
    memory = SessionMemory(lambda: facts.get("sessions"), lambda text: facts.keep("sessions", text))
    screen = Screen(**config.screen.model_dump())
    names = (*web.names, web.host)
    app = create_app(table, secret=secret, memory=memory, names=names, screen=screen, proxy=web.proxy)
    return Server(app, web.host, web.port, _tls(config))


def _tls(config: Config) -> Tls | None:
    web = config.web
    return Tls.configured(web.certificate, web.key, web.https_port, web.names)
