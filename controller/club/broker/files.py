"""Mosquitto's files for a club: accounts, access rights and listeners.

The rights need no change when a table joins: a table's user name is its id. Every other account's name begins with an
underscore, which no table's id does, so that only a table itself can write its topics."""

import base64
import hashlib
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from controller import link

Role = Literal["table", "hub", "scorer", "viewer"]
"""Home automation is a `scorer` if its buttons may score, else a `viewer`."""
ITERATIONS = 1000  # of PBKDF2; Mosquitto's own is 101. Passwords are random: more would only slow connecting down.
OVERHEAD = 4096  # bytes of a packet besides its payload: its topic and its properties
OWNER_ONLY = 0o600
MOST_CONNECTIONS = 400
"""On the outer listener, so that the hub can always connect to the inner one: a process may open 1024 files."""
ANY_ADDRESS = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Account:
    """An account at the broker: its user name, role and line in Mosquitto's password file."""

    user: str
    role: Role
    password_line: str

    @classmethod
    def new(cls, user: str, role: Role, password: str) -> "Account":
        """Raises `ValueError` for a name that does not fit its role."""
        pattern = link.ID.pattern if role == "table" else f"_{link.ID.pattern}"
        if not re.fullmatch(pattern, user):
            raise ValueError(f"{user!r} can't be the user name of a {role}: it must be like {pattern}")
        return cls(user, role, password_line(user, password))


@dataclass(frozen=True, slots=True)
class Listener:
    """Where the broker listens; with a certificate and its key (PEM files), over TLS only.

    `inside`: another port for this machine's programs, without TLS: the certificate need not be for `localhost`. There
    one account may have several sessions, as several hubs do; on the outer listener only one. `outside`: False to open
    the inner listener only."""

    host: str = "0.0.0.0"
    port: int = 1883
    certificate: Path | None = None
    key: Path | None = None
    inside: int | None = None
    outside: bool = True

    @property
    def here(self) -> str:
        """The host name for this machine's programs."""
        return "localhost" if self.host in ANY_ADDRESS or self.host in LOOPBACK else self.host

    @property
    def probe_address(self) -> tuple[str, int]:
        """The host and port to test whether it answers."""
        return (self.here, self.port) if self.outside else ("127.0.0.1", self.inside or 0)

    @property
    def url(self) -> str:
        """The broker's address for this machine's programs."""
        if self.inside is not None:
            return f"mqtt://127.0.0.1:{self.inside}"
        host = f"[{self.here}]" if ":" in self.here else self.here
        return f"{'mqtts' if self.certificate else 'mqtt'}://{host}:{self.port}"


def password_line(user: str, password: str) -> str:
    """A line of Mosquitto's password file: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"{user}:$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def acl(club: str, accounts: Iterable[Account]) -> str:
    """The access rights; see docs/club-protocol.md. Everything else is forbidden."""
    topics = link.Topics(club)
    own = f"{link.ROOT}/{topics.club}/table/%u"
    every = f"{link.ROOT}/{topics.club}/table/+"
    lines = [
        "# Written by crokinole-table. Tables: each its own topics, by its user name.",
        *(f"pattern write {own}/{kind}" for kind in ("state", "events", "status")),
        *(f"pattern read {own}/{kind}" for kind in ("assignment", "resend", "command")),
        f"pattern write {link.discovery_topic(club, '%u')}",
    ]
    rights = {
        "hub": [f"read {every}/#", f"write {every}/assignment", f"write {every}/resend"],
        "viewer": [f"read {every}/#", "read homeassistant/#"],
        "scorer": [f"read {every}/#", "read homeassistant/#", "write homeassistant/status", f"write {every}/command"],
    }
    for account in accounts:
        if account.role != "table":
            lines += ["", f"user {account.user}", *(f"topic {right}" for right in rights[account.role])]
    return "\n".join(lines) + "\n"


def configuration(folder: Path, listener: Listener, user: str | None = None) -> str:
    """mosquitto.conf. `folder`: for its other files and its persistent state. `user`: the system user to run as when
    root starts it; the default is `mosquitto`."""
    lines = [
        "# Written by crokinole-table.",
        "per_listener_settings false",
        "allow_anonymous false",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'acl'}",
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 60",
        f"max_packet_size {link.LARGEST + OVERHEAD}",
        "max_queued_messages 10000",
        "max_keepalive 120",
        "set_tcp_nodelay true",
        "connection_messages false",
    ]
    if listener.outside:
        # With free client ids any account could end another's session by taking its id.
        lines += [
            f"listener {listener.port} {listener.host}",
            f"max_connections {MOST_CONNECTIONS}",
            "use_username_as_clientid true",
        ]
    if listener.outside and listener.certificate is not None and listener.key is not None:
        lines += [f"certfile {listener.certificate}", f"keyfile {listener.key}"]
    if listener.inside is not None:
        lines.append(f"listener {listener.inside} 127.0.0.1")
    if user is not None:
        lines.append(f"user {user}")
    return "\n".join(lines) + "\n"


def write_files(
    folder: Path, club: str, accounts: Iterable[Account], listener: Listener, user: str | None = None
) -> Path:
    """Write mosquitto.conf, acl and passwords into a folder; returns the path of the first. Raises `OSError`. Mosquitto
    reloads accounts and rights at SIGHUP (`systemctl reload mosquitto`)."""
    known = list(accounts)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(folder / "passwords", "".join(f"{account.password_line}\n" for account in known))
    _write(folder / "acl", acl(club, known))
    _write(folder / "mosquitto.conf", configuration(folder, listener, user))
    return folder / "mosquitto.conf"


def _write(path: Path, text: str) -> None:
    """Replace the file atomically, so that the broker never reads half of one."""
    part = path.with_name(f"{path.name}.part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY), "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)
