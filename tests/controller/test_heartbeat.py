"""systemd hears that the table serves and lives, through a real socket."""

import os
import socket
import sys

import pytest

from controller.heartbeat import notify


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="systemd is Linux's")
@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_systemd_hears_every_message(tmp_path, kind):
    name = str(tmp_path / "notify") if kind == "path" else f"@crokinole-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name.replace("@", "\0"))
        systemd.settimeout(5.0)
        for message in ("READY=1", "WATCHDOG=1", "STOPPING=1"):
            notify(message, {"NOTIFY_SOCKET": name})
            assert systemd.recv(100).decode() == message


def test_without_systemd_or_with_one_that_is_gone_nothing_happens(tmp_path):
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})
