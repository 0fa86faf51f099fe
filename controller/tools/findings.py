"""The findings of `doctor`, and its checks of the scoreboard's port and of the installation."""

import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import packages_distributions
from typing import Any

from controller.config import Config
from controller.errors import ControllerError
from hardware.errors import HardwareError

OURS = "crokinole-table"
ROOMS = ("controller", "firmware_bridge", "hardware", "web_ui")
ANSWERS = 2.0  # s until a local port without an answer counts as free


class Mend(Exception):
    """Something to mend, with any known figures."""

    def __init__(self, text: str, figures: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.figures = figures or {}


@dataclass(frozen=True, slots=True)
class Healthy:
    """A good result, in words and figures."""

    text: str
    figures: dict[str, Any] = field(default_factory=dict)


def documents(examinations: Iterable[tuple[str, Callable[[], Healthy]]]) -> Iterator[dict[str, Any]]:
    """Carry out examinations, and yield each finding as soon as it is known: {"what", "ok", "text", "figures"}."""
    for what, examine in examinations:
        try:
            found = examine()
            yield {"what": what, "ok": True, "text": found.text, "figures": found.figures}
        except (Mend, HardwareError, ControllerError, OSError) as error:
            yield {"what": what, "ok": False, "text": str(error), "figures": getattr(error, "figures", {})}


def examine_port(config: Config) -> Healthy:
    """Check that the scoreboard's port is free. Raises `Mend` if it is not."""
    web = config.web
    try:
        by_colons = ":" in web.host
        family = socket.AF_INET6 if by_colons else socket.AF_INET
        with socket.create_server((web.host, web.port), family=family, dualstack_ipv6=by_colons) as server:
            port = server.getsockname()[1]
    except PermissionError:
        return _reserved_port(web.host, web.port)
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno in (98, 48):  # in use: Linux, macOS
            raise _in_use(web.port) from error
        raise Mend(f"[web] host = {web.host!r} is no address of this machine: use 0.0.0.0 for all.") from error
    return Healthy(f"{web.host}:{port} is free", {"port": port})


def _reserved_port(host: str, port: int) -> Healthy:
    """Check a port that only the service may open, to which systemd grants the right."""
    try:
        socket.create_connection((host if host != "0.0.0.0" else "127.0.0.1", port), timeout=ANSWERS).close()
    except OSError:
        return Healthy(f"{host}:{port} is free; the service may open it, other programs of this user may not")
    raise _in_use(port)


def _in_use(port: int) -> Mend:
    return Mend(
        f"Port {port} is in use: the table is running already (to examine the devices that it "
        "holds, stop it), or another program has it: set another [web] port."
    )


def examine_installation(installed: Mapping[str, Sequence[str]] | None = None) -> Healthy:
    """Check that no other package has modules of our names, which pip would have overwritten or been overwritten by.
    `installed`: distributions by importable name. Raises `Mend`."""
    found = packages_distributions() if installed is None else installed
    others = {room: sorted(set(found.get(room, ())) - {OURS}) for room in ROOMS}
    shared = [f"{room} with {', '.join(names)}" for room, names in others.items() if names]
    if shared:
        raise Mend(
            "Other packages in this Python environment have folders of the same names as the table's "
            f"({'; '.join(shared)}), and one was written over the other. {OURS} is an application: install it by "
            "itself, with pipx or into a new venv."
        )
    return Healthy("no other package shares the table's names")
