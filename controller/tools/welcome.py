"""The running table's greeting on the terminal: addresses, PIN, the journal's place, what to try."""

import os
import sys
import webbrowser
from urllib.parse import urlsplit

from controller.service import Service

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")


def welcome(service: Service) -> None:
    """Print the greeting, on a terminal with a QR code for phones; open a simulated table in the browser."""
    lines = greeting(service)
    if sys.stdout.isatty():
        import segno

        segno.make(service.server.url, micro=False).terminal(compact=True)
    print(*lines, sep="\n", flush=True)
    if service.config.camera.device == "simulated" and desktop():
        webbrowser.open(local(service) or service.server.url)


def greeting(service: Service) -> list[str]:
    """The lines of the greeting; the first has the address for phones and the PIN."""
    lines = [f"Scoreboard: {service.server.url}   PIN for the scorer: {service.pin}   (Ctrl+C ends)"]
    if here := local(service):
        lines.append(f"On this computer: {here}   (needs no PIN)")
    lines.append(f"Matches are kept in {service.journal.path.resolve()}")
    if service.config.camera.device == "simulated":
        faults = ", ".join(service.config.simulated.faults)
        lines.append(f"The table is simulated, with these faults: {faults}" if faults else TRY)
    return lines


TRY = "The table is simulated and plays by itself. What can go wrong: --faults NAMES; `simulate --help` lists them."


def local(service: Service) -> str | None:
    """The address for a browser on this computer; None if the table does not listen there."""
    host = service.config.web.host
    if host in EVERYWHERE or host in LOOPBACK:
        return f"http://localhost:{urlsplit(service.server.url).port}/"
    return None


def desktop() -> bool:
    """Whether a browser can open for the user: at a terminal, not in continuous integration, with a display."""
    if "CI" in os.environ or not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
