"""How cameras describe themselves in a bug report."""

import json

import cv2

from hardware.devices import Frame, ManualClock, SelfDescribing
from hardware.picamera import PiCamera
from hardware.webcam import UsbCamera
from tests.hardware.camera_contract import card
from tests.hardware.fake_automatics import FIRST_EXPOSURE
from tests.hardware.fake_picamera2 import FakeLibrary
from tests.hardware.test_cameras import FakeCapture, UsbBench


def one(camera: PiCamera | UsbCamera) -> Frame:
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
    camera = UsbCamera("0", ManualClock(), lambda _: FakeCapture(bench))
    assert isinstance(camera, SelfDescribing)
    one(camera)
    described = camera.describe()
    assert (described["exposure"], described["white balance"]) == (157.0, 4600.0)
    assert described["width"] == 1280.0
    assert described["dropped"] == 0
    assert cv2.CAP_PROP_EXPOSURE not in described
