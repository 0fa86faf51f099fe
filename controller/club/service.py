"""A club's hub as one program: database, broker, hub, pages."""

import secrets
from pathlib import Path

from controller.club.broker import Account, BrokerError, Listener, RunningBroker, open_broker
from controller.club.errors import ClubError
from controller.club.hub import Hub
from controller.club.link import Link
from controller.club.mqtt import Broker
from controller.club.office import Office
from controller.club.settings import ClubSettings
from controller.club.store import Store
from controller.errors import BadInput
from hardware.files import read_text
from web_ui import Server, must_be_free
from web_ui.club import create_club_app

HUB = "_hub"
"""The hub's account at the broker."""

OWNER_ONLY = 0o600


class ClubService:
    """The hub of one club. `start` and `stop` once each."""

    def __init__(self, settings: ClubSettings, guests: dict[str, str] | None = None) -> None:
        """`guests`: accounts of further tables at the hub's own broker, by their ids, with their passwords.

        Raises `BadInput`, `ClubError` or `WebError` for what can't be used.
        """
        self.settings = settings
        must_be_free(settings.web.host, settings.web.port)
        settings.club.data.mkdir(parents=True, exist_ok=True)
        self.store = Store.open(settings.database, settings.club.id)
        self.hub = Hub(self.store, settings.club.rules)
        self.office = Office(self.hub, settings.club.name)
        self._guests = guests or {}
        self._running: RunningBroker | None = None
        self._link: Link | None = None
        secret = _kept_secret(settings.club.data / "secret")
        app = create_club_app(self.office, secret.encode(), names=(*settings.web.names, settings.web.host))
        self._server = Server(app, settings.web.host, settings.web.port)

    @property
    def url(self) -> str:
        """The address of the players' page."""
        return self._server.url

    @property
    def broker(self) -> str:
        """The broker's address on this machine."""
        return self.settings.broker.url or (self._running.url if self._running else "")

    def start(self) -> None:
        """Serve from now on. Raises `ClubError` where the broker can't be run."""
        broker = self.settings.broker
        password = broker.password
        if broker.url is None:
            password = _kept_secret(self.settings.club.data / "broker-password")
            self._running = self._own_broker(password)
        certificate = read_text(broker.certificate) if broker.certificate else None
        try:
            account = Broker.at(self.broker, HUB, password, certificate)
        except ValueError as error:
            raise BadInput(f"broker.url: {error}.") from error
        self._link = Link(self.hub, account)
        self._link.start()
        self.office.start()
        self._server.start()

    def _own_broker(self, password: str) -> RunningBroker:
        accounts = [Account.new(HUB, "hub", password)]
        accounts += [Account.new(table, "table", secret) for table, secret in self._guests.items()]
        listener = Listener(self.settings.broker.host, self.settings.broker.port)
        try:
            return open_broker(self.settings.club.data / "broker", self.settings.club.id, accounts, listener)
        except BrokerError as error:
            raise ClubError(str(error)) from error

    def stop(self) -> None:
        """End everything; safe where `start` failed."""
        self._server.stop()
        self.office.stop()
        if self._link is not None:
            self._link.stop()
        if self._running is not None:
            self._running.close()
        self.store.close()


def _kept_secret(file: Path) -> str:
    """A secret that is drawn once and kept in a file that only its owner reads."""
    if not file.exists():
        file.touch(OWNER_ONLY)
        file.write_text(secrets.token_hex(32))
    return file.read_text().strip()
