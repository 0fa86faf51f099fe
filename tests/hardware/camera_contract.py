"""What every `BoardCamera` must do. A driver's test subclasses `CameraContract` and gives a `Bench`."""

import threading
from itertools import islice, pairwise

import cv2
import numpy as np
import pytest

from hardware.errors import DeviceLost
from tests.hardware.benched import Benched

BLUE, RED = (200, 90, 40), (40, 90, 200)


def card(number, size=(1280, 960)):
    """A test card: left half blue, right half red, and a white square that goes right by its side with each frame."""
    width, height = size
    picture = np.empty((height, width, 3), np.uint8)
    picture[:, : width // 2], picture[:, width // 2 :] = BLUE, RED
    side = width // 16
    left = number % 16 * side
    picture[height // 2 : height // 2 + side, left : left + side] = 250
    return picture


def grey(picture):
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


class CameraContract(Benched):
    """A bench has a `camera` that is fresh and looks at `card`, at least six frames of it."""

    shows_card = True

    def test_frames_come_in_order_of_time_and_number(self, bench):
        frames = list(islice(bench.camera.frames(), 5))
        assert len(frames) == 5
        assert all(a.t < b.t and a.number < b.number for a, b in pairwise(frames))

    def test_the_small_picture_is_the_full_one_in_grey(self, bench):
        for frame in islice(bench.camera.frames(), 4):
            small, full = frame.small, frame.full()
            assert small.dtype == np.uint8
            assert full.dtype == np.uint8
            assert full.ndim == 3
            assert full.shape[2] == 3
            assert small.ndim == 2
            shrunk = cv2.resize(full, small.shape[::-1], interpolation=cv2.INTER_AREA)
            difference = cv2.absdiff(grey(shrunk), small)
            assert float(difference.mean()) < 3

    def test_a_small_picture_outlives_its_frame(self, bench):
        frames = []
        copies = []
        for frame in islice(bench.camera.frames(), 4):
            frames.append(frame)
            copies.append(frame.small.copy())
        assert all(np.array_equal(frame.small, copy) for frame, copy in zip(frames, copies, strict=True))

    def test_the_full_picture_can_be_asked_for_again_and_is_blue_green_red(self, bench):
        for frame in islice(bench.camera.frames(), 3):
            first = frame.full().copy()
            assert np.array_equal(first, frame.full())
            if self.shows_card:
                width = first.shape[1]
                assert np.abs(first[10, width // 4].astype(int) - BLUE).max() < 25
                assert np.abs(first[10, width * 3 // 4].astype(int) - RED).max() < 25

    def test_the_known_lens_fits_the_picture(self, bench):
        frames = bench.camera.frames()
        full = next(frames).full()
        lens = bench.camera.lens
        if lens is not None:
            assert (lens.width, lens.height) == (full.shape[1], full.shape[0])
            assert lens.focal > 0.5 * lens.width

    def test_a_camera_keeps_delivering_locked_and_unlocked(self, bench):
        frames = bench.camera.frames()
        next(frames)
        assert bench.camera.settled in (True, False)
        bench.camera.lock()
        assert len(list(islice(frames, 2))) == 2
        bench.camera.unlock()
        assert len(list(islice(frames, 2))) == 2

    def test_closing_ends_the_frames_and_is_safe_twice(self, bench):
        frames = bench.camera.frames()
        next(frames)
        closing = threading.Thread(target=bench.camera.close)
        closing.start()
        closing.join()
        assert len(list(islice(frames, 3))) <= 1
        bench.camera.close()


class LosableCameraContract(CameraContract):
    """For cameras that can be unplugged and plugged in again: `lose`, `restore`."""

    advice = "cable"  # what the message says to look at

    def test_locking_before_the_first_frame_raises(self, bench):
        with pytest.raises(DeviceLost, match="not delivered a frame yet"):
            bench.camera.lock()

    def test_a_camera_that_stops_raises_and_can_be_reopened(self, bench):
        frames = bench.camera.frames()
        before = next(frames)
        bench.lose()
        with pytest.raises(DeviceLost, match=self.advice):
            list(islice(frames, 10))
        bench.restore()
        after = next(bench.camera.frames())
        assert after.number > before.number
        assert after.t > before.t
