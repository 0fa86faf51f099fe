"""The scoreboard as a table's configuration has it."""

from controller.api import Table
from controller.config import Config
from controller.journal import Journal
from web_ui import Memory, Screen, Server, Tls, create_app, must_be_free


def check_addresses(config: Config) -> None:
    """Raises `AddressTaken` where the pages can't be served, `WebError` where the certificate can't be used."""
    must_be_free(config.web.host, config.web.port)
    if tls := _tls(config):
        must_be_free(config.web.host, tls.port)
        tls.context()


def scoreboard(table: Table, config: Config, journal: Journal, secret: bytes) -> Server:
    """The scoreboard of this table; `secret` signs its sessions, which the journal keeps."""
    facts, web = journal.facts, config.web
    memory = Memory(lambda: facts.get("sessions"), lambda text: facts.keep("sessions", text))
    screen = Screen(**config.screen.model_dump())
    app = create_app(table, secret=secret, memory=memory, names=(*web.names, web.host), screen=screen)
    return Server(app, web.host, web.port, _tls(config))


def _tls(config: Config) -> Tls | None:
    """The certificate that the configuration brings."""
    web = config.web
    if not (web.certificate and web.key):
        return None
    return Tls(web.certificate, web.key, web.https_port, next(iter(web.names), None))
