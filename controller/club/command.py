"""`crokinole-table club`: the club's hub, or with no configuration a simulated evening."""

import socket
import tempfile
import threading
from pathlib import Path

from controller.club.service import ClubService
from controller.club.settings import BrokerSection, ClubSection, ClubSettings, WebSection, load
from controller.club.simulated_evening import SimulatedEvening, passwords


def run_club(config: Path | None, port: int | None, done: threading.Event) -> None:
    """Run until `done`."""
    if config is None:
        with tempfile.TemporaryDirectory(prefix="crokinole-club-") as folder:
            _simulate(Path(folder), WebSection().port if port is None else port, done)
        return
    settings = load(config)
    if port is not None:
        settings = settings.model_copy(update={"web": settings.web.model_copy(update={"port": port})})
    service = ClubService(settings)
    try:
        service.start()
        _welcome(service)
        done.wait()
    finally:
        service.stop()


def _simulate(folder: Path, port: int, done: threading.Event) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        broker = BrokerSection(host="127.0.0.1", port=free.getsockname()[1])
    club = ClubSection(id="simulated", name="Simulated club", data=folder)
    service = ClubService(ClubSettings(club=club, broker=broker, web=WebSection(port=port)), guests=passwords())
    evening: SimulatedEvening | None = None
    try:
        service.start()
        evening = SimulatedEvening(service.hub, service.office, service.broker)
        evening.start()
        print("A simulated evening: thirty players, six tables, Swiss with five rounds. Nothing of it is kept.")
        _welcome(service)
        done.wait()
    finally:
        if evening is not None:
            evening.stop()
        service.stop()


def _welcome(service: ClubService) -> None:
    url = service.url.rstrip("/")
    local = f"http://localhost:{url.rpartition(':')[2]}"
    print(f"Hall screen      {url}/hall")
    print(f"Players' phones  {url}/")
    print(f"Organiser        {local}/organiser (on this machine without a password)", flush=True)
