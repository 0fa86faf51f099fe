"""Creates the scoreboard from a table's configuration."""

import logging

from controller.api import Table
from controller.config import Config
from controller.journal import Journal
from web_ui import OwnCertificate, Screen, Server, SessionMemory, Tls, WebError, create_app, must_be_free, own_addresses

_log = logging.getLogger(__name__)


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


def own_certificate(config: Config) -> OwnCertificate:
    """The table's own certificate, which may not exist yet."""
    return OwnCertificate(config.table.data / "https", own_addresses)


def _tls(config: Config) -> Tls | None:
    """The configured certificate; else the table's own, if it was made."""
    web = config.web
    if web.certificate and web.key:
        return Tls(web.certificate, web.key, web.https_port, next(iter(web.names), None))
    own = own_certificate(config)
    if not own.wanted:
        return None
    try:
        tls = Tls.of_its_own(own, web.https_port)
        tls.context()
    except WebError as error:  # the settings do not ask for it, so the table does without
        _log.warning("The pages are not served over https: %s", error)
        return None
    return tls
