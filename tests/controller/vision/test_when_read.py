"""When the watcher reads the board, what it reports, what it counts. The gate is the real one, the background model a
fake."""

import cv2
import numpy as np
import pytest

from controller.errors import BadInput
from controller.referee.referee import PATIENCE
from controller.training.pictures import calibration_of
from controller.vision.calibration.camera import Camera as Lens
from controller.vision.readings import BoardReading
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.frame_watcher import BETWEEN_READINGS, FrameWatcher
from controller.vision.watching.gate import (
    AGAIN_SECONDS,
    BLIND_SECONDS,
    ENDLESS_SECONDS,
    RESTLESS_SECONDS,
    STUCK_SECONDS,
)
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import Frame
from tests.controller.fed_table import a
from tests.slow import first_is_quick, slow

BOARD = cv2.circle(np.full((240, 320), 110, np.uint8), (160, 120), 96, 190, -1)
for _radius in (30, 59, 88):
    cv2.circle(BOARD, (160, 120), _radius, 90, 1, cv2.LINE_AA)


def disc(x):
    return cv2.circle(BOARD.copy(), (x, 90), 5, 40, -1, cv2.LINE_AA)


def arm():
    return cv2.rectangle(BOARD.copy(), (150, 130), (175, 240), 60, -1)


class ScriptedBackgroundModel(BackgroundModel):
    """Reads what it is given. It knows no board until it is given one, so the whole picture counts."""

    def __init__(self, read):
        super().__init__()
        self._read = read

    def read(self, image, t=0.0, frame="", *, hand=False, lies_still=False):
        return self._read(image, t, frame)

    def follow(self, image):
        pass  # the board is where the calibration has it


class Camera:
    """Shows a frame watcher given pictures, and knows which full pictures were asked for."""

    def __init__(self, read=None, *, live=False):
        self.t = 0.0
        self.number = 0
        self.fetched = []
        self.read_at = []
        self.seen = []
        self._read = read or (lambda picture, t, name: BoardReading((), t=t, frame=name))
        self._random = np.random.default_rng(11)
        ticks = iter(range(10**6))
        self.model = ScriptedBackgroundModel(self._reader)
        self.watcher = FrameWatcher(self.model, timer=lambda: next(ticks) / 1000, live=live)

    def _reader(self, picture, t, name):
        self.read_at.append(t)
        return self._read(picture, t, name)

    def _frame(self, small):
        t = self.t

        def full():
            self.fetched.append(t)
            return np.dstack([small] * 3)

        return Frame(t, self.number, small, full, f"{self.number}.jpg")

    def show(self, small, seconds, step=0.02, noise=1.0):
        before = len(self.seen)
        for _ in range(round(seconds / step)):
            shown = np.clip(small + self._random.normal(0, noise, small.shape), 0, 255).astype(np.uint8)
            self.seen += self.watcher.process_frame(self._frame(shown if noise else small))
            self.t += step
            self.number += 1
        return self.seen[before:]


def kinds(observations):
    return [seen.word if isinstance(seen, GateChanged) else type(seen).__name__ for seen in observations]


def test_the_first_frame_is_read():
    camera = Camera()
    assert kinds(camera.show(BOARD, 0.02)) == ["still", "BoardRead"]
    assert kinds(camera.show(BOARD, 3.0)) == []
    assert len(camera.fetched) == 1


def test_a_settled_change_is_read_once_with_the_picture_as_evidence():
    camera = Camera()
    camera.show(BOARD, 1.0)
    observations = camera.show(disc(200), 2.0)
    assert kinds(observations) == ["moving", "still", "BoardRead"]
    read = observations[-1]
    assert read.t == camera.read_at[-1] == read.reading.t
    assert read.picture.shape == (240, 320, 3)
    assert read.picture[90, 200, 0] < 60
    assert observations[1].t == read.t


def test_readings_keep_their_distance_and_the_last_board_is_read():
    camera = Camera()
    camera.show(BOARD, 0.02)
    for k in range(10):
        camera.show(disc(100 + 10 * k), 0.2)  # settles every 0.2 s
    camera.show(disc(210), 1.0)
    gaps = np.diff(camera.read_at)
    assert gaps.min() >= BETWEEN_READINGS - 1e-6
    last = [seen for seen in camera.seen if isinstance(seen, BoardRead)][-1]
    assert last.picture[90, 210, 0] < 60


def test_every_picture_of_a_slow_source_is_read_whatever_it_shows():
    camera = Camera()
    for picture in (BOARD, disc(150), arm(), arm(), BOARD):
        camera.show(picture, 0.5, step=0.5, noise=0)
    assert kinds(camera.seen) == ["still", *["BoardRead"] * 5]
    assert camera.read_at == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_what_never_stirs_is_read_after_all_and_accepted_when_the_board_is_whole():
    camera = Camera()
    camera.show(BOARD, 1.0)
    observations = camera.show(arm(), STUCK_SECONDS + 2, step=0.04)
    assert kinds(observations) == ["moving", "hand", "still", "BoardRead"]
    assert kinds(camera.show(arm(), 1.0)) == []


@slow
def test_an_obstruction_that_never_stirs_stays_one():
    camera = Camera(lambda picture, t, name: BoardReading((), obstructed=t > 0.5))
    camera.show(BOARD, 1.0)
    observations = camera.show(arm(), 2 * STUCK_SECONDS + 2, step=0.04)
    assert kinds(observations) == ["moving", "hand"]
    assert len(camera.read_at) == 4  # it looked once whether it is light, and twice later


def test_a_still_board_is_read_once_more_when_the_referee_no_longer_waits_for_what_lies_on_it():
    camera = Camera(lambda picture, t, name: BoardReading((), obstructed=True, t=t))
    camera.show(BOARD, 2 * PATIENCE + 5.0, step=0.1)
    assert kinds(camera.seen) == ["still", "BoardRead", "BoardRead"]
    first, again = camera.read_at
    assert PATIENCE <= again - first < PATIENCE + 0.2


def test_an_unreadable_picture_is_reported_and_the_next_is_tried():
    def read(picture, t, name):
        if t < 0.5:
            raise BadInput("the picture is too dark: switch the lamp on")
        return BoardReading(())

    camera = Camera(read)
    first = camera.show(BOARD, 1.0)
    assert kinds(first) == ["still", "ReadingFailed"]
    assert "lamp" in first[1].text
    assert kinds(camera.show(disc(200), 1.0)) == ["moving", "still", "BoardRead"]


def test_a_moved_camera_is_not_read_until_the_board_is_found_again():
    camera = Camera()
    camera.show(BOARD, 1.0)
    moved = np.roll(BOARD, 6, axis=1)
    assert kinds(camera.show(moved, STUCK_SECONDS + 2, step=0.04))[-1] == "camera_moved"
    assert len(camera.read_at) == 1
    camera.model.calibration = calibration_of(
        Lens(320, 240, 300.0, 166.0, 120.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 1030.0))
    )
    assert kinds(camera.show(moved, 1.0)) == ["still", "BoardRead"]


def test_figures_count_frames_drops_and_milliseconds():
    camera = Camera()
    camera.show(BOARD, 0.2)
    camera.number += 4
    camera.show(BOARD, 0.2)
    camera.number = 0  # the camera was reopened
    camera.show(BOARD, 0.2)
    figures = camera.watcher.figures
    assert (figures.frames, figures.dropped, figures.readings) == (30, 4, 1)
    assert figures.gate_seconds / figures.frames == pytest.approx(0.001)  # the timer's tick
    assert figures.read_seconds / figures.readings == pytest.approx(0.001)


def test_a_camera_that_repeats_one_picture_shows_in_the_figures():
    camera = Camera()
    camera.show(BOARD, 1.0)
    assert camera.watcher.figures.frozen_seconds == 0
    camera.show(BOARD, 2.0, noise=0)
    assert camera.watcher.figures.frozen_seconds == pytest.approx(1.98)
    camera.show(BOARD, 0.1)
    assert camera.watcher.figures.frozen_seconds == 0


def test_a_live_camera_that_repeats_a_picture_of_a_rolling_disc_shows_no_board_at_rest():
    camera = Camera(live=True)
    camera.show(BOARD, 1.0)
    for k in range(10):
        camera.show(disc(100 + 5 * k), 0.02)
    assert kinds(camera.show(disc(150), 2.0, noise=0.0)) == ["covered"]
    assert kinds(camera.show(disc(200), 0.5)) == ["moving", "still", "BoardRead"]
    assert camera.read_at[-1] > 3.1


def test_hands_that_hide_the_board_for_very_long_count_as_a_cover():
    camera = Camera(lambda picture, t, name: BoardReading((), obstructed=t > 0.5))
    camera.show(BOARD, 1.0)
    for k in range(2 * int(ENDLESS_SECONDS)):
        wide = cv2.rectangle(BOARD.copy(), (150, 120 + 10 * (k % 2)), (175, 240), 60, -1)
        camera.show(wide, 1.0, step=0.1)
    assert kinds(camera.seen) == ["still", "BoardRead", "moving", "hand", "covered"]
    assert kinds(camera.show(disc(200), 1.0))[-2:] == ["still", "BoardRead"]


def test_a_board_that_can_not_be_read_while_play_goes_on_counts_as_covered_after_five_seconds():
    camera = Camera(lambda picture, t, name: BoardReading((), obstructed=1.0 < t < 9.0))
    camera.show(BOARD, 1.0)
    for k in range(7):
        camera.show(np.minimum(arm(), disc(60 + 10 * k)), 1.0, step=0.1)
    assert kinds(camera.seen) == ["still", "BoardRead", "moving", "hand", "covered"]
    (covered,) = (seen for seen in camera.seen if isinstance(seen, GateChanged) and seen.word == "covered")
    assert covered.t - 1.0 == pytest.approx(BLIND_SECONDS, abs=1.0)
    camera.show(arm(), 1.5, step=0.1)
    assert kinds(camera.show(disc(200), 1.5))[-2:] == ["still", "BoardRead"]


@pytest.mark.parametrize("rolls", first_is_quick([False, True]))
def test_a_board_on_which_sharp_shadows_never_rest_is_read_where_two_readings_agree(rolls):
    """Shadows of leaves in the sun, or of a fan's blades, with edges like a disc's."""
    camera = Camera(lambda picture, t, name: BoardReading((a(100.0 * t * rolls, 50.0),), t=t))
    camera.show(BOARD, 1.0)
    for k in range(100):
        x = 90 + 37 * k % 140
        shadow = cv2.rectangle(BOARD.copy(), (x, 40), (x + 8, 200), 150, -1)
        camera.show(np.minimum(BOARD, shadow), 0.1, step=0.05)
    read = [seen.t for seen in camera.seen if isinstance(seen, BoardRead)]
    assert len(read) == 1 if rolls else RESTLESS_SECONDS < read[1] - 1.0 < RESTLESS_SECONDS + 2.0


def test_a_hand_that_was_taken_for_the_board_is_forgotten_soon_after_it_has_left():
    camera = Camera(lambda picture, t, name: BoardReading((), obstructed=picture[200, 160, 0] < 80))
    assert kinds(camera.show(arm(), 1.0)) == ["still", "BoardRead"]
    assert kinds(camera.show(BOARD, AGAIN_SECONDS + 2, step=0.04))[-2:] == ["still", "BoardRead"]


def test_a_board_on_which_a_hand_rests_all_through_is_read_beside_it():
    ends = ((-30.0, -300.0), (30.0, -300.0), (0.0, -250.0))
    camera = Camera(lambda picture, t, name: BoardReading((), obstructed=True, hidden=(ends,)))
    assert kinds(camera.show(arm(), 1.0)) == ["still", "BoardRead"]
    other = cv2.rectangle(arm(), (90, 110), (125, 240), 60, -1)
    assert kinds(camera.show(other, AGAIN_SECONDS + 1, step=0.04)) == ["moving", "hand", "BoardRead"]
