"""A club's hub as a program: database, broker, hub, pages."""

import os
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from controller.club.admin_service import AdminService
from controller.club.broker.files import Account, Listener, password_line
from controller.club.broker.process import BrokerKeeper
from controller.club.broker_connection import BrokerConnection
from controller.club.hub.hub import Hub
from controller.club.settings import BrokerSection, ClubSettings
from controller.club.store import Store
from controller.errors import BadInput
from controller.link import Joined
from controller.link.mqtt import Broker
from controller.messages import Message
from hardware.files import boot_id, read_text
from web_ui import Server, Tls, must_be_free
from web_ui.club import create_club_app

OWNER_ONLY = 0o600


class ClubService:
    """The hub of one club. `start` and `stop` once each."""

    def __init__(self, settings: ClubSettings, guests: Iterable[Account] = (), *, brokered: bool = True) -> None:
        """`guests`: further accounts at the hub's own broker. If not `brokered` there is no broker at all, and the
        caller delivers the tables' messages to the hub. Raises `BadInput`, `ClubError` or `WebError` for unusable
        settings."""
        self.settings = settings
        web = settings.web
        tls = Tls.configured(web.certificate, web.key, web.https_port, web.names)
        for port in (web.port, *([tls.port] if tls else ())):
            must_be_free(web.host, port)
        _make(settings.club.data)
        self.store = Store.open(settings.database, settings.club.id)
        self.hub = Hub(self.store, settings.club.rules)
        own = settings.broker.url is None
        self.admin = AdminService(
            self.hub,
            settings.club.name,
            self._admit if own else None,
            broker_trouble=self._broker_trouble,
            boot=boot_id(),
        )
        self._authority = _read(settings.broker.certificate)
        self._guests = tuple(guests)
        self._brokered = brokered
        self._own = BrokerKeeper(
            settings.club.data / "broker",
            settings.club.id,
            _listener(settings.broker),
            self._accounts,
            self._awaits_tables,
        )
        self._password = _kept_secret(settings.club.data / "broker-password") if own else settings.broker.password
        self._connection = BrokerConnection(self.hub, self._account())
        secret = _kept_secret(settings.club.data / "secret")
        app = create_club_app(self.admin, secret.encode(), names=(*web.names, web.host), proxy=web.proxy)
        self._server = Server(app, web.host, web.port, tls)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def https_url(self) -> str | None:
        """The same over https, once it is served; None without."""
        return self._server.https_url

    @property
    def broker(self) -> str:
        return self.settings.broker.url or self._own.listener.url

    def start(self) -> None:
        """Start serving, even if the broker can't be run or reached yet."""
        if self._brokered and self.settings.broker.url is None:
            self._own.start(began=self._connection.start)
        elif self._brokered:
            self._connection.start()
        self.admin.start()
        self._server.start()

    def _awaits_tables(self) -> bool:
        """Whether the broker has to listen on the network: the first table that joins opens it."""
        return bool(self._guests) or bool(self.store.credentials.accounts())

    def _account(self) -> Broker:
        try:
            return Broker.at(self.broker, self.settings.broker.user, self._password, self._authority)
        except ValueError as error:
            raise BadInput(f"broker.url: {error}.") from error

    def _broker_trouble(self) -> Message | None:
        return self._own.trouble or self._connection.trouble

    def _accounts(self) -> list[Account]:
        joined = self.store.credentials.accounts()
        return [
            Account.new(self.settings.broker.user, "hub", self._password),
            *self._guests,
            *(Account(table, "table", line) for table, line in joined.items()),
        ]

    def _admit(self, table: str, password: str) -> Joined:
        listener = self._own.listener
        self.store.credentials.save_account(table, password_line(table, password))
        self._own.reload()
        club, broker = self.settings.club, self.settings.broker
        host = broker.name or urlsplit(self.url).hostname or "localhost"
        return Joined(
            club=club.id,
            club_name=club.name,
            table=table,
            broker=f"{'mqtts' if listener.certificate else 'mqtt'}://{host}:{listener.port}",
            password=password,
            certificate=self._authority,
        )

    def stop(self) -> None:
        """Stop everything; safe if `start` failed."""
        self._server.stop()
        self.admin.stop()
        self._connection.stop()
        self._own.stop()
        self.store.close()


def _listener(broker: BrokerSection) -> Listener:
    """The listener of the hub's own broker. Raises `BadInput` for an unreadable certificate."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        inside = free.getsockname()[1]
    if broker.tls_certificate is None or broker.tls_key is None:
        return Listener(broker.host, broker.listens_on, inside=inside)
    for file in (broker.tls_certificate, broker.tls_key):
        _read(file)
    # Mosquitto may run in another folder
    certificate, key = broker.tls_certificate.resolve(), broker.tls_key.resolve()
    return Listener(broker.host, broker.listens_on, certificate, key, inside=inside)


def _make(folder: Path) -> None:
    """Raises `BadInput`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"club.data: the folder {folder} can't be made: {error.strerror}. Name another.") from error


def _read(file: Path | None) -> str | None:
    """A certificate or a key, if one is configured. Raises `BadInput`."""
    if file is None:
        return None
    try:
        return read_text(file)
    except (OSError, ValueError) as error:
        raise BadInput(f"{file}, which [broker] names, can't be read: {error}.") from error


def _kept_secret(file: Path) -> str:
    """A random secret, created once in a file that only its owner can read, for all processes of the hub."""
    if not file.exists():
        part = file.with_name(f"{file.name}.{os.getpid()}")
        part.touch(OWNER_ONLY)
        part.write_text(secrets.token_hex(32))
        with suppress(FileExistsError):  # another process was quicker
            os.link(part, file)
        part.unlink()
    return file.read_text().strip()
