"""The real picamera2 on libcamera's `virtual` camera, which shows /run/frames/0.jpg, 1.jpg, ..

What that camera lacks is put in here, in picamera2's own places; all else is picamera2 and libcamera as they are
installed. `tests/hardware/picamera2.md` lists how it differs from a Pi's. It takes a picture as soon as a buffer is
free, while here each waits until it is asked for; and it leaves a frame's status as it finds it in memory: init.sh
makes that 0, which is success.
"""

import mmap
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import picamera2
from picamera2 import MappedArray as RealMappedArray
from picamera2.allocators import LibcameraAllocator

CONTROLS = ("FrameDurationLimits", "ExposureTime", "AnalogueGain", "AeEnable", "AwbEnable", "ColourGains")
TOLD = {
    "ExposureTime": 7300,
    "AnalogueGain": 2.0,
    "ColourGains": (1.9, 1.6),
    "AeState": 2,
    "ScalerCrop": (0, 0, 640, 480),
}
# JPEG's whole range of values to video's, which OpenCV converts from
BRIGHTNESS = np.round(16 + np.arange(256) * 219 / 255).astype(np.uint8)
COLOUR = np.round(128 + (np.arange(256) - 128) * 224 / 255).astype(np.uint8)
FRAMES = Path("/run/frames")
PATIENCE = 20.0  # s for a picture: the guest stands still while its host is busy
REPEATS = 4  # times that the virtual camera shows each picture
BUFFERS = 4  # the least that it can do with


def show(pictures):
    """What the camera will show, from the first on; before this process uses it for the first time."""
    FRAMES.mkdir(exist_ok=True)
    for number, picture in enumerate(pictures):
        (FRAMES / f"{number}.jpg").symlink_to(picture)


class _Sync:
    """A buffer's memory; libcamera's own counts the bytes used, which the virtual camera leaves 0."""

    def __init__(self, _, buffer, write):
        self._buffer = buffer

    def __enter__(self):
        plane = self._buffer.planes
        length = sum(p.length for p in plane)
        self._memory = mmap.mmap(plane[0].fd, length, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        return self._memory

    def __exit__(self, *_):
        self._memory.close()


class _Allocator(LibcameraAllocator):
    def __init__(self, camera):
        super().__init__(camera)
        self.sync = _Sync


class Picamera2(picamera2.Picamera2):
    """`shown` is called with the picture of each frame, `pause` is the time between two frames."""

    shown: Callable[[int], None] = staticmethod(lambda number: None)
    pause = 0.0

    def __init__(self, camera_num=0):
        self.asked = {}  # the format by stream
        self.controls_set = {}
        super().__init__(camera_num)
        self.allocator = _Allocator(self.camera)
        self._next = time.monotonic()
        self._picture = -1  # the last that was shown

    def _get_raw_modes(self):
        return [{"format": "NV12", "size": (640, 480)}]

    def create_video_configuration(self, **wanted):
        for name in {"main", "lores"} & set(wanted):
            self.asked[name] = wanted[name]["format"]
            wanted[name] = {**wanted[name], "format": "NV12"}
        self.set_controls(wanted.pop("controls", {}))
        return super().create_video_configuration(**{**wanted, "buffer_count": BUFFERS})

    def configure(self, *configuration):
        super().configure(*configuration)
        self._max_queue_len = BUFFERS  # else they go round and round while nobody asks

    @property
    def camera_controls(self):
        return {**dict.fromkeys(CONTROLS, (0, 0, 0)), **super().camera_controls}

    def set_controls(self, controls):
        self.controls_set.update(controls)

    def capture_request(self, wait):
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self.pause
        while (
            picture := (real := super().capture_request(wait=PATIENCE)).request.sequence // REPEATS
        ) == self._picture:
            real.release()
        self._picture = picture
        type(self).shown(picture)
        return Request(real, self)


class Request:
    """A completed request whose pictures have the formats that were asked for."""

    def __init__(self, request, camera):
        self.real = request
        self._camera = camera
        self._taken_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)  # the real stamp is when its buffer became free

    def get_metadata(self):
        controls = {name: value for name, value in self._camera.controls_set.items() if value}  # 0: automatic again
        told = {**TOLD, **controls, **self.real.get_metadata()}
        return {**told, "SensorTimestamp": self._taken_ns}

    def make_array(self, name):
        assert self._camera.asked[name] == "RGB888"
        with MappedArray(self, name) as mapped:
            height = mapped.array.shape[0] * 2 // 3
            video = np.vstack([cv2.LUT(mapped.array[:height], BRIGHTNESS), cv2.LUT(mapped.array[height:], COLOUR)])
            return cv2.cvtColor(video, cv2.COLOR_YUV2BGR_NV12)

    def release(self):
        self.real.release()


class MappedArray(RealMappedArray):
    def __init__(self, request, stream):
        super().__init__(request.real, stream)
