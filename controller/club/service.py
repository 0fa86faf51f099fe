"""A club's hub as a program: database, hub, pages."""

from pathlib import Path

from controller.club.desk import Desk
from controller.club.hub.hub import Hub
from controller.club.settings import ClubSettings
from controller.club.store import ClubStore
from controller.errors import BadInput
from hardware.files import boot_id
from web_ui import Server, Tls, must_be_free
from web_ui.club import create_club_app


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
        self.store = ClubStore.open(settings.database, settings.club.id)
        self.hub = Hub(self.store, settings.club.rules)
        self.desk = Desk(self.hub, settings.club.name, boot=boot_id())
        app = create_club_app(self.desk, names=(*web.names, web.host), proxy=web.proxy)
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
