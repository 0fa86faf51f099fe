"""The scoreboard as a table's configuration has it."""

import logging

from controller.api import Table
from controller.config import Config
from controller.journal import Journal
from web_ui import Memory, OwnCertificate, Screen, Server, Tls, WebError, create_app, must_be_free, own_addresses

_log = logging.getLogger(__name__)


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


def own_certificate(config: Config) -> OwnCertificate:
    """The table's own certificate, or where one would be kept."""
    return OwnCertificate(config.table.data / "https", own_addresses)


def _tls(config: Config) -> Tls | None:
    """The certificate that the configuration brings; else the table's own, where it was made."""
    web = config.web
    if web.certificate and web.key:
        return Tls(web.certificate, web.key, web.https_port, next(iter(web.names), None))
    own = own_certificate(config)
    if not own.wanted:
        return None
    try:
        tls = Tls.of_its_own(own, web.https_port)
        tls.context()
    except WebError as error:  # nobody had to ask for it in the settings, so the table does without
        _log.warning("The pages are not served over https: %s", error)
        return None
    return tls
