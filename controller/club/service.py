"""A club's hub as a program: database, hub, pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.club.desk import Desk
from controller.club.hub.hub import Hub
from controller.club.settings import ClubSettings
from controller.club.store import ClubStore
from controller.errors import BadInput
from hardware.files import boot_id
from web_ui import Server, Tls, must_be_free
from web_ui.club import create_club_app


@contextmanager
def opened(settings: ClubSettings) -> Iterator[tuple[Desk, Server]]:
    """The hub of one club and the server of its pages, which `serve` starts; both end here. Raises `BadInput`,
    `ClubError` or `WebError` for unusable settings."""
    web, club = settings.web, settings.club
    tls = Tls.configured(web.certificate, web.key, web.https_port, web.names)
    for port in (web.port, *([tls.port] if tls else ())):
        must_be_free(web.host, port)
    _make(club.data)
    store = ClubStore.open(settings.database, club.id)
    desk = Desk(Hub(store, club.rules), club.name, boot=boot_id())
    app = create_club_app(desk, names=(*web.names, web.host), proxy=web.proxy)
    server = Server(app, web.host, web.port, tls)
    try:
        yield desk, server
    finally:
        server.stop()
        desk.showing.stop()
        store.close()


def serve(desk: Desk, server: Server) -> None:
    """Follow the evening, and serve its pages."""
    desk.showing.start()
    server.start()


def _make(folder: Path) -> None:
    """Raises `BadInput`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"club.data: the folder {folder} can't be made: {error.strerror}. Name another.") from error
