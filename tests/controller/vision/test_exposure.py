"""The camera is locked once it has settled and the board was read well, and freed when the light leaves that.

The camera is the Pi's driver on a virtual picamera2, whose exposure and white balance converge as libcamera's do.
"""

from functools import cache
from itertools import islice

import numpy as np
import pytest

from controller.vision.calibration.calibration import calibrate
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.exposure import ADAPTING, BUSY_SECONDS, DARK, PATIENCE_SECONDS, REFUSALS
from controller.vision.watching.frame_watcher import FrameWatcher
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import Frame, Lens, ManualClock
from hardware.picamera import PiCamera
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.hardware.fake_picamera2 import FakeLibrary
from tests.slow import first_is_quick, slow

SECOND = 50  # frames
NIGHT, DUSK = 0.0005, 0.004  # of the light: next to nothing, and what the exit sign gives
VARIANTS = 4  # pictures of a scene, which differ by their noise
ONE = (SceneDisc("a1", "black", 10.0, 60.0),)
# Far from every line, and not about (-110, 130), where a natural disc shows hardly an edge in the painted light and is
# rightly a close call: what is tried here is the change of light, in any version of OpenCV.
TWO = (*ONE, SceneDisc("b1", "natural", -60.0, -130.0))


@cache
def painter():
    return Painter(seed=3)


@cache
def place():
    return calibrate(painter().full(Scene(0.0)))


class PiTable:
    """A frame watcher at the Pi's camera over a painted table; with a `calibration`, it knows where the board lies."""

    def __init__(self, light=1.0, *, calibration=None, new=True):
        self.painter = painter()
        self.library = FakeLibrary(lambda number: self.pictures[number % VARIANTS], new=new)
        self.library.shows_exposure = True
        self.library.light = light
        self.camera = PiCamera(ManualClock(), library=self.library, boot_time=lambda: self.library.boot_ns / 1e9)
        self.reported = []
        self.watcher = FrameWatcher(BackgroundModel(calibration=calibration), self.reported.append, live=True)
        self.watcher.steer(self.camera)
        self.seen = []
        self.frozen = 0.0
        self.frames = self.camera.frames()
        self.lay()

    @property
    def state(self):
        return self.watcher.camera_state

    @property
    def readings(self):
        return [seen for seen in self.seen if isinstance(seen, BoardRead)]

    def calls(self):
        """What the newest reading says of its discs."""
        return [disc.call for disc in self.readings[-1].reading.discs]

    def lay(self, discs=(), hands=(), *, covered=False):
        self.pictures = [self.painter.full(Scene(0.1 * k, discs, hands, covered=covered)) for k in range(VARIANTS)]

    def run(self, seconds):
        for frame in islice(self.frames, round(seconds * SECOND)):
            self.seen += self.watcher.process_frame(frame)
            self.frozen = max(self.frozen, self.watcher.figures.frozen_seconds)

    def wave(self, seconds):
        """Somebody's hand comes and goes."""
        hands = [Hand(1, 20.0, -200.0 - 20 * k) for k in range(VARIANTS)]
        waving = [self.painter.full(Scene(0.1 * k, hands=(hand,))) for k, hand in enumerate(hands)]
        for k in range(round(10 * seconds)):
            self.pictures = [waving[k % VARIANTS]] * VARIANTS
            self.run(0.1)

    @classmethod
    def playing(cls):
        """One whose camera has been locked."""
        table = cls(calibration=place())
        table.run(5.0)
        assert table.state == "locked"
        table.seen.clear()
        table.reported.clear()
        return table


@pytest.mark.parametrize("new", first_is_quick([True, False]))
def test_nothing_is_read_before_the_camera_has_settled_and_then_it_is_locked(new):
    table = PiTable(new=new)
    table.run(0.8)
    assert table.readings == []
    table.run(4.0)
    assert table.state == "locked"
    assert table.reported in ([], [None])
    exposed = float(np.median(table.readings[0].picture)) / float(np.median(table.pictures[0]))
    assert exposed == pytest.approx(1.0, rel=0.03)


@slow
def test_switched_on_before_the_lamps_the_table_says_that_it_is_dark_and_plays_once_they_are_on():
    table = PiTable(NIGHT)
    table.run(20.0)
    assert table.reported == [DARK]
    assert table.state == "free"
    assert table.readings == []
    assert table.frozen < 1.0, "a dark picture is no sign of a camera that is stuck"
    table.library.light = 1.0
    table.run(6.0)
    assert table.state == "locked"
    assert table.reported[-1] is None
    table.lay(ONE)
    table.run(2.0)
    assert table.calls() == ["sure"]


@slow
def test_a_board_learnt_at_dusk_is_learnt_again_when_the_lamps_are_on():
    table = PiTable(DUSK)
    table.run(10.0)
    table.library.light = 1.0
    table.run(8.0)
    assert table.state == "locked"
    table.lay(ONE)
    table.run(3.0)
    assert table.calls() == ["sure"]


@slow
def test_lamps_that_go_off_in_the_game_and_on_again_leave_the_discs_as_sure_as_before():
    table = PiTable.playing()
    table.lay(TWO)
    table.run(2.0)
    assert table.calls() == ["sure", "sure"]
    table.library.light = NIGHT
    table.run(8.0)
    assert table.reported[-1] is DARK
    table.library.light = 1.0
    table.run(6.0)
    assert table.reported[-1] is None
    assert table.state == "locked"
    assert table.calls() == ["sure", "sure"]
    assert all(len(read.reading.discs) == 2 for read in table.readings)


@pytest.mark.parametrize("light", first_is_quick([0.4, 0.62, 1.3, 2.5]))
def test_light_beyond_the_lock_makes_the_camera_adapt_and_no_disc_vanishes_or_appears(light):
    table = PiTable.playing()
    table.lay(ONE)
    table.run(2.0)
    table.seen.clear()
    table.library.light = light
    table.lay(TWO)  # a shot while the light changes
    table.run(0.9)
    assert table.readings == []
    table.run(6.0)
    assert table.reported == [ADAPTING, None]
    assert table.state == "locked"
    assert table.calls() == ["sure", "sure"]
    assert all(len(read.reading.discs) == 2 for read in table.readings)


@slow
def test_where_the_camera_cannot_compensate_nothing_is_sure_until_the_lamps_are_back():
    table = PiTable.playing()
    table.lay(ONE)
    table.run(2.0)
    table.library.light = 0.05  # with the highest gain, half of the usual picture
    table.run(8.0)
    assert table.state == "locked"
    assert table.calls() == ["close"]
    table.library.light = 1.0
    table.run(8.0)
    assert table.calls() == ["sure"]


@pytest.mark.parametrize("light", first_is_quick([0.8, 1.1]))
def test_light_within_the_lock_changes_nothing(light):
    table = PiTable.playing()
    table.library.light = light
    table.run(1.0)
    table.lay(ONE)
    table.run(3.0)
    assert table.reported == []
    assert table.calls() == ["sure"]


def test_a_flash_is_waited_for():
    table = PiTable.playing()
    table.library.light = 2.0
    table.run(0.3)
    table.library.light = 1.0
    table.run(3.0)
    assert table.state == "locked"
    assert table.reported == []


def test_the_camera_is_freed_when_nobody_moves():
    table = PiTable.playing()
    table.library.light = 0.5
    table.wave(4.0)
    assert table.state == "locked"
    assert table.reported == []
    table.lay()
    table.run(1.5)
    assert table.reported == [ADAPTING]
    table.run(6.0)
    assert table.state == "locked"


def test_where_somebody_always_moves_it_is_freed_all_the_same():
    table = PiTable.playing()
    table.library.light = 0.5
    table.wave(BUSY_SECONDS + 1)
    assert table.reported == [ADAPTING]


def test_a_jacket_over_the_board_is_no_other_light():
    table = PiTable.playing()
    table.lay(covered=True)
    table.run(5.0)
    assert any(seen.word == "covered" for seen in table.seen if isinstance(seen, GateChanged))
    assert table.state == "locked"
    assert table.reported == []


def test_a_camera_that_never_settles_is_read_in_doubt():
    table = PiTable(calibration=place())
    table.library.says |= {"AfState": 1}
    table.lay(ONE)
    table.run(PATIENCE_SECONDS - 0.5)
    assert table.readings == []
    table.run(2.0)
    assert table.calls() == ["close"]
    assert table.state == "free"


class Stubborn:
    """A camera that has another exposure as soon as it is locked, as some USB cameras do."""

    def __init__(self, painter):
        self._painter = painter
        self.locked = False
        self.locks = 0
        self.scene = Scene(0.0)

    settled = True
    lens: Lens | None = None

    def lock(self):
        self.locked = True
        self.locks += 1

    def unlock(self):
        self.locked = False

    def close(self):
        pass

    def frames(self):
        for number in range(10**6):
            t = number / 10
            scene = Scene(t, self.scene.discs, light=0.3 if self.locked else 1.0)

            def full(scene=scene):
                return self._painter.full(scene)

            yield Frame(t, number, self._painter.small(scene), full)


def test_a_camera_that_does_not_keep_its_exposure_stays_free_and_is_read():
    camera = Stubborn(painter())
    watcher = FrameWatcher(BackgroundModel(), live=True)
    watcher.steer(camera)
    seen = []
    for frame in islice(camera.frames(), 400):
        if frame.number == 300:
            camera.scene = Scene(0.0, ONE)
        seen += watcher.process_frame(frame)
    assert watcher.camera_state == "refused"
    assert camera.locks == REFUSALS
    assert not camera.locked
    readings = [one.reading for one in seen if isinstance(one, BoardRead)]
    assert [disc.call for disc in readings[-1].discs] == ["sure"]
