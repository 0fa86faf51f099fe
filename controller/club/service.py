"""A club's hub as a program: database, hub, pages."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from controller.club.desk import Desk
from controller.club.hub.hub import Hub
from controller.club.settings import ClubSettings
from controller.club.store import Store
from controller.errors import BadInput
from hardware.files import boot_id
from web_ui import Server, Tls, must_be_free
from web_ui.club import create_club_app

OWNER_ONLY = 0o600


class ClubService:
    """The hub of one club. `start` and `stop` once each."""

    def __init__(self, settings: ClubSettings) -> None:
        """Raises `BadInput`, `ClubError` or `WebError` for unusable settings."""
        self.settings = settings
        web = settings.web
        tls = Tls.configured(web.certificate, web.key, web.https_port, web.names)
        for port in (web.port, *([tls.port] if tls else ())):
            must_be_free(web.host, port)
        _make(settings.club.data)
        self.store = Store.open(settings.database, settings.club.id)
        self.hub = Hub(self.store, settings.club.rules)
        self.desk = Desk(self.hub, settings.club.name, boot=boot_id())
        secret = _kept_secret(settings.club.data / "secret")
        app = create_club_app(self.desk, secret.encode(), names=(*web.names, web.host), proxy=web.proxy)
        self._server = Server(app, web.host, web.port, tls)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def https_url(self) -> str | None:
        """The same over https, once it is served; None without."""
        return self._server.https_url

    def start(self) -> None:
        self.desk.showing.start()
        self._server.start()

    def stop(self) -> None:
        """Stop everything; safe if `start` failed."""
        self._server.stop()
        self.desk.showing.stop()
        self.store.close()


def _make(folder: Path) -> None:
    """Raises `BadInput`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"club.data: the folder {folder} can't be made: {error.strerror}. Name another.") from error


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
