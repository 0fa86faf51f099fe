"""`crokinole-table club`: the club's hub, or with no configuration a simulated evening."""

import logging
import signal
import socket
import tempfile
import threading
from pathlib import Path

from controller.club.broker import INSTALL, mosquitto_found
from controller.club.direct import Direct
from controller.club.service import ClubService
from controller.club.settings import BrokerSection, ClubSection, ClubSettings, WebSection, load
from controller.club.simulated_evening import SimulatedEvening, at_broker, passwords


def run_club(config: Path | None, port: int | None) -> None:
    """Run until a signal ends it."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    done = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: done.set())
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
    settings = ClubSettings(club=club, broker=broker, web=WebSection(port=port))
    brokered = mosquitto_found() is not None
    service = ClubService(settings, guests=passwords(), brokered=brokered)
    evening: SimulatedEvening | None = None
    try:
        service.start()
        connect = at_broker(service.broker, passwords()) if brokered else Direct(service.hub).connect
        evening = SimulatedEvening(service.hub, service.office, connect)
        evening.start()
        print("A simulated evening: thirty players, six tables, Swiss with five rounds. Nothing of it is kept.")
        if not brokered:
            print(
                "There is no MQTT broker on this machine, so the simulated tables speak to the hub directly. For real "
                f"tables and Home Assistant install Mosquitto ({INSTALL})."
            )
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
