"""The Raspberry Pi's cameras, through picamera2; and their sensors and lenses.

One video configuration delivers both pictures: the sensor's frame scaled to 1280x960 in colour, and its luminance at
320x240, which costs nothing extra. Both belong to one request, so that they show the same moment."""

import atexit
import errno
import importlib
import math
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardware.automatics import Automatics
from hardware.devices import Clock, Frame, Image, Lens
from hardware.errors import DeviceExhausted, DeviceLost, DeviceNotFound, DeviceRefused, DeviceStuck, DriverMissing
from hardware.webcam import LiveCamera

# Sources: Raspberry Pi's camera hardware specification; modes and rates from `rpicam-hello --list-cameras`.
# docs/cameras.md lists them for users.


@dataclass(frozen=True, slots=True)
class Preset:
    """One camera. Lengths in mm, sizes in pixels (width, height). `mode` is a sensor mode that shows its full height;
    some modes, such as 1332 x 990 of the HQ camera, show less."""

    size: tuple[int, int]
    pixel: float
    focal: float  # of the built-in lens, or of the usual interchangeable one
    lens_is_fixed: bool
    mode: tuple[int, int]
    bits: int
    fastest: float  # frames a second in that mode

    def lens(self, width: int, height: int, focal: float | None = None) -> Lens | None:
        """The lens in pixels of a picture of this size, the largest that can be cut from the sensor's centre; None if
        it is unknown."""
        if focal is None and not self.lens_is_fixed:
            return None
        cut = min(self.size[0], self.size[1] * width / height)
        return Lens((focal or self.focal) / self.pixel * width / cut, width, height)


PRESETS = {  # by libcamera's name of the sensor
    "imx708": Preset((4608, 2592), 0.00140, 4.74, True, (2304, 1296), 10, 56.0),  # Camera Module 3
    "imx708_wide": Preset((4608, 2592), 0.00140, 2.75, True, (2304, 1296), 10, 56.0),  # Camera Module 3 Wide
    "imx296": Preset((1456, 1088), 0.00345, 6.0, False, (1456, 1088), 10, 60.0),  # Global Shutter Camera
    "imx477": Preset((4056, 3040), 0.00155, 6.0, False, (2028, 1520), 12, 40.0),  # HQ Camera
    "imx219": Preset((3280, 2464), 0.00112, 3.04, True, (1640, 1232), 10, 41.0),  # Camera Module 2
    "ov5647": Preset((2592, 1944), 0.00140, 3.60, True, (1296, 972), 10, 46.0),  # Camera Module 1
}


def preset(model: str) -> Preset | None:
    """The camera whose sensor libcamera calls `model`; None for other makers' cameras."""
    return PRESETS.get(model.removesuffix("_noir"))


FULL = (1280, 960)
SMALL = (320, 240)
USUAL_RATE = 50.0  # frames a second where nothing else limits them
BUFFERS = 6
"""One is ours, picamera2 holds the newest unclaimed frame, and the camera fills the others. More would not help: frames
that arrive while nobody asks for them are lost in any case."""
STALL_SECONDS = 1.0  # without a frame: fifty frame times
BLOCKED_SECONDS = 10.0
"""If the camera stalls, the call that stops it may never return (picamera2 #1065, #1264, #1275). A working camera takes
about a second to open and a few frames to stop."""
RESEND_AFTER = 10  # frames until controls are sent a second time; see `_set_controls`

STUCK = (
    "The camera hangs, and this program can't start it again: check its ribbon cable. If a new start of the program "
    "does not help, switch the Pi off and on."
)


def boot_time() -> float:
    """Seconds on the clock that stamps the sensor's frames."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class PiCamera(LiveCamera):
    """Camera `number` of the Pi. `mains` is the mains frequency in Hz, None for daylight or lamps on direct current:
    the frame rate then follows the lamps' flicker, so that all frames are lit equally. `focal` is the focal length of
    an interchangeable lens in mm. `library` is picamera2."""

    def __init__(
        self,
        clock: Clock,
        number: int = 0,
        mains: int | None = 50,
        focal: float | None = None,
        library: Any = None,
        boot_time: Callable[[], float] = boot_time,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._camera_number = number
        self._library = library if library is not None else _picamera2()
        self._boot_time = boot_time
        self._mains = mains
        self._focal = focal
        self._automatics = Automatics(_half_wave(mains) if mains else None)
        self._frame_us = 0
        self._last_ns: int | None = None
        self._camera: Any = None
        self._sent: dict[str, Any] = {}  # the controls to send a second time
        self._resend_in = 0  # frames until then; 0 for never
        self._known: Container[str] = ()  # the controls that the camera has
        self._stuck = False

    @property
    def lens(self) -> Lens | None:
        """The lens of the pictures; None if it is not known."""
        known = preset(self._model() or "")
        return known.lens(*FULL, self._focal) if known else None

    def frames(self) -> Iterator[Frame]:
        """Open the camera and deliver its frames. A frame's full picture is available until the next frame is taken.
        Raises `DeviceNotFound` if there is no camera, `DeviceRefused` if it can't be opened or delivers nothing,
        `DeviceLost` if it stops delivering (calling `frames` again reopens it), and `DeviceStuck` if it hangs while
        opening, or hung while closing."""
        if self._closed:
            return
        if self._stuck:
            raise DeviceStuck(STUCK)
        self._camera = self._with_time_limit(self._open)
        shown: _Request | None = None
        try:
            offset = self._clock.now() - self._boot_time()
            while not self._closed:
                request = _Request(self._take(), self._library)
                if shown is not None:
                    shown.release()
                shown = request
                yield self._frame(request, offset)
        finally:
            camera, self._camera = self._camera, None
            self._release(camera, shown)

    def describe(self) -> dict[str, Any]:
        """See `SelfDescribing`: the newest frame's metadata, the locked controls and the camera's properties."""
        properties = dict(self._camera.camera_properties) if self._camera is not None else {}
        return {
            "metadata": dict(self._automatics.metadata),
            "kept": dict(self._automatics.locked),
            "properties": properties,
            "dropped": self.dropped,
        }

    @property
    def settled(self) -> bool:
        """See `BoardCamera`: judged by the newest frame's metadata."""
        return self._automatics.settled

    def lock(self) -> None:
        """See `BoardCamera`. Under mains lamps, exposures of a half-wave or more are rounded to whole half-waves."""
        super().lock()
        self._set_controls(self._automatics.lock(self._known))

    def unlock(self) -> None:
        self._set_controls(self._automatics.unlock(self._known))

    def _set_controls(self, controls: dict[str, Any]) -> None:
        """Set these controls on the camera, and again some frames later. picamera2 (0.3.38, `CompletedRequest.release`)
        takes the pending controls and replaces them with an empty set without holding a lock: controls that are set in
        between are lost."""
        self._sent, self._resend_in = controls, RESEND_AFTER
        if self._camera is not None:
            self._camera.set_controls(controls)

    def _release(self, camera: Any, shown: "_Request | None") -> None:
        def stop() -> None:
            if shown is not None:
                shown.release()
            with suppress(Exception):  # a camera that is gone can't be stopped properly
                camera.cancel_all_and_flush()
                camera.stop()
            with suppress(Exception):
                camera.close()

        try:
            self._with_time_limit(stop)
        except DeviceStuck:  # the next call of `frames` raises it
            atexit.unregister(camera.close)  # registered by picamera2; it would keep the process from ending

    def _with_time_limit(self, call: Callable[[], Any]) -> Any:
        """Call into picamera2 and return or raise what it does. Raises `DeviceStuck` if it takes longer; the call then
        continues in its own thread until the process ends. While the interpreter shuts down no thread can be started:
        then `call` is not called and `DeviceStuck` is raised."""
        done: Future[Any] = Future()

        def run() -> None:
            try:
                done.set_result(call())
            except BaseException as error:
                done.set_exception(error)

        if not sys.is_finalizing():
            thread = threading.Thread(target=run, name="driver", daemon=True)
            thread.start()
            thread.join(BLOCKED_SECONDS)
        if not done.done():
            self._stuck = True
            raise DeviceStuck(STUCK)
        return done.result()

    def _open(self) -> Any:
        model = self._model()
        if model is None:
            raise DeviceNotFound(
                f"There is no camera {self._camera_number} on this Pi: check its ribbon cable with the power off, then "
                "see `rpicam-hello --list-cameras`."
            )
        known = preset(model)
        self._frame_us = _frame_us(self._mains, known.fastest if known else USUAL_RATE)
        camera = None
        try:
            camera = self._library.Picamera2(self._camera_number)
            self._known = camera.camera_controls
            configuration = camera.create_video_configuration(
                main={"size": FULL, "format": "RGB888"},  # in memory: blue, green, red
                lores={"size": SMALL, "format": "YUV420"},
                buffer_count=BUFFERS,
                controls={"FrameDurationLimits": (self._frame_us, self._frame_us)}
                | self._automatics.controls(self._known),
                sensor={"output_size": known.mode, "bit_depth": known.bits} if known else {},
            )
            camera.configure(configuration)
            camera.start()
        except Exception as error:  # picamera2 and libcamera raise RuntimeError, IndexError and others
            if camera is not None:
                with suppress(Exception):
                    camera.close()
            if getattr(error, "errno", None) == errno.ENOMEM:  # picamera2 #887, #958, #1102
                raise DeviceExhausted(
                    f"There is no memory left to start the camera ({error}): restart the table's program, and if that "
                    "does not help, switch the Pi off and on."
                ) from error
            raise DeviceRefused(
                f"The camera can't be started ({error}): close what else uses it, as another crokinole-table or "
                "rpicam-hello, and check its ribbon cable."
            ) from error
        self._last_ns = None
        self._automatics.steady.restart()
        self._resend_in = 0
        return camera

    def _model(self) -> str | None:
        """The sensor's name; None when there is no such camera."""
        cameras = self._library.Picamera2.global_camera_info()
        return str(cameras[self._camera_number]["Model"]) if self._camera_number < len(cameras) else None

    def _take(self) -> Any:
        try:
            return self._camera.capture_request(wait=STALL_SECONDS)
        except TimeoutError as error:
            lost = DeviceLost if self._last_ns is not None else DeviceRefused
            raise lost(
                f"The camera has not delivered a frame for {STALL_SECONDS:.0f} s: check its ribbon cable and the Pi's "
                "power supply."
            ) from error

    def _frame(self, request: "_Request", offset: float) -> Frame:
        metadata = request.metadata
        self._automatics.update(metadata)
        if self._resend_in:
            self._resend_in -= 1
            if not self._resend_in:
                self._camera.set_controls(self._sent)
        stamp = int(metadata["SensorTimestamp"])
        exposure = int(metadata.get("ExposureTime", 0))
        passed = 1 if self._last_ns is None else max(1, round((stamp - self._last_ns) / (self._frame_us * 1000)))
        self._last_ns = stamp
        small = request.brightness(self._camera.camera_configuration()["lores"]["size"])
        t = (stamp - 1000 * exposure) / 1e9 + offset  # the sensor stamps the read-out of the first line
        return Frame(t, self._count(passed), small, request.full)


def _half_wave(mains: int) -> float:
    """The period of mains lamps' flicker in microseconds."""
    return 1e6 / (2 * mains)


def _frame_us(mains: int | None, fastest: float) -> int:
    """The shortest frame duration, at most `USUAL_RATE` a second, in whole half-waves; microseconds."""
    shortest = 1e6 / min(fastest, mains or USUAL_RATE)
    if not mains:
        return round(shortest)
    return round(math.ceil(shortest / _half_wave(mains) - 1e-9) * _half_wave(mains))


class _Request:
    """One frame's buffers, ours until `release`."""

    def __init__(self, request: Any, library: Any) -> None:
        self.metadata: dict[str, Any] = request.get_metadata()
        self._request = request
        self._library = library
        self._full: Image | None = None
        self._lock = threading.Lock()

    def brightness(self, size: tuple[int, int]) -> Image:
        """A copy of the small picture's Y plane, without the padding of its rows."""
        width, height = size
        with self._library.MappedArray(self._request, "lores") as mapped:
            return np.array(mapped.array[:height, :width], np.uint8)

    def full(self) -> Image:
        """A copy of the full picture, made once."""
        with self._lock:
            if self._full is None:
                if self._request is None:
                    raise RuntimeError("the full picture is gone: the next frame has been taken")
                self._full = np.asarray(self._request.make_array("main"), np.uint8)
            return self._full

    def release(self) -> None:
        with self._lock:
            self._request.release()
            self._request = None


def _picamera2() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise DriverMissing(
            f"The Pi's camera needs picamera2 ({error}): sudo apt install python3-picamera2, and make the virtual "
            "environment with --system-site-packages."
        ) from error
