"""USB cameras on a machine that numbers them as they come, as Linux shows it in its files."""

from itertools import islice

import cv2
import numpy as np
import pytest

from hardware.devices import ManualClock
from hardware.errors import DeviceLost, DeviceNotFound, DeviceRefused
from hardware.usb_cameras import KNOWN, recommended
from hardware.webcam import UsbCamera

C920 = ("046d", "082d", "8CA2D55F", "HD Pro Webcam C920")
NAMELESS = ("1bcf", "2281", "", "USB Camera: USB Camera")


class Machine:
    """The files of a machine, and what OpenCV does with its cameras."""

    def __init__(self, root):
        self.root = root
        self.opened = []
        self.refuses = False
        self.silent = False
        self._links = {}
        self.kept = {}  # a table's memory
        (root / "sys/class/video4linux").mkdir(parents=True)

    def plug(self, number, camera, port):
        """A camera comes, with two nodes: one for pictures, one for their data."""
        vendor, product, serial, card = camera
        device = self.root / "sys/devices/usb1" / port
        interface = device / f"{port}:1.0"
        interface.mkdir(parents=True, exist_ok=True)
        for name, text in (("idVendor", vendor), ("idProduct", product), ("serial", serial)):
            if text:
                (device / name).write_text(text + "\n")
        links = [f"by-id/usb-{vendor}_{product}_{serial}", f"by-path/platform-usb-0:{port}:1.0"]
        self._links[number] = []
        for index in (0, 1):
            node = self.root / f"sys/class/video4linux/video{number + index}"
            node.mkdir()
            (node / "index").write_text(f"{index}\n")
            (node / "name").write_text(card + "\n")
            (node / "device").symlink_to(interface)
            file = self.root / f"dev/video{number + index}"
            file.parent.mkdir(exist_ok=True)
            file.touch()
            for link in (self.root / f"dev/v4l/{link}-video-index{index}" for link in links):
                link.parent.mkdir(parents=True, exist_ok=True)
                link.unlink(missing_ok=True)  # the newest of two that are the same has it
                link.symlink_to(f"../../video{number + index}")
                self._links[number].append(link)

    def unplug(self, number):
        for index in (0, 1):
            node = self.root / f"sys/class/video4linux/video{number + index}"
            for file in node.iterdir():
                file.unlink()
            node.rmdir()
            (self.root / f"dev/video{number + index}").unlink()
        for link in self._links[number]:
            if not link.exists():
                link.unlink(missing_ok=True)

    def there(self, number):
        return (self.root / f"dev/video{number}").exists()

    def get(self, name):
        return self.kept.get(name)

    def try_to_keep(self, name, value):
        self.kept[name] = value

    def camera(self, where):
        return UsbCamera(where, ManualClock(), lambda number: Capture(self, number), root=self.root, memory=self)


class Capture:
    """What OpenCV opened; it ends with its camera."""

    def __init__(self, machine, number):
        self._machine, self._number = machine, number
        machine.opened.append(number)

    def isOpened(self):  # noqa: N802
        return self._machine.there(self._number) and not self._machine.refuses

    def grab(self):
        return self._machine.there(self._number) and not self._machine.silent

    def retrieve(self):
        return True, np.full((48, 64, 3), 100, np.uint8)

    def get(self, which):
        return -1.0

    def set(self, which, value):
        return which == cv2.CAP_PROP_FOURCC

    def release(self):
        pass


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def lose(frames):
    with pytest.raises(DeviceLost):
        list(islice(frames, 10))


@pytest.mark.parametrize("port", ["1-1.2", "1-1.4"])
def test_a_camera_that_comes_back_with_another_number_is_found_again(machine, port):
    machine.plug(0, C920, "1-1.2")
    camera = machine.camera("0")
    frames = camera.frames()
    next(frames)
    machine.unplug(0)
    lose(frames)
    machine.plug(0, NAMELESS, "1-1.1")
    with pytest.raises(DeviceNotFound, match=r"usb:0 \(/dev/.*8CA2D55F.*\).*Plugged in: usb:/dev/v4l/by-id/usb-1bcf"):
        next(camera.frames())
    machine.plug(2, C920, port)
    next(camera.frames())
    assert machine.opened == [0, 2]


def test_a_new_process_finds_the_camera_of_the_process_before_until_the_machine_starts_anew(machine, monkeypatch):
    machine.plug(0, C920, "1-1.2")
    frames = machine.camera("0").frames()
    next(frames)
    machine.unplug(0)
    lose(frames)
    machine.plug(1, C920, "1-1.2")
    next(machine.camera("0").frames())
    with pytest.raises(DeviceNotFound, match="usb:7"):  # the settings name another now
        next(machine.camera("7").frames())
    monkeypatch.setattr("hardware.usb_cameras.boot_id", lambda: "another")
    with pytest.raises(DeviceNotFound, match="usb:0"):
        next(machine.camera("0").frames())
    assert machine.opened == [0, 1]


@pytest.mark.parametrize("kept", ["", "{}", "[1, 2, 3, 4]", "[null]"])
def test_what_was_kept_of_a_camera_and_is_unreadable_is_learnt_again(machine, kept):
    machine.kept[KNOWN] = kept
    machine.plug(0, C920, "1-1.2")
    next(machine.camera("0").frames())
    assert "8CA2D55F" in machine.kept[KNOWN]


def test_of_two_cameras_of_a_kind_the_one_at_the_port_is_taken(machine):
    machine.plug(0, NAMELESS, "1-1.2")
    machine.plug(2, NAMELESS, "1-1.3")
    camera = machine.camera("2")
    frames = camera.frames()
    next(frames)
    machine.unplug(2)
    lose(frames)
    with pytest.raises(DeviceNotFound):
        next(camera.frames())
    machine.plug(4, NAMELESS, "1-1.3")
    next(camera.frames())
    assert machine.opened == [2, 4]


@pytest.mark.parametrize(
    "where",
    [
        "/dev/v4l/by-id/usb-046d_082d_8CA2D55F-video-index0",
        "/dev/v4l/by-path/platform-usb-0:1-1.2:1.0-video-index0",
        "HD Pro Webcam C920",
        "/dev/video2",
        "2",
    ],
)
def test_a_camera_is_opened_by_each_of_its_names(machine, where):
    machine.plug(0, NAMELESS, "1-1.3")
    machine.plug(2, C920, "1-1.2")
    next(machine.camera(where).frames())
    assert machine.opened == [2]


def test_a_name_that_two_cameras_have_is_refused_with_their_lasting_names(machine):
    machine.plug(0, NAMELESS, "1-1.2")
    machine.plug(2, NAMELESS, "1-1.3")
    paths = r"usb:/dev/v4l/by-path/platform-usb-0:1-1.2:1.0-video-index0, usb:/dev/v4l/by-path/platform-usb-0:1-1.3"
    with pytest.raises(DeviceNotFound, match=paths):
        next(machine.camera(NAMELESS[3]).frames())


def test_a_lasting_name_is_recommended_for_a_number(machine):
    machine.plug(0, NAMELESS, "1-1.3")
    machine.plug(2, C920, "1-1.2")
    lasting = "/dev/v4l/by-id/usb-046d_082d_8CA2D55F-video-index0"
    assert recommended("2", machine.root) == recommended("/dev/video2", machine.root) == lasting
    assert recommended(lasting, machine.root) is None
    assert recommended("7", machine.root) is None
    machine.plug(4, NAMELESS, "1-1.4")
    assert recommended("0", machine.root) == "/dev/v4l/by-path/platform-usb-0:1-1.3:1.0-video-index0"


def test_a_camera_that_is_plugged_in_and_does_not_open_is_told_from_one_that_is_missing(machine):
    machine.plug(0, C920, "1-1.2")
    machine.refuses = True
    with pytest.raises(DeviceRefused, match="plugged in, but can't be opened"):
        next(machine.camera("0").frames())
    machine.refuses, machine.silent = False, True
    with pytest.raises(DeviceRefused, match="check its cable"):
        next(machine.camera("0").frames())
    machine.unplug(0)
    with pytest.raises(DeviceNotFound, match="No USB camera is plugged in") as missing:
        next(machine.camera("0").frames())
    assert not isinstance(missing.value, DeviceRefused)


def test_a_camera_that_this_user_may_not_open_is_reported_as_such(machine, monkeypatch):
    machine.plug(0, C920, "1-1.2")
    monkeypatch.setattr("hardware.usb_cameras.os.access", lambda path, mode: False)
    with pytest.raises(DeviceNotFound, match=r"may not open .*video0: add the user to the group video"):
        next(machine.camera("0").frames())
