"""`crokinole-table club`: the club's hub with database and pages, or a simulated evening without a configuration;
and `club-export`."""

import ctypes
import logging
import secrets
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.club.desk import Desk
from controller.club.exports import export
from controller.club.hub.hub import Hub
from controller.club.hub.report import report
from controller.club.settings import ClubSection, ClubSettings, HubWebSection, load
from controller.club.simulated_evening import SimulatedClubEvening
from controller.club.store import ClubStore
from controller.errors import BadInput
from controller.systemd import asked_to_end, notify
from hardware.files import boot_id
from web_ui import Server, check_addresses
from web_ui.club import create_club_app

FIRST_PASSWORD = 5  # random bytes of a new club's first password: the only way into a hub without a screen of its own
M_ARENA_MAX = -8  # <malloc.h> of glibc


def share_one_heap() -> None:
    """Have all threads allocate from one heap, if the C library is glibc. With a heap each, a thread can't reuse what
    another frees, and the hub grows twice as fast (docs/club-scale.md)."""
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def run_club(config: Path | None, port: int | None) -> None:
    """Run until a signal arrives."""
    share_one_heap()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    done = asked_to_end()
    if config is None:
        with tempfile.TemporaryDirectory(prefix="crokinole-club-") as folder:
            _simulate(Path(folder), HubWebSection().port if port is None else port, done)
        return
    settings = load(config)
    if port is not None:
        settings = settings.model_copy(update={"web": settings.web.model_copy(update={"port": port})})
    with opened(settings) as (desk, server):
        password = secrets.token_hex(FIRST_PASSWORD)
        first = desk.tokens.set_password(password, first=True)  # before anybody can set another
        serve(desk, server)
        _welcome(server.url, server.https_url)
        if first:
            print(f"The organiser's first password, for other devices: {password}", flush=True)
        notify("READY=1")
        done.wait()


@contextmanager
def _database(config: Path) -> Iterator[tuple[ClubSettings, ClubStore]]:
    """The database of a club that has one. Its hub may be running."""
    settings = load(config)
    if settings.club.database is None and not (settings.club.data / "club.sqlite").exists():
        raise BadInput(f"{settings.club.data} has no club.sqlite: no evening was begun by this file.")
    store = ClubStore.open(settings.database, settings.club.id)
    try:
        yield settings, store
    finally:
        store.close()


def list_evenings(config: Path) -> None:
    """Print the evenings, the newest first: id, day, title."""
    with _database(config) as (_, store):
        for evening in reversed(store.evenings()):
            print(evening.id, evening.day, evening.title)


def export_evening(config: Path, kind: str, evening: str | None, output: Path | None) -> None:
    """Write an evening, by default the newest one, as one of the files of `controller.club.exports`, or print it."""
    with _database(config) as (settings, store):
        evenings = store.evenings()
        if evening is None and not evenings:
            raise BadInput("The club has had no evening yet.")
        made = export(report(store, evening or evenings[-1].id, settings.club.name), kind)
    if made.left_out:
        print(f"Matches that are left out: {made.left_out}; only their results are known.", file=sys.stderr)
    if output is None:
        print(made.text, end="")
        return
    try:
        output.write_text(made.text, encoding="utf-8", newline="")
    except OSError as error:
        raise BadInput(f"{output} can't be written: {error.strerror}.") from error


def _simulate(folder: Path, port: int, done: threading.Event) -> None:
    club = ClubSection(id="simulated", name="Simulated club", data=folder)
    with opened(ClubSettings(club=club, web=HubWebSection(port=port))) as (desk, server):
        serve(desk, server)
        evening = SimulatedClubEvening(desk)
        try:
            evening.start()
            print("A simulated evening: thirty players, six tables, Swiss with five rounds. Nothing of it is kept.")
            print("A minute after its end another one begins. Ctrl-C ends the program.")
            _welcome(server.url, server.https_url)
            done.wait()
        finally:
            evening.stop()


def _welcome(url: str, https_url: str | None) -> None:
    url = url.rstrip("/")
    local = f"http://localhost:{url.rpartition(':')[2]}"
    print(f"Hall screen       {url}/hall")
    print(f"Players' phones   {url}/")
    print(f"Visitors          {url}/spectators")
    desk = f"{(https_url or url).rstrip('/')}/organiser"
    print(f"Organiser         {local}/organiser (on this machine without a password)")
    print(f"                  {desk} (on other devices, by the password)", flush=True)


@contextmanager
def opened(settings: ClubSettings) -> Iterator[tuple[Desk, Server]]:
    """The hub of one club and the server of its pages, which `serve` starts; both end here. Raises `BadInput`,
    `ClubError` or `WebError` for unusable settings."""
    web, club = settings.web, settings.club
    tls = check_addresses(web)
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
