"""What `doctor` finds, and what it finds of the scoreboard's port."""

import socket
from dataclasses import dataclass, field
from typing import Any

from controller.config import Config

ANSWERS = 2.0  # s until a port of this machine that does not answer counts as free


class Mend(Exception):
    """Something to mend; `figures` as far as they are known."""

    def __init__(self, text: str, figures: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.figures = figures or {}


@dataclass(frozen=True, slots=True)
class Healthy:
    """What was found, in words and as live figures."""

    text: str
    figures: dict[str, Any] = field(default_factory=dict)


def examine_port(config: Config) -> Healthy:
    """Whether the scoreboard's port is to be had. Raises `Mend` where it is not."""
    web = config.web
    try:
        with socket.create_server((web.host, web.port)) as server:
            port = server.getsockname()[1]
    except PermissionError:
        return _reserved_port(web.host, web.port)
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno in (98, 48):  # in use: Linux, macOS
            raise _in_use(web.port) from error
        raise Mend(f"[web] host = {web.host!r} is no address of this machine: use 0.0.0.0 for all.") from error
    return Healthy(f"{web.host}:{port} is free", {"port": port})


def _reserved_port(host: str, port: int) -> Healthy:
    """A port that only the service may open, which has the right to it from systemd."""
    try:
        socket.create_connection((host if host != "0.0.0.0" else "127.0.0.1", port), timeout=ANSWERS).close()
    except OSError:
        return Healthy(f"{host}:{port} is free; the service may open it, other programs of this user may not")
    raise _in_use(port)


def _in_use(port: int) -> Mend:
    return Mend(
        f"Port {port} is in use: the table is running already (devices that it holds can't be looked at meanwhile: "
        "stop it for that), or another program has it: set another [web] port."
    )
