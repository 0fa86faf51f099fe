"""A camera in the network: a phone with a camera app, or an IP camera."""

import threading
import time
from collections.abc import Iterator
from functools import cache
from http.client import HTTPException
from typing import Any

import cv2

from hardware.devices import Clock, Frame, Image
from hardware.errors import DeviceLost
from hardware.network_streams import Address, Arrival, MjpegStream, RtspStream
from hardware.pictures import JPEG_END, SMALL_SIDE, TRAILER, decoded, small_grey
from hardware.webcam import LiveCamera, median_colour

SILENCE = 4.0  # s without a picture: Wi-Fi pauses for one or two
REDUCED = {
    8: cv2.IMREAD_REDUCED_COLOR_8,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    1: cv2.IMREAD_COLOR,
}


class NetworkCamera(LiveCamera):
    """A camera that sends MJPEG over HTTP or HTTPS, or any video over RTSP. A frame's time is its arrival: what the
    sender and the network took before is not in it. Pictures that come faster than frames are taken are dropped, so
    that each frame is the newest. Its exposure can't be locked from here; it has settled as `UsbCamera` does."""

    def __init__(self, address: str, clock: Clock, password: str | None = None, silence: float = SILENCE) -> None:
        """`address`: http, https or rtsp, perhaps with a user's name. After `silence` seconds without a picture the
        camera is lost. Raises `DeviceNotFound` if it can't be an address."""
        super().__init__()
        self._address = Address(address, password)
        self._clock = clock
        self._silence = silence
        self._newest = _Newest()
        self._arrived = -1  # number of the last picture that came
        self._size: tuple[int, int] | None = None  # width, height

    def describe(self) -> dict[str, Any]:
        """See `SelfDescribing`."""
        width, height = self._size or (None, None)
        counts = {"arrived": self._arrived + 1, "dropped": self.dropped, "undecodable": self.undecodable}
        return {"width": width, "height": height, **counts}

    def frames(self) -> Iterator[Frame]:
        """Connect and deliver the newest picture each time. Raises `DeviceNotFound` if there is no video and
        `DeviceLost` if it ends, is silent or changes its size; calling `frames` again reconnects."""
        self._newest = newest = _Newest()
        if self._closed:
            return
        kind = RtspStream if self._address.scheme == "rtsp" else MjpegStream
        stream = kind(self._address, self._silence, self._clock.now)
        reader = threading.Thread(target=self._read, args=(stream, newest), name="network camera", daemon=True)
        reader.start()
        self._steady.restart()
        try:
            yield from self._good_frames(newest)
        finally:
            stream.close()
            reader.join(self._silence)

    def close(self) -> None:
        """End `frames`, also while it waits for a picture."""
        super().close()
        self._newest.end()

    def _read(self, stream: MjpegStream | RtspStream, newest: "_Newest") -> None:
        """Receive without a pause, so that nothing old waits in a buffer."""
        try:
            for arrival in stream.arrivals(newest.is_awaited):
                self._arrived += 1
                if arrival.picture is not None:
                    newest.put(self._arrived, arrival)
        except (OSError, HTTPException, ValueError):  # ValueError: a length of a chunk that is none
            pass  # the sender is gone, or was never one
        finally:
            newest.end()

    def _good_frames(self, newest: "_Newest") -> Iterator[Frame]:
        good = time.monotonic()
        while (taken := newest.take(self._silence)) is not None and not self._closed:
            number, arrival = taken
            frame = self._frame(number, arrival)
            if frame is not None:
                self._count(number - self._number)
                yield frame
                good = time.monotonic()
                continue
            self.undecodable += 1
            if time.monotonic() - good > self._silence:
                raise self._lost("sends pictures that are no JPEGs or are cut off: start its app again.")
        if self._closed:
            return
        raise self._lost("sends no more pictures: look at its app and its battery, and at the Wi-Fi.")

    def _frame(self, number: int, arrival: Arrival) -> Frame | None:
        """The frame; None if the picture can't be decoded."""
        small: Image | None
        if isinstance(arrival.picture, bytes):
            jpeg = arrival.picture
            small, full = self._reduced(jpeg), cache(lambda: _whole(jpeg))
        else:
            assert arrival.picture is not None
            picture = small = arrival.picture
            full = cache(lambda: picture)
            self._keep_size(picture, 1)
        if small is None:
            return None
        self._steady.update(median_colour(small), arrival.t)
        return Frame(arrival.t, number, small_grey(small), full)

    def _reduced(self, jpeg: bytes) -> Image | None:
        """A picture of at least the small one's size, which costs a third of decoding the full one; None if the JPEG is
        cut off or can't be decoded."""
        if JPEG_END not in jpeg[-TRAILER:]:
            return None
        reduction = 1 if self._size is None else max(r for r in REDUCED if r == 1 or max(self._size) >= r * SMALL_SIDE)
        picture = _decoded(jpeg, REDUCED[reduction])
        if picture is not None:
            self._keep_size(picture, reduction)
        return picture

    def _keep_size(self, picture: Image, reduction: int) -> None:
        """Raise `DeviceLost` if the size is another: the board's place in the picture is known in pixels."""
        height, width = picture.shape[:2]
        if self._size is None:
            self._size = width, height
        before = tuple(-(-side // reduction) for side in self._size)
        if (width, height) != before:
            raise self._lost(
                f"sends pictures of {width * reduction} x {height * reduction} now, and sent {self._size[0]} x "
                f"{self._size[1]} before: turn the phone or set its app back, or start the table again."
            )

    def _lost(self, what: str) -> DeviceLost:
        return DeviceLost(f"The camera {self._address.shown} {what}")


class _Newest:
    """Passes the newest picture, with its number, from the reader's thread to the camera's."""

    def __init__(self) -> None:
        self._ended = False
        self._changed = threading.Condition()
        self._picture: tuple[int, Arrival] | None = None
        self._awaited = False

    def is_awaited(self) -> bool:
        """Whether somebody waits for a picture."""
        return self._awaited

    def put(self, number: int, arrival: Arrival) -> None:
        with self._changed:
            self._picture, self._awaited = (number, arrival), False
            self._changed.notify()

    def end(self) -> None:
        """There is no further picture."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def take(self, seconds: float) -> tuple[int, Arrival] | None:
        """The newest picture that was not taken yet; None if there is no further one, or none within `seconds`."""
        with self._changed:
            self._awaited = self._picture is None
            self._changed.wait_for(lambda: self._picture is not None or self._ended, seconds)
            picture, self._picture, self._awaited = self._picture, None, False
            return picture


def _decoded(jpeg: bytes, flags: int) -> Image | None:
    """The picture as the sensor saw it, whichever way round the phone believes to lie."""
    return decoded(jpeg, flags | cv2.IMREAD_IGNORE_ORIENTATION)


def _whole(jpeg: bytes) -> Image:
    picture = _decoded(jpeg, cv2.IMREAD_COLOR)
    if picture is None:
        raise DeviceLost("The camera sent a picture that can't be decoded: start its app again.")
    return picture
