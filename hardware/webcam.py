"""USB cameras and video files, by OpenCV."""

import logging
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.devices import Clock, Frame, Image, Lens, Unchanging
from hardware.errors import BadRecording, DeviceLost, DeviceNotFound
from hardware.pictures import small_grey

SIZE = (1280, 960)  # 1.2 to 1.3 pixels a millimetre when the board fills the picture
STALEST = 5.0  # s: a stamp that is older than this is none, or is by another clock
PACE_OF = 15  # frames whose median interval is the time from frame to frame: most of them follow without a loss
OpenCapture = Callable[[Any], Any]
"""Opens a device number, a device path or a file, as `cv2.VideoCapture`."""

STEADY_CHANGE = 0.03  # relative, of the median colour: noise and a hand change it less, a step of the exposure more
STEADY_SECONDS = 2.0  # without a larger change: UVC cameras adapt within one or two
EVERY_PIXEL = 16  # every 16th pixel each way is enough for the median colour


class _Automatic(NamedTuple):
    """One of the camera's automatics, by OpenCV's names for V4L2's controls."""

    name: str
    switch: int
    on: tuple[float, ...]  # to be tried in this order
    off: float
    value: int  # which control holds while it is off


AUTOMATICS = (
    # V4L2_CID_EXPOSURE_AUTO: 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority, which is what USB cameras
    # without an aperture call automatic
    _Automatic("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, (3.0, 0.0), 1.0, cv2.CAP_PROP_EXPOSURE),
    _Automatic("white balance", cv2.CAP_PROP_AUTO_WB, (1.0,), 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    _Automatic("focus", cv2.CAP_PROP_AUTOFOCUS, (1.0,), 0.0, cv2.CAP_PROP_FOCUS),
)

TOLD = {  # what `tells` tells
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


class UsbCamera:
    """A USB camera: `device` is its number (0, 1, ..) or path (/dev/video0).

    A frame's time is the kernel's stamp where OpenCV tells it (V4L2 does). Else it is the time of its arrival, some
    tens of milliseconds later, more on a busy machine. Lost frames are counted by the time that passed.
    """

    def __init__(
        self,
        device: str,
        clock: Clock,
        open_capture: OpenCapture = cv2.VideoCapture,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`monotonic` is the clock of the kernel's stamps."""
        self.dropped = 0  # exposures that never arrived
        self._monotonic = monotonic
        self._device = device
        self._clock = clock
        self._open_capture = open_capture
        self._closed = threading.Event()
        self._number = -1
        self._wanted: Literal["lock", "unlock"] | None = None
        self._told: dict[str, Any] = {}
        self._kept: dict[int, float] | None = None  # the values that `lock` found
        self._steady = _Steady()

    @property
    def lens(self) -> Lens | None:
        """Nothing is known of it."""
        return None

    @property
    def settled(self) -> bool:
        """See `BoardCamera`. A USB camera does not tell; it has settled when its pictures keep their median colour."""
        return self._wanted is None and self._steady.seconds >= STEADY_SECONDS

    def tells(self) -> dict[str, Any]:
        """See `Tells`: the capture's own figures when it was opened."""
        return {**self._told, "dropped": self.dropped}

    def lock(self) -> None:
        """See `BoardCamera`. What the camera refuses to keep is logged."""
        if self._number < 0:
            raise DeviceLost("The camera has not delivered a frame yet: start it before its exposure is locked.")
        self._wanted = "lock"

    def unlock(self) -> None:
        """See `BoardCamera`."""
        self._wanted = "unlock"

    def frames(self) -> Iterator[Frame]:
        """Open the camera and deliver its frames.

        Raises `DeviceNotFound` when it can't be opened and `DeviceLost` when it stops delivering; calling `frames`
        again opens it anew.
        """
        if self._closed.is_set():
            return
        capture = self._open()
        pace = _Pace()
        try:
            while not self._closed.is_set():
                self._lock_or_unlock(capture)
                if not capture.grab():
                    break
                t = self._taken(capture)
                arrived, picture = capture.retrieve()
                if not arrived:
                    break
                passed = pace.passed(t)
                self.dropped += passed - 1
                self._number += passed
                self._steady.see(picture, t)
                yield _frame(t, self._number, picture)
        finally:
            capture.release()
        if not self._closed.is_set():
            raise DeviceLost(f"The camera usb:{self._device} stopped: check its cable, and that nothing else took it.")

    def close(self) -> None:
        """End `frames` after the frame that is awaited; the camera is given back then."""
        self._closed.set()

    def _taken(self, capture: Any) -> float:
        now = self._clock.now()
        age = self._monotonic() - capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return now - age if 0 <= age < STALEST else now

    def _open(self) -> Any:
        capture = self._open_capture(int(self._device) if self._device.isdecimal() else self._device)
        if not capture.isOpened():
            capture.release()
            raise DeviceNotFound(
                f"No camera at usb:{self._device}: plug it in, close what else uses it (a browser, a meeting), and "
                "see `v4l2-ctl --list-devices` for its number."
            )
        capture.set(
            cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")
        )  # uncompressed, 1280x960 has 7 frames a second
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the newest frame, not the oldest
        self._steady = _Steady()
        if self._kept is None:
            _free(capture)  # a camera stays as the program before left it
        else:
            self._keep(capture, self._kept)
        self._told = {name: capture.get(value) for name, value in TOLD.items()}
        return capture

    def _lock_or_unlock(self, capture: Any) -> None:
        """Do what `lock` or `unlock` asked for, on the thread that has the camera."""
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        self._steady = _Steady()
        if wanted == "lock":
            self._kept = {automatic.value: capture.get(automatic.value) for automatic in AUTOMATICS}
            self._keep(capture, self._kept)
        else:
            self._kept = None
            _free(capture)

    def _keep(self, capture: Any, kept: Mapping[int, float]) -> None:
        for automatic in AUTOMATICS:
            value = automatic.value
            if not (capture.set(automatic.switch, automatic.off) and capture.set(value, kept[value])):
                logger.warning("The camera usb:%s does not let its %s be locked", self._device, automatic.name)


def _free(capture: Any) -> None:
    """Switch on the automatics that the camera has."""
    for automatic in AUTOMATICS:
        any(capture.set(automatic.switch, on) for on in automatic.on)


class _Steady:
    """For how long pictures have kept their median colour."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._anchor: NDArray[np.float64] | None = None
        self._since = 0.0

    def see(self, picture: Any, t: float) -> None:
        """The next picture (h, w) or (h, w, channels), taken at `t` seconds."""
        some = np.asarray(picture)[::EVERY_PIXEL, ::EVERY_PIXEL]
        usual = np.median(some.reshape(some.shape[0] * some.shape[1], -1), axis=0)
        if self._anchor is None or (np.abs(usual - self._anchor) > STEADY_CHANGE * self._anchor + 1).any():
            self._anchor, self._since = usual, t
        self.seconds = t - self._since


class _Pace:
    """How many exposures pass from frame to frame, by the median time between frames."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=PACE_OF)
        self._last: float | None = None

    def passed(self, t: float) -> int:
        """1 when none was lost before the frame of time `t`."""
        last, self._last = self._last, t
        if last is None:
            return 1
        self._times.append(t - last)
        return max(1, round((t - last) / max(median(self._times), 1e-3)))


class VideoFile(Unchanging):
    """A video as if a camera took it now.

    With a clock, the first frame is taken when `frames` is called and the others keep their distances from it; without
    one, frames come as fast as they are asked for and carry the video's own times.
    """

    def __init__(self, path: str | os.PathLike[str], clock: Clock | None = None) -> None:
        self._path = Path(path)
        self._clock = clock
        self._closed = threading.Event()
        if not self._path.is_file():
            raise DeviceNotFound(f"There is no video {self._path}: name an existing file.")

    @property
    def lens(self) -> Lens | None:
        """Nothing is known of it."""
        return None

    def frames(self) -> Iterator[Frame]:
        """The video's frames, once. Raises `BadRecording` when it is no video or holds no frame."""
        capture = cv2.VideoCapture(str(self._path))
        try:
            start = self._clock.now() if self._clock else 0.0
            rate = capture.get(cv2.CAP_PROP_FPS)
            number, t = 0, 0.0
            while not self._closed.is_set():
                arrived, picture = capture.read()
                if not arrived:
                    break
                told = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                if number and not told > t:  # some containers tell no times
                    told = t + 1 / rate if math.isfinite(rate) and rate > 0 else t + 1 / 30
                t = told
                if self._clock:
                    self._clock.sleep_until(start + t)
                yield _frame(start + t, number, picture)
                number += 1
        finally:
            capture.release()
        if number == 0 and not self._closed.is_set():
            raise BadRecording(f"{self._path} is not a video that can be played: convert it to MP4 or to MJPG in AVI.")

    def close(self) -> None:
        """No more frames."""
        self._closed.set()


def _frame(t: float, number: int, picture: Any) -> Frame:
    full: Image = np.asarray(picture, np.uint8)
    if full.ndim == 2:
        full = np.asarray(cv2.cvtColor(full, cv2.COLOR_GRAY2BGR), np.uint8)
    return Frame(t, number, small_grey(full), lambda: full)
