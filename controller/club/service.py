"""A club's hub as one program: database, broker, hub, pages."""

import os
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from controller.club.broker import Account, BrokerKeeper, Listener
from controller.club.broker.files import password_line
from controller.club.hub import Hub
from controller.club.link import Link
from controller.club.mqtt import Broker
from controller.club.office import Office
from controller.club.settings import BrokerSection, ClubSettings
from controller.club.store import Store
from controller.club.wire import Joined
from controller.errors import BadInput
from controller.messages import Message
from hardware.files import read_text
from web_ui import Server, must_be_free
from web_ui.club import create_club_app

HUB = "_hub"
"""The hub's account at the broker."""

OWNER_ONLY = 0o600


class ClubService:
    """The hub of one club. `start` and `stop` once each."""

    def __init__(self, settings: ClubSettings, guests: Iterable[Account] = (), *, brokered: bool = True) -> None:
        """`guests`: further accounts at the hub's own broker. Where it is not `brokered` there is no broker at all,
        and somebody hands the tables' messages to the hub.

        Raises `BadInput`, `ClubError` or `WebError` for what can't be used.
        """
        self.settings = settings
        must_be_free(settings.web.host, settings.web.port)
        _make(settings.club.data)
        self.store = Store.open(settings.database, settings.club.id)
        self.hub = Hub(self.store, settings.club.rules)
        own = settings.broker.url is None
        self.office = Office(
            self.hub, settings.club.name, self._admit if own else None, broker_trouble=self._broker_trouble
        )
        self._authority = _read(settings.broker.certificate)
        self._guests = tuple(guests)
        self._brokered = brokered
        self._own = BrokerKeeper(
            settings.club.data / "broker", settings.club.id, _listener(settings.broker), self._accounts
        )
        self._password = _kept_secret(settings.club.data / "broker-password") if own else settings.broker.password
        self._link = Link(self.hub, self._account())
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
        return self.settings.broker.url or self._own.listener.url

    def start(self) -> None:
        """Serve from now on, also where the broker can't be run or reached yet."""
        if self._brokered and self.settings.broker.url is None:
            self._own.start(began=self._link.start)
        elif self._brokered:
            self._link.start()
        self.office.start()
        self._server.start()

    def _account(self) -> Broker:
        """The hub's, at its broker. Raises `BadInput`."""
        try:
            return Broker.at(self.broker, HUB, self._password, self._authority)
        except ValueError as error:
            raise BadInput(f"broker.url: {error}.") from error

    def _broker_trouble(self) -> Message | None:
        return self._own.trouble or self._link.trouble

    def _accounts(self) -> list[Account]:
        """All who may connect to the hub's own broker."""
        joined = self.store.credentials.accounts()
        return [
            Account.new(HUB, "hub", self._password),
            *self._guests,
            *(Account(table, "table", line) for table, line in joined.items()),
        ]

    def _admit(self, table: str, password: str) -> Joined:
        """Let a table into the hub's own broker."""
        self.store.credentials.keep_account(table, password_line(table, password))
        self._own.admit()
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

    def stop(self) -> None:
        """End everything; safe where `start` failed."""
        self._server.stop()
        self.office.stop()
        self._link.stop()
        self._own.stop()
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


def _make(folder: Path) -> None:
    """Raises `BadInput`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"club.data: the folder {folder} can't be made: {error.strerror}. Name another.") from error


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
