"""A club's hub as a program: database, broker, hub, pages."""

import logging
import os
import secrets
import socket
import ssl
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from controller.club.admin_service import AdminService
from controller.club.broker.files import Account, Listener, password_line
from controller.club.broker.process import BrokerError, BrokerKeeper
from controller.club.broker_connection import BrokerConnection
from controller.club.hub.hub import Hub
from controller.club.settings import BrokerSection, ClubSettings
from controller.club.store import Store
from controller.errors import BadInput, Refused
from controller.link import Joined
from controller.link.mqtt import Broker
from controller.messages import Message, say
from hardware.files import boot_id, read_text
from web_ui import OwnCertificate, Server, Tls, WebError, must_be_free, own_addresses
from web_ui.club import create_club_app

RENEWAL_EVERY = 60.0  # s between two checks whether the hub's own certificate has to be renewed
_log = logging.getLogger(__name__)
OWNER_ONLY = 0o600


class ClubService:
    """The hub of one club. `start` and `stop` once each."""

    def __init__(self, settings: ClubSettings, guests: Iterable[Account] = (), *, brokered: bool = True) -> None:
        """`guests`: further accounts at the hub's own broker. If not `brokered` there is no broker at all, and the
        caller delivers the tables' messages to the hub. Raises `BadInput`, `ClubError` or `WebError` for unusable
        settings."""
        self.settings = settings
        for port in (settings.web.port, settings.web.https_port):
            must_be_free(settings.web.host, port)
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
        self._certificate = _own_certificate(settings)
        self._authority = _read(settings.broker.certificate)
        self._guests = tuple(guests)
        self._brokered = brokered
        self._own = BrokerKeeper(
            settings.club.data / "broker",
            settings.club.id,
            _listener(settings.broker, self._certificate),
            self._accounts,
            self._awaits_tables,
        )
        self._password = _kept_secret(settings.club.data / "broker-password") if own else settings.broker.password
        self._connection = BrokerConnection(self.hub, self._account())
        secret = _kept_secret(settings.club.data / "secret")
        names, proxy = (*settings.web.names, settings.web.host), settings.web.proxy
        app = create_club_app(self.admin, secret.encode(), names=names, proxy=proxy)
        tls = Tls.of_its_own(self._certificate, settings.web.https_port) if self._certificate else None
        self._server = Server(app, settings.web.host, settings.web.port, tls)
        self._stopping = threading.Event()
        self._attending = threading.Thread(target=self._attend, name="club certificate", daemon=True)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def https_url(self) -> str | None:
        """The same over https, once it is served; None without."""
        return self._server.https_url

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the hub's own certificate, as a phone shows it; None without one."""
        return self._certificate.fingerprint if self._certificate else None

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
        self._attending.start()

    def _attend(self) -> None:
        """Renew the hub's own certificate when it is due, for its pages and its broker."""
        while self._certificate and not self._stopping.wait(RENEWAL_EVERY):
            try:
                if self._certificate.renew_if_due() and self.settings.broker.url is None:
                    self._own.reload()
            except (WebError, BrokerError) as error:
                _log.warning("The hub's own certificate was not renewed: %s", error)

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
        if listener.certificate is None and not self.settings.broker.plain:
            raise Refused(say("No table can join: the hub has no certificate. Its log says why."))
        self.store.credentials.save_account(table, password_line(table, password))
        self._own.reload()
        club, broker, own = self.settings.club, self.settings.broker, self._certificate
        ours = None if own is None or broker.tls_key else ssl.DER_cert_to_PEM_cert(own.authority)
        host = broker.name or urlsplit(self.url).hostname or "localhost"
        return Joined(
            club=club.id,
            club_name=club.name,
            table=table,
            broker=f"{'mqtts' if listener.certificate else 'mqtt'}://{host}:{listener.port}",
            password=password,
            certificate=self._authority or ours,
        )

    def stop(self) -> None:
        """Stop everything; safe if `start` failed."""
        self._stopping.set()
        self._server.stop()
        self.admin.stop()
        self._connection.stop()
        self._own.stop()
        self.store.close()


def _own_certificate(settings: ClubSettings) -> OwnCertificate | None:
    """The hub's own certificate; None if it can't be made."""
    own = OwnCertificate(settings.club.data / "https", own_addresses)
    try:
        own.make()
    except WebError as error:
        _log.warning("The pages are not served over https, and no table can join: %s", error)
        return None
    return own


def _listener(broker: BrokerSection, own: OwnCertificate | None) -> Listener:
    """The listener of the hub's own broker. Raises `BadInput` for an unreadable certificate."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        inside = free.getsockname()[1]
    if broker.plain:
        return Listener(broker.host, broker.listens_on, inside=inside)
    if broker.tls_certificate is None or broker.tls_key is None:
        file = own.file.resolve() if own else None
        return Listener(broker.host, broker.listens_on, file, file, inside=inside)
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
