"""USB cameras and video files, through OpenCV."""

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np

from hardware.automatics import Steady
from hardware.devices import Camera, Clock, Frame, Image, Memory
from hardware.errors import BadFile, DeviceLost, DeviceNotFound, DeviceRefused
from hardware.pictures import small_grey
from hardware.usb_cameras import UsbPlace

SIZE = (1280, 960)  # 1.2 to 1.3 pixels a millimetre if the board fills the picture
MAX_STAMP_AGE = 5.0  # s: an older stamp is missing or from another clock
INTERVALS = 15  # their median is the frame duration: most frames follow without a loss
OpenCapture = Callable[[Any], Any]  # opens a device number, a device path or a file, as `cv2.VideoCapture`
STEADY_CHANGE = 0.03  # relative, of the median colour: noise and a hand change it less, an exposure step more
STEADY_SECONDS = 2.0  # without a larger change: UVC cameras adapt within one or two
BAD_SECONDS = 3.0  # with nothing but pictures that can't be decoded: as long as reopening the camera takes
BAD_IN_A_ROW = 100  # pictures that can't be decoded: then the video has ended
EVERY_PIXEL = 16  # every 16th pixel each way is enough for the median colour


class _Automatic(NamedTuple):
    """One of the camera's automatics, by OpenCV's names for V4L2's controls."""

    name: str
    switch: int
    on: tuple[float, ...]  # tried in this order
    off: float
    value: int  # the control that holds while it is off


AUTOMATICS = (
    # V4L2_CID_EXPOSURE_AUTO: 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority: what USB cameras
    # without an aperture call automatic
    _Automatic("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, (3.0, 0.0), 1.0, cv2.CAP_PROP_EXPOSURE),
    _Automatic("white balance", cv2.CAP_PROP_AUTO_WB, (1.0,), 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    _Automatic("focus", cv2.CAP_PROP_AUTOFOCUS, (1.0,), 0.0, cv2.CAP_PROP_FOCUS),
)

REPORTED = {  # by `describe`
    "width": cv2.CAP_PROP_FRAME_WIDTH,
    "height": cv2.CAP_PROP_FRAME_HEIGHT,
    "frames a second": cv2.CAP_PROP_FPS,
    "auto exposure": cv2.CAP_PROP_AUTO_EXPOSURE,
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "white balance": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}

logger = logging.getLogger(__name__)


class LiveCamera(Camera):
    """What live cameras share. The exposure of those that don't report it is final once their pictures keep their
    median colour."""

    def __init__(self) -> None:
        self.dropped = 0  # exposures that never arrived, or could not be decoded
        self.undecodable = 0
        self._number = -1  # of the last frame
        self._steady = Steady(STEADY_CHANGE, slack=1)

    @property
    def settled(self) -> bool:
        """See `BoardCamera`."""
        return self._steady.seconds >= STEADY_SECONDS

    def _count(self, exposures: int) -> int:
        """Count the exposures since the last frame; all but the newest were lost. Returns the new frame's number."""
        self._number += exposures
        self.dropped += exposures - 1
        return self._number

    def lock(self) -> None:
        """See `BoardCamera`."""
        if self._number < 0:
            raise DeviceLost("The camera has not delivered a frame yet: start it before its exposure is locked.")


class UsbCamera(LiveCamera):
    """A USB camera: `device` is its number (0, 1, ..), path (/dev/v4l/by-id/..) or own name; when it was lost it is
    found by its lasting name, see `UsbPlace`. A frame's time is the kernel's stamp if OpenCV reports it (on V4L2 it
    does). Otherwise it is the time of arrival, some tens of milliseconds later, more on a busy machine. Lost frames
    are counted by the time between frames; a frame that can't be decoded is one of them."""

    def __init__(
        self,
        device: str,
        clock: Clock,
        open_capture: OpenCapture = cv2.VideoCapture,
        monotonic: Callable[[], float] = time.monotonic,
        root: Path = Path("/"),
        memory: Memory | None = None,
    ) -> None:
        """`monotonic` is the clock of the kernel's stamps, `root` the folder that has dev and sys. `memory` is for
        its lasting name, so that another process finds it too."""
        super().__init__()
        self._place = UsbPlace(device, root, memory)
        self._monotonic = monotonic
        self._device = device
        self._clock = clock
        self._open_capture = open_capture
        self._wanted: Literal["lock", "unlock"] | None = None
        self._reported: dict[str, Any] = {}
        self._kept: dict[int, float] | None = None  # by property, what `lock` found

    @property
    def settled(self) -> bool:
        """See `BoardCamera`."""
        return self._wanted is None and super().settled

    def describe(self) -> dict[str, Any]:
        """See `SelfDescribing`: the capture's properties when it was opened."""
        return {**self._reported, "dropped": self.dropped, "undecodable": self.undecodable}

    def lock(self) -> None:
        """See `BoardCamera`. A setting that the camera can't lock is logged."""
        super().lock()
        self._wanted = "lock"

    def unlock(self) -> None:
        self._wanted = "unlock"

    def frames(self) -> Iterator[Frame]:
        """Open the camera and deliver its frames. Raises `DeviceNotFound` if it is not there, `DeviceRefused` if it is
        there and can't be opened or delivers nothing, and `DeviceLost` if it stops delivering; calling `frames` again
        reopens it."""
        if self._closed:
            return
        capture = self._open()
        losses, before = _LossCounter(), self._number
        try:
            for t, picture in self._pictures(capture):
                self._steady.update(median_colour(picture), t)
                yield _frame(t, self._count(losses.exposures(t)), picture)
        finally:
            capture.release()
        if not self._closed:
            lost = DeviceLost if self._number > before or not self._place.present() else DeviceRefused
            raise lost(
                f"The camera usb:{self._device} stopped, or sends what is no picture: check its cable, and that "
                "nothing else took it."
            )

    def _pictures(self, capture: Any) -> Iterator[tuple[float, Image]]:
        """The pictures and their times, until there are no more, or none that can be decoded for `BAD_SECONDS`."""
        good: float | None = None
        while not self._closed:
            self._lock_or_unlock(capture)
            if not capture.grab():
                return
            t = self._capture_time(capture)
            picture = _decoded(capture)
            if picture is not None:
                yield t, picture
            else:
                self.undecodable += 1
            if picture is not None or good is None:
                good = t
            elif t - good > BAD_SECONDS:
                return

    def _capture_time(self, capture: Any) -> float:
        now = self._clock.now()
        age = self._monotonic() - capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return now - age if 0 <= age < MAX_STAMP_AGE else now

    def _open(self) -> Any:
        capture = self._open_capture(self._place.find())
        if not capture.isOpened():
            capture.release()
            if self._place.present():
                raise DeviceRefused(
                    f"The camera usb:{self._device} is plugged in, but can't be opened: close what else uses it (a "
                    "browser, a meeting), or pull its plug and put it in again."
                )
            raise DeviceNotFound(
                f"No camera at usb:{self._device}: plug it in, close what else uses it (a browser, a meeting), and "
                "see `v4l2-ctl --list-devices` for its number."
            )
        self._place.opened()
        # uncompressed, 1280x960 has 7 frames a second
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the newest frame, not the oldest
        self._adjust(capture)
        self._reported = {name: capture.get(value) for name, value in REPORTED.items()}
        return capture

    def _lock_or_unlock(self, capture: Any) -> None:
        """Carry out a requested `lock` or `unlock` on the camera's thread."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            locked = wanted == "lock"
            self._kept = {one.value: capture.get(one.value) for one in AUTOMATICS} if locked else None
            self._adjust(capture)

    def _adjust(self, capture: Any) -> None:
        """Keep what `lock` found, or switch on all automatics that the camera has: it may still have the settings of
        the program before."""
        self._steady.restart()
        for name, switch, on, off, value in AUTOMATICS:
            if self._kept is None:
                any(capture.set(switch, one) for one in on)
            elif not (capture.set(switch, off) and capture.set(value, self._kept[value])):
                logger.warning("The camera usb:%s does not let its %s be locked", self._device, name)


def _decoded(capture: Any) -> Image | None:
    """The grabbed picture, or None: OpenCV shows in three ways that it could not decode one."""
    try:
        arrived, picture = capture.retrieve()
    except cv2.error:
        return None
    return picture if arrived and picture is not None and picture.size else None


def median_colour(picture: Any) -> list[float]:
    """Of a picture (h, w) or (h, w, channels): one figure for each channel."""
    some = np.asarray(picture)[::EVERY_PIXEL, ::EVERY_PIXEL]
    return np.median(some.reshape(some.shape[0] * some.shape[1], -1), axis=0).tolist()  # type: ignore[no-any-return]


class _LossCounter:
    """Counts lost frames by the median time between frames."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=INTERVALS)
        self._last: float | None = None

    def exposures(self, t: float) -> int:
        """Exposures since the last call, given this frame's time: 1 if no frame was lost."""
        last, self._last = self._last, t
        if last is None:
            return 1
        self._times.append(t - last)
        return max(1, round((t - last) / max(median(self._times), 1e-3)))


class VideoFile(Camera):
    """A video, played back like a live camera, in real time from the call of `frames`. A picture that can't be decoded
    is a gap in the numbers."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        if not self._path.is_file():
            raise DeviceNotFound(f"There is no video {self._path}: name an existing file.")

    def frames(self) -> Iterator[Frame]:
        """Play the video once. Raises `BadFile` if it can't be played or holds no frame."""
        capture = cv2.VideoCapture(str(self._path))
        try:
            start = self._clock.now()
            duration = _frame_duration(capture)
            number, t, bad = -1, 0.0, 0
            # at a picture that it can't decode, OpenCV says what it says at the end
            while not self._closed and bad < BAD_IN_A_ROW:
                picture = _decoded(capture) if capture.grab() else None
                if picture is None:
                    bad += 1
                    continue
                stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                if number >= 0 and not stamp > t:  # some containers have no time stamps
                    stamp = t + (1 + bad) * duration
                t = stamp
                self._clock.sleep_until(start + t)
                number, bad = number + 1 + bad, 0
                yield _frame(start + t, number, picture)
        finally:
            capture.release()
        if number < 0 and not self._closed:
            raise BadFile(f"{self._path} is not a video that can be played: convert it to MP4 or to MJPG in AVI.")


def _frame_duration(capture: Any) -> float:
    """Seconds from one picture of a video to the next."""
    rate: float = capture.get(cv2.CAP_PROP_FPS)
    return 1 / rate if math.isfinite(rate) and rate > 0 else 1 / 30


def _frame(t: float, number: int, picture: Any) -> Frame:
    full: Image = np.asarray(picture, np.uint8)
    if full.ndim == 2:
        full = np.asarray(cv2.cvtColor(full, cv2.COLOR_GRAY2BGR), np.uint8)
    return Frame(t, number, small_grey(full), lambda: full)
