"""The camera drivers: recording folder, video file, USB camera, Pi camera."""

import errno
import itertools
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from hardware.devices import ManualClock
from hardware.errors import (
    BadFile,
    DeviceExhausted,
    DeviceLost,
    DeviceNotFound,
    DeviceRefused,
    DriverMissing,
)
from hardware.picamera import BUFFERS, PiCamera
from hardware.recording import RecordingCamera
from hardware.webcam import BAD_SECONDS, INTERVALS, UsbCamera, VideoFile
from tests.hardware.camera_contract import CameraContract, LosableCameraContract, card
from tests.hardware.fake_picamera2 import FakeLibrary

NOWHERE = Path("/nonexistent")  # a machine without a list of its cameras


class TickingClock:
    """Moves by a millisecond whenever somebody looks."""

    def __init__(self):
        self._ticks = itertools.count()

    def now(self):
        return next(self._ticks) / 1000

    def sleep_until(self, t):
        raise AssertionError("a live camera waits for its frames, not for the clock")


class Held:
    """A bench without anything to lose."""

    def __init__(self, camera):
        self.camera = camera

    def close(self):
        self.camera.close()


def write_stills(folder, count=6):
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:06}.jpg"), card(number, (640, 480)), [cv2.IMWRITE_JPEG_QUALITY, 95])


def write_video(path, count=8, rate=50.0):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (640, 480))
    assert writer.isOpened()
    for number in range(count):
        writer.write(card(number, (640, 480)))
    writer.release()


class TestRecordingCamera(CameraContract):
    @pytest.fixture
    def new_bench(self, tmp_path):
        write_stills(tmp_path)
        return lambda: Held(RecordingCamera(tmp_path, ManualClock()))


class TestVideoFile(CameraContract):
    @pytest.fixture
    def new_bench(self, tmp_path):
        write_video(tmp_path / "game.avi")
        return lambda: Held(VideoFile(tmp_path / "game.avi", ManualClock()))


def test_a_video_played_as_a_camera_keeps_its_pace(tmp_path):
    write_video(tmp_path / "game.avi", count=4, rate=25.0)
    clock = ManualClock(100.0)
    taken = []
    for frame in VideoFile(tmp_path / "game.avi", clock).frames():
        taken.append((frame.t, clock.now()))
    assert taken == [(pytest.approx(100 + k / 25), pytest.approx(100 + k / 25)) for k in range(4)]


def test_a_picture_of_a_video_that_cannot_be_decoded_is_left_out(tmp_path):
    write_video(tmp_path / "game.avi", count=8, rate=25.0)
    data = bytearray((tmp_path / "game.avi").read_bytes())
    begin = -1
    for _ in range(3):
        begin = data.index(b"\xff\xd8\xff", begin + 1)
    end = data.index(b"\xff\xd9", begin)
    data[begin:end] = bytes(end - begin)
    (tmp_path / "game.avi").write_bytes(data)
    times = [frame.t for frame in VideoFile(tmp_path / "game.avi", ManualClock()).frames()]
    assert times == pytest.approx([k / 25 for k in range(8) if k != 2])


def test_a_file_that_is_not_a_video_is_refused(tmp_path):
    (tmp_path / "notes.avi").write_text("not a video")
    with pytest.raises(BadFile, match=r"notes\.avi is not a video"):
        list(VideoFile(tmp_path / "notes.avi", ManualClock()).frames())
    with pytest.raises(DeviceNotFound, match=r"no video .*gone\.avi"):
        VideoFile(tmp_path / "gone.avi", ManualClock())


class FakeCapture:
    """A UVC camera as OpenCV shows it."""

    def __init__(self, bench):
        self._bench = bench
        self.settings = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, **bench.settings}
        self.released = False

    def isOpened(self):  # noqa: N802
        return self._bench.plugged

    def grab(self):
        return self._bench.plugged

    def retrieve(self):
        if not self._bench.plugged:
            return False, None
        self._bench.shown += 1
        return True, card(self._bench.shown)

    def get(self, which):
        return self.settings.get(which, -1.0)

    def set(self, which, value):
        if which in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS):
            return False  # a fixed lens
        self.settings[which] = value
        return True

    def release(self):
        self.released = True


class UsbBench:
    def __init__(self):
        self.plugged = True
        self.shown = 0
        self.settings = {}  # as the program before left them
        self.captures = []
        self.camera = UsbCamera("0", TickingClock(), self._open, root=NOWHERE)

    def _open(self, device):
        assert device == 0
        self.captures.append(FakeCapture(self))
        return self.captures[-1]

    def lose(self):
        self.plugged = False

    def restore(self):
        self.plugged = True

    def close(self):
        self.camera.close()


class TestUsbCamera(LosableCameraContract):
    make = UsbBench


class StampedCapture(FakeCapture):
    """Stamps its frames as the kernel does; each stamp is a plan's."""

    def __init__(self, bench, stamps):
        super().__init__(bench)
        self._stamps = iter(stamps)

    def grab(self):
        self.settings[cv2.CAP_PROP_POS_MSEC] = 1000 * next(self._stamps)
        return True


def test_a_missing_usb_camera_is_reported_with_what_to_do():
    with pytest.raises(DeviceNotFound, match=r"usb:63.*v4l2-ctl"):
        next(UsbCamera("63", TickingClock()).frames())  # OpenCV itself


def test_a_usb_camera_is_given_back():
    bench = UsbBench()
    frames = bench.camera.frames()
    next(frames)
    bench.camera.close()
    assert list(frames) == []
    assert bench.captures[0].released


def test_a_locked_usb_camera_stays_locked_after_it_was_unplugged(caplog):
    bench = UsbBench()
    frames = bench.camera.frames()
    next(frames)
    bench.captures[0].settings[cv2.CAP_PROP_EXPOSURE] = 210.0
    bench.camera.lock()
    next(frames)
    assert bench.captures[0].settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert "does not let its focus be locked" in caplog.text
    bench.lose()
    with pytest.raises(DeviceLost):
        next(frames)
    bench.restore()
    next(bench.camera.frames())
    again = bench.captures[1].settings
    assert again[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert again[cv2.CAP_PROP_EXPOSURE] == 210.0


def test_a_usb_camera_that_the_program_before_left_locked_adapts_again():
    """V4L2 keeps a camera's controls when the program ends that set them."""
    bench = UsbBench()
    bench.settings = {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0}
    frames = bench.camera.frames()
    next(frames)
    now = bench.captures[0].settings
    assert now[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    assert now[cv2.CAP_PROP_AUTO_WB] == 1.0
    bench.camera.lock()
    next(frames)
    assert (now[cv2.CAP_PROP_AUTO_EXPOSURE], now[cv2.CAP_PROP_AUTO_WB]) == (1.0, 0.0)
    bench.camera.unlock()
    next(frames)
    assert (now[cv2.CAP_PROP_AUTO_EXPOSURE], now[cv2.CAP_PROP_AUTO_WB]) == (3.0, 1.0)


class GreyCapture(StampedCapture):
    """Thirty pictures a second, of these grey levels; a hand covers a third of each second one."""

    def __init__(self, bench, levels):
        super().__init__(bench, [k / 30 for k in range(len(levels))])
        self._levels = iter(levels)
        self._noise = np.random.default_rng(4).normal(0, 3, (3, 480, 640, 3))

    def retrieve(self):
        self._bench.shown += 1
        picture = next(self._levels) + self._noise[self._bench.shown % 3]
        if self._bench.shown % 2:
            picture[:160] = 60
        return True, np.clip(picture, 0, 255).astype(np.uint8)


def test_a_usb_camera_has_settled_when_its_pictures_keep_their_colour():
    bench = UsbBench()
    adapting = [20 + 2 * k for k in range(50)]
    levels = [*adapting, *[120] * 90, *[120 - k for k in range(30)], *[90] * 90]

    class Clock(TickingClock):
        def now(self):
            return bench.shown / 30 + 0.1

    clock = Clock()
    camera = UsbCamera("0", clock, lambda _: GreyCapture(bench, levels), monotonic=clock.now, root=NOWHERE)
    settled = [camera.settled for _ in islice(camera.frames(), len(levels))]
    assert not any(settled[:100])
    assert all(settled[115:140])
    assert not any(settled[150:210])
    assert all(settled[240:])
    camera.lock()
    assert not camera.settled, "the lock has still to be granted"


def test_usb_frames_that_were_lost_in_a_busy_moment_are_gaps_in_the_numbers_and_times_are_the_kernels():
    stamps = [1000 + k / 30 for k in (0, 1, 2, 3, 4, 9, 10, 11, 13, 14)]
    stamps[6] += 0.008  # as unsteady as they come
    bench = UsbBench()
    clock = ManualClock(50.0)
    camera = UsbCamera("0", clock, lambda _: StampedCapture(bench, stamps), lambda: 1000.5, NOWHERE)
    frames = list(islice(camera.frames(), len(stamps)))
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4, 9, 10, 11, 13, 14]
    assert [frame.t for frame in frames] == pytest.approx([stamp - 1000.5 + 50.0 for stamp in stamps])
    assert camera.dropped == 5


class SpoiltCapture(StampedCapture):
    """Thirty pictures a second; those of some numbers can't be decoded, as OpenCV shows it in three ways."""

    def __init__(self, bench, spoilt):
        super().__init__(bench, [k / 30 for k in range(1000)])
        self._spoilt = spoilt

    def retrieve(self):
        self._bench.shown += 1
        if not self._spoilt(self._bench.shown - 1):
            return True, np.full((48, 64, 3), 100, np.uint8)
        if self._bench.shown % 3 == 0:
            raise cv2.error("imdecode_: !buf.empty()")
        return self._bench.shown % 3 == 1, None


def spoilt_camera(spoilt):
    bench = UsbBench()
    return UsbCamera("0", ManualClock(50.0), lambda _: SpoiltCapture(bench, spoilt), lambda: 4.0, NOWHERE)


def test_a_usb_cameras_picture_that_cannot_be_decoded_is_skipped_and_counted():
    camera = spoilt_camera(lambda number: number in (20, 21, 22, 30))
    frames = list(islice(camera.frames(), 40))
    assert [frame.number for frame in frames] == [k for k in range(44) if k not in (20, 21, 22, 30)]
    assert (camera.describe()["undecodable"], camera.dropped) == (4, 4)


def test_a_usb_camera_that_sends_nothing_else_any_more_is_lost():
    camera = spoilt_camera(lambda number: number > 20)
    frames = camera.frames()
    list(islice(frames, 21))
    with pytest.raises(DeviceLost, match="no picture: check its cable"):
        next(frames)
    assert camera.undecodable == pytest.approx(30 * BAD_SECONDS, abs=2)


def test_a_usb_camera_that_slows_down_in_the_dark_loses_nothing():
    stamps = [k / 30 for k in range(30)] + [1 + k / 15 for k in range(30)]
    bench = UsbBench()
    camera = UsbCamera("0", ManualClock(), lambda _: StampedCapture(bench, stamps), lambda: 3.0, NOWHERE)
    list(islice(camera.frames(), len(stamps)))
    assert camera.dropped <= INTERVALS // 2  # until it is clear that this is its pace now


def test_a_stamp_of_another_clock_is_not_used():
    for stamp in (0.0, 99_999.0, -0.001):
        bench = UsbBench()
        camera = UsbCamera("0", ManualClock(7.0), lambda _: StampedCapture(bench, [stamp]), lambda: 3e4, NOWHERE)  # noqa: B023
        assert next(camera.frames()).t == 7.0


class PiBench:
    def __init__(self, model="imx708"):
        self.library = FakeLibrary(card, model)
        self.clock = ManualClock(100.0)
        self.camera = PiCamera(self.clock, library=self.library, boot_time=lambda: self.library.boot_ns / 1e9)

    def lose(self):
        self.library.delivering = False

    def restore(self):
        self.library.delivering = True
        self.library.boot_ns += 1_000_000_000
        self.clock.t += 1.0

    def close(self):
        self.camera.close()


class TestPiCamera(LosableCameraContract):
    make = PiBench


@pytest.fixture
def pi():
    return PiBench()


def test_buffers_are_returned_however_long_it_runs(pi):
    for frame in islice(pi.camera.frames(), 10 * BUFFERS):
        if frame.number % 3 == 0:
            frame.full()
        assert pi.library.held <= 2


def test_the_full_picture_is_gone_with_the_next_frame_unless_it_was_fetched(pi):
    frames = pi.camera.frames()
    fetched = next(frames)
    picture = fetched.full().copy()
    missed = next(frames)
    next(frames)
    assert np.array_equal(fetched.full(), picture)
    with pytest.raises(RuntimeError, match="next frame has been taken"):
        missed.full()


def test_times_are_the_sensors_on_the_tables_clock(pi):
    pi.library.says["ExposureTime"] = 8000
    first, second = islice(pi.camera.frames(), 2)
    assert first.t == pytest.approx(100.0 + 0.020 - 0.008)  # one frame after the opening, less the exposure
    assert second.t - first.t == pytest.approx(0.020)


def test_dropped_frames_are_gaps_in_the_numbers(pi):
    frames = pi.camera.frames()
    first = next(frames)
    pi.library.drop = 3
    assert next(frames).number == first.number + 4
    assert next(frames).number == first.number + 5
    assert pi.camera.dropped == 3


@pytest.mark.parametrize(
    ("model", "mains", "frame_us"),
    [
        ("imx708", 50, 20_000),
        ("imx708", 60, 25_000),  # 60 a second are more than it can
        ("imx296", 60, 16_667),
        ("imx477", 50, 30_000),
        ("imx477", None, 25_000),
        ("ov9281", 50, 20_000),  # somebody else's
    ],
)
def test_frames_come_in_whole_half_waves_of_the_mains_as_fast_as_the_camera_can(model, mains, frame_us):
    library = FakeLibrary(card, model)
    camera = PiCamera(ManualClock(), mains=mains, library=library)
    next(camera.frames())
    controls = library.opened[0].controls
    assert controls["FrameDurationLimits"] == (frame_us, frame_us)
    assert controls.get("AeFlickerPeriod") == (None if mains is None else round(1e6 / (2 * mains)))


def test_until_locked_it_focuses_by_itself_and_shows_the_sensors_full_height(pi):
    next(pi.camera.frames())
    assert pi.library.opened[0].controls["AfMode"] == 2
    assert pi.library.opened[0].camera_configuration()["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}


def test_a_camera_without_focus_is_not_asked_to_focus():
    pi = PiBench(model="imx296")
    frames = pi.camera.frames()
    next(frames)
    pi.camera.lock()
    list(islice(frames, 20))
    assert pi.camera.settled
    assert "AfMode" not in pi.library.opened[0].controls
    assert pi.camera.lens is None  # its lens is screwed on: anybody's guess


def test_the_lens_of_a_known_camera_is_known_before_the_first_frame(pi):
    assert pi.camera.lens.focal == pytest.approx(4.74 / 0.0014 * 1280 / 3456)


def test_the_configuration_names_the_interchangeable_lens():
    library = FakeLibrary(card, "imx477")
    camera = PiCamera(ManualClock(), focal=6.0, library=library)
    assert camera.lens.focal == pytest.approx(6.0 / 0.00155 * 960 / 3040, rel=1e-3)


def test_the_lens_of_a_missing_camera_is_unknown(pi):
    pi.library.plugged = False
    assert pi.camera.lens is None


def test_missing_and_busy_cameras_are_reported_with_what_to_do(pi):
    pi.library.plugged = False
    with pytest.raises(DeviceNotFound, match=r"no camera 0 .*ribbon cable"):
        next(pi.camera.frames())
    pi.library.plugged = True
    pi.library.taken = True
    with pytest.raises(DeviceRefused, match="close what else uses it"):
        next(pi.camera.frames())


def test_a_pi_camera_for_which_memory_has_run_out_and_one_that_gives_nothing_are_told_from_a_missing_one(pi):
    pi.library.delivering = False
    with pytest.raises(DeviceRefused, match="ribbon cable"):
        next(pi.camera.frames())
    pi.library.Picamera2.configure = Mock(side_effect=OSError(errno.ENOMEM, "Cannot allocate memory"))
    with pytest.raises(DeviceExhausted, match="no memory left"):
        next(pi.camera.frames())


def test_without_picamera2_the_message_names_the_package():
    try:
        import picamera2  # noqa: F401
    except ImportError:
        with pytest.raises(DriverMissing, match="sudo apt install python3-picamera2"):
            PiCamera(ManualClock())
    else:
        pytest.skip("picamera2 is installed here")
