"""A part of the running service that hangs: systemd is asked to restart it, through a real socket."""

import errno
import itertools
import json
import queue
import socket
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from controller.service import Service
from controller.table.clocks import steady
from controller.table.watchdog import ENDS, MOST_ENDS
from hardware.files import boot_id
from tests.controller.fed_table import settings_of
from tests.hardware.fake_picamera2 import FakeLibrary
from tests.slow import slow
from tests.waiting import eventually

SOON = 20.0  # s on a busy machine
FRAME = 0.01  # s between two frames


class Systemd:
    """Hears what the service says, at once, as systemd does: the socket holds ten messages, then the service waits."""

    def __init__(self, path):
        self.name = str(path)
        self.heard = []
        self._coming = queue.Queue()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.name)
        self._thread = threading.Thread(target=self._hear)
        self._thread.start()

    def _hear(self):
        while message := self._socket.recv(100).decode():
            self.heard.append(message)
            self._coming.put(message)

    def hears(self, message):
        """Whether this message comes soon."""
        end = time.monotonic() + SOON
        try:
            while self._coming.get(timeout=max(0.0, end - time.monotonic())) != message:
                pass
        except queue.Empty:
            return False
        return True

    def close(self):
        self._socket.sendto(b"", self.name)
        self._thread.join()
        self._socket.close()


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """With a watchdog by whose clock each check takes 3 s: on a busy machine its patience is longer as well."""
    listener = Systemd(tmp_path / "notify")
    checks = itertools.count(step=3.0)
    monkeypatch.setenv("NOTIFY_SOCKET", listener.name)
    monkeypatch.setattr("controller.service.HEALTH", 0.05)
    monkeypatch.setattr("controller.service.time", SimpleNamespace(monotonic=lambda: next(checks)))
    monkeypatch.setattr("hardware.picamera.BLOCKED_SECONDS", 0.2)
    yield listener
    listener.close()


class Hung:
    """A service with a Pi's camera in the dark; `hang` is waited for by whatever is to hang."""

    def __init__(self, folder, monkeypatch):
        self.go_on = threading.Event()
        self.blocked = threading.Event()
        dark = np.zeros((960, 1280, 3), np.uint8)

        def picture(number):
            if self.blocked.wait(FRAME):
                self.go_on.wait()
            return dark

        self.library = FakeLibrary(picture)
        monkeypatch.setattr("hardware.picamera._picamera2", lambda: self.library)
        self.service = Service(settings_of(folder, camera={"device": "picamera"}, hole={"device": "none"}))
        self.service.camera_thread.retry = 0.05
        self.service.start()

    def hang(self):
        self.go_on.wait()

    @property
    def notices(self):
        return {notice.kind: str(notice.text) for notice in self.service.engine.snapshot.notices}

    def stop(self):
        self.go_on.set()
        self.library.unhang.set()
        self.service.stop()


@pytest.fixture
def table(tmp_path, systemd, monkeypatch):
    hung = Hung(tmp_path / "data", monkeypatch)
    yield hung
    hung.stop()


@slow
def test_a_service_that_gets_on_is_left_alone_and_a_dark_picture_is_no_stuck_camera(table, systemd):
    for _ in range(6):
        assert systemd.hears("WATCHDOG=1")
    assert "WATCHDOG=trigger" not in systemd.heard
    eventually(lambda: "too dark" in table.notices.get("light", ""), table.notices)
    assert set(table.notices) == {"light"}


@slow
def test_a_camera_that_delivers_nothing_and_does_not_say_so(table, systemd):
    assert systemd.hears("WATCHDOG=1")
    table.blocked.set()
    assert systemd.hears("WATCHDOG=trigger")


def test_an_engine_that_waits_for_ever_is_restarted(table, systemd):
    assert systemd.hears("WATCHDOG=1")
    table.service.post(table.hang)
    assert systemd.hears("WATCHDOG=trigger")


@slow
def test_a_scoreboard_that_does_not_answer_is_restarted(table, systemd, monkeypatch):
    assert systemd.hears("WATCHDOG=1")
    monkeypatch.setattr("web_ui.server.ANSWER", 0.2)
    shown = table.service.snapshot()
    monkeypatch.setattr(table.service, "snapshot", lambda: table.hang() or shown)
    assert systemd.hears("WATCHDOG=trigger")


def test_a_camera_that_stalls_and_then_does_not_let_itself_be_stopped(table, systemd):
    assert systemd.hears("WATCHDOG=1")
    said = threading.Event()

    def look(_):
        if "switch the Pi off and on" in table.notices.get("camera", ""):
            said.set()

    table.service.subscribe(look)
    table.library.hang_at = {"stop"}
    table.library.delivering = False
    assert systemd.hears("WATCHDOG=trigger")
    assert said.wait(SOON)


def test_a_table_that_new_processes_have_not_helped_goes_on_without_its_camera_and_says_so(table, systemd, monkeypatch):
    def configure(*_):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    assert systemd.hears("WATCHDOG=1")
    table.service.journal.facts.keep(ENDS, json.dumps({"boot": boot_id(), "at": [steady()] * MOST_ENDS}))
    monkeypatch.setattr(table.library.Picamera2, "configure", configure)
    table.library.delivering = False
    eventually(lambda: "has not helped" in table.notices.get("camera", ""), table.notices)
    before = len(systemd.heard)
    eventually(lambda: "WATCHDOG=1" in systemd.heard[before:])
    assert "WATCHDOG=trigger" not in systemd.heard
