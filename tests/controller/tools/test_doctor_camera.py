"""`doctor` and its report with a live camera, and where a network camera's password must never be."""

import json
import logging
from contextlib import closing
from itertools import repeat

import pytest

from controller.config import Config, load
from controller.errors import BadInput
from controller.table.devices import TableDevices
from controller.tools.bug_report import gather, redacted
from controller.tools.doctor import examine
from controller.tools.stills import calibrate_source
from hardware.devices import SystemClock
from hardware.errors import DeviceNotFound
from hardware.pictures import encode
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.hardware.network_senders import MjpegSender, part
from tests.hardware.test_cameras import PiBench
from tests.waiting import free_port

SECRET = "hunter2"


@pytest.fixture(scope="module")
def board():
    return Painter(seed=3).full(Scene(0.0))


@pytest.fixture
def phone(board):
    with closing(MjpegSender()) as sender:
        sender.login = ("me", SECRET)
        sender.stream = lambda: repeat(part(encode(board)))
        yield sender


def table(folder, device, **camera):
    document = {"table": {"data": folder}, "camera": {"device": device, **camera}, "hole": {"device": "none"}}
    return Config.model_validate(document | {"web": {"host": "127.0.0.1", "port": free_port()}})


def found(config):
    (finding,) = [one for one in examine(config) if one["what"] == "camera"]
    return finding


def test_doctor_says_a_phones_size_rate_and_delay(phone, tmp_path):
    finding = found(table(tmp_path, f"http://me:{SECRET}@127.0.0.1:{phone.port}/video"))
    assert finding["ok"], finding
    assert f"http://me@127.0.0.1:{phone.port}/video gives pictures of 1280 x 960, " in finding["text"]
    assert "a second: the first" in finding["text"]
    assert "can't be measured here" in finding["text"]
    figures = finding["figures"]
    assert 0 < figures["frames_per_second"] <= 100
    assert 0 < figures["interval"] <= figures["longest"]
    assert figures["delay"] > 0
    assert figures["first"] > 0


def test_doctor_reads_the_picture_of_a_pis_camera(tmp_path, monkeypatch):
    """Its full picture is gone when its frames are."""
    bench = PiBench()
    monkeypatch.setattr("hardware.picamera.PiCamera", lambda *_: bench.camera)
    finding = found(table(tmp_path, "picamera"))
    assert "gives pictures of 1280 x 960" in finding["text"]


def test_settings_report_and_logs_of_a_wrong_login_hold_no_password(phone, tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    phone.login = ("me", "another")
    config = table(tmp_path, f"http://me:{SECRET}@127.0.0.1:{phone.port}/video")
    document, _ = gather(config)
    (camera,) = (finding for finding in document["findings"] if finding["what"] == "camera")
    assert "does not accept" in camera["text"]
    assert redacted(config)["camera"]["device"] == f"http://me@127.0.0.1:{phone.port}/video"
    said = capfd.readouterr()
    for text in (json.dumps(document, default=str), repr(config), caplog.text, said.out, said.err):
        assert SECRET not in text


def test_a_password_may_be_a_line_of_its_own(phone, tmp_path):
    phone.login = ("me", "1234")
    file = tmp_path / "table.toml"
    device = f"http://me@127.0.0.1:{phone.port}/video"
    file.write_text(f'[table]\ndata = "{tmp_path}"\n[camera]\ndevice = "{device}"\npassword = 1234\n')
    with closing(TableDevices(load(file), SystemClock(), lambda _: None).open_camera()) as camera:
        next(camera.frames())
    file.write_text(f'[camera]\npassword = ["{SECRET}"]\n')
    with pytest.raises(BadInput, match=r"camera\.password must be text") as error:
        load(file)
    assert SECRET not in str(error.value)


def test_a_phone_can_be_calibrated_by_its_address(phone):
    assert calibrate_source(f"http://me:{SECRET}@127.0.0.1:{phone.port}/video.mjpg", None, None, None)
    with pytest.raises(DeviceNotFound) as error:
        calibrate_source(f"htpp://me:{SECRET}@127.0.0.1/video.mjpg", None, None, None)
    assert SECRET not in str(error.value)
