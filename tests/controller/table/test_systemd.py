"""systemd hears that the table serves and lives, through a real socket."""

import os
import socket
import sys
from pathlib import Path

import pytest

from controller.table.systemd import EVERY, PATIENCE, Part, Watchdog, notify


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


class Told(list[str]):
    """What systemd heard, and a heartbeat of two parts; `counts` has their progress."""

    def __init__(self) -> None:
        self.counts: dict[str, int | None] = {"camera": 0, "engine": 0}
        parts = [Part(name, lambda name=name: self.counts[name]) for name in self.counts]
        self.heartbeat = Watchdog(parts, self.append)

    def run(self, begin: float, seconds: float, **steps: int) -> None:
        """Beat every five seconds, while the parts named get on."""
        for k in range(round(seconds / 5)):
            for name, step in steps.items():
                count = self.counts[name]
                self.counts[name] = None if count is None else count + step
            self.heartbeat.beat(begin + 5 * k)


def test_while_all_parts_get_on_systemd_hears_of_it_every_ten_seconds():
    told = Told()
    told.run(0.0, 600.0, camera=100, engine=1)
    assert told == ["WATCHDOG=1"] * 60


@pytest.mark.parametrize("stuck", ["camera", "engine"])
def test_a_part_that_does_not_get_on_has_the_service_restarted(stuck, caplog):
    told = Told()
    told.run(0.0, 30.0, camera=1, engine=1)
    well = len(told)
    told.run(30.0, 200.0, **{name: 1 for name in told.counts if name != stuck})
    assert told[-1] == "WATCHDOG=trigger"
    assert told.count("WATCHDOG=trigger") == 1
    assert set(told[well:-1]) == {"WATCHDOG=1"}
    assert len(told) - well <= PATIENCE / EVERY + 2
    assert f"no progress for 60 s: {stuck}" in caplog.text
    assert Path(__file__).name in caplog.text, "the log says where each thread is"


def test_a_part_that_was_slow_or_has_nothing_to_do_is_not_stuck():
    told = Told()
    told.run(0.0, 50.0, engine=1)
    told.run(50.0, 50.0, camera=1, engine=1)
    told.counts["camera"] = None
    told.run(100.0, 300.0, engine=1)
    assert set(told) == {"WATCHDOG=1"}
