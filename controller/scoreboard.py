"""Creates the scoreboard from a table's configuration."""

from controller.api import Table
from controller.config import Config
from web_ui import Server, Tls, create_app, must_be_free


def check_addresses(config: Config) -> None:
    """Raises `AddressUnavailable` if an address is in use, `WebError` if the certificate can't be used."""
    must_be_free(config.web.host, config.web.port)
    if tls := _tls(config):
        must_be_free(config.web.host, tls.port)
        tls.context()


def scoreboard(table: Table, config: Config) -> Server:
    """The scoreboard of this table."""
    web = config.web
    app = create_app(table, names=(*web.names, web.host), screen=config.screen, proxy=web.proxy)
    return Server(app, web.host, web.port, _tls(config))


def _tls(config: Config) -> Tls | None:
    web = config.web
    return Tls.configured(web.certificate, web.key, web.https_port, web.names)
