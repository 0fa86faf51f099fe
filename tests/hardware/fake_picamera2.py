"""picamera2 as far as the driver uses it, with what makes the real one hard: few buffers, padded rows, late controls,
an exposure that has to converge, a `stop` that may never return.

`picamera2.md` beside this file lists what it does like the real one, by which source, and what it does not. Time passes
only when a frame is taken: a camera that stalls raises at once what the real one raises after the wait. One
`FakeLibrary` is one Pi: `library.Picamera2` and `library.MappedArray` stand for the module's, the rest is for the test.
"""

import atexit
import threading

import cv2
import numpy as np

from tests.hardware.fake_automatics import FakeSensor

CONTROLS = (
    *("AeEnable", "AeFlickerMode", "AeFlickerPeriod", "AnalogueGain", "AwbEnable", "ColourGains", "ExposureTime"),
    "FrameDurationLimits",
)
CONTROLS_OF_FOCUS = ("AfMode", "LensPosition")
REQUESTS_AHEAD = 4  # frames until the camera comes to a request that is queued now; then the sensor's own delay
ALIGNED = 64  # bytes: rows begin at multiples of it
GARBAGE = 0xAB  # what padding and recycled buffers hold
GAMMA = 2.2
CACHED = 16  # small pictures


class FakeLibrary:
    """One Pi with one camera that sees `picture(number)`, blue, green, red, of the size of the main stream."""

    def __init__(self, picture, model="imx708", *, new=True):
        """`new`: libcamera 0.5 and later."""
        self.picture = picture
        self.model = model
        self.new = new
        self.plugged = True
        self.taken = False  # by another program, or by a camera that was not closed
        self.delivering = True
        self.drop = 0  # exposures that come and go before the next frame is asked for: the newest alone is kept
        self.boot_ns = 5_000_000_000
        self.exposures = 0
        self.held = 0  # requests that were not released
        self.light = 1.0
        self.colour = (1.9, 1.6)  # the gains that make the light white
        self.shows_exposure = False  # else every picture is as `picture` gives it
        self.says = {}  # metadata instead of the sensor's own; None leaves one out
        self.loses_controls = 0  # calls of `set_controls` that come to nothing
        self.hang_at = set()  # the calls that do not return before `unhang`
        self.unhang = threading.Event()
        self.opened = []
        self._small = {}
        library = self

        class Camera(Picamera2):
            def __init__(self, camera_num=0):
                super().__init__(library, camera_num)

            @staticmethod
            def global_camera_info():
                return [{"Model": library.model, "Num": 0}] if library.plugged else []

        self.Picamera2 = Camera
        self.MappedArray = MappedArray

    def small(self, picture, size):
        """Its brightness alone; made once where the camera sees the same few pictures again and again."""
        if id(picture) not in self._small:
            if len(self._small) >= CACHED:
                self._small.clear()
            shrunk = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
            self._small[id(picture)] = picture, cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY)
        return self._small[id(picture)][1]

    def call(self, name):
        if name in self.hang_at:
            self.unhang.wait()


class Picamera2:
    def __init__(self, library, camera_num):
        library.call("open")
        if library.taken:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        library.taken = True
        library.opened.append(self)
        self._library = library
        atexit.register(self.close)
        self._configuration = {}
        self._pending = []
        self._running = False
        self._jobs = 0  # that wait for a frame: one is left by each time-out
        self.controls = {}
        self.camera_properties = {"Model": library.model}
        focus = CONTROLS_OF_FOCUS if library.model.startswith("imx708") else ()
        self.camera_controls = dict.fromkeys((*CONTROLS, *focus), (0, 0, 0))
        self.sensor = FakeSensor(bool(focus), library.new)

    def create_video_configuration(
        self,
        main,
        lores,
        buffer_count=6,
        controls=None,
        sensor=None,
    ):
        return {
            "main": dict(main),
            "lores": dict(lores),
            "buffer_count": buffer_count,
            "controls": dict(controls or {}),
            "sensor": dict(sensor or {}),
        }

    def configure(self, camera_config):
        for name, per_pixel in (("main", 3), ("lores", 1)):
            stream = camera_config[name]
            assert all(side % 2 == 0 for side in stream["size"])
            row = stream["size"][0] * per_pixel
            stream["stride"] = -(-row // ALIGNED) * ALIGNED + ALIGNED
        self._configuration = camera_config
        self.set_controls(camera_config["controls"])

    def camera_configuration(self):
        return self._configuration

    def start(self):
        self._running = True
        for _, values in self._pending:  # controls set before the start count at once
            self._take_effect(values)
        self._pending.clear()

    def set_controls(self, controls):
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        if self._library.loses_controls:
            self._library.loses_controls -= 1
            return
        self._pending.append((self._library.exposures + REQUESTS_AHEAD, dict(controls)))

    def _take_effect(self, values):
        self.controls.update(values)
        self.sensor.control(values)

    def capture_request(self, wait=None):
        library = self._library
        assert self._running
        assert not self._jobs, "a job that was left over would get this frame"
        if not library.delivering or library.held >= self._configuration["buffer_count"]:
            if wait is None:
                raise AssertionError("without a time-out this would have hung for ever")
            self._jobs += 1
            raise TimeoutError
        passed = 1 + library.drop
        library.drop = 0
        for _ in range(passed):
            library.exposures += 1
            library.boot_ns += self.controls["FrameDurationLimits"][0] * 1000
            while self._pending and self._pending[0][0] <= library.exposures:
                self._take_effect(self._pending.pop(0)[1])
            self.sensor.light, self.sensor.colour = library.light, library.colour
            self.sensor.step()
        library.held += 1
        return CompletedRequest(library, self._configuration, self._metadata(), self._exposed())

    def _exposed(self):
        return self.sensor.exposed if self._library.shows_exposure else 1.0

    def _metadata(self):
        library = self._library
        metadata = {"SensorTimestamp": library.boot_ns, **self.sensor.metadata()}
        return {name: value for name, value in (metadata | library.says).items() if value is not None}

    def cancel_all_and_flush(self):
        self._jobs = 0

    def stop(self):
        self._library.call("stop")
        self._running = False

    def close(self):
        atexit.unregister(self.close)
        if self._running:
            self.stop()
        self._library.taken = False


class CompletedRequest:
    def __init__(self, library, configuration, metadata, exposed):
        self._library = library
        self._configuration = configuration
        self._metadata = metadata
        self._released = False
        picture = library.picture(library.exposures)
        width, height = configuration["main"]["size"]
        assert picture.shape == (height, width, 3)
        self._picture, self._levels = picture, _levels(exposed)
        self._buffers = {}

    def _buffer(self, name):
        """Made when it is looked at."""
        if name not in self._buffers:
            stream, picture = self._configuration[name], self._picture
            width, height = stream["size"]
            if name == "lores":
                picture = self._library.small(picture, (width, height))
                rows = height * 3 // 2
            else:
                rows = height
            lit = cv2.LUT(picture, self._levels)
            self._buffers[name] = _padded(lit.reshape(height, -1), stream["stride"], rows)
        return self._buffers[name]

    def get_metadata(self):
        return dict(self._metadata)

    def make_array(self, name):
        with MappedArray(self, name) as mapped:
            return mapped.array.copy()

    def shared(self, name):
        """The buffer itself, as MappedArray shapes it: RGB without padding, YUV420 with it."""
        if self._released:
            raise RuntimeError("the request was released")
        width, height = self._configuration[name]["size"]
        buffer = self._buffer(name)
        return buffer[:, : 3 * width].reshape(height, width, 3) if name == "main" else buffer

    def release(self):
        if self._released:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._released = True
        self._library.held -= 1
        for buffer in self._buffers.values():
            buffer[:] = GARBAGE  # the camera writes the next frame here


class MappedArray:
    def __init__(self, request, stream):
        self.array = request.shared(stream)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        del self.array


def _levels(exposed):
    """Grey level out for grey level in, of a picture that is exposed so much."""
    return np.clip(np.rint(np.arange(256) * exposed ** (1 / GAMMA)), 0, 255).astype(np.uint8)


def _padded(rows, stride, height):
    buffer = np.full((height, stride), GARBAGE, np.uint8)
    buffer[: rows.shape[0], : rows.shape[1]] = rows
    return buffer
