"""A part of the running service that hangs: systemd is asked to restart it, through a real socket."""

import errno
import json
import socket
import threading
import time

import numpy as np
import pytest

from controller.service import Service
from controller.table.clocks import steady
from controller.table.systemd import ENDS, MOST_ENDS
from hardware.files import boot_id
from tests.controller.fed_table import settings_of
from tests.hardware.fake_picamera2 import FakeLibrary
from tests.slow import slow
from tests.waiting import eventually

PATIENCE = 2.5  # s without progress, instead of a minute
QUIET = 3.0  # s: who does not get on is noticed by then
SOON = 20.0  # s on a busy machine
FRAME = 0.01  # s between two frames


class Systemd:
    """Hears what the service says."""

    def __init__(self, path):
        self.name = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.name)
        self.heard = []

    def hears(self, message, within):
        """Whether this message comes within so many seconds."""
        end = time.monotonic() + within
        while (left := end - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                self.heard.append(self._socket.recv(100).decode())
            except TimeoutError:
                break
            if self.heard[-1] == message:
                return True
        return False

    def close(self):
        self._socket.close()


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    listener = Systemd(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", listener.name)
    monkeypatch.setattr("controller.service.HEALTH", 0.05)
    monkeypatch.setattr("controller.table.systemd.PATIENCE", PATIENCE)
    monkeypatch.setattr("controller.table.systemd.EVERY", 0.1)
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
        self.service.camera_thread._retry = 0.05
        self.service.start()

    def hang(self):
        self.go_on.wait()

    @property
    def notices(self):
        return {notice.kind: str(notice.text) for notice in self.service.engine.snapshot.document.notices}

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
    assert systemd.hears("WATCHDOG=1", SOON)
    assert not systemd.hears("WATCHDOG=trigger", QUIET)
    assert systemd.heard.count("WATCHDOG=1") > 5
    eventually(lambda: "too dark" in table.notices.get("light", ""), table.notices)
    assert set(table.notices) == {"light"}


@slow
def test_a_camera_that_delivers_nothing_and_does_not_say_so(table, systemd):
    assert systemd.hears("WATCHDOG=1", SOON)
    table.blocked.set()
    assert systemd.hears("WATCHDOG=trigger", SOON)


def test_an_engine_that_waits_for_ever_is_restarted(table, systemd):
    assert systemd.hears("WATCHDOG=1", SOON)
    table.service.post(table.hang)
    assert systemd.hears("WATCHDOG=trigger", SOON)


@slow
def test_a_scoreboard_that_does_not_answer_is_restarted(table, systemd, monkeypatch):
    assert systemd.hears("WATCHDOG=1", SOON)
    monkeypatch.setattr("web_ui.server.ANSWER", 0.2)
    monkeypatch.setattr(table.service, "snapshot", table.hang)
    assert systemd.hears("WATCHDOG=trigger", SOON)


def test_a_camera_that_stalls_and_then_does_not_let_itself_be_stopped(table, systemd):
    assert systemd.hears("WATCHDOG=1", SOON)
    told = threading.Event()

    def look(_):
        if "switch the Pi off and on" in table.notices.get("camera", ""):
            told.set()

    table.service.subscribe(look)
    table.library.hang_at = {"stop"}
    table.library.delivering = False
    assert systemd.hears("WATCHDOG=trigger", SOON)
    assert told.wait(SOON)


def test_a_table_that_new_processes_have_not_helped_goes_on_without_its_camera_and_says_so(table, systemd, monkeypatch):
    def configure(*_):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    assert systemd.hears("WATCHDOG=1", SOON)
    table.service.journal.facts.keep(ENDS, json.dumps({"boot": boot_id(), "at": [steady()] * MOST_ENDS}))
    monkeypatch.setattr(table.library.Picamera2, "configure", configure)
    table.library.delivering = False
    eventually(lambda: "has not helped" in table.notices.get("camera", ""), table.notices)
    systemd.heard.clear()
    assert systemd.hears("WATCHDOG=1", SOON)
    assert "WATCHDOG=trigger" not in systemd.heard
