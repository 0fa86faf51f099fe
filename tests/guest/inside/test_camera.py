"""picamera2 on libcamera, both real, under the contract that the fake passes too; and the fake against the real one."""

import inspect

import cv2
import picamera2
import pytest

from hardware.devices import SystemClock
from hardware.picamera import PiCamera
from tests.guest.inside import virtual_picamera2
from tests.hardware import fake_picamera2
from tests.hardware.camera_contract import CameraContract, card
from tests.hardware.test_cameras import Held

CARDS = 16
METHODS = ("create_video_configuration", "configure", "camera_configuration", "start", "stop", "close", "set_controls")
OF_REQUESTS = ("get_metadata", "make_array", "release")


@pytest.fixture(scope="module", autouse=True)
def cards(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards")
    pictures = []
    for number in range(CARDS):
        pictures.append(folder / f"{number}.jpg")
        cv2.imwrite(str(pictures[-1]), card(number, (640, 480)), [cv2.IMWRITE_JPEG_QUALITY, 98])
    virtual_picamera2.show(pictures)


class TestPiCamera(CameraContract):
    @pytest.fixture
    def bench(self):
        bench = Held(PiCamera(SystemClock(), library=virtual_picamera2))
        yield bench
        bench.close()


def test_frames_are_what_lies_before_the_lens():
    camera = PiCamera(SystemClock(), library=virtual_picamera2)
    frames = camera.frames()
    frame = next(frames)
    assert frame.full().shape == (480, 640, 3)
    assert frame.small.shape == (240, 320)
    camera.close()


@pytest.mark.parametrize("name", [*METHODS, "capture_request", "cancel_all_and_flush"])
def test_the_fake_takes_what_the_real_one_takes(name):
    same_parameters(getattr(fake_picamera2.Picamera2, name), getattr(picamera2.Picamera2, name))


@pytest.mark.parametrize("name", OF_REQUESTS)
def test_the_fakes_requests_take_what_the_real_ones_take(name):
    same_parameters(getattr(fake_picamera2.CompletedRequest, name), getattr(picamera2.CompletedRequest, name))


def same_parameters(fake, real):
    takes = inspect.signature(real).parameters
    for name, parameter in inspect.signature(fake).parameters.items():
        assert name in takes
        if parameter.default is not parameter.empty:
            assert takes[name].default is not inspect.Parameter.empty
