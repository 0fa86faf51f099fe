"""A club's hub as one program: database, broker, hub, pages."""

import logging
import os
import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from controller.club.broker import Account, BrokerError, Listener, RunningBroker, open_broker
from controller.club.broker.files import password_line
from controller.club.errors import ClubError
from controller.club.hub import Hub
from controller.club.link import Link
from controller.club.mqtt import Broker
from controller.club.office import Office
from controller.club.settings import BrokerSection, ClubSettings
from controller.club.store import Store
from controller.club.wire import Joined
from controller.errors import BadInput
from hardware.files import read_text
from web_ui import Server, must_be_free
from web_ui.club import create_club_app

HUB = "_hub"
"""The hub's account at the broker."""

OWNER_ONLY = 0o600
LOOK = 1.0  # s between two looks at whether the hub's own broker still runs

_log = logging.getLogger(__name__)


class ClubService:
    """The hub of one club. `start` and `stop` once each."""

    def __init__(self, settings: ClubSettings, guests: dict[str, str] | None = None, *, brokered: bool = True) -> None:
        """`guests`: accounts of further tables at the hub's own broker, by their ids, with their passwords. Where it is
        not `brokered` there is no broker at all, and somebody hands the tables' messages to the hub.

        Raises `BadInput`, `ClubError` or `WebError` for what can't be used.
        """
        self.settings = settings
        must_be_free(settings.web.host, settings.web.port)
        settings.club.data.mkdir(parents=True, exist_ok=True)
        self.store = Store.open(settings.database, settings.club.id)
        self.hub = Hub(self.store, settings.club.rules)
        self.office = Office(self.hub, settings.club.name, None if settings.broker.url else self._admit)
        self._listener, self._authority = _listener(settings.broker), _read(settings.broker.certificate)
        self._guests = guests or {}
        self._brokered = brokered
        self._running: RunningBroker | None = None
        self._link: Link | None = None
        self._stopping = threading.Event()
        self._watch = threading.Thread(target=self._watch_broker, name="club broker", daemon=True)
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
        if self._brokered:
            self._connect()
        self.office.start()
        self._server.start()

    def _connect(self) -> None:
        broker = self.settings.broker
        password = broker.password
        if broker.url is None:
            password = _kept_secret(self.settings.club.data / "broker-password")
            self._running = self._own_broker(password)
            self._watch.start()
        try:
            account = Broker.at(self.broker, HUB, password, self._authority)
        except ValueError as error:
            raise BadInput(f"broker.url: {error}.") from error
        self._link = Link(self.hub, account)
        self._link.start()

    def _own_broker(self, password: str) -> RunningBroker:
        folder, club = self.settings.club.data / "broker", self.settings.club.id
        try:
            return open_broker(folder, club, self._accounts(password), self._listener)
        except BrokerError as error:
            raise ClubError(str(error)) from error

    def _accounts(self, password: str) -> list[Account]:
        """All who may connect to the hub's own broker."""
        joined = self.store.credentials.accounts()
        return [
            Account.new(HUB, "hub", password),
            *(Account.new(table, "table", secret) for table, secret in self._guests.items()),
            *(Account(table, "table", line) for table, line in joined.items()),
        ]

    def _admit(self, table: str, password: str) -> Joined:
        """Let a table into the hub's own broker."""
        self.store.credentials.keep_account(table, password_line(table, password))
        if self._running is not None:
            self._running.admit(self._accounts(_kept_secret(self.settings.club.data / "broker-password")))
        club, broker = self.settings.club, self.settings.broker
        host = broker.name or urlsplit(self.url).hostname or "localhost"
        return Joined(
            club=club.id,
            club_name=club.name,
            table=table,
            broker=f"{'mqtts' if broker.tls_key else 'mqtt'}://{host}:{broker.port}",
            password=password,
            certificate=self._authority,
        )

    def _watch_broker(self) -> None:
        """Run the hub's own broker again when it has ended."""
        while not self._stopping.wait(LOOK):
            trouble = self._running.trouble() if self._running else None
            if trouble is None:
                continue
            _log.error("The broker is begun again: %s", trouble)
            try:
                self._running = self._own_broker(_kept_secret(self.settings.club.data / "broker-password"))
            except ClubError as error:
                _log.error("%s", error)

    def stop(self) -> None:
        """End everything; safe where `start` failed."""
        self._stopping.set()
        if self._watch.is_alive():
            self._watch.join()
        self._server.stop()
        self.office.stop()
        if self._link is not None:
            self._link.stop()
        if self._running is not None:
            self._running.close()
        self.store.close()


def _listener(broker: BrokerSection) -> Listener:
    """Where the hub's own broker listens. Raises `BadInput` for a certificate that can't be read."""
    if broker.tls_certificate is None or broker.tls_key is None:
        return Listener(broker.host, broker.port)
    for file in (broker.tls_certificate, broker.tls_key):
        _read(file)
    with socket.create_server(("127.0.0.1", 0)) as free:
        inside = free.getsockname()[1]
    # Mosquitto may run in another folder
    return Listener(broker.host, broker.port, broker.tls_certificate.resolve(), broker.tls_key.resolve(), inside=inside)


def _read(file: Path | None) -> str | None:
    """A certificate or a key, where one is named. Raises `BadInput`."""
    if file is None:
        return None
    try:
        return read_text(file)
    except (OSError, ValueError) as error:
        raise BadInput(f"{file}, which [broker] names, can't be read: {error}.") from error


def _kept_secret(file: Path) -> str:
    """A secret that is drawn once and kept in a file that only its owner reads, also for other processes of the hub."""
    if not file.exists():
        part = file.with_name(f"{file.name}.{os.getpid()}")
        part.touch(OWNER_ONLY)
        part.write_text(secrets.token_hex(32))
        with suppress(FileExistsError):  # another process was quicker
            os.link(part, file)
        part.unlink()
    return file.read_text().strip()
