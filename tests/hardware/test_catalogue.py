import json
import subprocess
import sys

import cv2
import pytest

from hardware import catalogue
from hardware.catalogue import DeviceSpec, parse_camera, parse_hole
from hardware.devices import ManualClock, SelfDescribing
from hardware.errors import DeviceNotFound, DriverMissing
from hardware.picamera import PRESETS, PiCamera, preset
from hardware.webcam import UsbCamera
from tests.hardware.camera_contract import card
from tests.hardware.fake_automatics import FIRST_EXPOSURE
from tests.hardware.fake_picamera2 import FakeLibrary
from tests.hardware.test_cameras import NOWHERE, FakeCapture, UsbBench


@pytest.mark.parametrize(
    ("parse", "name", "kind", "where"),
    [
        (parse_hole, "simulated", "simulated", ""),
        (parse_hole, " gpio:17 ", "gpio", "17"),
        (parse_hole, "serial:/dev/ttyACM0", "serial", "/dev/ttyACM0"),
        (parse_camera, "picamera", "picamera", ""),
        (parse_camera, "picamera:1", "picamera", "1"),
        (parse_camera, "usb:0", "usb", "0"),
        (parse_camera, "folder:an evening/first", "folder", "an evening/first"),
        (parse_camera, r"video:C:\games\final.mp4", "video", r"C:\games\final.mp4"),
    ],
)
def test_devices_have_names(parse, name, kind, where):
    assert parse(name) == DeviceSpec(kind, where)


HOLES = r"simulated, gpio:17, serial:/dev/ttyACM0, none\."
NETWORK = "http://PHONE:8080/video, https://PHONE:8080/video, rtsp://PHONE:8554/PATH"
CAMERAS = rf"simulated, picamera, usb:0, {NETWORK}, folder:PATH, video:PATH, none\."


@pytest.mark.parametrize(
    ("parse", "known", "names"),
    [
        (parse_hole, HOLES, ("", "gpoi:17", "17", "GPIO:17", "picamera")),
        (parse_camera, CAMERAS, ("", "webcam", "gpio:17", "usb0")),
    ],
)
def test_an_unknown_device_lists_the_known_ones(parse, known, names):
    for name in names:
        with pytest.raises(DeviceNotFound, match=f"use one of {known}"):
            parse(name)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("usb", "write it as usb:0"),
        ("folder:", "write it as folder:PATH"),
        ("picamera:", "needs a number"),
        ("picamera:left", "needs a number"),
        ("simulated:fast", "leave ':fast' out"),
        ("none:", "leave ':' out"),
    ],
)
def test_an_incomplete_name_is_refused_with_an_example(name, advice):
    with pytest.raises(DeviceNotFound, match=advice):
        parse_camera(name)


def frames_of(name, clock):
    camera = catalogue.camera(name, clock)
    return camera.frames()


def test_a_folder_is_played_as_a_camera(tmp_path):
    cv2.imwrite(str(tmp_path / "000000.jpg"), card(0, (320, 240)))
    frames = frames_of(f"folder:{tmp_path}", ManualClock(50.0))
    assert [(frame.t, frame.name) for frame in frames] == [(50.0, "000000.jpg")]


def test_none_gives_no_camera_and_the_simulated_one_is_created_with_its_table():
    assert catalogue.camera("none", ManualClock()) is None
    with pytest.raises(ValueError, match="simulated"):
        catalogue.camera("simulated", ManualClock())


@pytest.mark.parametrize(
    ("library", "module", "words"),
    [
        ("gpiozero", "gpio", r"python3-gpiozero .*crokinole-table\[pi\]"),
        ("serial", "serial_link", "pip install pyserial"),
    ],
)
def test_without_a_library_the_message_names_its_package(monkeypatch, library, module, words):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"hardware.{module}", raising=False)
    with pytest.raises(DriverMissing, match=words):
        catalogue.driver(module)


def test_drivers_are_imported_only_when_they_are_chosen():
    code = (
        "import sys, hardware.catalogue as c; c.parse_hole('gpio:17'); c.parse_camera('picamera');"
        "print([m for m in ('gpiozero', 'serial', 'cv2', 'picamera2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_camera_without_infrared_filter_is_the_same_camera():
    assert preset("imx708_noir") is PRESETS["imx708"]
    assert preset("imx708_wide_noir") == preset("imx708_wide")
    assert preset("ov9281") is None


def one(camera):
    return next(camera.frames())


def test_the_pis_camera_describes_its_metadata_and_locked_controls():
    camera = PiCamera(ManualClock(), library=FakeLibrary(card, "imx708"))
    assert isinstance(camera, SelfDescribing)
    assert camera.describe()["metadata"] == {}
    frames = camera.frames()
    next(frames)
    described = json.loads(json.dumps(camera.describe(), default=str))
    assert described["metadata"]["ExposureTime"] == FIRST_EXPOSURE
    assert described["metadata"]["AnalogueGain"] >= 1.0
    assert described["properties"]["Model"] == "imx708"
    assert described["dropped"] == 0
    camera.close()


def test_a_usb_camera_describes_its_settings():
    bench = UsbBench()
    camera = UsbCamera("0", ManualClock(), lambda _: FakeCapture(bench), root=NOWHERE)
    assert isinstance(camera, SelfDescribing)
    one(camera)
    described = camera.describe()
    assert (described["exposure"], described["white balance"]) == (157.0, 4600.0)
    assert described["width"] == 1280.0
    assert described["dropped"] == 0
    assert cv2.CAP_PROP_EXPOSURE not in described
