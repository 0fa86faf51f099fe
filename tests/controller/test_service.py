"""The service as it is put together: without its devices, with a new PIN, after a wrong date."""

import pytest

from controller.service import Service
from hardware.devices import HoleEvent
from tests.controller.fed_table import ReadTable, settings_of
from tests.waiting import eventually


def test_a_device_that_is_not_there_is_a_notice_and_the_score_can_be_kept_by_hand(tmp_path):
    devices = {"camera": {"device": "picamera"}, "hole": {"device": "serial:/dev/nothing"}}
    service = Service(settings_of(tmp_path, **devices))
    service.start()
    try:
        eventually(lambda: len(service.snapshot().notices) >= 2, "a notice of each")
        words = " ".join(str(notice.text) for notice in service.snapshot().notices)
        assert "picamera2" in words
        assert "/dev/nothing" in words
        assert service.snapshot().status.word == "no_camera"
    finally:
        service.stop()


@pytest.fixture
def without_devices(tmp_path):
    """Begin a service, which is stopped at the end."""
    begun = []

    def begin():
        begun.append(Service(settings_of(tmp_path / "data", camera={"device": "none"})))
        return begun[-1]

    yield begin
    for service in begun:
        service.stop()


def test_behind_a_proxy_nobody_is_the_tables_screen(tmp_path):
    web = {"host": "127.0.0.1", "port": 0, "proxy": True}
    service = Service(settings_of(tmp_path / "data", web=web, camera={"device": "none"}))
    try:
        client = service.server._app.test_client()
        assert client.post("/api/session", json={}).status_code == 400
        assert service.pin not in client.get("/tv").text
    finally:
        service.stop()


def test_a_new_pin_is_kept_and_ends_sessions_and_devices_but_no_program(without_devices):
    service = without_devices()
    former = service.pin
    held = {kind: service.tokens.make(kind) for kind in ("session", "device", "program")}
    service.command({"do": "new_pin"})
    assert service.journal.facts.get("pin") == service.pin != former
    valid = {kind: service.tokens.holder(kind, token) is not None for kind, token in held.items()}
    assert valid == {"session": False, "device": False, "program": True}


def test_after_a_start_with_an_earlier_date_the_sensor_is_still_heard(tmp_path, without_devices):
    """The referee takes what is later than what it knows; a Pi's date at its start is that of its last shutdown."""
    table = ReadTable(tmp_path / "data")
    table.engine.hole_changed(HoleEvent(5e9, True))
    table.journal.close()
    service = without_devices()
    assert service.engine.state.hole[-1].t == 5e9
    assert service._clock.now() >= 5e9
